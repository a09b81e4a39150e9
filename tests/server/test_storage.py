"""A database that fails or hangs: who asks is told to try again, and nothing else suffers."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from threading import Timer

import pytest
from starlette.testclient import TestClient

from quiltwork.server.app import create_app
from quiltwork.server.settings import Settings
from quiltwork.server.store import Store
from quiltwork.server.study.storage import ReviewStore
from server.conftest import Seat, bearer, create, new_key, run
from server.postgres import cluster, frozen, new_database

PATIENCE = 1.0


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with cluster() as url:
        yield new_database(url)


def test_a_database_that_hangs_hangs_nothing_else_and_a_move_counts_once(
    postgres: str, settings: Settings
) -> None:
    patient = replace(settings, database_url=postgres, storage_timeout=PATIENCE)
    move = {"version": 0, "move": "+1"}
    with TestClient(create_app(patient)) as client:
        made, other = create(client), create(client)
        away = create(client)
        hall = client.app.state.hall  # type: ignore[attr-defined]
        del hall._tables[away["game"]]
        seat = {**bearer(made["token"]), "Idempotency-Key": "the-same-key"}
        with client.websocket_connect("/ws") as socket:
            bob = Seat(socket, other["token"])
            with frozen(postgres):
                started = time.monotonic()
                assert client.get("/health").status_code == 200
                assert time.monotonic() - started < PATIENCE / 2
                refused = [
                    client.post("/api/game/moves", json=move, headers=seat),
                    client.post(
                        "/api/games", json={"seats": [{"kind": "human"}, {"kind": "human", "remote": True}]}
                    ),
                    client.get("/api/game", headers=bearer(away["token"])),
                ]
                key = new_key()
                answer = bob.move("+1", key=key)
                assert client.get("/ready").status_code == 503
                assert time.monotonic() - started < 8 * PATIENCE
            assert [answer.status_code for answer in refused] == [503] * 3
            assert [answer.json()["code"] for answer in refused] == ["storage"] * 3
            assert all(int(answer.headers["Retry-After"]) >= 1 for answer in refused)
            assert (answer["code"], answer["retry"]) == ("not-stored", 1.0)
            assert bob.move("+1", key=key)["version"] == 1
        assert client.post("/api/game/moves", json=move, headers=seat).json() == {"version": 1}
        time.sleep(1.1)
        assert client.get("/ready").status_code == 200
        view = client.get("/api/game", headers=bearer(made["token"])).json()
    assert [step["move"] for step in view["moves"]] == ["+1"]


def test_a_server_that_starts_while_the_database_hangs_waits_for_it(
    postgres: str, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    patient = replace(settings, database_url=postgres, storage_timeout=PATIENCE)
    with TestClient(create_app(patient)) as client:
        made = create(client)
    with ExitStack() as hanging:
        hanging.enter_context(frozen(postgres))
        Timer(4 * PATIENCE, hanging.close).start()
        with TestClient(create_app(patient)) as client:
            assert client.get("/api/game", headers=bearer(made["token"])).status_code == 200
    assert "the database is not there yet" in caplog.messages


def test_a_review_does_not_wait_for_a_database_that_hangs(postgres: str) -> None:
    store = Store(postgres, PATIENCE)
    with frozen(postgres):
        begun = time.monotonic()
        assert run(ReviewStore(store).load("some-key")) is None
        assert time.monotonic() - begun < 5 * PATIENCE
    store.close()


def test_a_locked_file_is_told_with_a_sentence(settings: Settings) -> None:
    with TestClient(create_app(replace(settings, storage_timeout=PATIENCE))) as client:
        made = create(client)
        file = settings.database_url.removeprefix("sqlite:///")
        with client.websocket_connect("/ws") as socket:
            ann = Seat(socket, made["token"])
            key = new_key()
            locked = sqlite3.connect(file)
            locked.execute("BEGIN IMMEDIATE")
            answer = ann.move("+1", key=key)
            assert client.get("/ready").status_code == 503
            locked.close()
            assert (answer["code"], answer["retry"]) == ("not-stored", 1.0)
            assert ann.move("+1", key=key)["version"] == 1
