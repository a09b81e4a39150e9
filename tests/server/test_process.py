"""The server as a process: too large messages, `kill -9`, and engines that fail or hang."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from quiltwork import Position
from quiltwork.server.engine import Engine, EngineFailure
from quiltwork.server.metrics import Metrics
from quiltwork.server.opponents import Opponent
from server.conftest import run

SCRIPT = """
import sys
from quiltwork.server.run import listen, serve
from quiltwork.server.settings import Settings
if __name__ == "__main__":
    settings = Settings(database_url=sys.argv[2], engine_warm_up=False, computer_pace=0.0)
    serve(settings, listen("127.0.0.1", int(sys.argv[1])))
"""


class Process:
    """A server that can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        with closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._script = folder / "serve.py"
        self._script.write_text(SCRIPT)
        self._database = f"sqlite:///{folder / 'games.sqlite3'}"
        self.start()

    def start(self) -> None:
        command = [sys.executable, str(self._script), str(self.port), self._database]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        for _ in range(600):
            try:
                with urlopen(f"http://127.0.0.1:{self.port}/health", timeout=2):
                    return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("the server did not come up")

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(10)

    def create(self) -> dict[str, Any]:
        body = {"deal": 1, "seats": [{"kind": "human"}, {"kind": "human", "remote": True}]}
        request = Request(f"http://127.0.0.1:{self.port}/api/games", json.dumps(body).encode())
        request.add_header("Content-Type", "application/json")
        with urlopen(request, timeout=10) as answer:
            made: dict[str, Any] = json.load(answer)
        return made

    @contextmanager
    def sit(self, token: str) -> Iterator[ClientConnection]:
        with connect(f"ws://127.0.0.1:{self.port}/ws") as connection:
            connection.send(json.dumps({"type": "hello", "token": token}))
            yield connection


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Process]:
    process = Process(tmp_path)
    yield process
    process.kill()


def until(connection: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(connection.recv(timeout=20))
        if message["type"] == kind:
            return message


def test_an_oversized_message_ends_the_connection_and_nothing_else(process: Process) -> None:
    made = process.create()
    with process.sit(made["token"]) as ann:
        until(ann, "state")
        ann.send(json.dumps({"type": "move", "move": "x" * 5000}))
        with pytest.raises(ConnectionClosed) as closed:
            until(ann, "nothing")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
    with process.sit(made["token"]) as ann:
        assert until(ann, "state")["version"] == 0


def test_every_move_that_was_told_is_there_after_a_kill(process: Process) -> None:
    made = process.create()
    with process.sit(made["token"]) as ann, process.sit(made["invite"]) as bob:
        seats = {1: ann, 2: bob}
        state = until(ann, "state")
        until(bob, "state")
        for number in range(6):
            mover = seats[state["turn"]]
            key = f"key-number-{number}"
            mover.send(json.dumps({"type": "move", "version": state["version"], "key": key, "move": "+"}))
            state = until(ann, "state")
            until(bob, "state")
        process.kill()
    process.start()
    with process.sit(made["watch"]) as eve:
        again = until(eve, "state")
    assert again["position"] == state["position"]
    assert len(again["moves"]) == 6


def opponent(agent: str, seconds: float = 0.1) -> Opponent:
    return Opponent("test", "Test", 1, "", agent, seconds, None)


def test_an_agent_that_fails_or_hangs_is_told_and_the_next_thought_is_answered() -> None:
    async def think() -> None:
        position = Position.initial(deal=1)
        engine = Engine(workers=1, queue=4, timeout=20.0, metrics=Metrics())
        try:
            with pytest.raises(EngineFailure, match="nobody"):
                await engine.think(position, opponent("nobody"))
            answer = await engine.think(position, opponent("random"))
            assert position.why_illegal(position.move(answer.move)) is None
            engine._timeout = 1.0
            with pytest.raises(EngineFailure, match="no answer within 1 s"):
                await engine.think(position, opponent("cmd:sleep 60", seconds=30.0))
            engine._timeout = 20.0
            assert (await engine.think(position, opponent("random"))).move
        finally:
            engine.close()

    run(think())
