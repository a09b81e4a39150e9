"""The REST part: new games, records, pictures, limits, and what every answer carries."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from quiltwork import Game, available_editions
from quiltwork.server.app import create_app
from quiltwork.server.settings import Settings
from server.conftest import Seat, bearer, create

EXAMPLES = Path(__file__).parent.parent / "data"


@pytest.mark.parametrize("edition", available_editions())
def test_every_edition_can_be_begun(client: TestClient, edition: str) -> None:
    made = create(client, edition=edition)
    view = client.get("/api/game", headers=bearer(made["token"])).json()
    assert view["edition"] == edition
    assert view["deal"] == 1
    assert client.get(f"/api/editions/{edition}").json()["id"] == edition
    assert client.get(f"/api/showcase/{edition}").json()["quilt"]


def test_a_deal_number_gives_the_same_circle(client: TestClient) -> None:
    circles = [
        client.get("/api/game", headers=bearer(create(client, deal=deal)["token"])).json()["circle"]
        for deal in (77, 77, 78)
    ]
    assert circles[0] == circles[1] != circles[2]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"edition": "nowhere"}, "unknown-edition"),
        ({"seats": [{"kind": "human"}, {"kind": "computer", "opponent": "nobody"}]}, "unknown-opponent"),
        ({"seats": [{"kind": "human"}, {"kind": "human"}]}, "bad-seats"),
        ({"seats": [{"kind": "human", "remote": True}, {"kind": "computer", "opponent": "pin"}]}, "bad-seats"),
        ({"seats": [{"kind": "human"}]}, "bad-request"),
        ({"edition": "../../etc/passwd"}, "bad-request"),
        ({"clock": {"kind": "live", "seconds": 1}}, "bad-request"),
        ({"deal": -1}, "bad-request"),
        ({"surprise": 1}, "bad-request"),
    ],
)
def test_a_game_that_cannot_be_is_refused_with_a_sentence(
    client: TestClient, change: dict[str, object], code: str
) -> None:
    body = {"seats": [{"kind": "human"}, {"kind": "human", "remote": True}], **change}
    answer = client.post("/api/games", json=body)
    assert answer.status_code in (400, 404, 422)
    assert answer.json()["code"] == code
    assert answer.json()["message"].endswith(".")


def test_the_record_of_a_game_can_be_read_again(client: TestClient) -> None:
    made = create(client)
    with client.websocket_connect("/ws") as socket:
        Seat(socket, made["token"]).move("+1")
    text = client.get("/api/game/record", headers=bearer(made["watch"])).text
    game = Game.parse(text)
    assert [str(move) for move in game.moves] == ["+1"]
    assert game.tags["Player1"] == "Ann"
    history = client.post("/api/records", json={"record": text}).json()
    assert [step["move"] for step in history["moves"]] == ["+1"]
    assert len(history["snapshots"]) == 2


@pytest.mark.parametrize("edition", available_editions())
def test_a_record_can_be_looked_at_and_gone_on_from(client: TestClient, edition: str) -> None:
    text = (EXAMPLES / f"{edition}.quilt").read_text()
    history = client.post("/api/records", json={"record": text}).json()
    assert history["view"]["result"]["by"] == "score"
    assert history["snapshots"][-1]["phase"] == "over"
    made = create(client, edition=edition, record=text, ply=5, deal=None)
    view = client.get("/api/game", headers=bearer(made["token"])).json()
    assert view["position"] == history["snapshots"][5]["position"]


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ("nonsense", "bad-record"),
        ('[Edition "patchwork"]\n[Circle "2a"]\n\n1: 9z@a1\n', "bad-record"),
        ('[Edition "/etc/secret.toml"]\n[Circle "2a"]\n\n', "unknown-edition"),
        ('[Position "/etc/secret.toml 1 0/5/- 0/5/- - 2a"]\n\n', "unknown-edition"),
    ],
)
def test_a_wrong_record_is_refused_and_no_file_is_opened(client: TestClient, record: str, code: str) -> None:
    assert client.post("/api/records", json={"record": record}).json()["code"] == code


def test_a_quilt_can_be_had_as_a_picture(client: TestClient) -> None:
    made = create(client)
    answer = client.get("/api/game/quilt.svg?player=2&dark=true", headers=bearer(made["watch"]))
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<svg")


def test_a_finished_game_is_one_picture_with_both_quilts_and_the_result(client: TestClient) -> None:
    made = create(client)
    assert client.get("/api/game/result.svg", headers=bearer(made["watch"])).json()["code"] == "not-over"
    record = (EXAMPLES / "patchwork.quilt").read_text(encoding="utf-8")
    seats = [{"kind": "human", "name": "Ann & Bo"}, {"kind": "human", "name": "Max"}]
    over = client.post("/api/games", json={"shared": True, "seats": seats, "record": record}).json()
    answer = client.get("/api/game/result.svg?dark=true", headers=bearer(over["watch"]))
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "Ann &amp; Bo" in answer.text
    assert "\N{MINUS SIGN}19" in answer.text


def test_a_move_by_rest_is_checked_like_any_other(client: TestClient) -> None:
    made = create(client)
    headers = {**bearer(made["token"]), "Idempotency-Key": "first-key"}
    assert client.post("/api/game/moves", json={"version": 0, "move": "+9"}, headers=headers).status_code == 400
    assert client.post("/api/game/moves", json={"version": 5, "move": "+1"}, headers=headers).status_code == 409
    assert client.post("/api/game/moves", json={"version": 0, "move": "+1"}, headers=headers).json() == {
        "version": 1
    }
    watcher = {**bearer(made["watch"]), "Idempotency-Key": "other-key"}
    assert client.post("/api/game/moves", json={"version": 1, "move": "+2"}, headers=watcher).status_code == 403


def test_a_body_that_is_too_large_is_refused(client: TestClient, settings: Settings) -> None:
    body = b"x" * (settings.body_bytes + 1)
    answer = client.post("/api/records", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
    chunked = client.post("/api/records", content=iter([body]), headers={"content-type": "application/json"})
    assert (chunked.status_code, chunked.json()["code"]) == (411, "length-required")


def test_who_asks_too_often_must_wait(settings: Settings) -> None:
    with TestClient(create_app(replace(settings, requests_per_second=1.0))) as client:
        codes = [client.get("/api/about").status_code for _ in range(20)]
    assert codes[:10] == [200] * 10
    assert codes[-1] == 429


def test_new_games_are_limited(settings: Settings) -> None:
    with TestClient(create_app(replace(settings, games_per_minute=2))) as client:
        body = {"seats": [{"kind": "human"}, {"kind": "human", "remote": True}]}
        codes = [client.post("/api/games", json=body).status_code for _ in range(4)]
    assert codes == [201, 201, 429, 429]


def test_health_and_metrics(client: TestClient) -> None:
    assert client.get("/health").json()["status"] == "ok"
    made = create(client)
    with client.websocket_connect("/ws") as socket:
        Seat(socket, made["token"]).move("+1")
        text = client.get("/metrics").text
    assert "quiltwork_games_created_total 1\n" in text
    assert "quiltwork_moves_total 1\n" in text
    assert "quiltwork_connections_open 1\n" in text
    assert "quiltwork_move_seconds_count 1\n" in text
    assert 'quiltwork_move_seconds_bucket{le="+Inf"} 1\n' in text
    assert "quiltwork_tellings_total" in text


def test_who_comes_back_is_counted(client: TestClient) -> None:
    made = create(client)
    for _ in range(3):
        with client.websocket_connect("/ws") as socket:
            Seat(socket, made["token"])
        with client.websocket_connect("/ws") as socket:
            Seat(socket, made["watch"])
    assert "quiltwork_reconnects_total 2\n" in client.get("/metrics").text


def test_a_qr_code_is_a_path(client: TestClient) -> None:
    code = client.post("/api/qr", json={"text": "http://192.0.2.7:8765/#/game/x"}).json()
    assert code["size"] == 29
    assert code["path"].startswith("M0 0h1v1h-1z")
