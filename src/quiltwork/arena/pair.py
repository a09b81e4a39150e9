"""A pair of games: the same deal twice, with sides swapped, so that the luck of the deal cancels out."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from random import Random
from typing import Any

from quiltwork.agents.agent import Agent, Limits
from quiltwork.agents.registry import agent_of
from quiltwork.agents.warm import load
from quiltwork.game import Game
from quiltwork.move import Player, Replenish
from quiltwork.position import Position
from quiltwork.position_setup import Phase
from quiltwork.programs.program import AgentFault, Fault

PROGRAMS = ("cmd:", "codingame:")
"""these load what they need in processes of their own"""


@dataclass(frozen=True)
class Pairing:
    """Who plays whom, where and how long they may think; `seed` fixes the deals."""

    first: str
    second: str
    edition: str = "patchwork"
    limits: tuple[Limits, Limits] = (Limits(seconds=0.2), Limits(seconds=0.2))
    seed: int = 0

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class GameResult:
    """One game; every pair of numbers is for the first and the second agent, whoever began."""

    won: bool
    """whether the first agent won"""
    began: int
    """which agent was player 1: 0 or 1"""
    points: tuple[int, int]
    empty_spaces: tuple[int, int]
    moves: tuple[int, int]
    seconds: tuple[float, float]
    faults: tuple[str | None, str | None] = (None, None)
    """how a program failed, which lost it the game"""


@dataclass(frozen=True)
class PairResult:
    """The two games of a deal, and their records."""

    number: int
    games: tuple[GameResult, GameResult]
    records: tuple[str, str]
    stderr: tuple[tuple[str, str], tuple[str, str]] = (("", ""), ("", ""))
    """what the programs wrote there in each game: the first agent's, the second's"""

    @property
    def wins(self) -> int:
        """How many of the two the first agent won."""
        return sum(game.won for game in self.games)


def play_pair(pairing: Pairing, number: int) -> PairResult:
    """Plays the pair of that number; the agents see neither the seed nor the reserve's order."""
    rng = Random(f"{pairing.seed}/{number}")
    deal = rng.getrandbits(64)
    start = Position.initial(pairing.edition, deal=deal)
    order = [patch.code for patch in start.reserve]
    rng.shuffle(order)
    played = [_play(pairing, number, start, tuple(order), began) for began in (0, 1)]
    one, two = played
    return PairResult(number, (one[0], two[0]), (one[1], two[1]), (one[2], two[2]))


def _play(
    pairing: Pairing, number: int, start: Position, order: tuple[str, ...], began: int
) -> tuple[GameResult, str, tuple[str, str]]:
    specs = (pairing.first, pairing.second)
    agents: list[Agent] = []
    moves, seconds = [0, 0], [0.0, 0.0]
    faults: list[AgentFault | None] = [None, None]
    game = Game(start)
    try:
        for which, spec in enumerate(specs):
            if not spec.startswith(PROGRAMS):
                load(spec)
            seed = Random(f"{pairing.seed}/{number}/{began}/{which}").getrandbits(32)
            agents.append(agent_of(spec, seed))
        while game.position.phase is not Phase.OVER:
            position = game.position
            if position.phase is Phase.DEAL:
                waiting = {patch.code for patch in position.reserve}
                game.play(Replenish(tuple(code for code in order if code in waiting)))
                continue
            which = (0 if position.turn is Player.ONE else 1) ^ began
            now = pairing.limits[which].clock.now
            before = now()
            try:
                answer = agents[which].think(position, pairing.limits[which])
            except AgentFault as fault:
                faults[which] = fault
                break
            seconds[which] += now() - before
            moves[which] += 1
            game.play(answer.best.move)
    finally:
        for agent in agents:
            agent.close()
    end = game.position
    seats = (Player.ONE, Player.TWO) if began == 0 else (Player.TWO, Player.ONE)
    scores = [end.score(seat) for seat in seats]
    outcome = end.outcome()
    won = outcome.winner is seats[0] if outcome else faults[1] is not None
    names = [specs[(0 if seat is Player.ONE else 1) ^ began] for seat in (Player.ONE, Player.TWO)]
    game.tags = _tags(names, end, seats[0] if won else seats[1], faults)
    result = GameResult(
        won=won,
        began=began,
        points=(scores[0].total, scores[1].total),
        empty_spaces=(scores[0].empty_spaces, scores[1].empty_spaces),
        moves=(moves[0], moves[1]),
        seconds=(seconds[0], seconds[1]),
        faults=(_fault_text(faults[0]), _fault_text(faults[1])),
    )
    stderr = tuple(str(getattr(agent, "stderr", "")) for agent in agents)
    return result, game.text, (stderr[0], stderr[1])


def _fault_text(fault: AgentFault | None) -> str | None:
    return None if fault is None else f"{fault.fault.value}: {fault.sentence}"


def _tags(names: list[str], end: Position, winner: Player, faults: list[AgentFault | None]) -> dict[str, str]:
    tags = {
        "Player1": _tag(names[0]),
        "Player2": _tag(names[1]),
        "Date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "Winner": str(int(winner)),
    }
    fault = faults[0] or faults[1]
    if fault is None:
        tags["Score"] = f"{end.score(Player.ONE).total}:{end.score(Player.TWO).total}"
    else:
        tags["Termination"] = "time" if fault.fault is Fault.HANG else "abandoned"
        tags["Reason"] = _tag(f"{fault.fault.value}: {fault.sentence}")
    return tags


def _tag(text: str) -> str:
    return " ".join(text.replace('"', "'").replace("\\", "/").split())
