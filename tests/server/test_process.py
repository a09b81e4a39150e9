"""The server as a process: too large messages, `kill -9`, and engines that fail or hang."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from quiltwork import Position
from quiltwork.agents.levels import Level
from quiltwork.server.engine import Engine, EngineFailure
from quiltwork.server.metrics import Metrics
from server.conftest import run
from server.process import Process, until


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Process]:
    process = Process(tmp_path)
    yield process
    process.kill()


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
        until(ann, "state")
        until(bob, "state")
        # Ann is told that the invitation was taken.
        state = until(ann, "state")
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


def test_a_visitor_who_sends_no_utf8_or_vanishes_leaves_no_traceback(process: Process) -> None:
    made = process.create()
    with process.sit(made["token"]) as ann:
        until(ann, "state")
        ann.send(b"\xff\xfe", text=True)
        assert until(ann, "refused")["code"] == "bad-message"
        for _ in range(5):
            with process.sit(made["watch"]) as eve:
                until(eve, "state")
                # Reset instead of closing, with news on the way.
                eve.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                eve.socket.close()
        ann.send(json.dumps({"type": "move", "version": 0, "key": "some-key-1", "move": "+1"}))
        assert until(ann, "done")["version"] == 1
    assert "Traceback" not in process.log.read_text()


def test_messages_sent_at_once_or_in_parts_are_answered_in_their_order(process: Process) -> None:
    made = process.create()
    look = json.dumps({"type": "look"})
    with process.sit(made["token"]) as ann:
        # Before the hello is answered.
        ann.send(json.dumps({"type": "move", "version": 0, "key": "some-key-1", "move": "+1"}))
        for _ in range(20):
            ann.send(json.dumps({"type": "ping"}))
        ann.send([look[:4], look[4:9], look[9:]])
        ann.send(b"{}")
        heard = []
        while "refused" not in heard:
            heard.append(json.loads(ann.recv(timeout=20))["type"])
    assert [kind for kind in heard if kind != "presence"] == [
        *("state", "state", "done"),
        *["pong"] * 20,
        *("state", "refused"),
    ]


def test_who_leaves_makes_room(tmp_path: Path) -> None:
    process = Process(tmp_path, connections_per_address=3)
    try:
        made = process.create()
        for _ in range(5):
            with process.sit(made["watch"]) as eve, process.sit(made["token"]) as ann:
                until(eve, "state")
                until(ann, "state")
    finally:
        process.kill()


def opponent(agent: str, seconds: float = 0.1) -> Level:
    return Level("test", "Test", 1, "", agent, seconds, None)


def test_an_agent_that_fails_or_hangs_is_told_and_the_next_thought_is_answered() -> None:
    async def think() -> None:
        position = Position.initial(deal=1)
        engine = Engine(workers=1, timeout=20.0, metrics=Metrics())
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
