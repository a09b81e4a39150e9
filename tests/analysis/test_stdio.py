"""The analysis protocol: every line gets its answer, and no line ends the process."""

from __future__ import annotations

import io
import json
import threading
from typing import Any

import pytest

from quiltwork import Position
from quiltwork.analysis.stdio import Service

START = Position.initial("patchwork", deal=1).text
OVER = "patchwork - 53!/7/- 53/0/- - 2a"


def answers(*lines: str | bytes, update_seconds: float = 60) -> list[dict[str, Any]]:
    """What the service writes when these lines are all its input."""
    data = b"\n".join(line.encode() if isinstance(line, str) else line for line in lines)
    output = io.StringIO()
    Service(output, threads=2, update_seconds=update_seconds).run(io.BytesIO(data))
    return [json.loads(line) for line in output.getvalue().splitlines()]


def request(**fields: Any) -> str:
    return json.dumps({"id": "q1", "position": START, "limits": {"simulations": 50}, **fields})


def test_a_request_is_answered_in_the_shape_of_the_protocol() -> None:
    [reply] = answers(request(agent="search", lines=2))
    assert {key: reply[key] for key in ("id", "turn", "simulations")} == {"id": "q1", "turn": 1, "simulations": 50}
    assert len(reply["moves"]) == 2
    best = reply["moves"][0]
    assert set(best) == {"move", "visits", "win", "points", "line"}
    assert best["line"][0] == best["move"]
    assert (reply["win"], reply["points"]) == (best["win"], best["points"])
    assert "exact" not in reply
    assert "partial" not in reply


def test_an_endgame_that_is_solved_says_so() -> None:
    [reply] = answers(request(position="patchwork 1 52/40/- 53!/0/- - 2a"))
    assert reply["exact"] is True
    assert reply["win"] == 1.0


def test_a_thousand_lines_of_garbage_are_a_thousand_errors() -> None:
    garbage = [b"garbage %d" % i if i % 2 else b"\xff\xfe{[" for i in range(999)]
    found = answers(*garbage, "[" * 100_000)
    assert len(found) == 1000
    assert all(reply["id"] is None and reply["error"] for reply in found)


@pytest.mark.parametrize(
    ("line", "number", "field", "sentence"),
    [
        ("[]", None, None, "expected a JSON object, found a list"),
        ('{"id": {}}', None, "id", "id must be a text or a number, not an object"),
        ('{"id": "a"}', "a", "position", "position is missing"),
        ('{"id": 7, "position": 5}', 7, "position", "position must be a text, not a number"),
        (request(position="patchwork 1"), "q1", "position", "player 1 is missing"),
        (request(position=OVER), "q1", "position", "the game is over"),
        (request(agent=3), "q1", "agent", "agent must be a text, not a number"),
        (request(agent="nobody"), "q1", "agent", "unknown; there are"),
        (request(limits=[]), "q1", "limits", "limits must be an object, not a list"),
        (request(limits={"seconds": 0}), "q1", "limits.seconds", "must be a number above 0"),
        (request(limits={"seconds": "1"}), "q1", "limits.seconds", "must be a number above 0"),
        (request(limits={"simulations": 1.5}), "q1", "limits.simulations", "must be a whole number"),
        (request(limits={"simulations": True}), "q1", "limits.simulations", "must be a whole number"),
        (request(lines=0), "q1", "lines", "from 1 to 1000"),
        ('{"id": "q1", "cancel": 1}', "q1", "cancel", "cancel must be true"),
        ("x" * 1_000_010, None, None, "at most 1,000,000 bytes"),
    ],
)
def test_a_wrong_request_is_an_error_with_its_field(
    line: str, number: object, field: str | None, sentence: str
) -> None:
    [reply] = answers(line)
    assert (reply["id"], reply["field"]) == (number, field)
    assert sentence in reply["error"]


def test_many_requests_at_once_all_get_their_answer() -> None:
    found = answers(*(request(id=i, agent="greedy") for i in range(50)))
    assert sorted(reply["id"] for reply in found) == list(range(50))
    assert all(reply["moves"] for reply in found)


def test_an_id_that_is_open_is_refused() -> None:
    found = answers(*[request(limits={"seconds": 0.3}, agent="search")] * 2)
    assert sorted("error" in reply for reply in found) == [False, True]


class _Pipe(io.RawIOBase):
    """An input that waits for more lines."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.more = threading.Semaphore(0)

    def send(self, line: str | None) -> None:
        self.lines.append(line.encode() + b"\n" if line is not None else b"")
        self.more.release()

    def readline(self, size: int | None = -1, /) -> bytes:
        self.more.acquire()
        return self.lines.pop(0)


def test_a_cancel_asks_for_the_final_reply_after_live_updates() -> None:
    pipe, output, seen = _Pipe(), io.StringIO(), threading.Event()
    write = output.write

    def watched(text: str) -> int:
        if '"partial": true' in text:
            seen.set()
        return write(text)

    output.write = watched  # type: ignore[method-assign]
    service = Service(output, threads=1, update_seconds=0.01)
    thread = threading.Thread(target=service.run, args=(pipe,))
    thread.start()
    pipe.send(request(limits={"seconds": 600}, agent="search"))
    assert seen.wait(60)
    pipe.send('{"id": "q1", "cancel": true}')
    pipe.send('{"id": "gone", "cancel": true}')
    pipe.send(None)
    thread.join(60)
    replies = [json.loads(line) for line in output.getvalue().splitlines()]
    assert all(reply["id"] == "q1" for reply in replies)
    assert "partial" not in replies[-1]
    assert all(reply["partial"] is True for reply in replies[:-1])
    assert replies[-1]["simulations"] >= replies[0]["simulations"]


def test_only_the_moves_that_are_named_are_looked_at() -> None:
    wanted = [str(move) for move in Position.parse(START).legal_moves()[:40:13]]
    [reply] = answers(request(agent="search", lines=10, only=wanted, limits={"simulations": 200}))
    assert {entry["move"] for entry in reply["moves"]} == set(wanted)
    assert sum(entry["visits"] for entry in reply["moves"]) == reply["simulations"] == 200


def test_a_solved_position_values_only_the_moves_that_are_named() -> None:
    text = "patchwork 1 51/9/3b@a1 52/9/3a@a1 - 2a4a"
    wanted = [str(move) for move in Position.parse(text).legal_moves()[:3]]
    [reply] = answers(request(position=text, only=wanted, limits={"simulations": 100_000}))
    assert reply["exact"] is True
    assert {entry["move"] for entry in reply["moves"]} <= set(wanted)
    assert all(entry["visits"] > 0 for entry in reply["moves"])


def test_an_infinite_request_ends_on_cancel_and_with_the_input() -> None:
    endless = request(agent="search", limits={"infinite": True})
    for lines in ([endless], [endless, '{"id": "q1", "cancel": true}']):
        [reply] = [reply for reply in answers(*lines) if not reply.get("partial")]
        assert reply["moves"]


@pytest.mark.parametrize(
    ("fields", "field", "sentence"),
    [
        ({"only": []}, "only", "at least one move"),
        ({"only": "+1"}, "only", "at least one move"),
        ({"only": ["9z@a1"]}, "only", "9z"),
        ({"limits": {"infinite": 1}}, "limits.infinite", "must be true or false"),
        ({"limits": {"infinite": True, "seconds": 1}}, "limits.infinite", "stands without"),
    ],
)
def test_wrong_root_moves_and_limits_are_told(fields: dict[str, Any], field: str, sentence: str) -> None:
    [reply] = answers(request(**fields))
    assert reply["field"] == field
    assert sentence in reply["error"]


@pytest.mark.parametrize("agent", ["search", "net"])
def test_lines_show_every_action_and_no_move_without_visits(agent: str) -> None:
    position = Position.parse(START)
    [reply] = answers(request(agent=agent, lines=4, limits={"simulations": 1000}))
    actions = [entry["move"].partition("@")[0] for entry in reply["moves"]]
    affordable = {str(move).partition("@")[0] for move in position.legal_moves()}
    assert sorted(actions) == sorted(affordable)
    [reply] = answers(request(agent=agent, lines=1000, limits={"simulations": 1000}))
    assert all(entry["visits"] > 0 for entry in reply["moves"])
    for action in affordable:
        visits = sum(e["visits"] for e in reply["moves"] if e["move"].partition("@")[0] == action)
        assert visits >= 0.045 * reply["simulations"]
