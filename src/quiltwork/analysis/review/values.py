"""Values that can be compared: every position is searched by itself, with the same effort.

The value that a search gives to a move at its root depends on how often it looked there, so two moves of one
search must not be compared. Here a move is worth what the position after it is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from quiltwork import Move, Phase, Player, Position
from quiltwork.agents.agent import Analysis, Limits
from quiltwork.agents.registry import agent_of

DEFAULT_SIMULATIONS = 8_000
VALUING = "strongest:wait_penalty=0,repeated_wait_penalty=0"
"""who values: the helpers against waiting would colour which move is best"""
DEALS = 4
"""orders of the reserve that the value of a position before the deal is averaged over"""


@dataclass(frozen=True)
class Value:
    """What a position is worth to a player."""

    win: float
    """the share of wins expected, 0 to 1"""
    points: float
    """the lead in points expected at the end"""
    exact: bool = False
    """whether the rest of the game was searched out"""

    def for_opponent(self) -> Value:
        return Value(1 - self.win, -self.points, self.exact)


class Analyst:
    """Values positions with one agent and one effort, and remembers what it has valued."""

    def __init__(self, simulations: int = DEFAULT_SIMULATIONS, agent: str = VALUING, seed: int = 1) -> None:
        self.simulations = simulations
        self.agent = agent
        self.seed = seed
        self._known: dict[str, Analysis] = {}

    def thorough(self, factor: int) -> Analyst:
        """An analyst with more effort, whose errors are independent of this one's."""
        return Analyst(factor * self.simulations, self.agent, self.seed + 1)

    def analysis(self, position: Position) -> Analysis:
        """The analysis of a position in which a player is to move."""
        if position.text not in self._known:
            # A new agent each time: a tree kept from another position would know more about some moves.
            agent = agent_of(self.agent, seed=self.seed)
            try:
                self._known[position.text] = agent.think(position, Limits(simulations=self.simulations))
            finally:
                agent.close()
        return self._known[position.text]

    def value(self, position: Position, player: Player) -> Value:
        """What a position is worth to a player; before a deal, the mean over some orders of the reserve."""
        outcome = position.outcome()
        if outcome is not None:
            one, two = (score.total for score in outcome.scores)
            lead = one - two if player is Player.ONE else two - one
            return Value(float(outcome.winner is player), float(lead), exact=True)
        if position.phase is Phase.DEAL:
            # The text is the seed: the same position has the same value every time.
            chance = Random(position.text)
            return _mean([self.value(position.play(position.deal(chance)), player) for _ in range(DEALS)])
        best = self.analysis(position)
        value = Value(best.win, best.points, best.exact)
        return value if best.turn is player else value.for_opponent()

    def line(self, position: Position) -> tuple[Move, ...]:
        """How play may go on; empty when the game is over or chance is next."""
        if position.phase in (Phase.OVER, Phase.DEAL):
            return ()
        return self.analysis(position).best.line


def _mean(values: Sequence[Value]) -> Value:
    count = len(values)
    return Value(sum(value.win for value in values) / count, sum(value.points for value in values) / count)
