"""Games survive the server; a table is set again exactly as it was."""

from __future__ import annotations

from dataclasses import replace

from starlette.testclient import TestClient

from quiltwork.server.app import create_app
from quiltwork.server.settings import Settings
from server.conftest import Seat, bearer, create


def test_a_game_and_its_links_survive_a_restart(settings: Settings) -> None:
    with TestClient(create_app(settings)) as client:
        made = create(client)
        with client.websocket_connect("/ws") as socket:
            Seat(socket, made["token"]).move("+1")
    with TestClient(create_app(settings)) as client:
        view = client.get("/api/game", headers=bearer(made["invite"])).json()
    assert [step["move"] for step in view["moves"]] == ["+1"]
    assert view["turn"] == 2


def test_a_key_is_remembered_over_a_restart(settings: Settings) -> None:
    headers = {"Idempotency-Key": "the-same-key"}
    move = {"version": 0, "move": "+1"}
    with TestClient(create_app(settings)) as client:
        made = create(client)
        seat = {**bearer(made["token"]), **headers}
        assert client.post("/api/game/moves", json=move, headers=seat).json() == {"version": 1}
    with TestClient(create_app(settings)) as client:
        assert client.post("/api/game/moves", json=move, headers=seat).json() == {"version": 1}


def test_a_failing_database_is_told_and_the_table_is_set_anew(settings: Settings) -> None:
    with TestClient(create_app(settings)) as client:
        made = create(client)
        store = client.app.state.hall.store  # type: ignore[attr-defined]
        append = store.append

        async def fail(*_: object) -> None:
            raise OSError("the disk is full")

        store.append = fail
        seat = {**bearer(made["token"]), "Idempotency-Key": "some-key-1"}
        refused = client.post("/api/game/moves", json={"version": 0, "move": "+1"}, headers=seat)
        assert (refused.status_code, refused.json()["code"]) == (503, "not-stored")
        store.append = append
        done = client.post("/api/game/moves", json={"version": 0, "move": "+1"}, headers=seat)
        assert done.json() == {"version": 1}


def test_tokens_of_another_server_are_not_known(settings: Settings) -> None:
    with TestClient(create_app(settings)) as client:
        made = create(client)
    other = replace(settings, database_url=settings.database_url.replace("games", "others"))
    with TestClient(create_app(other)) as client:
        assert client.get("/api/game", headers=bearer(made["token"])).status_code == 401


def test_a_table_that_nobody_uses_is_put_away_and_found_again(settings: Settings) -> None:
    with TestClient(create_app(replace(settings, table_idle=-1.0))) as client:
        made = create(client)
        hall = client.app.state.hall  # type: ignore[attr-defined]
        hall.put_away()
        assert hall.tables_open == 0
        assert client.get("/api/game", headers=bearer(made["token"])).json()["version"] == 0
        assert hall.tables_open == 1
