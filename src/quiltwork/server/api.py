"""The REST part: what the server offers, new games, records, and a game for programs without websockets."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

import segno
from fastapi import APIRouter, Depends, Header, Query, Request, Response
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, ConfigDict, Field

from quiltwork import Game, Player, __version__
from quiltwork.messages import languages
from quiltwork.render.result import result_svg
from quiltwork.render.svg import quilt_svg
from quiltwork.server.answers import Refusal
from quiltwork.server.edition_view import art_svg, edition_view, theme_view
from quiltwork.server.hall import Hall
from quiltwork.server.places import places_of
from quiltwork.server.setups import GameRequest, GameSetup, Human, name_of
from quiltwork.server.showcase import showcase
from quiltwork.server.socket import Key
from quiltwork.server.state import GameState
from quiltwork.server.table import Table
from quiltwork.server.table_view import View, common_view, history_view, own_view, record_text, seat_views
from quiltwork.server.tokens import Pass, Role
from quiltwork.server.view import Told

Json = dict[str, Any]


class Problem(BaseModel):
    """Why a request was refused: a code for programs, a sentence for people."""

    code: str
    message: str


class NewGame(BaseModel):
    """A game that has begun: `token` is the creator's seat, `invite` lets a friend take the other."""

    game: str
    token: str
    watch: str
    invite: str | None


class Taken(BaseModel):
    """A seat of one's own, for the invitation to it."""

    token: str


class MoveRequest(BaseModel):
    """A move for a game of this version."""

    model_config = ConfigDict(extra="forbid")
    version: int
    move: str = Field(min_length=1, max_length=16)


class Done(BaseModel):
    """The version of the game after the request."""

    version: int


class RecordRequest(BaseModel):
    """A record in the `.quilt` format."""

    model_config = ConfigDict(extra="forbid")
    record: str = Field(min_length=1, max_length=100_000)


class QrRequest(BaseModel):
    """A text for a QR code."""

    model_config = ConfigDict(extra="forbid")
    text: str = Field(min_length=1, max_length=300)


class Qr(BaseModel):
    """A QR code as an SVG path on a square of `size` modules."""

    size: int
    path: str


async def hall_of(request: Request) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


def visitor(request: Request) -> str:
    return request.client.host if request.client else "unknown"


async def limited(request: Request) -> None:
    """Refuses visitors that ask too often."""
    if not request.app.state.requests.take(visitor(request)):
        request.app.state.hall.metrics.count("refused_total", "too-fast")
        raise Refusal("too-fast", "Too many requests; slow down.", 429)


HallOf = Annotated[Hall, Depends(hall_of)]

REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem},
    422: {"model": Problem},
    429: {"model": Problem},
}
SEATED: dict[int | str, dict[str, Any]] = {
    **REFUSALS,
    401: {"model": Problem},
    403: {"model": Problem},
    404: {"model": Problem},
    409: {"model": Problem},
    503: {"model": Problem},
}
router = APIRouter(prefix="/api", dependencies=[Depends(limited)], responses=REFUSALS)


async def seat_of(
    request: Request, hall: HallOf, authorization: Annotated[str | None, Header(max_length=120)] = None
) -> Pass:
    """The seat of the bearer token."""
    token = (authorization or "").removeprefix("Bearer ").strip()
    found = hall.tokens.check(token)
    if found is None:
        raise Refusal("unknown-token", "This link is not known here.", 401)
    return found


SeatOf = Annotated[Pass, Depends(seat_of)]


async def table_of(request: Request, seat: SeatOf, hall: HallOf) -> Table:
    table = await hall.table(seat.game)
    table.state.seats.check(seat)
    table.asked_by(visitor(request))
    return table


TableOf = Annotated[Table, Depends(table_of)]


@router.get("/about", summary="What this server offers")
async def about(hall: HallOf) -> Json:
    return {"version": __version__, "languages": languages(), **hall.about()}


@router.get(
    "/editions/{edition}",
    summary="An edition, with every patch in every form",
    responses={404: {"model": Problem}},
)
async def get_edition(edition: str, hall: HallOf, response: Response) -> Json:
    response.headers["Cache-Control"] = "no-cache"
    found = await hall.edition(edition)
    return {**edition_view(found, edition), "theme": hall.theme_here(found.theme)}


@router.get(
    "/themes/{theme}",
    summary="The words of a theme, and its names for an edition's patches",
    responses={404: {"model": Problem}},
)
async def get_theme(theme: str, hall: HallOf, edition: str = "patchwork") -> Json:
    return theme_view(hall.theme(theme), await hall.edition(edition))


@router.get(
    "/art/{theme}/{edition}/{scheme}.svg",
    summary="Fabrics and pieces to refer to, as SVG definitions",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {}}}, 404: {"model": Problem}},
)
async def get_art(theme: str, edition: str, scheme: str, hall: HallOf) -> Response:
    if scheme not in ("light", "dark"):
        raise Refusal("unknown-scheme", "The scheme is light or dark.", 404)
    drawings = art_svg(hall.theme(theme), await hall.edition(edition), scheme == "dark")
    return Response(drawings, media_type="image/svg+xml")


@router.get(
    "/showcase/{edition}",
    summary="A finished quilt of an edition, to look at",
    responses={404: {"model": Problem}},
)
async def get_showcase(edition: str, hall: HallOf) -> Json:
    return {"quilt": showcase(await hall.edition(edition))}


@router.post("/games", status_code=201, summary="Begin a game", responses={404: {"model": Problem}})
async def create_game(wanted: GameRequest, request: Request, hall: HallOf) -> NewGame:
    if not await hall.cluster.allows("games", visitor(request)):
        hall.metrics.count("refused_total", "too-many-games")
        raise Refusal("too-many-games", "Too many new games; wait a little.", 429)
    game, setup = await hall.create(wanted, visitor(request))
    role = hall.creator_role(setup)
    remote = next((p for p, s in enumerate(setup.seats, 1) if isinstance(s, Human) and s.remote), None)
    invite = hall.tokens.make(game, Role(f"p{remote}"), invites=True) if remote else None
    return NewGame(
        game=game, token=hall.tokens.make(game, role), watch=hall.tokens.make(game, Role.WATCH), invite=invite
    )


@router.get("/game", summary="The game as the holder of the token sees it", responses=SEATED)
async def get_game(seat: SeatOf, table: TableOf) -> Json:
    return table.view(seat.role)


@router.post("/game/seat", summary="Take the seat of an invitation, which is used up", responses=SEATED)
async def take_seat(seat: SeatOf, hall: HallOf, idempotency_key: Annotated[Key, Header()]) -> Taken:
    if not seat.invites:
        raise Refusal("no-invitation", "This link is no invitation.", 403)
    table = await hall.table(seat.game)
    return Taken(token=hall.tokens.text(await table.take_seat(seat, idempotency_key)))


@router.post("/game/moves", summary="Make a move, once for each Idempotency-Key", responses=SEATED)
async def make_move(
    wanted: MoveRequest, seat: SeatOf, table: TableOf, idempotency_key: Annotated[Key, Header()]
) -> Done:
    return Done(version=await table.submit(seat.role, "move", wanted.version, idempotency_key, wanted.move))


@router.get("/game/history", summary="Every position of the game", responses=SEATED)
async def get_history(table: TableOf) -> Json:
    return history_view(table.state)


@router.get(
    "/game/record",
    summary="The game as a record",
    response_class=Response,
    responses={**SEATED, 200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def get_record(table: TableOf) -> PlainTextResponse:
    steps = table.state.steps
    date = datetime.fromtimestamp(steps[0].at, UTC).strftime("%Y.%m.%d") if steps else None
    return PlainTextResponse(record_text(table.state, date))


@router.get(
    "/game/places",
    summary="Where a patch would fit on a player's quilt, whoever's turn it is",
    responses={**SEATED, 404: {"model": Problem}},
)
async def get_places(
    table: TableOf,
    patch: Annotated[str, Query(min_length=1, max_length=8)],
    player: Annotated[int, Query(ge=1, le=2)] = 1,
) -> Json:
    return places_of(table.state.position, Player(player), patch)


@router.get(
    "/game/quilt.svg",
    summary="A picture of a player's quilt",
    response_class=Response,
    responses={**SEATED, 200: {"content": {"image/svg+xml": {}}}},
)
async def get_quilt(
    table: TableOf,
    hall: HallOf,
    player: Annotated[int, Query(ge=1, le=2)] = 1,
    theme: Annotated[str | None, Query(max_length=40)] = None,
    dark: bool = False,
) -> Response:
    position = table.state.position
    look = hall.theme(theme or table.state.setup.theme)
    quilt = position.setup.players[player - 1].quilt
    total = position.score(Player(player)).total
    caption = f"{look.words_in('en').point.count(total)} · Quiltwork".replace("-", "\N{MINUS SIGN}")
    return Response(quilt_svg(position.edition, quilt, look, dark, caption=caption), media_type="image/svg+xml")


@router.get(
    "/game/result.svg",
    summary="A picture of both quilts and the result",
    response_class=Response,
    responses={**SEATED, 200: {"content": {"image/svg+xml": {}}}},
)
async def get_result(
    table: TableOf, hall: HallOf, theme: Annotated[str | None, Query(max_length=40)] = None, dark: bool = False
) -> Response:
    state = table.state
    if state.result is None:
        raise Refusal("not-over", "The game is not over.", 409)
    look = hall.theme(theme or state.setup.theme)
    one, two = (str(seat["name"] or f"Player {n}") for n, seat in enumerate(seat_views(state, {}, set()), 1))
    scores = (state.position.score(Player.ONE), state.position.score(Player.TWO))
    drawing = result_svg(state.position.setup, scores, Player(state.result.winner), (one, two), look, dark)
    return Response(drawing, media_type="image/svg+xml")


@router.post("/records", summary="Read a record, to look at", responses={404: {"model": Problem}})
async def read_record(wanted: RecordRequest, request: Request, hall: HallOf) -> Json:
    if not await hall.cluster.allows("records", visitor(request)):
        hall.metrics.count("refused_total", "too-fast")
        raise Refusal("too-fast", "Too many records; wait a little.", 429)
    return await hall.aside(lambda: _record_view(hall, wanted.record), visitor(request))


def _record_view(hall: Hall, record: str) -> Json:
    game = hall.read_record(record)
    state = _state_of(game, hall.theme_here(game.edition.theme))
    names = [name_of(game.tags.get(tag, "")) for tag in ("Player1", "Player2")]
    seats = [{"kind": "human", "name": name, "opponent": None, "online": True, "joined": True} for name in names]
    told = Told(state.position)
    common = common_view("record", state, seats, told, now=0.0, thinking=False, wait=0.0)
    own = own_view("record", state, seats, told, Role.WATCH, hall.tokens, hints=False)
    own["links"] = {"watch": None, "invite": None, "move": None}
    return {**history_view(state), "view": View(common, own).whole(state)}


def _state_of(game: Game, theme: str) -> GameState:
    from quiltwork.server.events import Event, Kind

    setup = GameSetup(
        edition=game.edition.name,
        theme=theme,
        start=game.start.text,
        seats=(Human(kind="human"), Human(kind="human", remote=True)),
    )
    state = GameState.of(setup)
    for node in game.root.main_line():
        turn = state.position.turn
        player = 0 if str(node.move).startswith("=") else int(turn or 0)
        state.apply(Event(Kind.MOVE, player, 0.0, {"move": str(node.move)}))
    return state


@router.post("/qr", summary="A QR code")
async def make_qr(wanted: QrRequest) -> Qr:
    code = segno.make(wanted.text, error="m", micro=False)
    rows = [list(row) for row in code.matrix]
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, bit in enumerate(row) if bit)
    return Qr(size=len(rows), path=path)
