"""Connections: silent ones make room, slow ones and floods end, and the log stays short."""

from __future__ import annotations

import json
import logging
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.request import urlopen

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from quiltwork.server.logs import Brakes
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
