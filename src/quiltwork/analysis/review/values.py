"""Values that can be compared: every position is searched by itself, with the same effort.

The value that a search gives to a move at its root depends on how often it looked there, so two moves of one
search must not be compared. Here a move is worth what the position after it is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from quiltwork import Move, Phase, Player, Position
from quiltwork.agents.agent import Analysis, Limits
from quiltwork.agents.registry import agent_of

DEFAULT_SIMULATIONS = 8_000
VALUING = "strongest:wait_penalty=0,repeated_wait_penalty=0,placements=12,endgame_nodes=16,endgame_limit=64000"
"""who values: the helpers against waiting would colour which move is best; an answer in an unusual place or an
endgame that is won in one way only is seen from further away than in play, which values four places"""
PLACES = 3
"""places of a special patch that are searched by themselves"""
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
                found = agent.think(position, Limits(simulations=self.simulations))
            finally:
                agent.close()
            if position.phase is Phase.SPECIAL and not found.exact:
                found = self._places(position, found)
            self._known[position.text] = found
        return self._known[position.text]

    def _places(self, position: Position, found: Analysis) -> Analysis:
        """The best places of a special patch, each searched by itself: one search of all misjudges many."""
        first = [each for each in found.moves if each.visits][:PLACES] or list(found.moves[:1])
        values = {each.move: self.value(position.play(each.move), found.turn) for each in first}
        told = [replace(each, win=values[each.move].win, points=values[each.move].points) for each in first]
        told.sort(key=lambda each: (-each.win, -each.points))
        rest = tuple(each for each in found.moves if each.move not in values)
        return replace(found, moves=(*told, *rest))

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
