"""The analysis protocol, version 1, for both ends: one reader and one writer of requests and of replies.

`docs/analysis-protocol.md` describes it. Each message is one JSON object on a line of its own.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from quiltwork.agents.agent import Analysis, Limits, RankedMove, mover_of
from quiltwork.errors import QuiltworkError
from quiltwork.move import Move
from quiltwork.position import Position

DEFAULT_AGENT = "strongest"
DEFAULT_LINES = 3
MAX_LINES = 1000
MAX_SECONDS = 86_400.0
MAX_LINE_BYTES = 1_000_000
"""neither end reads a longer line"""

Id: TypeAlias = str | int | float | None


class RequestError(QuiltworkError):
    """A request that cannot be answered: whose, which field, and why."""

    def __init__(self, sentence: str, field: str | None = None, sender: Id = None) -> None:
        self.field = field
        self.id = sender
        super().__init__(sentence)

    def as_json(self) -> dict[str, Any]:
        return {"id": self.id, "error": str(self), "field": self.field}


@dataclass(frozen=True)
class Request:
    """A position to think about."""

    id: Id
    position: Position
    agent: str
    limits: Limits
    lines: int


@dataclass(frozen=True)
class Cancel:
    """Asks for the final reply to a request now."""

    id: Id


class ReplyError(QuiltworkError):
    """A reply that is not what the protocol asks for."""


def parse_request(line: str | bytes) -> Request | Cancel:
    """The request of a line; raises RequestError."""
    data = _object(line, RequestError)
    sender = data.get("id")
    if isinstance(sender, bool) or not isinstance(sender, str | int | float | None):
        raise RequestError(f"id must be a text or a number, not {_kind(sender)}", "id")
    if "cancel" in data:
        if data["cancel"] is not True:
            raise RequestError("cancel must be true", "cancel", sender)
        return Cancel(sender)
    position = _position(data, sender)
    agent = data.get("agent", DEFAULT_AGENT)
    if not isinstance(agent, str):
        raise RequestError(f"agent must be a text, not {_kind(agent)}", "agent", sender)
    lines = _lines(data, sender)
    limits = _limits(data.get("limits", {}), sender)
    return Request(
        sender, position, agent, replace(limits, only=_only(data, position, sender), lines=lines), lines
    )


def request_line(sender: Id, position: Position, limits: Limits) -> str:
    """The line that asks for an analysis; what has no limit is left to the program."""
    asked = {
        "seconds": limits.seconds,
        "simulations": limits.simulations,
        "infinite": True if limits.infinite else None,
    }
    request: dict[str, Any] = {
        "id": sender,
        "position": position.text,
        "limits": {key: value for key, value in asked.items() if value is not None},
        "lines": limits.lines,
    }
    if limits.only:
        request["only"] = [str(move) for move in limits.only]
    return json.dumps(request, ensure_ascii=False)


def cancel_line(sender: Id) -> str:
    """The line that asks for the final reply now."""
    return json.dumps({"id": sender, "cancel": True}, ensure_ascii=False)


def parse_reply(line: str | bytes) -> dict[str, Any]:
    """The object of a reply's line, whose fields are still to be checked; raises ReplyError."""
    return _object(line, ReplyError)


def _object(line: str | bytes, wrong: type[QuiltworkError]) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        text = line if isinstance(line, str) else line.decode("utf-8", "replace")
        raise wrong(f"expected one JSON object a line, found {text[:60]!r}") from None
    if not isinstance(data, dict):
        raise wrong(f"expected a JSON object, found {_kind(data)}")
    return data


def _position(data: dict[str, Any], sender: Id) -> Position:
    text = data.get("position")
    if not isinstance(text, str):
        wrong = "is missing" if text is None else f"must be a text, not {_kind(text)}"
        raise RequestError(f"position {wrong}", "position", sender)
    try:
        position = Position.parse(text)
        mover_of(position)
    except QuiltworkError as error:
        raise RequestError(str(error), "position", sender) from None
    return position


def _only(data: dict[str, Any], position: Position, sender: Id) -> tuple[Move, ...]:
    texts = data.get("only")
    if texts is None:
        return ()
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise RequestError("only must be a list of at least one move, each a text", "only", sender)
    try:
        return tuple(dict.fromkeys(position.move(text) for text in texts))
    except QuiltworkError as error:
        raise RequestError(str(error), "only", sender) from None


def _limits(limits: Any, sender: Id) -> Limits:
    if not isinstance(limits, dict):
        raise RequestError(f"limits must be an object, not {_kind(limits)}", "limits", sender)
    seconds, simulations = limits.get("seconds"), limits.get("simulations")
    if seconds is not None and (not _is_number(seconds) or not 0 < seconds <= MAX_SECONDS):
        raise RequestError(
            f"limits.seconds must be a number above 0, at most {MAX_SECONDS:.0f}", "limits.seconds", sender
        )
    if simulations is not None and (
        not isinstance(simulations, int) or isinstance(simulations, bool) or not 0 < simulations <= 10**12
    ):
        raise RequestError(
            "limits.simulations must be a whole number above 0, at most 10**12", "limits.simulations", sender
        )
    infinite = limits.get("infinite", False)
    if not isinstance(infinite, bool):
        raise RequestError(
            f"limits.infinite must be true or false, not {_kind(infinite)}", "limits.infinite", sender
        )
    if infinite and not (seconds is None and simulations is None):
        raise RequestError("limits.infinite stands without seconds and simulations", "limits.infinite", sender)
    return Limits(None if seconds is None else float(seconds), simulations, infinite=infinite)


def _lines(data: dict[str, Any], sender: Id) -> int:
    lines = data.get("lines", DEFAULT_LINES)
    if not isinstance(lines, int) or isinstance(lines, bool) or not 1 <= lines <= MAX_LINES:
        raise RequestError(f"lines must be a whole number from 1 to {MAX_LINES}", "lines", sender)
    return lines


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def reply_of(sender: Id, analysis: Analysis, lines: int) -> dict[str, Any]:
    """The reply with an analysis."""
    reply: dict[str, Any] = {
        "id": sender,
        "turn": int(analysis.turn),
        "simulations": analysis.simulations,
        "win": round(analysis.win, 4),
        "points": round(analysis.points, 2),
        "moves": [_move(ranked) for ranked in analysis.lines(lines)],
    }
    if analysis.exact:
        reply["exact"] = True
    if analysis.partial:
        reply["partial"] = True
    return reply


def analysis_of(reply: dict[str, Any], position: Position, limits: Limits) -> Analysis:
    """The analysis of a reply, of which only `moves[0].move` is needed.

    Raises ReplyError where that is missing, and another QuiltworkError where the move is not legal. What is wrong
    in the other fields counts as not said.
    """
    try:
        text = reply["moves"][0]["move"]
    except (KeyError, IndexError, TypeError):
        raise ReplyError("its answer has no moves[0].move") from None
    if not isinstance(text, str):
        raise ReplyError(f"moves[0].move must be a text, not {_kind(text)}")
    first = position.move(text)
    if limits.only and first not in limits.only:
        raise QuiltworkError(f"{text} is none of the moves that were asked for")
    ranked = {first: _ranked(reply["moves"][0], first, position)}
    for told in reply["moves"][1 : limits.lines]:
        with suppress(QuiltworkError, KeyError, TypeError, AttributeError):
            move = position.move(told["move"])
            ranked.setdefault(move, _ranked(told, move, position))
    return Analysis(
        mover_of(position),
        tuple(ranked.values()),
        int(_number(reply, "simulations")),
        exact=reply.get("exact") is True,
        partial=reply.get("partial") is True,
    )


def _ranked(told: dict[str, Any], move: Move, position: Position) -> RankedMove:
    win = min(1.0, max(0.0, _number(told, "win", 0.5)))
    return RankedMove(
        move, int(_number(told, "visits")), win, _number(told, "points"), _line(told, move, position)
    )


def _line(told: dict[str, Any], move: Move, position: Position) -> tuple[Move, ...]:
    """The line as far as it can be played."""
    line = [move]
    texts = told.get("line")
    if isinstance(texts, list):
        with suppress(QuiltworkError, TypeError, AttributeError):
            after = position.play(move)
            for text in texts[1:]:
                line.append(after.move(text))
                after = after.play(line[-1])
    return tuple(line)


def _number(told: dict[str, Any], key: str, default: float = 0.0) -> float:
    value = told.get(key, default)
    return float(value) if _is_number(value) and abs(value) < 1e15 else default


def _move(ranked: RankedMove) -> dict[str, Any]:
    return {
        "move": str(ranked.move),
        "visits": ranked.visits,
        "win": round(ranked.win, 4),
        "points": round(ranked.points, 2),
        "line": [str(move) for move in ranked.line],
    }
