"""Changes: who is told only what is different knows exactly what others are told whole."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import ClassVar

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from quiltwork.server.hall import Hall
from quiltwork.server.settings import Settings
from server.conftest import Json, Seat, bearer, create


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Nobody is too fast here."""
    return replace(settings, messages_per_second=10_000, requests_per_second=10_000)


class Follower(Seat):
    """A connection that is told what changed, and puts it together as the page does."""

    hello: ClassVar[Json] = {"changes": True}

    def next(self) -> Json:
        message = super().next()
        if message["type"] == "change":
            assert message["from"] == self.state["version"]
            self.state = merged(self.state, message)
        if message["type"] == "presence":
            self.state = {**self.state, "seats": message["seats"]}
        return message

    def now(self) -> Json:
        """What is known when all that was on its way has arrived."""
        self.socket.send_json({"type": "ping"})
        self.until("pong")
        return self.state


def merged(state: Json, change: Json) -> Json:
    players = change.get("players", [{}, {}])
    both = zip(state["players"], players, strict=True)
    rest = {key: value for key, value in change.items() if key not in ("type", "from")}
    return {**state, **rest, "players": [{**old, **new} for old, new in both]}


def table(told: Json) -> Json:
    """All but the list of moves, which brings only news, and the clock, which runs."""
    return {key: value for key, value in told.items() if key not in ("type", "moves", "moves_from", "clock")}


def whole(client: TestClient, token: str) -> Json:
    view: Json = client.get("/api/game", headers=bearer(token)).json()
    return view


def act(mover: Follower, chance: Random) -> Json:
    """Something that a player may do: mostly a move."""
    if mover.state["turn"] not in mover.state["you"]:
        return mover.send("takeback")
    options = mover.state["options"]
    if options["special"] or chance.random() < 0.1 or not options["advance"]:
        return mover.send("name", name=f"Ann {chance.randrange(9)}")
    laid = [code for code, option in options["patches"].items() if option.get("places")]
    if laid and chance.random() < 0.8:
        code = chance.choice(laid)
        form, cells = next(iter(options["patches"][code]["places"].items()))
        cell = f"{chr(97 + cells[0] % 9)}{cells[0] // 9 + 1}" if cells else "a1"
        return mover.move(f"{code}@{cell}{form}")
    return mover.move("+")


@pytest.mark.parametrize("clock", [None, {"kind": "live", "seconds": 600, "increment": 2}])
def test_what_changed_adds_up_to_the_whole(client: TestClient, clock: Json | None) -> None:
    chance = Random(3)
    made = create(client, clock=clock)
    with (
        client.websocket_connect("/ws") as one,
        client.websocket_connect("/ws") as two,
        client.websocket_connect("/ws") as three,
    ):
        ann, bob = Follower(one, made["token"]), Follower(two, made["invite"])
        eve = Follower(three, made["watch"])
        changed = 0
        for _ in range(40):
            for seat in (ann, bob, eve):
                assert table(seat.now()) == table(whole(client, seat.token))
            version = ann.state["version"]
            request = ann.state["request"]
            if request and chance.random() < 0.5:
                answerer = (ann, bob)[2 - request["player"]]
                answerer.send(chance.choice(["accept", "decline"]))
            else:
                act(chance.choice((ann, bob, (ann, bob)[(ann.state["turn"] or 1) - 1])), chance)
            changed += whole(client, ann.token)["version"] > version
        assert changed > 20
        ann.send("resign")
        for seat in (ann, bob, eve):
            assert table(seat.now()) == table(whole(client, seat.token))


def test_a_change_leaves_out_what_stays(client: TestClient) -> None:
    made = create(client)
    with client.websocket_connect("/ws") as socket:
        ann = Follower(socket, made["token"])
        socket.send_json({"type": "move", "version": 0, "key": "some-key-1", "move": "+1"})
        change = ann.until("change")
        assert (change["from"], change["version"], len(change["moves"])) == (0, 1, 1)
        assert change["players"][0]["buttons"] == 6
        assert change["players"][1].keys() <= {"ahead"}
        assert not {"circle", "edition", "ring", "links", "reserve"} & change.keys()


def test_after_a_gap_a_look_brings_everything(client: TestClient) -> None:
    made = create(client)
    with client.websocket_connect("/ws") as one, client.websocket_connect("/ws") as two:
        ann, bob = Seat(one, made["token"]), Follower(two, made["invite"])
        ann.move("+1")
        skip(two)
        bob.socket.send_json({"type": "look"})
        bob.until("state")
        assert bob.state["moves_from"] == 0
        assert table(bob.state) == table(whole(client, bob.token))
        assert bob.move("+2")["type"] == "done"
        assert table(bob.now()) == table(whole(client, bob.token))


def skip(socket: WebSocketTestSession) -> None:
    """Loses the next change."""
    while socket.receive_json()["type"] != "change":
        pass


def test_a_table_that_rested_tells_everything_with_the_next_move(client: TestClient) -> None:
    made = create(client)
    hall = client.app.state.hall  # type: ignore[attr-defined]
    with client.websocket_connect("/ws") as one, client.websocket_connect("/ws") as two:
        ann, bob = Follower(one, made["token"]), Follower(two, made["invite"])
        ann.now(), bob.now()
        client.portal.call(_rest, hall, made["game"])  # type: ignore[union-attr]
        one.send_json({"type": "move", "version": ann.state["version"], "key": "some-key-1", "move": "+1"})
        ann.until("state")
        for seat in (ann, bob):
            assert table(seat.now()) == table(whole(client, seat.token))
        one.send_json({"type": "name", "version": ann.state["version"], "key": "some-key-2", "name": "Ann"})
        ann.until("change")


async def _rest(hall: Hall, game: str) -> None:
    (await hall.table(game)).last_used -= 100
    hall.put_away()
