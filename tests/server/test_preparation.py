"""On a new machine: the page is up while the code is still compiled."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from quiltwork import QuiltworkError
from quiltwork.agents.warm import QUICK, RULES, STAGES, STRONG, stage_of
from quiltwork.server.preparation import Preparation, WaitForRules


class Waiting(Preparation):
    """A preparation that has just begun, without a process."""

    def __init__(self) -> None:
        self._stage, self._done, self._total = 0, 3, 16

    def go_on(self) -> None:
        self._stage += 1


async def nothing() -> dict[str, str]:
    return {}


async def answered(path: str, kind: str, preparation: Preparation, seconds: float = 0.05) -> bool:
    """Whether a request is let through at once."""
    calls = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        calls.append(scope["path"])

    async def send(message: object) -> None: ...

    try:
        async with asyncio.timeout(seconds):
            await WaitForRules(app, preparation)({"type": kind, "path": path}, nothing, send)
    except TimeoutError:
        return False
    return calls == [path]


@pytest.mark.parametrize("path", ["/", "/js/main.js", "/api/about", "/api/preparation", "/api/showcase/express"])
def test_the_start_page_does_not_wait(path: str) -> None:
    assert asyncio.run(answered(path, "http", Waiting()))


def test_who_comes_too_early_is_asked_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quiltwork.server.preparation._HELD", 0.01)
    sent: list[Any] = []

    async def send(message: object) -> None:
        sent.append(message)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError("let through")

    gate = WaitForRules(app, Waiting())
    asyncio.run(gate({"type": "http", "path": "/api/games"}, nothing, send))
    assert (sent[0]["status"], json.loads(sent[1]["body"])["code"]) == (503, "preparing")
    asyncio.run(gate({"type": "websocket", "path": "/ws"}, nothing, send))
    assert sent[2]["code"] == 1013


@pytest.mark.parametrize(("path", "kind"), [("/api/games", "http"), ("/api/game", "http"), ("/ws", "websocket")])
def test_games_wait_for_the_rules(path: str, kind: str) -> None:
    preparation = Waiting()
    assert preparation.progress == {"stage": "rules", "done": 3, "total": 16}
    assert not asyncio.run(answered(path, kind, preparation))
    preparation.go_on()
    assert asyncio.run(answered(path, kind, preparation))


@pytest.mark.parametrize(
    ("agent", "stage"),
    [
        ("random", QUICK),
        ("level:1", QUICK),
        ("greedy:waver=5", QUICK),
        ("level:5", STRONG),
        ("strongest", STRONG),
        ("cmd:./bot", RULES),
    ],
)
def test_an_agent_waits_for_what_it_needs(agent: str, stage: str) -> None:
    assert stage_of(agent) == stage


def test_an_unknown_level_is_told() -> None:
    with pytest.raises(QuiltworkError, match="there is no such level"):
        stage_of("level:11")


def test_the_process_that_compiles_reports_until_all_is_done(capfd: pytest.CaptureFixture[str]) -> None:
    preparation = Preparation()
    try:
        asyncio.run(asyncio.wait_for(preparation.reached(STAGES[-1]), 300))
        until = time.monotonic() + 20
        while preparation.progress["stage"] is not None and time.monotonic() < until:
            time.sleep(0.05)
        assert preparation.progress["stage"] is None
        assert "quiltwork: all is compiled" in capfd.readouterr().err
    finally:
        preparation.close()
