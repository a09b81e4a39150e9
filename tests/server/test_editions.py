"""Editions belong to their games: a game plays on with what it was begun with."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.config import Config
from alembic.script import ScriptDirectory
from starlette.testclient import TestClient

from quiltwork import Position, QuiltworkError, available_editions, load_edition
from quiltwork.editions import EDITIONS_FOLDER
from quiltwork.editions import edition as edition_module
from quiltwork.editions.content import content_of, edition_of_content, fingerprint, pinned
from quiltwork.server import database
from quiltwork.server import editions as server_editions
from quiltwork.server.app import create_app
from quiltwork.server.database import EDITION, GAME, migrate, open_engine
from quiltwork.server.editions import offered_editions, offered_themes
from quiltwork.server.settings import Settings
from quiltwork.server.tokens import Role
from quiltwork.themes.theme import THEMES_FOLDER
from server.conftest import Seat, bearer, create
from server.postgres import cluster, new_database

Json = dict[str, Any]


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def server(request: pytest.FixtureRequest) -> Iterator[str | None]:
    if request.param == "sqlite":
        yield None
        return
    with cluster() as url:
        yield url


@pytest.fixture
def settings(server: str | None, settings: Settings, own_file: Path) -> Settings:
    with_file = replace(settings, editions=(own_file,))
    return with_file if server is None else replace(with_file, database_url=new_database(server))


def write_edition(file: Path, start_buttons: int = 5, identifier: str = "own-box") -> Path:
    text = (EDITIONS_FOLDER / "patchwork.toml").read_text(encoding="utf-8")
    text = text.replace('id = "patchwork"', f'id = "{identifier}"', 1)
    file.write_text(text.replace("start_buttons = 5", f"start_buttons = {start_buttons}"), encoding="utf-8")
    return file


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    folder = tmp_path / "a secret folder"
    folder.mkdir()
    return write_edition(folder / "own box.toml", 7)


@pytest.fixture(autouse=True)
def forget_editions() -> Iterator[None]:
    """Every test begins as a new process does: it knows the built-in editions only."""
    edition_module._REGISTERED.clear()
    yield
    edition_module._REGISTERED.clear()


@pytest.mark.parametrize("name", available_editions())
def test_an_edition_survives_as_content(name: str) -> None:
    edition = load_edition(name)
    again = edition_of_content(content_of(edition))
    assert again == edition
    assert fingerprint(again) == fingerprint(edition)


def test_the_hash_sees_what_play_depends_on_and_nothing_else() -> None:
    edition = load_edition()
    assert fingerprint(replace(edition, title="Another", theme="halloween")) == fingerprint(edition)
    assert fingerprint(replace(edition, start_buttons=6)) != fingerprint(edition)
    order = {code: edition.patches[code] for code in reversed(list(edition.patches))}
    assert fingerprint(replace(edition, patches=order)) != fingerprint(edition)


def test_a_pinned_edition_travels_to_another_process() -> None:
    sent = pickle.dumps(pinned(replace(load_edition(), start_buttons=6)))
    program = "import pickle, sys; print(pickle.load(sys.stdin.buffer).start_buttons)"
    done = subprocess.run([sys.executable, "-c", program], input=sent, capture_output=True, check=True)
    assert done.stdout.strip() == b"6"


def test_an_edition_of_a_server_that_is_not_here_is_refused_with_advice() -> None:
    with pytest.raises(QuiltworkError, match="put the path of its file in its place"):
        Position.parse("own-box@0123456789 1 0/5/- 0/5/- - 5c4a2a")


def test_a_file_with_the_id_of_a_built_in_edition_is_refused_with_advice(tmp_path: Path) -> None:
    file = write_edition(tmp_path / "mine.toml", identifier="patchwork")
    with pytest.raises(QuiltworkError, match='such as id = "my-patchwork"'):
        offered_editions([file])


def test_two_files_with_one_id_are_refused(tmp_path: Path) -> None:
    files = [write_edition(tmp_path / "one.toml", 5), write_edition(tmp_path / "two.toml", 6)]
    with pytest.raises(QuiltworkError, match=r"two\.toml.*one\.toml has too"):
        offered_editions(files)


def begin(client: TestClient, **wanted: Any) -> Json:
    made = create(client, edition="own-box", **wanted)
    with client.websocket_connect("/ws") as socket:
        Seat(socket, made["token"]).move("+1")
    return made


@pytest.mark.parametrize("change", ["moved", "changed", "gone and not offered"])
def test_a_game_plays_on_whatever_becomes_of_the_file(settings: Settings, own_file: Path, change: str) -> None:
    with TestClient(create_app(settings)) as client:
        made = begin(client)
    edition_module._REGISTERED.clear()
    if change == "moved":
        settings = replace(settings, editions=(own_file.rename(own_file.with_name("elsewhere.toml")),))
    elif change == "changed":
        write_edition(own_file, 9)
    else:
        own_file.unlink()
        settings = replace(settings, editions=())
    with TestClient(create_app(settings)) as client:
        view = client.get("/api/game", headers=bearer(made["watch"])).json()
        assert [player["buttons"] for player in view["players"]] == [8, 7]
        with client.websocket_connect("/ws") as socket:
            assert Seat(socket, made["invite"]).move("+2")["type"] == "done"
        name = view["edition"]
        assert client.get(f"/api/editions/{name}").json()["start_buttons"] == 7
        assert client.get(f"/api/art/patchwork/{name}/light.svg").status_code == 200
        assert client.get(f"/api/themes/patchwork?edition={name}").status_code == 200
        assert client.get(f"/api/showcase/{name}").status_code == 200
        if change == "changed":
            assert client.get("/api/editions/own-box").json()["start_buttons"] == 9


def test_a_computer_plays_an_edition_whose_file_is_gone(settings: Settings, own_file: Path) -> None:
    seats = [{"kind": "human"}, {"kind": "computer", "opponent": "pin"}]
    with TestClient(create_app(settings)) as client:
        made = create(client, edition="own-box", seats=seats)
        own_file.unlink()
        with client.websocket_connect("/ws") as socket:
            seat = Seat(socket, made["token"])
            seat.move("+1")
            while len({step["player"] for step in _moves(client, made)}) < 2:
                seat.until("state")


def _moves(client: TestClient, made: Json) -> list[Json]:
    moves: list[Json] = client.get("/api/game", headers=bearer(made["token"])).json()["moves"]
    return moves


def test_a_record_is_opened_by_the_same_server_and_reveals_no_path(settings: Settings, own_file: Path) -> None:
    with TestClient(create_app(settings)) as client:
        made = begin(client)
    write_edition(own_file, 9)
    edition_module._REGISTERED.clear()
    with TestClient(create_app(settings)) as client:
        record = client.get("/api/game/record", headers=bearer(made["token"])).text
        told = [
            client.get("/api/game", headers=bearer(made["token"])).text,
            client.get("/api/game/history", headers=bearer(made["token"])).text,
            client.get("/api/about").text,
            client.get("/api/editions/own-box").text,
            record,
        ]
        assert not any("secret" in text for text in told)
        read = client.post("/api/records", json={"record": record})
        assert read.status_code == 200, read.text
        assert read.json()["view"]["players"][0]["buttons"] == 8
        # The page goes on from a record under the name that the record has.
        again = create(client, record=record, edition=read.json()["edition"])
        assert len(_moves(client, again)) == 1
    edition_module._REGISTERED.clear()
    with TestClient(create_app(replace(settings, editions=()))) as client:
        assert client.post("/api/records", json={"record": record}).status_code == 200


def dressed(own_file: Path, theme: str = "autumn") -> Path:
    """The file with a theme of its own beside it."""
    text = (THEMES_FOLDER / "halloween.toml").read_text(encoding="utf-8")
    (own_file.parent / "own theme.toml").write_text(text.replace('id = "halloween"', f'id = "{theme}"', 1))
    edition = own_file.read_text(encoding="utf-8")
    own_file.write_text(edition.replace('theme = "patchwork"', 'theme = "own theme.toml"', 1), encoding="utf-8")
    return own_file


def test_a_theme_of_ones_own_is_offered_by_its_id_and_reveals_no_path(settings: Settings, own_file: Path) -> None:
    dressed(own_file)
    with TestClient(create_app(settings)) as client:
        made = create(client, edition="own-box")
        answers = [
            client.get("/api/about"),
            client.get("/api/editions/own-box"),
            client.get("/api/game", headers=bearer(made["token"])),
            client.get("/api/themes/autumn?edition=own-box"),
            client.get("/api/art/autumn/own-box/light.svg"),
            client.get("/themes.css"),
        ]
        record = client.get("/api/game/record", headers=bearer(made["token"])).text
        answers += [client.post(f"/api/{path}", json={"record": record}) for path in ("records", "study/tree")]
    assert [answer.status_code for answer in answers] == [200] * len(answers)
    assert not [answer.text for answer in answers if "own theme" in answer.text]
    assert answers[1].json()["theme"] == answers[2].json()["theme"] == answers[-1].json()["theme"] == "autumn"
    with TestClient(create_app(replace(settings, editions=()))) as client:
        assert client.get("/api/game", headers=bearer(made["token"])).json()["theme"] == "patchwork"
        assert client.post("/api/records", json={"record": record}).json()["view"]["theme"] == "patchwork"


def test_a_theme_with_the_id_of_another_is_refused_with_advice(own_file: Path) -> None:
    with pytest.raises(QuiltworkError, match="my-patchwork"):
        offered_themes([dressed(own_file, "patchwork")])


def test_a_rematch_is_of_the_same_edition(settings: Settings, own_file: Path) -> None:
    with TestClient(create_app(settings)) as client:
        made = create(client, edition="own-box", shared=True, seats=[{"kind": "human"}] * 2)
    write_edition(own_file, 9)
    edition_module._REGISTERED.clear()
    with TestClient(create_app(settings)) as client, client.websocket_connect("/ws") as socket:
        seat = Seat(socket, made["token"])
        seat.send("resign")
        seat.send("rematch")
        token = client.get("/api/game", headers=bearer(made["token"])).json()["rematch"]
        view = client.get("/api/game", headers=bearer(token)).json()
    assert view["players"][0]["buttons"] == 7


def test_a_game_keeps_the_numbers_that_a_built_in_edition_had(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with TestClient(create_app(settings)) as client:
        made = create(client)
        older = create(client)
    corrected = replace(load_edition(), start_buttons=6)
    real = load_edition

    def load(name: str | Path = "patchwork") -> Any:
        return corrected if str(name) == "patchwork" else real(name)

    for module in (server_editions, sys.modules["quiltwork.editions.content"]):
        monkeypatch.setattr(module, "load_edition", load)
    with TestClient(create_app(settings)) as client:
        view = client.get("/api/game", headers=bearer(made["token"])).json()
        assert view["players"][0]["buttons"] == 5
        assert view["edition"].startswith("patchwork@")
        assert client.get("/api/editions/patchwork").json()["start_buttons"] == 6
        assert client.get(f"/api/editions/{view['edition']}").json()["start_buttons"] == 5
        assert client.get("/api/game", headers=bearer(older["token"])).status_code == 200


def test_an_edition_is_kept_once(settings: Settings) -> None:
    for _ in range(2):
        with TestClient(create_app(settings)) as client:
            begin(client)
    engine = open_engine(settings.database_url)
    with engine.connect() as connection:
        kept = connection.execute(sa.select(sa.func.count()).select_from(EDITION)).scalar_one()
        used = set(connection.execute(sa.select(GAME.c.edition)).scalars())
    engine.dispose()
    assert kept == len(available_editions()) + 1
    assert len(used) == 1


def old_database(url: str, revision: str, setups: dict[str, Json]) -> None:
    """A database as an older version left it."""
    engine = open_engine(url)
    migrate(engine, revision)
    with engine.begin() as connection:
        for game, setup in setups.items():
            row = {"id": game, "created": 1.0, "setup": json.dumps(setup)}
            connection.execute(
                sa.text("INSERT INTO game (id, created, setup) VALUES (:id, :created, :setup)"), row
            )
            event = {"game": game, "body": '{"move": "+1"}'}
            connection.execute(
                sa.text(
                    "INSERT INTO event (game, version, kind, player, at, body) "
                    "VALUES (:game, 0, 'move', 1, 2.0, :body)"
                ),
                event,
            )
        secret = {"name": "tokens", "value": b"0" * 32}
        connection.execute(sa.text("INSERT INTO secret (name, value) VALUES (:name, :value)"), secret)
    engine.dispose()


def old_setup(edition: str, name: str) -> Json:
    start = Position.initial(load_edition(name), deal=1).text
    seats = [{"kind": "human", "name": "Ann", "remote": False}, {"kind": "human", "name": None, "remote": True}]
    return {
        "format": 1,
        "edition": edition,
        "theme": "patchwork",
        "start": start,
        "deal": 1,
        "seats": seats,
        "shared": False,
        "clock": None,
    }


@pytest.mark.parametrize("revision", ["0001", "0002"])
def test_games_of_every_older_schema_are_migrated_with_their_editions(
    settings: Settings, own_file: Path, tmp_path: Path, revision: str
) -> None:
    overriding = write_edition(tmp_path / "mine.toml", 8, "patchwork")
    gone = write_edition(tmp_path / "gone.toml", 11, "gone-box")
    setups = {
        "builtinbuilt": old_setup("patchwork", "patchwork"),
        "ownownownown": old_setup("own-box", str(own_file)),
        "overoverover": old_setup("patchwork", str(overriding)),
        "gonegonegone": old_setup("gone-box", str(gone)),
    }
    gone.rename(tmp_path / "kept.toml")
    old_database(settings.database_url, revision, setups)
    with TestClient(create_app(settings)) as client:
        own_file.unlink()
        overriding.unlink()
        buttons = {game: _buttons(client, game) for game in setups}
    assert buttons == {"builtinbuilt": 5, "ownownownown": 7, "overoverover": 8, "gonegonegone": "edition-gone"}
    back = replace(settings, editions=(tmp_path / "kept.toml",))
    with TestClient(create_app(back)) as client:
        assert _buttons(client, "gonegonegone") == 11
    edition_module._REGISTERED.clear()
    with TestClient(create_app(replace(settings, editions=()))) as client:
        assert _buttons(client, "gonegonegone") == 11


def older_revisions() -> list[str]:
    config = Config()
    config.set_main_option("script_location", (Path(database.__file__).parent / "migrations").as_posix())
    _, *older = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    return older


@pytest.mark.parametrize("revision", older_revisions())
def test_a_game_of_every_older_schema_plays_on(settings: Settings, revision: str) -> None:
    old_database(settings.database_url, revision, {"builtinbuilt": old_setup("patchwork", "patchwork")})
    if revision > "0001":
        engine = open_engine(settings.database_url)
        with engine.begin() as connection:
            connection.execute(sa.text("INSERT INTO joined (game, player) VALUES ('builtinbuilt', 2)"))
        engine.dispose()
    with TestClient(create_app(settings)) as client:
        token = client.app.state.hall.tokens.make("builtinbuilt", Role.PLAYER_2)  # type: ignore[attr-defined]
        headers = {**bearer(token), "Idempotency-Key": "some-key-1"}
        came = client.get("/api/game", headers=bearer(token)).json()["seats"][1]["joined"]
        move = {"version": 1, "move": "+2"}
        assert client.post("/api/game/moves", json=move, headers=headers).json() == {"version": 2}
        view = client.get("/api/game", headers=bearer(token)).json()
    assert [step["move"] for step in view["moves"]] == ["+1", "+2"]
    assert came is (revision > "0001")


def _buttons(client: TestClient, game: str) -> int | str:
    token = client.app.state.hall.tokens.make(game, Role.PLAYER_2)  # type: ignore[attr-defined]
    answer = client.get("/api/game", headers=bearer(token)).json()
    return answer["players"][1]["buttons"] if "players" in answer else str(answer["code"])


def test_a_wrong_edition_of_an_old_game_is_a_sentence(settings: Settings) -> None:
    setup = old_setup("patchwork", "patchwork")
    setup["start"] = setup["start"].replace("patchwork", "express", 1)
    old_database(settings.database_url, "0002", {"wrongwrongwr": {**setup, "edition": "express"}})
    with TestClient(create_app(settings)) as client:
        assert _buttons(client, "wrongwrongwr") == "unreadable-game"
