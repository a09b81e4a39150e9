"""What the processes for study are asked: values along a game, one decision, an analysis that goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from quiltwork.analysis.review import Analyst, Luck, Turn
    from quiltwork.analysis.review.reasons import Reason
    from quiltwork.editions import Edition
    from quiltwork.move import Move
    from quiltwork.puzzles import Puzzle, Verdict

QUICK_SIMULATIONS = 60
"""for a position of the first curve"""
UPDATE_SECONDS = 0.3
Tell = Callable[[Any], bool]
"""takes a partial answer; whether the thinking should end now"""


class Task(Protocol):
    """One piece of work; `edition` travels along, as a worker may not have its file."""

    def run(self, tell: Tell) -> Any: ...


@dataclass(frozen=True)
class Curve:
    """The win share and the lead of player 1 in each position, by a quick look."""

    edition: Edition
    positions: tuple[str, ...]

    def run(self, tell: Tell) -> list[tuple[float, float]]:
        from quiltwork import Player, Position
        from quiltwork.analysis.review import Analyst

        analyst = Analyst(QUICK_SIMULATIONS)
        values = [analyst.value(Position.parse(text), Player.ONE) for text in self.positions]
        return [(round(value.win, 4), round(value.points, 2)) for value in values]


@dataclass(frozen=True)
class Judge:
    """What one move of a game cost, or what a deal brought."""

    edition: Edition
    job: str
    """the game that it belongs to: what was valued for one move serves the next"""
    ply: int
    position: str
    move: str
    simulations: int

    def run(self, tell: Tell) -> Turn | Luck:
        from quiltwork import Phase, Position
        from quiltwork.analysis.review import luck_of, turn_of

        position = Position.parse(self.position)
        work = luck_of if position.phase is Phase.DEAL else turn_of
        return work(self.ply, position, position.move(self.move), _analyst(self.job, self.simulations))


@dataclass(frozen=True)
class Analyse:
    """The best lines of a position, better and better, until the seconds are over."""

    edition: Edition
    position: str
    lines: int
    seconds: float

    def run(self, tell: Tell) -> dict[str, Any]:
        from quiltwork import Position
        from quiltwork.agents import Limits, Watch, agent_of
        from quiltwork.agents.agent import Analysis
        from quiltwork.programs.protocol import reply_of

        def report(analysis: Analysis) -> None:
            if tell(reply_of(None, analysis, self.lines)):
                watch.stop()

        watch = Watch(report, UPDATE_SECONDS)
        agent = agent_of("strongest", seed=1)
        try:
            found = agent.think(Position.parse(self.position), Limits(self.seconds, lines=self.lines), watch)
        finally:
            agent.close()
        return reply_of(None, found, self.lines)


@dataclass(frozen=True)
class Said:
    """What is said of an answer to a puzzle."""

    verdict: Verdict | None
    """None where the solution was asked for"""
    moves: tuple[Move, ...] = ()
    """the answer as far as it is in notation"""
    reason: Reason | None = None
    tempting: Reason | None = None
    """why the tempting answer is worse"""


@dataclass(frozen=True)
class Solve:
    """Whether an answer to a puzzle is right; a text says why it is none."""

    edition: Edition
    puzzle: Puzzle
    moves: tuple[str, ...]

    def run(self, tell: Tell) -> Said | str:
        from quiltwork import QuiltworkError
        from quiltwork.puzzles import judge
        from quiltwork.puzzles.puzzle import line_of

        puzzle = self.puzzle
        tempting = puzzle.reason_against(puzzle.tempting[0]) if puzzle.tempting else None
        if not self.moves:
            return Said(None, tempting=tempting)
        try:
            answer = judge(puzzle, self.moves)
        except QuiltworkError as error:
            return str(error)
        return Said(answer.verdict, line_of(puzzle.position, self.moves), answer.reason, tempting)


_LATEST: dict[str, Analyst] = {}
"""the analyst of the game that was judged last"""


def _analyst(job: str, simulations: int) -> Analyst:
    from quiltwork.analysis.review import Analyst

    key = f"{job} {simulations}"
    if key not in _LATEST:
        _LATEST.clear()
        _LATEST[key] = Analyst(simulations)
    return _LATEST[key]
