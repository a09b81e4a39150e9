"""Whether an answer to a puzzle is right, and why not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from quiltwork.analysis.finish import finish_of
from quiltwork.analysis.review.reasons import Reason
from quiltwork.errors import QuiltworkError
from quiltwork.move import LayPatch, Move, TakePatch, piece_of
from quiltwork.position import Position
from quiltwork.puzzles.puzzle import IMPOSSIBLE, Kind, Puzzle

FINISH_STEPS = 2_000_000
"""so long a quilt is looked at to see whether it can still be finished"""


class Verdict(Enum):
    """What an answer is."""

    SOLVED = "solved"
    GO_ON = "go-on"
    """right so far (FINISH)"""
    GOOD = "good"
    """nearly as good: try again, nothing is lost"""
    WRONG = "wrong"


@dataclass(frozen=True)
class Answer:
    """The reply to an answer; with the solution only when it was solved or wrong."""

    verdict: Verdict
    reason: Reason | None = None
    """why it is worse"""
    line: tuple[Move, ...] = ()
    """the solution: the best move, and how play may go on"""


def judge(puzzle: Puzzle, given: Sequence[str]) -> Answer:
    """Judges the moves given so far, in notation, or `impossible`; raises NotationError or IllegalMove."""
    if not given:
        raise QuiltworkError("an answer needs a move")
    if puzzle.kind is Kind.FINISH:
        return _judge_finish(puzzle, given)
    move = _move(puzzle, given[0])
    if puzzle.take is not None and not (isinstance(move, TakePatch | LayPatch) and move.patch == puzzle.take):
        raise QuiltworkError(f"{move}: this puzzle asks where to lay {puzzle.take}")
    name = puzzle.name_of(move)
    if name in puzzle.best:
        return Answer(Verdict.SOLVED, line=puzzle.line)
    reason = puzzle.reason_against(move)
    if name in puzzle.good:
        return Answer(Verdict.GOOD, reason)
    return Answer(Verdict.WRONG, reason, puzzle.line)


def _move(puzzle: Puzzle, text: str) -> Move:
    """The move of an answer; where only the action matters, a patch alone stands for any place of it."""
    position, code = puzzle.position, text.strip().lower()
    if puzzle.kind is Kind.CHOOSE and any(patch.code == code for patch in position.choices()):
        places = [move for move in position.legal_moves() if piece_of(move) == code]
        known = [line[0] for line in (puzzle.line, puzzle.tempting) if line and line[0] in places]
        if places:
            return (known or places)[0]
    return position.move(text)


def _judge_finish(puzzle: Puzzle, given: Sequence[str]) -> Answer:
    if given[0] == IMPOSSIBLE:
        right = IMPOSSIBLE in puzzle.best
        return Answer(Verdict.SOLVED if right else Verdict.WRONG, line=puzzle.line)
    position: Position = puzzle.position
    for text in given:
        position = position.play(position.move(text))
    if position.player(puzzle.player).empty_spaces == 0:
        return Answer(Verdict.SOLVED, line=puzzle.line)
    if IMPOSSIBLE in puzzle.best or not finish_of(position, puzzle.player, FINISH_STEPS).possible:
        return Answer(Verdict.WRONG, line=puzzle.line)
    return Answer(Verdict.GO_ON)
