"""The protocols of the server: uvicorn's, within limits, and quiet about what visitors do wrong."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from types import FrameType
from typing import Any, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from quiltwork.server.connections import Connections
from quiltwork.server.limits import Bucket
from quiltwork.server.socket import CARRIER

_QUEUE = 1024
"""connections that the system keeps until they are taken in"""
_LOOK = 0.1
_READ = 16_384
"""bytes that are read at once: thousands of tiny pieces of a message or a body must not hold the event loop"""
_FRAMES = 10.0
"""fragments, pings and unsolicited pongs that a websocket may send a second"""
_BURST = 500.0
_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_BEAT = 20.0
"""seconds between two looks at whether a websocket is alive"""
_CLOSING = 10.0
"""seconds for the visitor to answer a close"""
_AHEAD = 16
"""messages that are read ahead of their answers"""
_UNREAD = 262_144
"""bytes that a visitor may leave unread"""
_RESTARTING = 1012
_RECEIVE = "websocket.receive"


class Server(uvicorn.Server):
    """A server that takes in few connections at a time, while many may wait.

    Asked to end by SIGTERM it calls `leave`, and goes on serving for `drain` seconds: a proxy sends visitors
    elsewhere before the port is closed.
    """

    def __init__(self, config: uvicorn.Config, drain: float, leave: Callable[[], None]) -> None:
        super().__init__(config)
        self._drain = drain
        self._leave = leave
        self._hurried = True
        """whether nobody waits for the drain"""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # Ctrl-C, or a second signal, does not wait.
        self._hurried = self.should_exit or sig != signal.SIGTERM
        if not self.started:
            self._leave()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._leave()
        end = monotonic() + self._drain
        while monotonic() < end and not self._hurried:
            await asyncio.sleep(_LOOK)
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(_QUEUE)


def http_protocol(connections: Connections) -> type[H11Protocol]:
    """HTTP whose connections are counted and watched."""

    class WatchedHttp(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            _read_little(transport)
            self._seen = connections.open(transport)
            super().connection_made(transport)

        def data_received(self, data: bytes) -> None:
            if self._seen is None:
                return
            super().data_received(data)
            if self.transport.get_protocol() is not self:
                return
            if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
                self._seen.wait()
            else:
                self._seen.work()

        def on_response_complete(self) -> None:
            if self._seen is not None:
                self._seen.wait()
            super().on_response_complete()

        def connection_lost(self, exc: Exception | None) -> None:
            connections.close(self.transport)
            super().connection_lost(exc)

    return WatchedHttp


class _HandedOver(asyncio.Transport):
    """Stands for a transport that another protocol has: uvicorn closes it where its application ended."""

    def close(self) -> None:
        pass


class CarriedSocket(asyncio.Protocol):
    """A websocket after its handshake: it calls who listens, and needs no task while it is idle."""

    __slots__ = (
        "_asked",
        "_connections",
        "_frames",
        "_gone",
        "_hear",
        "_is_heard",
        "_is_text",
        "_socket",
        "_spare",
        "_tasks",
        "_timer",
        "_transport",
        "_unanswered",
        "_watch",
    )

    def __init__(
        self,
        transport: asyncio.Transport,
        websocket: ServerProtocol,
        connections: set[Any],
        tasks: set[asyncio.Task[None]],
        watch: Connections,
        hear: Callable[[str | None], None],
        gone: Callable[[], None],
    ) -> None:
        self._transport = transport
        self._socket = websocket
        self._connections = connections
        self._tasks = tasks
        self._watch = watch
        self._hear = hear
        self._gone = gone
        self._spare: Bucket | None = None
        self._frames: list[bytes] = []
        self._is_text = False
        self._unanswered = 0
        """messages since the last work was done"""
        self._is_heard = True
        """whether anything came since the last beat"""
        self._asked = False
        connections.add(self)
        self._timer = asyncio.get_running_loop().call_later(_BEAT, self._beat)

    def begin(self, waiting: Sequence[str | None], frames: list[bytes], *, is_text: bool, ended: bool) -> None:
        """Takes the connection over, with what has come already: messages, and parts of the next one."""
        loop = asyncio.get_running_loop()
        self._frames, self._is_text = frames, is_text
        self._transport.set_protocol(self)
        # Later, when the visitor sits.
        for text in waiting:
            loop.call_soon(self._hear, text)
        if ended:
            loop.call_soon(self.connection_lost, None)

    # Its transport's calls

    def data_received(self, data: bytes) -> None:
        self._is_heard = True
        websocket = self._socket
        websocket.receive_data(data)
        for frame in websocket.events_received():
            if isinstance(frame, Frame):
                self._take(frame)
        self._flush()
        if websocket.parser_exc is not None or websocket.close_rcvd is not None:
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._timer.cancel()
        self._connections.discard(self)
        self._watch.close(self._transport)
        self._gone()

    def _take(self, frame: Frame) -> None:
        if self._transport.is_closing() or frame.opcode is Opcode.CLOSE:
            return
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY):
            self._is_text = frame.opcode is Opcode.TEXT
        elif frame.opcode is Opcode.PONG and self._asked:
            self._asked = False
        elif not self._spares():
            return
        if frame.opcode not in (Opcode.PING, Opcode.PONG):
            self._add(frame)

    def _spares(self) -> bool:
        """Whether one more frame is taken that is no whole message; a flood of them ends the connection."""
        self._spare = self._spare or Bucket(_FRAMES, _BURST)
        taken = self._spare.take()
        if not taken:
            self._watch.drop(self._transport, "flood")
        return taken

    def _add(self, frame: Frame) -> None:
        self._frames.append(bytes(frame.data))
        if not frame.fin:
            return
        message, self._frames = b"".join(self._frames), []
        text = None
        if self._is_text:
            with suppress(UnicodeDecodeError):
                text = message.decode()
        self._unanswered += 1
        if self._unanswered == _AHEAD:
            self._transport.pause_reading()
        self._hear(text)

    def _flush(self) -> None:
        if (output := self._socket.data_to_send()) and not self._transport.is_closing():
            self._transport.write(b"".join(output))

    def _beat(self) -> None:
        """Asks a silent visitor for a sign of life; drops who gave none for two beats."""
        if self._transport.is_closing() or self._socket.state is not State.OPEN:
            self._transport.abort()
            return
        if not self._is_heard and self._asked:
            self._transport.abort()
            return
        self._asked = not self._is_heard
        if self._asked:
            self._socket.send_ping(b"")
            self._flush()
        self._is_heard = False
        self._timer = asyncio.get_running_loop().call_later(_BEAT, self._beat)

    # For who sits at the other end

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Begins work that a message makes; the server does not end before it."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)
        return task

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if self._unanswered >= _AHEAD:
            self._transport.resume_reading()
        self._unanswered = 0

    def put_nowait(self, text: str) -> None:
        if self._transport.is_closing() or self._socket.state is not State.OPEN:
            return
        if self.full():
            raise asyncio.QueueFull
        self._socket.send_text(text.encode())
        self._flush()

    def full(self) -> bool:
        return self._transport.get_write_buffer_size() > _UNREAD

    def end(self, code: int) -> None:
        if self._socket.state is State.OPEN and not self._transport.is_closing():
            self._socket.send_close(code)
            self._flush()
            self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_later(_CLOSING, self._transport.abort)

    def shutdown(self) -> None:
        """uvicorn ends: the visitor is told to come back."""
        self.end(_RESTARTING)
        self._transport.close()


def socket_protocol(connections: Connections) -> type[WebSocketsSansIOProtocol]:
    """Websockets whose connections are counted and watched, and which carry messages without a task."""

    class WatchedSocket(WebSocketsSansIOProtocol):
        _spare: Bucket | None = None

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            if seen := connections.find(self.transport):
                seen.work()

        def connection_lost(self, exc: Exception | None) -> None:
            connections.close(self.transport)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            # The handshake came with the first data; what could not be read would never be answered.
            if not self.handshake_initiated and not self.transport.is_closing():
                self.transport.write(_BAD_REQUEST)
                self.transport.close()

        def handle_cont(self, event: Frame) -> None:
            if self._spares():
                super().handle_cont(event)

        def handle_ping(self) -> None:
            if self._spares():
                super().handle_ping()

        def handle_pong(self, event: Frame) -> None:
            if bytes(event.data) == self.pending_ping_payload or self._spares():
                super().handle_pong(event)

        def _spares(self) -> bool:
            """Whether one more frame is taken that is no whole message; a flood of them ends the connection."""
            self._spare = self._spare or Bucket(_FRAMES, _BURST)
            taken = self._spare.take()
            if not taken:
                connections.drop(self.transport, "flood")
            return taken

        def handle_connect(self, event: Request) -> None:
            super().handle_connect(event)
            if self.handshake_initiated and not self.handshake_complete:
                cast(dict[str, Any], self.scope["extensions"])[CARRIER] = self

        def carry(self, hear: Callable[[str | None], None], gone: Callable[[], None]) -> CarriedSocket:
            """Lets a lighter protocol go on with the connection."""
            self.stop_keepalive()
            transport, self.transport = self.transport, _HandedOver()
            # The parser would keep them as long as the connection.
            self.request.headers.clear()
            self.response.headers.clear()
            self.connections.discard(self)

            carried = CarriedSocket(transport, self.conn, self.connections, self.tasks, connections, hear, gone)
            waiting = [cast(Mapping[str, Any], self.queue.get_nowait()) for _ in range(self.queue.qsize())]
            texts = [message.get("text") for message in waiting if message["type"] == _RECEIVE]
            carried.begin(texts, self.frames, is_text=self.curr_msg_data_type == "text", ended=self.disconnected)
            if self.read_paused:
                self.loop.call_soon(transport.resume_reading)
            return carried

        def send_receive_event_to_app(self) -> None:
            # A text that is not UTF-8 is handed on as bytes, which are refused, instead of logging a traceback.
            if self.curr_msg_data_type == "text":
                try:
                    b"".join(self.frames).decode()
                except UnicodeDecodeError:
                    self.curr_msg_data_type = "bytes"
            super().send_receive_event_to_app()

    return WatchedSocket


def _read_little(transport: asyncio.Transport) -> None:
    # asyncio reads 256 KB at once; there is no public way to say so.
    if hasattr(transport, "max_size"):
        transport.max_size = _READ
