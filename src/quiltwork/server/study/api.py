"""The door of the study: reviews and analyses as streams of events, the board, and the coach."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from quiltwork import Game, QuiltworkError
from quiltwork.server.answers import Refusal
from quiltwork.server.api import (
    REFUSALS,
    SEATED,
    HallOf,
    Problem,
    RecordRequest,
    SeatOf,
    TableOf,
    limited,
    visitor,
)
from quiltwork.server.state import GameState
from quiltwork.server.study import board
from quiltwork.server.study.desk import Study

Json = dict[str, Any]
ALIVE_EVERY = 15.0
"""seconds without an event after which a stream sends a comment, so that no proxy between takes it for dead"""
_STREAM = {"text/event-stream": {"schema": {"type": "string"}}}
_TEXT = {"text/plain": {"schema": {"type": "string"}}}
_BOARD: dict[int | str, dict[str, Any]] = {404: {"model": Problem}, 503: {"model": Problem}}
_PositionText = Annotated[str, Field(min_length=1, max_length=2000)]
_MoveText = Annotated[str, Field(min_length=1, max_length=60)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AnalysisRequest(_Strict):
    """A position to analyse, for some seconds or until the connection ends."""

    position: _PositionText
    lines: int = Field(default=3, ge=1, le=8)
    seconds: float = Field(default=20, gt=0, le=60)


class PlayRequest(_Strict):
    """Moves to play one after another; without moves the position alone is told."""

    position: _PositionText
    moves: list[_MoveText] = Field(default=[], max_length=60)
    last: Literal["options", "nothing"] = "options"


class JudgeRequest(_Strict):
    """A move in a position."""

    position: _PositionText
    move: _MoveText


class CoachRequest(_Strict):
    """A move that a player thinks of."""

    version: int
    move: str = Field(min_length=1, max_length=16)


async def study_of(request: Request) -> Study:
    study: Study = request.app.state.study
    return study


StudyOf = Annotated[Study, Depends(study_of)]
router = APIRouter(prefix="/api", dependencies=[Depends(limited)], responses=REFUSALS)


async def _stream(events: AsyncIterator[Json]) -> AsyncIterator[str]:
    while True:
        coming = asyncio.create_task(_next(events))
        try:
            while not (await asyncio.wait({coming}, timeout=ALIVE_EVERY))[0]:
                yield ":\n\n"
        finally:
            # The client may have gone while nothing was told.
            coming.cancel()
        event = coming.result()
        if event is None:
            return
        yield f"data: {json.dumps(event, separators=(',', ':'))}\n\n"


async def _next(events: AsyncIterator[Json]) -> Json | None:
    return await anext(events, None)


def _streamed(events: AsyncIterator[Json]) -> StreamingResponse:
    return StreamingResponse(
        _stream(events), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
    )


@router.post(
    "/game/review",
    summary="What each move of a finished game cost, as it is found",
    response_class=StreamingResponse,
    responses={**SEATED, 200: {"content": _STREAM}},
)
async def review_game(request: Request, seat: SeatOf, table: TableOf, study: StudyOf) -> StreamingResponse:
    if table.state.result is None:
        raise Refusal("not-over", "A game is reviewed when it is over.", 409)
    game = await asyncio.to_thread(_game_of, table.state)
    return _streamed(await study.reviews.follow(game, visitor(request), table.game))


def _game_of(state: GameState) -> Game:
    game = Game(state.start)
    for step in state.steps:
        game.play(step.move)
    return game


@router.post("/game/coach", summary="What a move against the computer would cost", responses=SEATED)
async def coach(wanted: CoachRequest, request: Request, seat: SeatOf, table: TableOf, study: StudyOf) -> Json:
    state = table.state
    if state.between_people or state.setup.shared:
        raise Refusal("no-hints", "There is no coach between people.", 403)
    if wanted.version != state.version:
        raise Refusal("stale", "The game has moved on; look at it again.", 409)
    if state.turn not in seat.role.seats:
        raise Refusal("not-your-turn", "It is the other player's turn.")
    try:
        return await study.judge(state.position, wanted.move, visitor(request))
    except QuiltworkError as error:
        raise Refusal("illegal", f"{error}.") from None


@router.post("/study/judgement", summary="What a move in a position would cost", responses=_BOARD)
async def judge(wanted: JudgeRequest, request: Request, study: StudyOf) -> Json:
    try:
        return await study.judge(study.position(wanted.position), wanted.move, visitor(request))
    except QuiltworkError as error:
        raise Refusal("illegal", f"{error}.") from None


@router.post(
    "/study/review",
    summary="What each move of a record cost, as it is found",
    response_class=StreamingResponse,
    responses={**_BOARD, 200: {"content": _STREAM}},
)
async def review_record(
    wanted: RecordRequest, request: Request, hall: HallOf, study: StudyOf
) -> StreamingResponse:
    game = await hall.aside(lambda: hall.read_record(wanted.record), visitor(request))
    return _streamed(await study.reviews.follow(game, visitor(request)))


@router.post(
    "/study/analysis",
    summary="The best lines of a position, better and better",
    response_class=StreamingResponse,
    responses={**_BOARD, 200: {"content": _STREAM}},
)
async def analyse(wanted: AnalysisRequest, request: Request, study: StudyOf) -> StreamingResponse:
    found = await study.analyse(wanted.position, wanted.lines, wanted.seconds, visitor(request))
    return _streamed(found)


@router.post("/study/tree", summary="Read a record with its variations", responses=_BOARD)
async def read_tree(wanted: RecordRequest, request: Request, hall: HallOf) -> Json:
    tree = await hall.aside(lambda: board.tree_view(hall.read_record(wanted.record)), visitor(request))
    return {**tree, "theme": hall.theme_here(tree["theme"])}


@router.post(
    "/study/record",
    summary="Write a record with variations and evaluations",
    response_class=Response,
    responses={**_BOARD, 200: {"content": _TEXT}},
)
async def write_record(wanted: board.Tree, request: Request, hall: HallOf, study: StudyOf) -> PlainTextResponse:
    def write() -> str:
        study.position(wanted.start)
        try:
            return board.write(wanted)
        except QuiltworkError as error:
            raise Refusal("bad-tree", f"{error}.") from None

    return PlainTextResponse(await hall.aside(write, visitor(request)))


@router.post("/study/play", summary="Play moves on a position", responses=_BOARD)
async def play(wanted: PlayRequest, request: Request, hall: HallOf, study: StudyOf) -> Json:
    def work() -> Json:
        try:
            return board.played(study.position(wanted.position), wanted.moves, wanted.last == "options")
        except QuiltworkError as error:
            raise Refusal("illegal", f"{error}.") from None

    return await hall.aside(work, visitor(request))


@router.post("/study/setup", summary="Set a position up, or hear all that is wrong with it", responses=_BOARD)
async def set_up(wanted: board.SetupRequest, hall: HallOf) -> Json:
    edition = await hall.edition(wanted.edition)
    try:
        return board.set_up(edition, wanted)
    except QuiltworkError as error:
        raise Refusal("bad-setup", f"{error}.") from None
