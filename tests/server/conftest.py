"""A server in memory, and a way to talk to it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from quiltwork.server.app import create_app
from quiltwork.server.settings import Settings

Json = dict[str, Any]
T = TypeVar("T")
_KEYS = count()


def new_key() -> str:
    return f"test-key-{next(_KEYS):08d}"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    database = f"sqlite:///{tmp_path / 'games.sqlite3'}"
    return Settings(database_url=database, computer_pace=0.0, engine_warm_up=False)


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(settings)) as client:
        yield client


class Seat:
    """One connection at a table; keeps the last state it was told."""

    hello: ClassVar[Json] = {}

    def __init__(self, socket: WebSocketTestSession, token: str) -> None:
        self.socket = socket
        self.token = token
        self.state: Json = {}
        self.seats: list[Json] = []
        socket.send_json({"type": "hello", "token": token, **self.hello})
        self.until("state")

    def next(self) -> Json:
        message: Json = self.socket.receive_json()
        if message["type"] == "state":
            self.state = message
        if message["type"] == "seat":
            self.token = message["token"]
        if message["type"] == "presence":
            self.seats = message["seats"]
        return message

    def until(self, *types: str) -> Json:
        """The next message of one of these types."""
        while True:
            message = self.next()
            if message["type"] in types:
                return message

    def send(self, kind: str, *, key: str | None = None, version: int | None = None, **more: Any) -> Json:
        """Sends a message and returns its answer."""
        version = self.state["version"] if version is None else version
        self.socket.send_json({"type": kind, "version": version, "key": key or new_key(), **more})
        return self.until("done", "refused", "hint")

    def move(self, text: str, **more: Any) -> Json:
        return self.send("move", move=text, **more)


def create(client: TestClient, **wanted: Any) -> Json:
    """A new game; by default two people on two devices, on deal 1."""
    body = {"deal": 1, "seats": [{"kind": "human", "name": "Ann"}, {"kind": "human", "remote": True}], **wanted}
    answer = client.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    made: Json = answer.json()
    return made


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def run(work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine in a thread of its own: a browser test before this one leaves its event loop running here."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
