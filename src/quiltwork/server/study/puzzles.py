"""Puzzles for the page: asked without the solution, answers judged; the visitor keeps the progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from quiltwork import QuiltworkError
from quiltwork.editions import DEFAULT_EDITION
from quiltwork.puzzles import Kind, Progress, Puzzle, Verdict, daily, next_puzzle, puzzle_by_id
from quiltwork.puzzles.puzzle import IMPOSSIBLE
from quiltwork.puzzles.rating import SEEN, START
from quiltwork.server.answers import Refusal
from quiltwork.server.api import REFUSALS, HallOf, Problem, limited, visitor
from quiltwork.server.study import board
from quiltwork.server.study.api import StudyOf
from quiltwork.server.study.reviews import reason_view
from quiltwork.server.study.tasks import Said

Json = dict[str, Any]
_PUZZLE: dict[int | str, dict[str, Any]] = {404: {"model": Problem}, 503: {"model": Problem}}
_Id = Annotated[str, Path(min_length=1, max_length=16)]
_EditionId = Annotated[str, Field(min_length=1, max_length=60)]
_Count = Annotated[int, Field(ge=0, le=10**6)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Kept(_Strict):
    """Somebody's progress, as the visitor keeps it."""

    rating: float = Field(default=START, ge=0, le=5000, allow_inf_nan=False)
    tried: _Count = 0
    solved: _Count = 0
    streak: _Count = 0
    best_streak: _Count = 0
    seen: list[Annotated[str, Field(max_length=16)]] = Field(default=[], max_length=SEEN)

    @property
    def progress(self) -> Progress:
        return Progress(**{**self.model_dump(), "seen": tuple(self.seen)})


class NextRequest(_Strict):
    """Whose next puzzle it is to be."""

    edition: _EditionId = DEFAULT_EDITION
    progress: Kept = Kept()


class AnswerRequest(_Strict):
    """The moves given so far, or `impossible`; without moves the solution is asked for."""

    moves: list[Annotated[str, Field(min_length=1, max_length=60)]] = Field(default=[], max_length=40)
    progress: Kept = Kept()


router = APIRouter(prefix="/api/puzzles", dependencies=[Depends(limited)], responses=REFUSALS | _PUZZLE)


@router.get("/daily", summary="The puzzle of the day (UTC), the same for all")
async def daily_puzzle(
    request: Request, hall: HallOf, edition: Annotated[str, Query(min_length=1, max_length=60)] = DEFAULT_EDITION
) -> Json:
    return await hall.aside(
        lambda: _asked(_found(lambda: daily(datetime.now(UTC).date(), edition))), visitor(request)
    )


@router.post("/next", summary="A puzzle near a rating that was not seen yet")
async def following_puzzle(wanted: NextRequest, request: Request, hall: HallOf) -> Json:
    kept = wanted.progress
    return await hall.aside(
        lambda: _asked(_found(lambda: next_puzzle(kept.rating, edition=wanted.edition, seen=set(kept.seen)))),
        visitor(request),
    )


@router.get("/{puzzle}", summary="A puzzle without its solution")
async def one_puzzle(puzzle: _Id, request: Request, hall: HallOf) -> Json:
    return await hall.aside(lambda: _asked(_found(lambda: puzzle_by_id(puzzle))), visitor(request))


@router.post("/{puzzle}/answer", summary="Whether an answer is right, and why not; or the solution")
async def answer_puzzle(
    puzzle: _Id, wanted: AnswerRequest, request: Request, hall: HallOf, study: StudyOf
) -> Json:
    found = await hall.aside(lambda: _found(lambda: puzzle_by_id(puzzle)), visitor(request))
    said = await study.solve(found, tuple(wanted.moves), visitor(request))
    return await hall.aside(lambda: _answered(found, wanted, said), visitor(request))


def _found(find: Callable[[], Puzzle]) -> Puzzle:
    try:
        return find()
    except QuiltworkError as error:
        raise Refusal("no-puzzle", f"{error}.", 404) from None


def _asked(puzzle: Puzzle) -> Json:
    edition = puzzle.position.edition
    return {
        "id": puzzle.id,
        "kind": puzzle.kind.value,
        "rating": puzzle.rating,
        "take": puzzle.take,
        "player": int(puzzle.player),
        "edition": edition.name,
        "edition_title": edition.title,
        "theme": edition.theme,
        "table": _table(puzzle, [], asks=True),
    }


def _table(puzzle: Puzzle, moves: list[str], *, asks: bool) -> Json:
    """The table after moves; with what may be done there as far as the puzzle asks for it."""
    table = board.played(puzzle.position, moves, asks)
    options = table["options"]
    if options and puzzle.take is not None:
        options["advance"] = None
        options["patches"] = {code: each for code, each in options["patches"].items() if code == puzzle.take}
    elif options and puzzle.kind is Kind.FINISH:
        options["advance"] = None
    return table


def _answered(puzzle: Puzzle, wanted: AnswerRequest, said: Said) -> Json:
    verdict = said.verdict
    over = verdict not in (Verdict.GO_ON, Verdict.GOOD)
    kept = wanted.progress.progress
    if over and puzzle.id not in kept.seen:
        kept = kept.after(puzzle.id, puzzle.rating, verdict is Verdict.SOLVED)
    solution = [str(move) for move in puzzle.line]
    own = solution if puzzle.kind is Kind.FINISH else solution[:1]
    shown = own if over else []
    if verdict in (Verdict.GO_ON, Verdict.SOLVED):
        shown = [str(move) for move in said.moves] or shown
    return {
        "verdict": verdict.value if verdict else "shown",
        "reason": reason_view(said.reason),
        "line": [node["step"] for node in board.played(puzzle.position, solution, False)["nodes"]] if over else [],
        "impossible": over and IMPOSSIBLE in puzzle.best,
        "tempting": _tempting(puzzle, said) if over and puzzle.tempting else None,
        "table": _table(puzzle, shown, asks=not over),
        "progress": asdict(kept),
    }


def _tempting(puzzle: Puzzle, said: Said) -> Json:
    return {
        "move": str(puzzle.tempting[0]),
        "loss": None if puzzle.kind is Kind.ENDGAME else puzzle.loss,
        "reason": reason_view(said.tempting),
    }
