"""Playing over the websocket: what is done, what is refused, and what everyone is told."""

from __future__ import annotations

import time

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from server.conftest import Seat, bearer, create, new_key

FIRST = "+1"


def test_both_players_and_a_spectator_are_told_of_a_move(client: TestClient) -> None:
    made = create(client)
    with (
        client.websocket_connect("/ws") as one,
        client.websocket_connect("/ws") as two,
        client.websocket_connect("/ws") as three,
    ):
        ann, bob, eve = Seat(one, made["token"]), Seat(two, made["invite"]), Seat(three, made["watch"])
        assert ann.move(FIRST)["type"] == "done"
        for seat in (bob, eve):
            seat.until("state")
            assert [step["move"] for step in seat.state["moves"]] == ["+1"]
            assert seat.state["turn"] == 2
        assert ann.state["options"] is None
        assert bob.state["options"]["advance"]["move"] == "+2"
        assert eve.state["options"] is None


def test_an_illegal_move_is_refused_with_its_reason(client: TestClient) -> None:
    made = create(client)
    with client.websocket_connect("/ws") as socket:
        ann = Seat(socket, made["token"])
        answer = ann.move("+3")
        assert (answer["type"], answer["code"]) == ("refused", "illegal")
        assert answer["message"].startswith("+3: ")
        assert ann.move("nonsense")["code"] == "illegal"
        assert ann.state["version"] == 0


def test_a_stale_message_is_refused(client: TestClient) -> None:
    made = create(client)
    with client.websocket_connect("/ws") as socket:
        ann = Seat(socket, made["token"])
        ann.move(FIRST)
        assert ann.move(FIRST, version=0)["code"] == "stale"


def test_a_doubled_message_is_done_once(client: TestClient) -> None:
    made = create(client)
    with client.websocket_connect("/ws") as socket:
        ann = Seat(socket, made["token"])
        key = new_key()
        assert ann.move(FIRST, key=key)["type"] == "done"
        again = ann.move(FIRST, key=key, version=0)
        assert again == {"type": "done", "key": key, "version": 1}


@pytest.mark.parametrize(
    "token",
    ["", "x", "AAAAAAAAAAAA.p1.AAAAAAAAAAAAAAAAAAAAAAAAAAA", "{game}.p2.{mac}", "{game}.p12.{mac}"],
)
def test_a_forged_token_opens_nothing(client: TestClient, token: str) -> None:
    made = create(client)
    game, _, mac = made["token"].split(".")
    with client.websocket_connect("/ws") as socket:
        socket.send_json({"type": "hello", "token": token.format(game=game, mac=mac)})
        assert socket.receive_json()["code"] == "unknown-token"
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 4401


def test_who_watches_cannot_move(client: TestClient) -> None:
    made = create(client)
    with client.websocket_connect("/ws") as socket:
        assert Seat(socket, made["watch"]).move(FIRST)["code"] == "watching"


def test_nobody_moves_for_the_other(client: TestClient) -> None:
    made = create(client)
    with client.websocket_connect("/ws") as socket:
        assert Seat(socket, made["invite"]).move(FIRST)["code"] == "not-your-turn"


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '"move"', '{"type": "move"}', '{"type": "fly", "key": "12345678", "version": 0}', "{" * 500,
     '{"type": "move", "version": 0, "key": "12345678", "move": "' + "x" * 400 + '"}',
     '{"type": "move", "version": "zero", "key": "12345678", "move": "+1"}',
     '{"type": "move", "version": 0, "key": "1", "move": "+1"}'],
)  # fmt: skip
def test_garbage_is_refused_and_the_table_stands(client: TestClient, text: str) -> None:
    made = create(client)
    with client.websocket_connect("/ws") as socket:
        ann = Seat(socket, made["token"])
        socket.send_text(text)
        assert ann.until("refused")["code"] == "bad-message"
        assert ann.move(FIRST)["type"] == "done"


def test_a_page_of_another_site_may_not_connect(client: TestClient) -> None:
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("/ws", headers={"origin": "https://elsewhere.example"}),
    ):
        pass


def test_a_flood_of_messages_is_slowed(client: TestClient) -> None:
    made = create(client)
    with client.websocket_connect("/ws") as socket:
        ann = Seat(socket, made["token"])
        codes = [ann.move("nonsense")["code"] for _ in range(80)]
        assert "too-fast" in codes
        assert codes[0] == "illegal"


def test_who_comes_back_gets_what_was_missed(client: TestClient) -> None:
    made = create(client)
    with client.websocket_connect("/ws") as socket:
        Seat(socket, made["token"])
    with client.websocket_connect("/ws") as socket:
        bob = Seat(socket, made["invite"])
        with client.websocket_connect("/ws") as other:
            Seat(other, made["token"]).move(FIRST)
        bob.until("state")
        bob.move("+2")
    with client.websocket_connect("/ws") as socket:
        ann = Seat(socket, made["token"])
        assert [step["move"] for step in ann.state["moves"]] == ["+1", "+2"]
        assert ann.state["moves_from"] == 0


def test_between_friends_a_takeback_needs_consent(client: TestClient) -> None:
    made = create(client)
    with client.websocket_connect("/ws") as one, client.websocket_connect("/ws") as two:
        ann, bob = Seat(one, made["token"]), Seat(two, made["invite"])
        ann.move(FIRST)
        bob.until("state")
        ann.send("takeback")
        assert ann.state["request"] == {"player": 1, "what": "takeback"}
        bob.until("state")
        assert bob.send("decline")["type"] == "done"
        assert len(bob.state["players"]) == 2
        assert bob.state["request"] is None
        ann.until("state")
        ann.send("takeback")
        bob.until("state")
        assert bob.send("accept")["type"] == "done"
        assert bob.state["position"].split()[1:3] == ["1", "0/5/-"]


def test_nobody_accepts_their_own_request(client: TestClient) -> None:
    made = create(client)
    with client.websocket_connect("/ws") as socket:
        ann = Seat(socket, made["token"])
        ann.move(FIRST)
        ann.send("takeback")
        assert ann.send("accept")["code"] == "no-request"


def test_on_one_device_both_seats_move_and_take_back_freely(client: TestClient) -> None:
    made = create(client, shared=True, seats=[{"kind": "human"}, {"kind": "human"}])
    with client.websocket_connect("/ws") as socket:
        both = Seat(socket, made["token"])
        assert both.state["you"] == [1, 2]
        both.move("+1")
        both.move("+2")
        assert both.send("takeback")["type"] == "done"
        assert both.state["turn"] == 2
        assert both.state["moves_from"] == 1


def test_against_the_computer_a_takeback_is_free_and_goes_back_to_the_own_move(client: TestClient) -> None:
    made = create(client, seats=[{"kind": "human"}, {"kind": "computer", "opponent": "pin"}])
    with client.websocket_connect("/ws") as socket:
        ann = Seat(socket, made["token"])
        ann.move(FIRST)
        while ann.state["options"] is None:
            ann.until("state")
        assert ann.send("takeback")["type"] == "done"
        assert ann.state["position"].split()[1:4] == ["1", "0/5/-", "0/5/-"]


def test_resigning_ends_the_game_and_a_rematch_swaps_the_seats(client: TestClient) -> None:
    made = create(client)
    with client.websocket_connect("/ws") as one, client.websocket_connect("/ws") as two:
        ann, bob = Seat(one, made["token"]), Seat(two, made["invite"])
        ann.send("resign")
        assert ann.state["result"]["winner"] == 2
        assert ann.state["result"]["by"] == "resign"
        assert ann.move(FIRST)["code"] == "over"
        ann.send("rematch")
        bob.until("state")
        bob.until("state")
        bob.send("rematch")
        assert bob.state["rematch"].split(".")[1] == "p1"
        ann.until("state")
        assert ann.state["rematch"].split(".")[1] == "p2"
        with client.websocket_connect("/ws") as three:
            again = Seat(three, ann.state["rematch"])
            assert again.state["you"] == [2]
            assert again.state["seats"][1]["name"] == "Ann"


def test_a_friend_may_choose_a_name(client: TestClient) -> None:
    made = create(client)
    with client.websocket_connect("/ws") as socket:
        bob = Seat(socket, made["invite"])
        assert bob.send("name", name="Bob")["type"] == "done"
        assert bob.state["seats"][1]["name"] == "Bob"
        assert bob.send("name", name="<b>")["code"] == "bad-message"


def test_there_are_no_hints_between_friends(client: TestClient) -> None:
    made = create(client)
    with client.websocket_connect("/ws") as socket:
        assert Seat(socket, made["token"]).send("hint")["code"] == "no-hints"


def test_two_levels_play_while_someone_watches(client: TestClient) -> None:
    pins = [{"kind": "computer", "opponent": "pin"}, {"kind": "computer", "opponent": "pin"}]
    made = create(client, edition="express", seats=pins)
    assert made["token"].split(".")[1] == "w"
    with client.websocket_connect("/ws") as socket:
        eve = Seat(socket, made["token"])
        while not eve.state["result"]:
            eve.until("state")
        assert eve.state["result"]["by"] == "score"


def test_a_live_clock_runs_out(client: TestClient) -> None:
    made = create(client, clock={"kind": "live", "seconds": 10})
    with client.websocket_connect("/ws") as one, client.websocket_connect("/ws") as two:
        ann, bob = Seat(one, made["token"]), Seat(two, made["invite"])
        table = client.portal.call(client.app.state.hall.table, made["game"])  # type: ignore[union-attr, attr-defined]
        table.state.remaining[1] = 0.05
        ann.move(FIRST)
        while not bob.state["result"]:
            bob.until("state")
        assert bob.state["result"]["winner"] == 1
        assert bob.state["result"]["by"] == "time"


def test_with_a_live_clock_the_computer_moves_though_nobody_looks(client: TestClient) -> None:
    seats = [{"kind": "human"}, {"kind": "computer", "opponent": "pin"}]
    made = create(client, seats=seats, clock={"kind": "live", "seconds": 60})
    headers = {**bearer(made["token"]), "Idempotency-Key": "some-key-1"}
    assert client.post("/api/game/moves", json={"version": 0, "move": "+1"}, headers=headers).status_code == 200
    for _ in range(300):
        view = client.get("/api/game", headers=bearer(made["token"])).json()
        if any(step["player"] == 2 for step in view["moves"]):
            break
        time.sleep(0.1)
    assert view["moves"][1]["player"] == 2


def test_a_hint_has_parts_that_any_language_can_say(client: TestClient) -> None:
    made = create(client, seats=[{"kind": "human"}, {"kind": "computer", "opponent": "pin"}])
    with client.websocket_connect("/ws") as socket:
        told = Seat(socket, made["token"]).send("hint")
    assert told["type"] == "hint"
    assert set(told["hint"]) == {"what", "why", "sure"}
    assert told["hint"]["sure"][0]["key"] == "chance"
    assert told["hint"]["what"]["figures"]["move"] == told["move"]
