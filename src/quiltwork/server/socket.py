"""The websocket: one connection is one chair at one table.

The first message is `{"type": "hello", "token": …}`. Then each message carries the game's version and a key of its
own, and is answered by `done` or `refused` with that key; `state` and `presence` come whenever something changed.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from secrets import token_urlsafe
from time import perf_counter
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import orjson
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from quiltwork.server.answers import Refusal, dumps
from quiltwork.server.hall import Hall
from quiltwork.server.limits import Bucket
from quiltwork.server.setups import Name
from quiltwork.server.table import NO_SUCH_GAME, SEAT_MOVED, Chair, Table

LOG = logging.getLogger("quiltwork.socket")
HELLO_WITHIN = 10.0
_PATIENCE = 100
"""messages in a row that come too fast; that many end the connection"""
UNKNOWN_TOKEN = 4401
TOO_MANY = 4429
BAD_MESSAGE = 4400
TRY_AGAIN = 1013
_CODES = {
    "unknown-token": UNKNOWN_TOKEN,
    "unknown-game": NO_SUCH_GAME,
    "too-many": TOO_MANY,
    "seat-taken": SEAT_MOVED,
    "seat-moved": SEAT_MOVED,
}

Key = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{8,64}$")]


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Hello(_Message):
    type: Literal["hello"]
    token: str = Field(max_length=80)
    key: Key | None = None
    """Idempotency key: the same key takes the same seat of an invitation again"""
    changes: bool = False
    """whether only what changed is told after the first state"""


class MoveMessage(_Message):
    type: Literal["move"]
    version: int
    key: Key
    move: str = Field(min_length=1, max_length=16)


class ActMessage(_Message):
    type: Literal["takeback", "resign", "rematch", "accept", "decline"]
    version: int
    key: Key


class HintMessage(_Message):
    type: Literal["hint"]
    version: int
    key: Key


class NameMessage(_Message):
    type: Literal["name"]
    version: int
    key: Key
    name: Name


class WithdrawMessage(_Message):
    type: Literal["withdraw"]
    version: int
    key: Key


class Look(_Message):
    type: Literal["look"]


class Ping(_Message):
    type: Literal["ping"]


Incoming = Annotated[
    MoveMessage | ActMessage | HintMessage | NameMessage | WithdrawMessage | Look | Ping,
    Field(discriminator="type"),
]
_INCOMING: TypeAdapter[Incoming] = TypeAdapter(Incoming)


class Sockets:
    """ASGI middleware that serves websockets: what a connection passes on its way here stays in memory with it."""

    def __init__(self, app: ASGIApp, of_visitor: int) -> None:
        self._app = app
        self._most = of_visitor
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        socket, state = WebSocket(scope, receive, send), scope["app"].state
        if scope["path"] != "/ws":
            await socket.close(BAD_MESSAGE)
            return
        visitor = socket.client.host if socket.client else ""
        if self._open[visitor] >= self._most or not state.requests.take(visitor):
            state.metrics.count("refused_total", "too-many-connections")
            await socket.close(TOO_MANY)
            return
        self._open[visitor] += 1
        try:
            await serve_socket(socket, state.hall)
        finally:
            self._open[visitor] -= 1
            if not self._open[visitor]:
                del self._open[visitor]


async def serve_socket(socket: WebSocket, hall: Hall) -> None:
    """Lets a visitor sit down at the table of a token until the connection ends."""
    if not _same_origin(socket):
        await socket.close(UNKNOWN_TOKEN)
        return
    await socket.accept()
    socket.scope["headers"] = []
    try:
        table, chair = await _sit_down(socket, hall)
    except Refusal as refusal:
        hall.metrics.count("refused_total", refusal.code)
        await _say(socket, {"type": "refused", "code": refusal.code, "message": refusal.sentence})
        await _close(socket, _CODES.get(refusal.code, TRY_AGAIN if refusal.retry else BAD_MESSAGE))
        return
    except (WebSocketDisconnect, TimeoutError):
        await _close(socket, BAD_MESSAGE)
        return
    writer = asyncio.get_running_loop().create_task(_write(socket, chair))
    try:
        await _read(socket, hall, table, chair)
    except (WebSocketDisconnect, RuntimeError) as error:
        # Starlette answers a receive after a failed send with a RuntimeError.
        if isinstance(error, RuntimeError) and socket.application_state is WebSocketState.CONNECTED:
            raise
    finally:
        table.get_up(chair)
        writer.cancel()
        await asyncio.gather(writer, return_exceptions=True)
        await _close(socket, 1000)


def _same_origin(socket: WebSocket) -> bool:
    # A browser always tells the origin; a page of another site may not use our visitors' connections.
    headers = Headers(scope=socket.scope)
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == headers.get("host")
    except ValueError:
        return False


async def _sit_down(socket: WebSocket, hall: Hall) -> tuple[Table, Chair]:
    try:
        hello = Hello.model_validate_json(await asyncio.wait_for(socket.receive_text(), HELLO_WITHIN))
    except (ValidationError, KeyError):
        raise Refusal("bad-message", "The first message must be a hello with a token.") from None
    found = hall.tokens.check(hello.token)
    if found is None:
        raise Refusal("unknown-token", "This link is not known here.")
    table = await hall.table(found.game)
    if len(table.chairs) >= hall.settings.connections_per_game:
        raise Refusal("too-many", "There is no chair left at this table.")
    if found.invites:
        found = await table.take_seat(found, hello.key or token_urlsafe())
        await _say(socket, {"type": "seat", "token": hall.tokens.text(found)})
    table.state.seats.check(found)
    chair = Chair(
        found.role, socket.client.host if socket.client else "", generation=found.generation, changes=hello.changes
    )
    table.sit_down(chair)
    return table, chair


async def _write(socket: WebSocket, chair: Chair) -> None:
    while (text := await chair.outbox.get()) is not None:
        try:
            await socket.send_text(text)
        except (WebSocketDisconnect, RuntimeError):
            return
    await _close(socket, chair.closes)


async def _read(socket: WebSocket, hall: Hall, table: Table, chair: Chair) -> None:
    bucket = Bucket(hall.settings.messages_per_second)
    hints: set[asyncio.Task[None]] = set()
    flood = 0
    try:
        while True:
            try:
                text = await socket.receive_text()
            except KeyError:
                _answer(chair, None, Refusal("bad-message", "Messages are text."))
                continue
            if flood >= _PATIENCE:
                hall.metrics.count("dropped_total", "flood")
                await _close(socket, TOO_MANY)
                return
            arrived = perf_counter()
            hall.metrics.count("messages_total")
            key = _key_of(text)
            try:
                flood = 0 if bucket.take() else flood + 1
                if flood:
                    raise Refusal("too-fast", "Too many messages; slow down.", 429)
                message = _parse(text)
                if isinstance(message, Ping):
                    _put(chair, {"type": "pong", "version": table.state.version})
                    continue
                if isinstance(message, Look):
                    table.look(chair)
                    continue
                if isinstance(message, HintMessage):
                    if hints:
                        raise Refusal("busy", "A hint is being thought about already.", 429)
                    task = asyncio.get_running_loop().create_task(_hint(hall, table, chair, message.key))
                    hints.add(task)
                    task.add_done_callback(hints.discard)
                    continue
                await _do(table, chair, message)
                if isinstance(message, MoveMessage):
                    hall.metrics.observe("move_seconds", perf_counter() - arrived)
                _put(chair, {"type": "done", "key": key, "version": table.state.version})
            except Refusal as refusal:
                hall.metrics.count("refused_total", refusal.code)
                _answer(chair, key, refusal, table.state.version)
    finally:
        for task in hints:
            task.cancel()


async def _do(
    table: Table, chair: Chair, message: MoveMessage | ActMessage | NameMessage | WithdrawMessage
) -> None:
    if isinstance(message, NameMessage):
        await table.rename(chair.role, message.name, message.key)
    elif isinstance(message, WithdrawMessage):
        await table.withdraw(chair.role, message.key)
    else:
        move = message.move if isinstance(message, MoveMessage) else ""
        await table.submit(chair.role, message.type, message.version, message.key, move)


async def _hint(hall: Hall, table: Table, chair: Chair, key: str) -> None:
    try:
        _put(chair, {**await table.hint(chair.role), "key": key})
    except Refusal as refusal:
        hall.metrics.count("refused_total", refusal.code)
        _answer(chair, key, refusal, table.state.version)


def _parse(text: str) -> Incoming:
    try:
        return _INCOMING.validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise Refusal("bad-message", f"{where or 'message'}: {first['msg']}.") from None


def _key_of(text: str) -> str | None:
    try:
        key = orjson.loads(text).get("key")
    except (ValueError, AttributeError, RecursionError):
        return None
    return key if isinstance(key, str) and len(key) <= 64 else None


def _answer(chair: Chair, key: str | None, refusal: Refusal, version: int | None = None) -> None:
    said = {"type": "refused", "key": key, "code": refusal.code, "message": refusal.sentence, "version": version}
    _put(chair, {**said, "retry": refusal.retry} if refusal.retry else said)


def _put(chair: Chair, message: dict[str, Any]) -> None:
    if not chair.outbox.full():
        chair.outbox.put_nowait(dumps(message))


async def _say(socket: WebSocket, message: dict[str, Any]) -> None:
    if socket.application_state is WebSocketState.CONNECTED:
        await socket.send_text(dumps(message))


async def _close(socket: WebSocket, code: int) -> None:
    if socket.application_state is WebSocketState.CONNECTED and socket.client_state is WebSocketState.CONNECTED:
        try:
            await socket.close(code)
        except RuntimeError:
            LOG.debug("connection was closed already")
