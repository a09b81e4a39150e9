"""Seats: an invitation is used up when it is taken, and whose token is good after that."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from quiltwork.server.app import create_app
from quiltwork.server.settings import Settings
from quiltwork.server.tokens import Role, Tokens
from server.conftest import Json, Seat, bearer, create, new_key


def refused(client: TestClient, token: str, key: str | None = None) -> tuple[str, int]:
    """Why a token is refused at the table, and with which code the connection is closed."""
    with client.websocket_connect("/ws") as socket:
        socket.send_json({"type": "hello", "token": token, "key": key})
        code = socket.receive_json()["code"]
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
    return code, closed.value.code


def take(client: TestClient, invitation: str, key: str | None = None) -> Json:
    headers = {**bearer(invitation), "Idempotency-Key": key or new_key()}
    answer: Json = client.post("/api/game/seat", headers=headers).json()
    return answer


def test_an_invitation_is_used_up_when_the_friend_sits_down(client: TestClient) -> None:
    made = create(client)
    with client.websocket_connect("/ws") as one, client.websocket_connect("/ws") as two:
        ann, bob = Seat(one, made["token"]), Seat(two, made["invite"])
        assert bob.token != made["invite"]
        assert refused(client, made["invite"]) == ("seat-taken", 4403)
        assert take(client, made["invite"])["code"] == "seat-taken"
        ann.move("+1")
        assert ann.state["links"]["invite"] is None
        bob.until("state")
        assert bob.move("+2")["type"] == "done"


def test_the_creator_cannot_move_for_the_friend(client: TestClient) -> None:
    made = create(client)
    take(client, made["invite"])
    headers = {**bearer(made["invite"]), "Idempotency-Key": new_key()}
    answer = client.post("/api/game/moves", json={"version": 2, "move": "+1"}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "invitation")
    view = client.get("/api/game", headers=bearer(made["token"])).json()
    assert view["links"]["invite"] is None
    assert view["seats"][1]["joined"]


def test_who_took_a_seat_gets_it_again_with_the_same_key(settings: Settings) -> None:
    key = new_key()
    with TestClient(create_app(settings)) as client:
        made = create(client)
        seat = take(client, made["invite"], key)
        assert take(client, made["invite"], key) == seat
    with TestClient(create_app(settings)) as client:
        assert take(client, made["invite"], key) == seat
        assert take(client, made["invite"])["code"] == "seat-taken"
        assert client.get("/api/game", headers=bearer(seat["token"])).json()["you"] == [2]


@pytest.mark.parametrize("shared", [False, True])
def test_a_seat_moves_to_another_device_and_leaves_the_old_one(client: TestClient, shared: bool) -> None:
    seats = [{"kind": "human"}, {"kind": "human", "remote": not shared}]
    made = create(client, shared=shared, seats=seats)
    with client.websocket_connect("/ws") as old, client.websocket_connect("/ws") as new:
        before = Seat(old, made["token"])
        key = new_key()
        before.socket.send_json({"type": "move", "version": 0, "key": key, "move": "+1"})
        before.until("done")
        after = Seat(new, before.state["links"]["move"])
        assert before.until("refused")["code"] == "seat-moved"
        with pytest.raises(WebSocketDisconnect) as closed:
            before.next()
        assert closed.value.code == 4403
        assert after.state["you"] == before.state["you"]
        assert refused(client, made["token"]) == ("seat-moved", 4403)
        assert client.get("/api/game", headers=bearer(made["token"])).json()["code"] == "seat-moved"
        # The device that let go cannot take the seat back with what it knew.
        assert refused(client, before.state["links"]["move"])[0] == "seat-taken"


def test_an_untaken_invitation_is_withdrawn_and_a_new_one_made(client: TestClient) -> None:
    made = create(client)
    with client.websocket_connect("/ws") as one, client.websocket_connect("/ws") as two:
        ann = Seat(one, made["token"])
        assert ann.send("withdraw")["type"] == "done"
        invite = ann.state["links"]["invite"]
        assert invite not in (None, made["invite"])
        assert refused(client, made["invite"])[0] == "seat-taken"
        Seat(two, invite)
        assert ann.send("withdraw")["code"] == "seat-taken"


def test_links_of_games_from_before_go_on_working(client: TestClient) -> None:
    made = create(client)
    tokens: Tokens = client.app.state.hall.tokens  # type: ignore[attr-defined]
    link = tokens.make(made["game"], Role.PLAYER_2)
    assert link.count(".") == 2
    with client.websocket_connect("/ws") as one, client.websocket_connect("/ws") as two:
        ann, bob = Seat(one, made["token"]), Seat(two, link)
        assert ann.send("withdraw")["code"] == "seat-taken"
        ann.move("+1")
        bob.until("state")
        assert bob.move("+2")["type"] == "done"


def test_nobody_is_invited_to_a_rematch(client: TestClient) -> None:
    made = create(client)
    with client.websocket_connect("/ws") as one, client.websocket_connect("/ws") as two:
        ann, bob = Seat(one, made["token"]), Seat(two, made["invite"])
        ann.send("resign")
        ann.send("rematch")
        while not bob.state["request"]:
            bob.until("state")
        assert bob.send("accept")["type"] == "done"
        while not ann.state["rematch"]:
            ann.until("state")
        view = client.get("/api/game", headers=bearer(ann.state["rematch"])).json()
        assert (view["you"], view["links"]["invite"]) == ([2], None)


@pytest.mark.parametrize("role", ["p2.7", "p2.0", "p2.1i", "w.0i", "p12.3"])
def test_a_token_cannot_be_turned_into_another(client: TestClient, role: str) -> None:
    made = create(client)
    game, *_, mac = made["invite"].split(".")
    assert refused(client, f"{game}.{role}.{mac}") == ("unknown-token", 4401)
