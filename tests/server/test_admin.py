"""Looking after a server's games: lists, records, deletion, retention, backups, and what a person may ask for."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import sleep, time

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from quiltwork import Game, QuiltworkError
from quiltwork.cli.main import main
from quiltwork.server.admin import archive
from quiltwork.server.admin.archive import back_up, restore
from quiltwork.server.admin.check import check
from quiltwork.server.admin.games import opened, state_of
from quiltwork.server.admin.retention import Retention, duration, prune
from quiltwork.server.app import create_app
from quiltwork.server.database import EVENT, GAME
from quiltwork.server.holding import hold
from quiltwork.server.settings import Settings, with_limits
from quiltwork.server.state import GameState
from quiltwork.server.study.storage import REVIEW
from server.conftest import Json, Seat, bearer, create
from server.postgres import cluster, new_database


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def server(request: pytest.FixtureRequest) -> Iterator[str | None]:
    if request.param == "sqlite":
        yield None
        return
    with cluster() as url:
        yield url


@pytest.fixture
def settings(server: str | None, settings: Settings) -> Settings:
    return settings if server is None else replace(settings, database_url=new_database(server))


@pytest.fixture
def other_url(server: str | None, tmp_path: Path) -> str:
    """A database of the other kind."""
    return f"sqlite:///{tmp_path / 'other.sqlite3'}"


def play(settings: Settings, *, resign: bool = False) -> Json:
    """A game of Ann and Bert on one device with one move; it stays open, or is given up."""
    seats = [{"kind": "human", "name": "Ann"}, {"kind": "human", "name": "Bert"}]
    with TestClient(create_app(settings)) as client:
        made = create(client, shared=True, seats=seats)
        with client.websocket_connect("/ws") as socket:
            seat = Seat(socket, made["token"])
            assert seat.move("+1")["type"] == "done"
            if resign:
                assert seat.send("resign")["type"] == "done"
    return made


def age(settings: Settings, game: str, days: float) -> None:
    """Makes a game look as if all of it happened so many days ago."""
    engine = opened(settings.resolved_database_url)
    with engine.begin() as connection:
        past = time() - days * 86_400
        connection.execute(GAME.update().where(GAME.c.id == game).values(created=past))
        connection.execute(EVENT.update().where(EVENT.c.game == game).values(at=past))
    engine.dispose()


def games_left(settings: Settings) -> set[str]:
    engine = opened(settings.resolved_database_url)
    with engine.connect() as connection:
        found = set(connection.execute(sa.select(GAME.c.id)).scalars())
    engine.dispose()
    return found


def admin(settings: Settings, *words: str) -> int:
    return main(["admin", "--database", settings.resolved_database_url, *words])


def test_games_are_listed_and_exported(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    played, given_up = play(settings)["game"], play(settings, resign=True)["game"]
    assert admin(settings, "list", "--json") == 0
    listed = {line["id"]: line for line in json.loads(capsys.readouterr().out)}
    assert {game: line["result"] for game, line in listed.items()} == {played: "*", given_up: "1 by resign"}
    assert listed[played]["players"] == ["Ann", "Bert"]
    assert admin(settings, "export", given_up) == 0
    record = Game.parse(capsys.readouterr().out)
    assert record.tags["Player1"] == "Ann"
    assert record.tags["Winner"] == "1"
    assert admin(settings, "export", "no-such-game") == 1


def test_deleting_asks_first_and_deletes_all_of_a_game(settings: Settings) -> None:
    first, second = play(settings)["game"], play(settings)["game"]
    assert admin(settings, "delete", first) == 1
    assert games_left(settings) == {first, second}
    assert admin(settings, "delete", first, "--yes") == 0
    assert games_left(settings) == {second}
    with TestClient(create_app(settings)) as client:
        assert client.get("/health").status_code == 200


def test_a_game_deleted_beside_a_running_server_is_gone_without_a_traceback(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    with TestClient(create_app(settings)) as client:
        made = create(client, clock={"kind": "live", "seconds": 60})
        with client.websocket_connect("/ws") as socket:
            ann = Seat(socket, made["token"])
            ann.move("+1")
            assert admin(settings, "delete", made["game"], "--yes") == 0
            move = {"version": 1, "move": "+2"}
            headers = {**bearer(made["token"]), "Idempotency-Key": "a-move-too-late"}
            with pytest.raises(WebSocketDisconnect) as closed:
                ann.send("takeback")
            assert closed.value.code == 4404
        for _ in range(2):
            assert client.post("/api/game/moves", headers=headers, json=move).status_code == 404
        assert client.app.state.hall.tables_open == 0  # type: ignore[attr-defined]
    assert not [record for record in caplog.records if record.exc_info]


def test_old_games_are_pruned_by_whether_they_are_finished(settings: Settings) -> None:
    old_open, old_done, new_done = (
        play(settings)["game"],
        play(settings, resign=True)["game"],
        play(settings, resign=True)["game"],
    )
    for game in (old_open, old_done):
        age(settings, game, 100)
    assert admin(settings, "prune") == 1
    assert admin(settings, "prune", "--keep-finished", "90d", "--dry-run") == 0
    assert games_left(settings) == {old_open, old_done, new_done}
    assert admin(settings, "prune", "--keep-finished", "90d") == 0
    assert games_left(settings) == {old_open, new_done}
    engine = opened(settings.resolved_database_url)
    assert prune(engine, Retention(unfinished=duration("12w")), time()) == 1
    engine.dispose()
    assert games_left(settings) == {new_done}
    assert admin(settings, "vacuum") == 0


def test_a_game_that_stays_is_played_through_once(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    ancient, old_open, old_done = (
        play(settings)["game"],
        play(settings)["game"],
        play(settings, resign=True)["game"],
    )
    for game, days in ((ancient, 900), (old_open, 100), (old_done, 50)):
        age(settings, game, days)
    played: list[str] = []

    def noted(connection: sa.Connection, game: str) -> tuple[GameState, float]:
        played.append(game)
        return state_of(connection, game)

    monkeypatch.setattr("quiltwork.server.admin.games.state_of", noted)
    engine = opened(settings.resolved_database_url)
    retention, kept = Retention(finished=duration("90d"), unfinished=duration("2y")), dict[str, float]()
    assert prune(engine, retention, time(), kept) == 1
    assert (played, list(kept)) == ([old_open], [old_open])
    assert prune(engine, retention, time(), kept) == 0
    assert played == [old_open]
    # What happens in it later counts: it is looked at again, and goes.
    with engine.begin() as connection:
        later = {"version": 900, "kind": "resign", "player": 1, "at": time() - 95 * 86_400, "body": "{}"}
        connection.execute(EVENT.insert().values(game=old_open, **later))
    assert prune(engine, retention, time(), kept) == 1
    engine.dispose()
    assert (games_left(settings), kept) == ({old_done}, {})


@pytest.mark.parametrize("text", ["90", "d", "0d", "90 days", "-1d"])
def test_a_time_that_says_nothing_is_refused(text: str) -> None:
    with pytest.raises(QuiltworkError, match="expected a time such as 90d"):
        duration(text)


def test_a_backup_is_restored_into_another_kind_of_database_and_links_go_on(
    settings: Settings, other_url: str, tmp_path: Path
) -> None:
    made = play(settings)
    file = tmp_path / "quiltwork.backup"
    assert admin(settings, "backup", str(file)) == 0
    assert file.stat().st_mode & 0o077 == 0
    other = replace(settings, database_url=other_url)
    assert admin(other, "restore", str(file)) == 0
    with TestClient(create_app(other)) as client:
        view = client.get("/api/game", headers=bearer(made["token"])).json()
    assert [step["move"] for step in view["moves"]] == ["+1"]
    assert admin(other, "restore", str(file)) == 1
    assert games_left(other) == {made["game"]}


def test_a_backup_is_not_restored_under_a_running_server(settings: Settings, tmp_path: Path) -> None:
    url, file = f"sqlite:///{tmp_path / 'new.sqlite3'}", tmp_path / "quiltwork.backup"
    play(settings)
    assert admin(settings, "backup", str(file)) == 0
    held = hold(url, "http://127.0.0.1:1/")
    assert held is not None
    with held:
        assert main(["admin", "--database", url, "restore", str(file)]) == 1
    assert main(["admin", "--database", url, "restore", str(file)]) == 0


def test_a_backup_that_was_cut_off_restores_nothing(settings: Settings, other_url: str, tmp_path: Path) -> None:
    play(settings)
    file, other = tmp_path / "whole", opened(other_url)
    engine = opened(settings.resolved_database_url)
    rows = back_up(engine, file)
    engine.dispose()
    lines = gzip.decompress(file.read_bytes()).decode().splitlines(keepends=True)
    assert len(lines) == rows + 2
    for name, text in (("cut", "".join(lines[:-2])), ("other", "{}\n"), ("text", "no JSON\n")):
        damaged = tmp_path / name
        damaged.write_bytes(gzip.compress(text.encode()))
        with pytest.raises(QuiltworkError, match=r"damaged|no backup"):
            restore(other, damaged)
    (tmp_path / "plain").write_text("not compressed")
    assert main(["admin", "--database", other_url, "restore", str(tmp_path / "plain")]) == 1
    with other.connect() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(GAME)).scalar_one() == 0
    other.dispose()


def test_a_person_who_shows_a_seat_gets_their_games_and_their_name_removed(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    made = play(settings)
    link = f"https://quilts.example.org/#/{made['token']}"
    assert admin(settings, "person", link, "--export") == 0
    assert "Ann" in capsys.readouterr().out
    assert admin(settings, "person", link, "--remove-names") == 0
    capsys.readouterr()
    assert admin(settings, "export") == 0
    record = capsys.readouterr().out
    assert "Ann" not in record
    assert "Bert" not in record
    assert admin(settings, "person", made["watch"], "--export") == 1
    assert admin(settings, "person", made["token"][:-1] + "x", "--delete") == 1


def test_a_game_is_deleted_for_a_person_when_all_agree_or_it_is_old(settings: Settings) -> None:
    with TestClient(create_app(settings)) as client:
        made = create(client)
        client.post("/api/game/seat", headers={**bearer(made["invite"]), "Idempotency-Key": "some-key-1"})
    game, one = made["game"], made["token"]
    assert admin(settings, "person", one, "--delete") == 1
    assert games_left(settings) == {game}
    age(settings, game, 31)
    assert admin(settings, "person", one, "--delete") == 0
    assert games_left(settings) == set()


def test_who_waits_for_a_friend_that_never_came_may_delete_the_game(settings: Settings) -> None:
    with TestClient(create_app(settings)) as client:
        made = create(client)
    assert admin(settings, "person", made["token"], "--delete") == 0
    assert games_left(settings) == set()


def test_the_review_of_a_game_is_deleted_with_it(settings: Settings) -> None:
    made = play(settings)
    engine = opened(settings.resolved_database_url)
    rows = [
        {"id": name, "game": game, "made": 1.0, "content": "[]"}
        for name, game in (("a", made["game"]), ("b", None))
    ]
    with engine.begin() as connection:
        connection.execute(REVIEW.insert(), rows)
    assert admin(settings, "delete", made["game"], "--yes") == 0
    with engine.connect() as connection:
        assert connection.execute(sa.select(REVIEW.c.id)).scalars().all() == ["b"]
    engine.dispose()


def test_a_database_that_is_not_there_is_not_made_by_asking(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mistyped.sqlite3"
    assert main(["admin", "--database", f"sqlite:///{file}", "list"]) == 1
    assert "there is no database at" in capsys.readouterr().err
    assert not file.exists()


def test_a_backup_goes_to_a_file_and_leaves_nothing_behind_when_it_fails(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(settings)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert admin(settings, "backup", str(pipe)) == 1
    assert pipe.is_fifo()

    def fail(value: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(archive, "_plain", fail)
    assert admin(settings, "backup", str(tmp_path / "games.backup")) == 1
    assert not list(tmp_path.glob("games.backup*"))


@pytest.mark.parametrize(
    "content",
    [
        b"\x1f\x8b\x08\x00garbage",
        gzip.compress(b'{"format": 1, "revision": "-1"}\n{"rows": 0}\n'),
        gzip.compress(b'{"format": 1, "revision": "0006"}\n["game", {"id": "a"}]\n{"rows": 1}\n'),
        gzip.compress(b'{"format": 1, "revision": "0006"}\n["game", {"id": "a", "nothing": 1}]\n{"rows": 1}\n'),
    ],
    ids=["garbage", "revision", "row", "column"],
)
def test_what_is_no_backup_is_told_with_a_sentence(
    settings: Settings, other_url: str, tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(content)
    assert main(["admin", "--database", other_url, "restore", str(tmp_path / "file")]) == 1
    assert re.search("no backup of Quiltwork|damaged or cut off", capsys.readouterr().err)


def test_a_server_deletes_what_it_keeps_no_longer(settings: Settings) -> None:
    old, new = play(settings, resign=True)["game"], play(settings, resign=True)["game"]
    age(settings, old, 100)
    with TestClient(create_app(replace(settings, keep_finished=duration("90d")))):
        until = time() + 20
        while games_left(settings) != {new} and time() < until:
            sleep(0.05)
    assert games_left(settings) == {new}


def test_serve_checks_without_serving(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    url = settings.resolved_database_url
    assert main(["serve", "--check", "--database", url]) in (0, 1)
    told = capsys.readouterr()
    assert "database" in told.out
    assert main(["serve", "--check", "--database", url, "--trust-proxy", "nonsense"]) == 1
    assert "nonsense" in capsys.readouterr().err
    assert main(["serve", "--check", "--database", url, "--public-url", "quilts.example.org"]) == 1
    assert "should begin with https://" in capsys.readouterr().err
    for more in ([], ["--check"]):
        assert main(["serve", "--database", "nonsense", *more]) == 1
        assert "expected a URL" in capsys.readouterr().err


def test_every_limit_is_a_setting(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    url = settings.resolved_database_url
    chosen = ["--limit", "games-per-minute=7", "--limit", "engine-queue=9"]
    assert main(["serve", "--check", "--database", url, *chosen]) in (0, 1)
    told = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert (told["games-per-minute"], told["engine-queue"]) == ("7.0", "9")


@pytest.mark.parametrize(
    "text", ["games-per-minute", "nothing=3", "engine-queue=1.5", "drain=nan", "role=4", "port=0"]
)
def test_a_limit_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(QuiltworkError, match="expected a limit such as"):
        with_limits(Settings(), [text])


def test_the_check_tells_the_database_and_what_is_wrong(settings: Settings) -> None:
    play(settings)
    found = {finding.name: finding for finding in check(replace(settings, trust_proxy="nonsense"))}
    assert found["games"].value == "1"
    assert found["proxies"].wrong is not None
    assert found["schema"].wrong is None
    if settings.resolved_database_url.startswith("sqlite"):
        Path(str(sa.make_url(settings.resolved_database_url).database)).chmod(0o644)
        again = {finding.name: finding for finding in check(settings)}
        assert again["file mode"].wrong is not None
