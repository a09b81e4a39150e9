"""Reviews, the analysis board and the coach, as the page asks for them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from quiltwork import Game, Position
from quiltwork.analysis.review.reasons import KEYS
from quiltwork.messages import catalog, languages
from quiltwork.server.app import create_app
from quiltwork.server.settings import Settings
from quiltwork.server.study import api
from quiltwork.server.study.desk import ANALYSES
from quiltwork.setup_check import ENGLISH
from server.conftest import Seat, bearer, create

RECORDS = Path(__file__).parents[1] / "data"
ENDING = '[Edition "patchwork"]\n[Position "patchwork 1 50/9/- 52/5/- - 2a4a5a"]\n\n1: 2a@a1 +2 2: +1\n'
COMPUTER = [{"kind": "human"}, {"kind": "computer", "opponent": "pin"}]
Json = dict[str, Any]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    database = f"sqlite:///{tmp_path / 'games.sqlite3'}"
    return Settings(database_url=database, computer_pace=0.0, engine_warm_up=False, review_simulations=50)


def events(client: TestClient, path: str, body: Json | None = None, token: str = "") -> list[Json]:
    """All that a stream tells."""
    with client.stream("POST", f"/api/{path}", json=body or {}, headers=bearer(token)) as answer:
        assert answer.status_code == 200, answer.read()
        lines = [line for line in answer.iter_lines() if line and line != ":"]
        return [json.loads(line.removeprefix("data: ")) for line in lines]


def test_a_record_s_review_begins_with_its_curve_and_ends_with_its_sum(client: TestClient) -> None:
    told = events(client, "study/review", {"record": ENDING})
    moves = len(Game.parse(ENDING).end.line())
    assert told[0]["type"] == "curve"
    assert len(told[0]["values"]) == moves + 1
    assert sorted(event["ply"] for event in told[1:-1]) == list(range(moves))
    assert {event["type"] for event in told[1:-1]} == {"turn"}
    assert told[-1]["type"] == "done"
    assert set(told[-1]["chance"]) == {"ply", "player", "win"}
    assert told[-1]["luck"] is None
    assert [set(player) for player in told[-1]["players"]] == [{"accuracy", "loss", "loss_what", "loss_where"}] * 2


def test_a_review_that_waits_shows_that_it_is_alive(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "ALIVE_EVERY", 0.001)
    with client.stream("POST", "/api/study/review", json={"record": ENDING}) as answer:
        lines = [line for line in answer.iter_lines() if line]
    assert lines[0] == ":"
    told = [json.loads(line.removeprefix("data: ")) for line in lines if line != ":"]
    assert [told[0]["type"], told[-1]["type"]] == ["curve", "done"]


def test_a_stream_that_is_left_while_nothing_is_told_ends_its_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "ALIVE_EVERY", 0.001)
    ended = asyncio.Event()

    async def silent() -> AsyncIterator[Json]:
        try:
            await asyncio.Event().wait()
            yield {}
        finally:
            ended.set()

    async def leave() -> None:
        stream = api._stream(silent())
        assert await anext(stream) == ":\n\n"
        await stream.aclose()  # type: ignore[attr-defined]
        await asyncio.wait_for(ended.wait(), 5)

    asyncio.run(leave())


def test_a_review_is_made_once_and_kept(settings: Settings) -> None:
    with TestClient(create_app(settings)) as client:
        first = events(client, "study/review", {"record": ENDING})
    with TestClient(create_app(settings)) as client:
        # Without processes nothing new can be found.
        client.app.state.study._pool.close()  # type: ignore[attr-defined]
        assert events(client, "study/review", {"record": ENDING}) == first


def test_a_game_is_reviewed_when_it_is_over_and_not_before(client: TestClient) -> None:
    made = create(client, record=ENDING, ply=1)
    answer = client.post("/api/game/review", headers=bearer(made["token"]))
    assert (answer.status_code, answer.json()["code"]) == (409, "not-over")
    with client.websocket_connect("/ws") as socket:
        seat = Seat(socket, made["token"])
        assert seat.send("resign")["type"] == "done"
    assert events(client, "game/review", token=made["token"])[-1]["type"] == "done"


def test_a_game_without_moves_has_no_review(client: TestClient) -> None:
    answer = client.post("/api/study/review", json={"record": '[Edition "express"]\n[Deal "1"]\n\n*'})
    assert answer.json()["code"] in ("nothing-to-review", "bad-record")


def test_an_analysis_gets_better_and_ends(client: TestClient) -> None:
    position = Position.initial("express", deal=2).text
    told = events(client, "study/analysis", {"position": position, "lines": 2, "seconds": 0.8})
    assert [event["type"] for event in told] == ["analysis"] * len(told)
    assert told[-1]["simulations"] >= told[0]["simulations"]
    assert "partial" not in told[-1]
    assert len(told[-1]["moves"]) == 2


@pytest.mark.parametrize("text", ["nowhere 1 0/5/- 0/5/- - 2a", "../x.toml 1 0/5/- 0/5/- - 2a"])
def test_only_editions_of_the_server_are_read(client: TestClient, text: str) -> None:
    for path in ("analysis", "play"):
        answer = client.post(f"/api/study/{path}", json={"position": text})
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown-edition")


def test_a_finished_position_has_no_analysis(client: TestClient) -> None:
    answer = client.post("/api/study/analysis", json={"position": "patchwork - 53!/7/- 53/0/- - 2a"})
    assert answer.json()["code"] == "nothing-to-analyse"


def test_the_coach_says_what_a_move_would_cost_against_the_computer_only(client: TestClient) -> None:
    made = create(client, seats=COMPUTER)
    view = client.get("/api/game", headers=bearer(made["token"])).json()
    wanted = {"version": view["version"], "move": view["options"]["advance"]["move"]}
    told = client.post("/api/game/coach", json=wanted, headers=bearer(made["token"])).json()
    assert told["move"] == wanted["move"]
    assert told["loss"] >= 0
    illegal = client.post("/api/game/coach", json={**wanted, "move": "9z@a1"}, headers=bearer(made["token"]))
    assert (illegal.status_code, illegal.json()["code"]) == (400, "illegal")
    friends = create(client)
    refused = client.post("/api/game/coach", json=wanted, headers=bearer(friends["token"]))
    assert (refused.status_code, refused.json()["code"]) == (403, "no-hints")


def test_a_record_becomes_a_tree_and_the_tree_the_record_again(client: TestClient) -> None:
    record = '[Edition "express"]\n[Deal "1"]\n\n1: +1! {[%eval 0.40 -2.0] why} (1: +1 2: +2) 2: +2\n'
    tree = client.post("/api/study/tree", json={"record": record}).json()
    assert [node["parent"] for node in tree["nodes"]] == [None, 0, 1]
    assert tree["nodes"][1]["eval"] == [0.4, -2.0]
    nodes = [{key: node[key] for key in ("parent", "move", "suffix", "eval")} for node in tree["nodes"][1:]]
    start = tree["nodes"][0]["snapshot"]["position"]
    text = client.post("/api/study/record", json={"start": start, "tags": tree["tags"], "nodes": nodes}).text
    assert "[%eval 0.40 -2.0]" in text
    assert Game.parse(text).end.position == Game.parse(record).end.position
    backwards = client.post("/api/study/record", json={"start": start, "nodes": [{"parent": 7, "move": "+1"}]})
    assert backwards.json()["code"] == "bad-tree"


@pytest.mark.parametrize("edition", ["patchwork", "express", "stack-and-stuff"])
def test_moves_are_played_for_both_sides_and_the_reserve_is_dealt(client: TestClient, edition: str) -> None:
    game = Game.parse((RECORDS / f"{edition}.quilt").read_text())
    position, moves = game.start.text, [str(move) for move in game.end.line() if not str(move).startswith("=")]
    told = client.post("/api/study/play", json={"position": position, "moves": moves[:8]}).json()
    assert [node["move"] for node in told["nodes"] if not node["move"].startswith("=")] == moves[:8]
    assert told["options"]["advance"] or told["options"]["patches"] or told["options"]["special"]
    wrong = client.post("/api/study/play", json={"position": position, "moves": ["+1", "+99"]})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "illegal")


def test_a_set_up_is_a_position_or_all_its_problems(client: TestClient) -> None:
    seat = {"space": 3, "buttons": 5, "quilt": ["2a@a1", "s@e5"]}
    wanted = {"edition": "patchwork", "turn": 2, "players": [seat, {"space": 1, "buttons": 2}], "circle": ["4a"]}
    told = client.post("/api/study/setup", json=wanted).json()
    assert told == {"position": "patchwork 2 3/5/2a@a1,s@e5 1/2/- - 4a", "problems": []}
    wrong = {**wanted, "turn": 1, "circle": ["2a"], "players": [{**seat, "buttons": -1}, seat]}
    problems = client.post("/api/study/setup", json=wrong).json()["problems"]
    assert [problem["text"] for problem in problems] == [
        "2a is there 3 times",
        "player 1: -1 buttons (0 to 9999 are possible)",
    ]


def test_one_visitor_has_a_bounded_number_of_reviews(client: TestClient) -> None:
    reviews = client.app.state.study.reviews  # type: ignore[attr-defined]
    reviews._counts["testclient"] = 100
    answer = client.post("/api/study/review", json={"record": ENDING})
    assert (answer.status_code, answer.json()["code"]) == (503, "busy")


@pytest.mark.parametrize("language", languages())
def test_every_reason_has_its_sentence(language: str) -> None:
    assert {f"reason.{key}" for key in KEYS} <= set(catalog(language))


@pytest.mark.parametrize("language", languages())
def test_every_problem_of_a_set_up_has_its_sentence(language: str) -> None:
    assert {f"problem.{key}" for key in ENGLISH} <= set(catalog(language))


def test_one_visitor_has_a_bounded_number_of_analyses(client: TestClient) -> None:
    study = client.app.state.study  # type: ignore[attr-defined]
    wanted = {"position": Position.initial(deal=1).text, "seconds": 0.2}

    async def come_too_late() -> list[Json]:
        begun = await study.analyse(wanted["position"], 1, 0.2, "testclient")
        study._open["testclient"] = ANALYSES
        return [event async for event in begun]

    assert [(event["type"], event["code"]) for event in client.portal.call(come_too_late)] == [("problem", "busy")]  # type: ignore[union-attr]
    answer = client.post("/api/study/analysis", json=wanted)
    assert (answer.status_code, answer.json()["code"]) == (503, "busy")
    study._open.clear()
    assert events(client, "study/analysis", wanted)[-1]["type"] == "analysis"
