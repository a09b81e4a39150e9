"""What visitors try: each of these froze, cheated or broke the server once."""

from __future__ import annotations

import asyncio
import stat
import time
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from quiltwork import Game, QuiltworkError
from quiltwork.game import Node
from quiltwork.server.answers import Refusal
from quiltwork.server.app import create_app
from quiltwork.server.clock import now
from quiltwork.server.database import open_engine
from quiltwork.server.outbox import QueuedOutbox
from quiltwork.server.proxies import TrustedProxies, household
from quiltwork.server.reader import Reader
from quiltwork.server.settings import Settings
from quiltwork.server.store import Store
from quiltwork.server.table import Chair
from quiltwork.server.tokens import Role
from server.conftest import Seat, bearer, create, run

HEAD = '[Edition "patchwork"]\n[Deal "1"]\n\n'


def test_many_comments_are_joined_once(monkeypatch: pytest.MonkeyPatch) -> None:
    settings: list[str] = []

    def noted(node: Node, text: str) -> None:
        settings.append(text)
        node._comment = text

    monkeypatch.setattr(Node, "comment", property(lambda node: node._comment, noted))
    game = Game.parse(HEAD + "1: +1" + " {a}" * 500)
    assert game.end.comment == " ".join(["a"] * 500)
    assert len(settings) == 1


def test_a_record_is_read_outside_the_event_loop(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    loops: list[bool] = []
    parse = Game.parse

    def watched(text: str) -> Game:
        try:
            asyncio.get_running_loop()
            loops.append(True)
        except RuntimeError:
            loops.append(False)
        return parse(text)

    monkeypatch.setattr(Game, "parse", staticmethod(watched))
    assert client.post("/api/records", json={"record": HEAD + "1: +1"}).status_code == 200
    create(client, record=HEAD + "1: +1", deal=None)
    assert loops == [False, False]


def test_a_record_with_too_many_moves_is_refused(client: TestClient) -> None:
    answer = client.post("/api/records", json={"record": HEAD + "1: +1" + " (1: +1)" * 2100})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-record")
    assert "2000 moves" in answer.json()["message"]


@pytest.mark.parametrize("tag", ['[Edition "patchwork x.toml"]\n[Deal "1"]\n\n', '[Edition "/etc/x.toml"]\n\n'])
def test_an_edition_tag_does_not_reach_the_file_system(
    client: TestClient, tag: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []
    exists = Path.exists

    def noted(path: Path, **more: bool) -> bool:
        asked.append(path)
        return exists(path, **more)

    monkeypatch.setattr(Path, "exists", noted)
    assert client.post("/api/records", json={"record": tag}).json()["code"] == "unknown-edition"
    assert not [path for path in asked if path.name.endswith("x.toml")]


def test_a_move_that_is_sent_again_after_a_restart_counts(settings: Settings) -> None:
    with TestClient(create_app(settings)) as client:
        made = create(client, clock={"kind": "live", "seconds": 60})
        with client.websocket_connect("/ws") as one:
            assert Seat(one, made["token"]).move("+1")["type"] == "done"
    with TestClient(create_app(settings)) as client, client.websocket_connect("/ws") as two:
        # The page saw version 1 before the server went; the resend carries it.
        assert Seat(two, made["invite"]).move("+2", version=1)["type"] == "done"


def test_a_move_after_a_decision_is_still_stale(client: TestClient) -> None:
    made = create(client, shared=True, seats=[{"kind": "human"}, {"kind": "human"}])
    with client.websocket_connect("/ws") as socket:
        both = Seat(socket, made["token"])
        both.move("+1")
        assert both.move("+2", version=0)["code"] == "stale"


@pytest.mark.parametrize(
    ("trusted", "forwarded", "visitor"),
    [
        ("1", "6.6.6.6, 192.0.2.9", "192.0.2.9"),
        ("2", "6.6.6.6, 192.0.2.9, 10.0.0.2", "192.0.2.9"),
        ("10.0.0.0/8", "6.6.6.6, 192.0.2.9, 10.0.0.2", "192.0.2.9"),
        ("10.0.0.0/8", "10.0.0.7", "10.0.0.7"),
        ("3", "192.0.2.9", "192.0.2.9"),
        ("1", "6.6.6.6, 192.0.2.9:4711", "192.0.2.9"),
        ("1", "[2001:db8::7]:4711", "2001:db8::7"),
        ("1", "6.6.6.6, nobody", "10.0.0.1"),
        ("1", "x" * 60_000, "10.0.0.1"),
        ("10.0.0.0/8", "6.6.6.6, nobody, 10.0.0.2", "10.0.0.2"),
    ],
)
def test_the_visitor_is_whom_the_trusted_proxies_saw(trusted: str, forwarded: str, visitor: str) -> None:
    hops = [hop.strip() for hop in forwarded.split(",")]
    assert TrustedProxies.parse(trusted).visitor("10.0.0.1", hops) == visitor


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.9", "192.0.2.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::"),
        ("2001:db8:1:3::1", "2001:db8:1:3::"),
        ("::ffff:192.0.2.9", "192.0.2.9"),
        ("::1", "::1"),
        ("testclient", "testclient"),
    ],
)
def test_a_network_of_ipv6_is_one_visitor(address: str, counted: str) -> None:
    assert household(address) == counted


def test_a_visitor_cannot_dodge_the_limit_by_many_addresses_of_one_network(settings: Settings) -> None:
    limited = replace(settings, trust_proxy="1", games_per_minute=2)
    body = {"seats": [{"kind": "human"}, {"kind": "human", "remote": True}]}
    with TestClient(create_app(limited)) as client:
        codes = [
            client.post("/api/games", json=body, headers={"X-Forwarded-For": f"2001:db8::{n}"}).status_code
            for n in range(3)
        ]
    assert codes == [201, 201, 429]


def test_who_has_much_read_does_not_keep_others_waiting() -> None:
    async def flood() -> tuple[list[str], list[str]]:
        reader, done, refused = Reader(), list[str](), list[str]()

        async def read(visitor: str) -> None:
            try:
                await reader.do(lambda: time.sleep(0.05), visitor)
                done.append(visitor)
            except Refusal as refusal:
                refused.append(refusal.code)

        async with asyncio.TaskGroup() as group:
            for _ in range(12):
                group.create_task(read("greedy"))
            await asyncio.sleep(0)
            group.create_task(read("other"))
        reader.close()
        return done, refused

    done, refused = run(flood())
    assert done.index("other") <= 2
    assert refused == ["busy"] * 4


def test_a_new_game_does_not_wait_for_records(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def busy(*_: object) -> None:
        raise Refusal("busy", "", 503, 5.0)

    monkeypatch.setattr(Reader, "do", busy)
    assert create(client)["game"]


def test_trusted_proxies_that_are_none_are_refused() -> None:
    with pytest.raises(QuiltworkError, match="number or a list of addresses"):
        TrustedProxies.parse("everyone")


def test_a_visitor_cannot_dodge_the_limit_by_writing_addresses(settings: Settings) -> None:
    limited = replace(settings, trust_proxy="1", games_per_minute=2)
    body = {"seats": [{"kind": "human"}, {"kind": "human", "remote": True}]}
    with TestClient(create_app(limited)) as client:
        codes = [
            client.post("/api/games", json=body, headers={"X-Forwarded-For": f"6.6.6.{n}, 192.0.2.9"}).status_code
            for n in range(3)
        ]
    assert codes == [201, 201, 429]


def test_a_chair_that_does_not_listen_leaves_and_the_others_are_told(client: TestClient) -> None:
    made = create(client)
    hall = client.app.state.hall  # type: ignore[attr-defined]

    async def lag() -> tuple[int, int]:
        table = await hall.table(made["game"])
        heard = QueuedOutbox()
        lagging, listening = Chair(Role.WATCH), Chair(Role.WATCH, outbox=heard)
        for chair in (lagging, listening):
            table.sit_down(chair)
        while not lagging.outbox.full():
            lagging.outbox.put_nowait("")
        await table.submit(Role.PLAYER_1, "move", 0, "some-key-1", "+1")
        return len(table.chairs), len(heard)

    chairs, told = client.portal.call(lag)  # type: ignore[union-attr]
    assert chairs == 1
    assert told >= 2


def test_a_game_by_rest_alone_goes_on_against_the_computer(client: TestClient) -> None:
    made = create(client, seats=[{"kind": "human"}, {"kind": "computer", "opponent": "pin"}])
    headers = {**bearer(made["token"]), "Idempotency-Key": "some-key-1"}
    assert client.post("/api/game/moves", json={"version": 0, "move": "+1"}, headers=headers).status_code == 200
    for _ in range(600):
        view = client.get("/api/game", headers=bearer(made["token"])).json()
        if any(step["player"] == 2 for step in view["moves"]):
            break
        client.portal.call(asyncio.sleep, 0.1)  # type: ignore[union-attr]
    assert view["moves"][1]["player"] == 2


def test_the_time_of_events_does_not_go_back_with_the_wall_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    before = now()
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() - 3600)
    assert now() >= before


@pytest.mark.parametrize(
    "name",
    [
        "\u200b\u200b",
        "Ann\u202e",
        "a\u2066b",
        "\u3164",
        "<b>",
        "a\x7f",
        "\u00ad",
        "\u2800",
        "Ann\u034f",
        "A" + "\u0301" * 4,
    ],
)
def test_names_are_visible_and_read_one_way(client: TestClient, name: str) -> None:
    body = {"seats": [{"kind": "human", "name": name}, {"kind": "human", "remote": True}]}
    assert client.post("/api/games", json=body).status_code == 422


@pytest.mark.parametrize(
    "name", ["Ann", "Zoë", "Jürgen 2", "李雷", "עדה", "🧵", "❤️", "Nguyễn", "สมชายน้ำ", "e\u0323\u0302\u0301"]
)
def test_names_of_all_scripts_are_welcome(client: TestClient, name: str) -> None:
    made = create(client, seats=[{"kind": "human", "name": name}, {"kind": "human", "remote": True}])
    assert client.get("/api/game", headers=bearer(made["token"])).json()["seats"][0]["name"] == name


def test_a_name_in_a_record_is_shown_only_where_it_is_visible(client: TestClient) -> None:
    tags = '[Player1 "Ann\u202e"]\n[Player2 "Bert"]\n'
    view = client.post("/api/records", json={"record": tags + HEAD + "1: +1"}).json()["view"]
    assert [seat["name"] for seat in view["seats"]] == [None, "Bert"]


def test_renaming_has_an_end(settings: Settings) -> None:
    with (
        TestClient(create_app(replace(settings, messages_per_second=1000.0))) as client,
        client.websocket_connect("/ws") as socket,
    ):
        bob = Seat(socket, create(client)["invite"])
        answers = [bob.send("name", name=f"Bob {number}") for number in range(25)]
        assert answers[0]["type"] == "done"
        assert answers[-1]["code"] == "too-many-names"
        assert bob.state["version"] < 25


def test_a_database_of_a_newer_version_is_refused_with_a_sentence(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite3'}"
    Store(url).close()
    engine = open_engine(url)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(QuiltworkError, match="newer version"):
        Store(url)


def test_the_file_with_the_secret_is_the_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    Store(f"sqlite:///{file}").close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_metrics_are_for_this_machine(client: TestClient) -> None:
    assert client.get("/metrics").status_code == 200
    for header in ("X-Forwarded-For", "X-Real-IP", "Forwarded", "Via"):
        assert client.get("/metrics", headers={header: "192.0.2.9"}).status_code == 403
    assert client.get("/metrics", headers={"Host": "quilts.example.org"}).status_code == 403


def test_a_game_is_never_cached_and_https_stays(settings: Settings) -> None:
    with TestClient(create_app(replace(settings, trust_proxy="1"))) as client:
        made = create(client)
        headers = {**bearer(made["token"]), "X-Forwarded-Proto": "https"}
        answer = client.get("/api/game", headers=headers)
        assert answer.headers["Cache-Control"] == "no-store"
        assert "max-age" in answer.headers["Strict-Transport-Security"]
        plain = client.get("/api/game", headers=bearer(made["token"]))
        assert "Strict-Transport-Security" not in plain.headers
