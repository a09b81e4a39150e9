"""Games survive the server; a table is set again exactly as it was."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from starlette.testclient import TestClient

from quiltwork import QuiltworkError, load_edition
from quiltwork.server import database
from quiltwork.server.app import create_app
from quiltwork.server.database import GAME, check_database, migrate, open_engine
from quiltwork.server.events import Event, Kind
from quiltwork.server.settings import Settings
from quiltwork.server.store import Conflict, NewGame, Store
from server.conftest import Seat, bearer, create, run
from server.postgres import cluster, new_database


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def server(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """Where databases are made: a folder, or a PostgreSQL server; every test here is run on both."""
    if request.param == "sqlite":
        yield None
        return
    with cluster() as url:
        yield url


@pytest.fixture
def settings(server: str | None, settings: Settings) -> Settings:
    return settings if server is None else replace(settings, database_url=new_database(server))


@pytest.fixture
def other_settings(server: str | None, settings: Settings, tmp_path: Path) -> Settings:
    url = f"sqlite:///{tmp_path / 'others.sqlite3'}" if server is None else new_database(server)
    return replace(settings, database_url=url)


def test_a_game_and_its_links_survive_a_restart(settings: Settings) -> None:
    with TestClient(create_app(settings)) as client:
        made = create(client)
        with client.websocket_connect("/ws") as socket:
            Seat(socket, made["token"]).move("+1")
    with TestClient(create_app(settings)) as client:
        view = client.get("/api/game", headers=bearer(made["watch"])).json()
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


def test_tokens_of_another_server_are_not_known(settings: Settings, other_settings: Settings) -> None:
    with TestClient(create_app(settings)) as client:
        made = create(client)
    with TestClient(create_app(other_settings)) as client:
        assert client.get("/api/game", headers=bearer(made["token"])).status_code == 401


def test_a_table_that_nobody_uses_is_put_away_and_found_again(settings: Settings) -> None:
    with TestClient(create_app(replace(settings, table_idle=-1.0))) as client:
        made = create(client)
        hall = client.app.state.hall  # type: ignore[attr-defined]
        hall.put_away()
        assert hall.tables_open == 0
        assert client.get("/api/game", headers=bearer(made["token"])).json()["version"] == 0
        assert hall.tables_open == 1


def test_that_a_friend_has_come_is_known_after_a_restart(settings: Settings) -> None:
    with TestClient(create_app(settings)) as client:
        made = create(client)
        assert [seat["joined"] for seat in _seats(client, made["watch"])] == [False, False]
        token = made["invite"]
        for _ in range(2):
            with client.websocket_connect("/ws") as socket:
                token = Seat(socket, token).token
    with TestClient(create_app(settings)) as client:
        assert [seat["joined"] for seat in _seats(client, made["watch"])] == [False, True]


def _seats(client: TestClient, token: str) -> list[dict[str, object]]:
    seats: list[dict[str, object]] = client.get("/api/game", headers=bearer(token)).json()["seats"]
    return seats


def test_of_a_batch_only_the_guilty_event_is_refused(settings: Settings) -> None:
    move = Event(Kind.MOVE, 1, 0.0, {"move": "+1"}, "the-same-key")

    async def write(store: Store) -> list[BaseException | None]:
        for game in ("one", "two", "three"):
            events = [move] if game == "two" else []
            await store.create(NewGame(game, 0.0, {}, events, load_edition()))
        writes = (store.append("one", 0, [move]), store.append("two", 1, [move]), store.append("three", 0, [move]))
        return list(await asyncio.gather(*writes, return_exceptions=True))

    store = Store(settings.database_url)
    store.keep_editions([load_edition()])
    written = run(write(store))
    stored = [run(store.load(game)) for game in ("one", "two", "three")]
    store.close()
    assert [type(outcome) for outcome in written] == [type(None), Conflict, type(None)]
    assert [len(game.events) for game in stored if game] == [1, 1, 1]


def test_a_database_of_the_first_schema_is_brought_up_to_date(settings: Settings) -> None:
    engine = open_engine(settings.database_url)
    migrate(engine, "0001")
    with engine.begin() as connection:
        connection.execute(GAME.insert(), [{"id": "old", "created": 1.0, "setup": "{}"}])
    engine.dispose()
    store = Store(settings.database_url)
    run(store.join("old", [2]))
    found = run(store.load("old"))
    store.close()
    assert found is not None
    assert found.created == 1.0
    assert found.joined == frozenset({2})


def test_a_start_on_the_newest_schema_loads_nothing_that_migrates(settings: Settings) -> None:
    Store(settings.database_url).close()
    opens = "import sys; from quiltwork.server.store import Store; Store(sys.argv[1]).close(); print(*sys.modules)"
    command = [sys.executable, "-c", opens, settings.database_url]
    loaded = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert "sqlalchemy" in loaded
    assert "alembic" not in loaded


def test_the_newest_schema_is_the_one_that_migrations_lead_to() -> None:
    scripts = ScriptDirectory(str(Path(database.__file__).parent / "migrations"))
    assert database.newest_revision() == scripts.get_current_head()


def test_many_at_once_are_all_stored(settings: Settings) -> None:
    with TestClient(create_app(settings)) as client:
        with ThreadPoolExecutor(8) as pool:
            made = list(pool.map(lambda _: create(client), range(24)))
        views = [client.get("/api/game", headers=bearer(game["token"])).json() for game in made]
    assert {view["version"] for view in views} == {0}
    assert len({view["game"] for view in views}) == 24


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("nonsense", "cannot open the database: expected a URL such as postgresql+psycopg://"),
        ("postgresql+nothing://x/y", "cannot open the database: Can't load plugin"),
        ("sqlite:////no/such/folder/games.sqlite3", "cannot open the database: unable to open database file"),
        ("mysql+pymysql://x/y", "the database needs its driver, which is not installed: pip install pymysql"),
    ],
)
def test_a_database_that_cannot_be_used_is_one_sentence(url: str, sentence: str) -> None:
    with pytest.raises(QuiltworkError) as raised:
        check_database(url)
    assert str(raised.value).startswith(sentence)
    assert "\n" not in str(raised.value)
