"""The websocket: one connection is one chair at one table.

The first message is `{"type": "hello", "token": …}`. Then each message carries the game's version and a key of its
own, and is answered by `done` or `refused` with that key; `state` and `presence` come whenever something changed.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable, Coroutine
from functools import partial
from secrets import token_urlsafe
from time import perf_counter
from typing import Annotated, Any, Literal, Protocol
from urllib.parse import urlsplit

import orjson
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from quiltwork.server.answers import Refusal, dumps
from quiltwork.server.hall import Hall
from quiltwork.server.limits import Bucket
from quiltwork.server.outbox import Outbox, QueuedOutbox
from quiltwork.server.setups import Name
from quiltwork.server.table import NO_SUCH_GAME, SEAT_MOVED, Chair, Table

LOG = logging.getLogger("quiltwork.socket")
HELLO_WITHIN = 10.0
_PATIENCE = 100
"""messages in a row that come too fast; that many end the connection"""
UNKNOWN_TOKEN = 4401
TOO_MANY = 4429
BAD_MESSAGE = 4400
FAILED = 1011
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
    """whether only changes are sent after the first state"""


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


class Carried(Outbox, Protocol):
    """A connection that hands its messages over itself, so that an idle one needs no task."""

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Begins work that a message makes; the server does not end before it."""


class Carrier(Protocol):
    """A protocol that offers to carry a connection on."""

    def carry(self, hear: Callable[[str | None], None], gone: Callable[[], None]) -> Carried:
        """Calls `hear` with each message from now on (None where it is no text), and `gone` once at the end."""


CARRIER = "quiltwork.carrier"
"""the ASGI extension that is a carrier"""


class Sockets:
    """ASGI middleware that serves websockets."""

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
        leave = partial(self._leave, visitor)
        try:
            carried = await serve_socket(socket, state.hall, leave)
        except BaseException:
            leave()
            raise
        if not carried:
            leave()

    def _leave(self, visitor: str) -> None:
        self._open[visitor] -= 1
        if not self._open[visitor]:
            del self._open[visitor]


async def serve_socket(socket: WebSocket, hall: Hall, leave: Callable[[], None]) -> bool:
    """Lets a visitor sit down at the table of a token until the connection ends.

    True where a carrier goes on with the connection; it calls `leave` at the end.
    """
    if not _same_origin(socket):
        await socket.close(UNKNOWN_TOKEN)
        return False
    await socket.accept()
    try:
        visit = await _sit_down(socket, hall)
    except Refusal as refusal:
        hall.metrics.count("refused_total", refusal.code)
        await _say(socket, {"type": "refused", "code": refusal.code, "message": refusal.sentence})
        await _close(socket, _CODES.get(refusal.code, TRY_AGAIN if refusal.retry else BAD_MESSAGE))
        return False
    except (WebSocketDisconnect, TimeoutError):
        await _close(socket, BAD_MESSAGE)
        return False
    carrier: Carrier | None = socket.scope.get("extensions", {}).get(CARRIER)
    if carrier is None:
        await _serve_by_tasks(socket, visit)
        return False

    def gone() -> None:
        visit.get_up()
        leave()

    carried = carrier.carry(visit.hear, gone)
    visit.sit_down(carried, carried.start)
    return True


async def _serve_by_tasks(socket: WebSocket, visit: Visit) -> None:
    """Carries messages by ASGI alone, with a task for each direction."""
    outbox = QueuedOutbox()
    async with asyncio.TaskGroup() as works:
        visit.sit_down(outbox, works.create_task)
        writer = works.create_task(_write(socket, outbox))
        try:
            while True:
                try:
                    visit.hear(await socket.receive_text())
                except KeyError:
                    visit.hear(None)
        except (WebSocketDisconnect, RuntimeError) as error:
            # Starlette answers a receive after a failed send with a RuntimeError.
            if isinstance(error, RuntimeError) and socket.application_state is WebSocketState.CONNECTED:
                raise
        finally:
            visit.get_up()
            writer.cancel()
    await _close(socket, 1000)


def _same_origin(socket: WebSocket) -> bool:
    # A browser always tells the origin; a page of another site may not use our visitors' connections.
    origin = socket.headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == socket.headers.get("host")
    except ValueError:
        return False


async def _sit_down(socket: WebSocket, hall: Hall) -> Visit:
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
    visitor = socket.client.host if socket.client else ""
    return Visit(hall, table, Chair(found.role, visitor, generation=found.generation, changes=hello.changes))


async def _write(socket: WebSocket, outbox: QueuedOutbox) -> None:
    while isinstance(said := await outbox.get(), str):
        try:
            await socket.send_text(said)
        except (WebSocketDisconnect, RuntimeError):
            return
    await _close(socket, said)


class Visit:
    """What a visitor says at a table: one message after another, in the order in which they came."""

    __slots__ = ("_bucket", "_chair", "_flood", "_hall", "_hint", "_start", "_table", "_unheard")

    def __init__(self, hall: Hall, table: Table, chair: Chair) -> None:
        self._hall = hall
        self._table = table
        self._chair = chair
        self._bucket = Bucket(hall.settings.messages_per_second)
        self._flood = 0
        self._hint: asyncio.Task[None] | None = None
        self._unheard: deque[str | None] | None = None
        """messages behind the one that is being answered; None where none is"""

    def sit_down(self, outbox: Outbox, start: Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]) -> None:
        self._chair.outbox = outbox
        self._start = start
        self._table.sit_down(self._chair)

    def get_up(self) -> None:
        self._table.get_up(self._chair)
        if self._hint is not None:
            self._hint.cancel()

    def hear(self, text: str | None) -> None:
        """Takes in a message; None is one that is no text."""
        if self._unheard is not None:
            self._unheard.append(text)
            return
        self._unheard = deque((text,))
        self._start(self._work())

    async def _work(self) -> None:
        try:
            while self._unheard:
                if self._flood >= _PATIENCE:
                    self._hall.metrics.count("dropped_total", "flood")
                    self._chair.outbox.end(TOO_MANY)
                    return
                await self._answer(self._unheard.popleft())
        except Exception:
            LOG.exception("a message could not be answered")
            self._chair.outbox.end(FAILED)
        finally:
            self._unheard = None

    async def _answer(self, text: str | None) -> None:
        table, chair, metrics = self._table, self._chair, self._hall.metrics
        arrived = perf_counter()
        metrics.count("messages_total")
        key = None
        try:
            self._flood = 0 if self._bucket.take() else self._flood + 1
            if self._flood:
                raise Refusal("too-fast", "Too many messages; slow down.", 429)
            if text is None:
                raise Refusal("bad-message", "Messages are text.")
            message = _parse(text)
            if isinstance(message, Ping):
                _put(chair, {"type": "pong", "version": table.state.version})
                return
            if isinstance(message, Look):
                table.look(chair)
                return
            key = message.key
            if isinstance(message, HintMessage):
                if self._hint is not None:
                    raise Refusal("busy", "A hint is being thought about already.", 429)
                self._hint = self._start(self._give_hint(key))
                return
            await _do(table, chair, message)
            if isinstance(message, MoveMessage):
                metrics.observe("move_seconds", perf_counter() - arrived)
            _put(chair, {"type": "done", "key": key, "version": table.state.version})
        except Refusal as refusal:
            metrics.count("refused_total", refusal.code)
            _refuse(chair, key or _key_of(text), refusal, table.state.version)

    async def _give_hint(self, key: str) -> None:
        try:
            _put(self._chair, {**await self._table.hint(self._chair.role), "key": key})
        except Refusal as refusal:
            self._hall.metrics.count("refused_total", refusal.code)
            _refuse(self._chair, key, refusal, self._table.state.version)
        finally:
            self._hint = None


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


def _parse(text: str) -> Incoming:
    try:
        return _INCOMING.validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise Refusal("bad-message", f"{where or 'message'}: {first['msg']}.") from None


def _key_of(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        key = orjson.loads(text).get("key")
    except (ValueError, AttributeError, RecursionError):
        return None
    return key if isinstance(key, str) and len(key) <= 64 else None


def _refuse(chair: Chair, key: str | None, refusal: Refusal, version: int | None = None) -> None:
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
