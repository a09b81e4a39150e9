"""Puzzles as the page asks for them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from starlette.testclient import TestClient

from quiltwork.puzzles import Kind, Progress, Puzzle, daily, load_puzzles
from quiltwork.puzzles.puzzle import IMPOSSIBLE

Json = dict[str, Any]


def of_kind(kind: Kind, *, can_be_done: bool = True) -> Puzzle:
    found = load_puzzles().values()
    return next(
        puzzle for puzzle in found if puzzle.kind is kind and (IMPOSSIBLE not in puzzle.best) is can_be_done
    )


def answer(client: TestClient, puzzle: Puzzle, *moves: str, **more: Any) -> Json:
    told = client.post(f"/api/puzzles/{puzzle.id}/answer", json={"moves": moves, **more})
    assert told.status_code == 200, told.text
    found: Json = told.json()
    return found


def test_a_puzzle_is_asked_without_its_solution(client: TestClient) -> None:
    for kind in Kind:
        puzzle = of_kind(kind)
        asked = client.get(f"/api/puzzles/{puzzle.id}").json()
        assert set(asked) == {
            "id", "kind", "rating", "take", "player", "edition", "edition_title", "theme", "table",
        }  # fmt: skip
        assert asked["table"]["nodes"] == []
        if puzzle.take:
            assert list(asked["table"]["options"]["patches"]) == [puzzle.take]


def test_the_puzzle_of_the_day_is_the_same_for_all_and_the_next_one_is_new(client: TestClient) -> None:
    today = datetime.now(UTC).date()
    assert client.get("/api/puzzles/daily?edition=express").json()["id"] == daily(today, "express").id
    near = sorted(
        (p for p in load_puzzles().values() if p.edition == "express"), key=lambda p: abs(p.rating - 1500)
    )
    seen = [puzzle.id for puzzle in near[:100]]
    wanted = {"edition": "express", "progress": {"rating": 1500, "seen": seen}}
    assert client.post("/api/puzzles/next", json=wanted).json()["id"] not in seen
    for answer in (client.get("/api/puzzles/none"), client.get("/api/puzzles/daily?edition=none")):
        assert (answer.status_code, answer.json()["code"]) == (404, "no-puzzle")


def test_an_answer_tells_the_reason_the_solution_and_the_new_rating_once(client: TestClient) -> None:
    puzzle = of_kind(Kind.CHOOSE)
    right = answer(client, puzzle, str(puzzle.line[0]))
    assert (right["verdict"], right["progress"]["streak"]) == ("solved", 1)
    assert right["progress"]["rating"] == Progress().after(puzzle.id, puzzle.rating, True).rating
    assert [step["move"] for step in right["line"]][: len(puzzle.line)] == [str(move) for move in puzzle.line]
    wrong = answer(client, puzzle, str(puzzle.tempting[0]), progress=right["progress"])
    assert (wrong["verdict"], wrong["tempting"]["loss"]) == ("wrong", puzzle.loss)
    assert wrong["progress"] == right["progress"]
    shown = answer(client, puzzle)
    assert (shown["verdict"], shown["progress"]["solved"], shown["progress"]["tried"]) == ("shown", 0, 1)
    refused = client.post(f"/api/puzzles/{puzzle.id}/answer", json={"moves": ["5c@z9"]})
    assert (refused.status_code, refused.json()["code"]) == (400, "illegal")


def test_a_quilt_is_finished_move_by_move_or_cannot_be(client: TestClient) -> None:
    puzzle = of_kind(Kind.FINISH)
    moves = [str(move) for move in puzzle.line]
    told = answer(client, puzzle, moves[0])
    assert (told["verdict"], told["line"], told["progress"]["tried"]) == ("go-on", [], 0)
    assert told["table"]["options"]["advance"] is None
    assert answer(client, puzzle, *moves)["verdict"] == "solved"
    never = of_kind(Kind.FINISH, can_be_done=False)
    assert answer(client, never, IMPOSSIBLE)["verdict"] == "solved"
    assert answer(client, puzzle, IMPOSSIBLE)["verdict"] == "wrong"
