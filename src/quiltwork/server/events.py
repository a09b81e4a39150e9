"""Events: a game is its set-up and the append-only list of what happened at the table.

The version of a game is the number of its events. Nothing is ever changed or removed: a takeback is an event too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quiltwork import Move, Position


class Kind(Enum):
    """What an event tells."""

    MOVE = "move"
    """`move`: notation, the dealing of the reserve included"""
    TAKEBACK = "takeback"
    """`to`: the number of moves that stay"""
    REQUEST = "request"
    """`what`: takeback or rematch; waits for the other player's answer"""
    DECLINE = "decline"
    """the request is refused, or withdrawn by who made it"""
    RESIGN = "resign"
    TIME = "time"
    """the clock of `player` ran out"""
    REMATCH = "rematch"
    """`game`: where the players meet again"""
    NAME = "name"
    """`name`: what the player wants to be called"""
    SEAT = "seat"
    """a seat changed hands: `role`, and `how`: taken or withdrawn"""
    RESTART = "restart"
    """the server came back: the time that it was away costs nobody"""


@dataclass(frozen=True)
class Made:
    """A move that was looked at already, so that it need not be read and played again."""

    before: Position
    move: Move
    after: Position


@dataclass(frozen=True)
class Event:
    """One line of a game's history; `at` is seconds since 1970, `player` 1, 2 or 0 for nobody."""

    kind: Kind
    player: int
    at: float
    body: Mapping[str, Any] = field(default_factory=dict)
    key: str | None = None
    """the idempotency key of the message that caused it"""
    made: Made | None = field(default=None, compare=False, repr=False)
    """for this process alone; it is not stored"""
