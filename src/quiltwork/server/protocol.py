"""The protocols of the server: uvicorn's, within limits, and quiet about what visitors do wrong."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable
from time import monotonic
from types import FrameType
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from quiltwork.server.connections import Connections
from quiltwork.server.limits import Bucket
from quiltwork.server.line import Line

_QUEUE = 1024
"""connections that the system keeps until they are taken in"""
_LOOK = 0.1
_READ = 16_384
"""bytes that are read at once: thousands of tiny pieces of a message or a body must not hold the event loop"""
_FRAMES = 10.0
"""parts of messages, pings and pongs that nobody asked for which a websocket may send a second"""
_BURST = 500.0
_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


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


def socket_protocol(connections: Connections) -> type[WebSocketsSansIOProtocol]:
    """Websockets whose connections are counted and watched."""

    class WatchedSocket(WebSocketsSansIOProtocol):
        def __init__(self, *arguments: Any, **more: Any) -> None:
            super().__init__(*arguments, **more)
            self.queue = Line()  # type: ignore[assignment]
            self._spare: Bucket | None = None

        def start_keepalive(self) -> None:
            super().start_keepalive()
            # The handshake is over: its headers would be kept as long as the connection.
            self.request.headers.clear()
            self.response.headers.clear()

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
