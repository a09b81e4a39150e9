"""The analysis protocol, version 1: one JSON object a line, requests in, replies out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, TypeAlias

from quiltwork.agents.agent import Analysis, Limits, RankedMove, mover_of
from quiltwork.errors import QuiltworkError
from quiltwork.position import Position

DEFAULT_AGENT = "strongest"
DEFAULT_LINES = 3
MAX_LINES = 1000
MAX_SECONDS = 86_400.0

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


def parse_request(line: str | bytes) -> Request | Cancel:
    """The request of a line; raises RequestError."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise RequestError("expected one JSON object a line") from None
    if not isinstance(data, dict):
        raise RequestError(f"expected a JSON object, found {_kind(data)}")
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
    return Request(sender, position, agent, _limits(data.get("limits", {}), sender), _lines(data, sender))


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
    return Limits(None if seconds is None else float(seconds), simulations)


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
        "moves": [_move(ranked) for ranked in analysis.moves[:lines]],
    }
    if analysis.exact:
        reply["exact"] = True
    if analysis.partial:
        reply["partial"] = True
    return reply


def _move(ranked: RankedMove) -> dict[str, Any]:
    return {
        "move": str(ranked.move),
        "visits": ranked.visits,
        "win": round(ranked.win, 4),
        "points": round(ranked.points, 2),
        "line": [str(move) for move in ranked.line],
    }
