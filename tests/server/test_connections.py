"""Connections: silent ones make room, slow ones and floods end, and the log stays short."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from quiltwork.server import connections
from quiltwork.server.connections import ConnectionLimits, Connections
from quiltwork.server.logs import Brakes
from quiltwork.server.metrics import Metrics
from server.conftest import run
from server.process import Process, until

LIMITS = {"files": 1024, "connections_per_address": 400, "request_timeout": 2.0}
HEADERS = b"GET /health HTTP/1.1\r\nHost: x\r\nX-A: "
BODY = b"POST /api/records HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    process = Process(tmp_path_factory.mktemp("connections"), **LIMITS)
    yield process
    process.kill()


def visit(process: Process, stack: ExitStack, said: bytes = b"", address: str = "127.0.0.1") -> socket.socket:
    """A connection that says so much and no more."""
    visitor = stack.enter_context(socket.socket())
    visitor.bind((address, 0))
    visitor.settimeout(30)
    visitor.connect(("127.0.0.1", process.port))
    visitor.sendall(said)
    return visitor


def metrics(process: Process) -> str:
    with urlopen(f"http://127.0.0.1:{process.port}/metrics", timeout=10) as answer:
        return str(answer.read().decode())


def is_turned_away(visitor: socket.socket) -> bool:
    """Whether the answer is 503; it is lost where the request arrives after it, as the system then resets."""
    try:
        visitor.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        answer = visitor.recv(100)
    except ConnectionError:
        return True
    return not answer or answer.startswith(b"HTTP/1.1 503")


@pytest.mark.parametrize("addresses", [1, 200])
def test_silent_connections_do_not_keep_others_out(process: Process, addresses: int) -> None:
    made = process.create()
    with ExitStack() as stack, process.sit(made["token"]) as ann:
        until(ann, "state")
        for number in range(1200):
            said = (b"", HEADERS, BODY)[number % 3]
            visit(process, stack, said, f"127.0.1.{1 + number % addresses}")
        assert "quiltwork_dropped_total" in metrics(process)
        ann.send(json.dumps({"type": "ping"}))
        assert until(ann, "pong")
    log = process.log.read_text()
    assert len(log) < 10_000
    assert "Traceback" not in log


@pytest.mark.parametrize("said", [b"", HEADERS, BODY, b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n" + HEADERS])
def test_a_request_that_does_not_arrive_is_given_up(process: Process, said: bytes) -> None:
    with ExitStack() as stack:
        visitor = visit(process, stack, said)
        while True:
            try:
                if not visitor.recv(65536):
                    break
            except ConnectionResetError:
                break


def test_what_an_address_may_have_is_bounded(tmp_path: Path) -> None:
    process = Process(tmp_path, connections_per_address=3)
    try:
        made = process.create()
        with ExitStack() as stack:
            for _ in range(2):
                until(stack.enter_context(process.sit(made["watch"])), "state")
            visit(process, stack)
            # The silent one makes room for a request, and for a third spectator; then nobody is silent.
            assert "connections_open 2" in metrics(process)
            until(stack.enter_context(process.sit(made["watch"])), "state")
            assert is_turned_away(visit(process, stack))
    finally:
        process.kill()


def flood(player: ClientConnection) -> None:
    for _ in range(2000):
        player.send(json.dumps({"type": "ping"}))
    until(player, "nothing")


def test_a_flood_of_messages_ends_the_connection(process: Process) -> None:
    made = process.create()
    with process.sit(made["token"]) as ann:
        until(ann, "state")
        with pytest.raises(ConnectionClosed) as closed:
            flood(ann)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4429


def test_who_asks_too_often_is_disconnected(process: Process) -> None:
    asked = b"GET /api/about HTTP/1.1\r\nHost: x\r\n\r\n"
    with ExitStack() as stack:
        for _ in range(400):
            visitor = visit(process, stack, asked, "127.0.2.1")
            head = visitor.recv(65536)
            if b" 429 " in head.split(b"\r\n")[0]:
                break
        assert b"connection: close" in head.lower()


class Taker(asyncio.Transport):
    """The other end of a connection, which leaves so many bytes unread."""

    def __init__(self, unread: int) -> None:
        super().__init__()
        self.unread = unread
        self.gone = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return ("192.0.2.9", 4711)

    def get_write_buffer_size(self) -> int:
        return self.unread

    def is_closing(self) -> bool:
        return False

    def abort(self) -> None:
        self.gone = True


def test_an_answer_may_be_long_in_the_making_but_not_in_the_taking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_LOOK", 0.02)

    async def wait() -> tuple[bool, bool]:
        open_ones = Connections(ConnectionLimits(9, 9, request_within=9, answer_within=0.2), Metrics())
        reads, does_not = Taker(0), Taker(10)
        for transport in (reads, does_not):
            seen = open_ones.open(transport)
            assert seen is not None
            seen.work()
        await asyncio.sleep(0.6)
        return reads.gone, does_not.gone

    assert run(wait()) == (False, True)


UPGRADE = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
KEY = b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"


def tracebacks(process: Process) -> int:
    return process.log.read_text().count("Traceback")


@pytest.mark.parametrize(
    ("path", "more", "answer"),
    [
        (b"/ws", b"".join(b"X-%d: a\r\n" % number for number in range(200)), b"400"),
        (b"/ws", b"X-A: " + b"a" * 20_000 + b"\r\n", b"400"),
        (b"/ws?" + b"a" * 20_000, b"", b"400"),
        (b"/ws", b"Content-Length: 5\r\n", b"400"),
        (b"/ws", b"Origin: http://[zz]/\r\n", b"403"),
        (b"/ws/more", b"", b"403"),
        (b"/api/about", b"", b"403"),
        (b"/", b"", b"403"),
    ],
    ids=["headers", "header", "address", "body", "origin", "path", "api", "page"],
)
def test_a_handshake_that_is_none_is_answered_and_ended(
    process: Process, path: bytes, more: bytes, answer: bytes
) -> None:
    before = tracebacks(process)
    with ExitStack() as stack:
        visitor = visit(
            process, stack, b"GET " + path + b" HTTP/1.1\r\nHost: x\r\n" + UPGRADE + KEY + more + b"\r\n"
        )
        visitor.settimeout(5)
        told = visitor.recv(65_536)
        assert told.split()[1] == answer
        while visitor.recv(65_536):
            pass
    assert tracebacks(process) == before


@pytest.mark.parametrize(
    "frame",
    [b"\x89\x80\0\0\0\0", b"\x8a\x80\0\0\0\0", b"\x00\x80\0\0\0\0"],
    ids=["pings", "pongs", "empty parts"],
)
def test_a_flood_of_frames_that_are_no_messages_ends_the_connection(process: Process, frame: bytes) -> None:
    token = process.create()["watch"]
    with process.sit(token) as connection:
        until(connection, "state")
        first = b"\x01\x81\0\0\0\0{" if frame[0] == 0 else b""
        with suppress(ConnectionError):
            connection.socket.sendall(first + frame * 2000)
        with suppress(ConnectionClosed):
            while True:
                connection.recv(timeout=10)
    assert 'dropped_total{reason="flood"}' in metrics(process)


def test_a_body_in_tiny_pieces_is_refused_before_it_is_there(process: Process) -> None:
    head = b"POST /api/records HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    with ExitStack() as stack:
        visitor = visit(process, stack, head + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n")
        answer = visitor.recv(4096)
        assert answer.split()[1] == b"411"
        assert b"connection: close" in answer.lower()


def test_who_asks_for_files_too_often_is_disconnected(tmp_path: Path) -> None:
    process = Process(tmp_path, files_per_second=2.0)
    try:
        with ExitStack() as stack:
            visitor = visit(process, stack, b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n" * 300)
            told = b""
            with suppress(ConnectionError):
                while piece := visitor.recv(65_536):
                    told += piece
            assert 90 <= told.count(b"HTTP/1.1 200") <= 110
    finally:
        process.kill()


def test_the_same_line_again_and_again_is_held_back_and_counted() -> None:
    brakes = Brakes(lines=3, seconds=60.0)

    def line(text: str, moment: float) -> logging.LogRecord | None:
        record = logging.LogRecord("quiltwork", logging.WARNING, "", 0, text, (), None)
        record.created = moment
        return record if brakes.filter(record) else None

    start = time.time()
    assert [bool(line("the same", start + n)) for n in range(5)] == [True, True, True, False, False]
    assert line("another", start + 5)
    later = line("the same", start + 61)
    assert later is not None
    assert later.held_back == 2  # type: ignore[attr-defined]
