"""Seats: whose token is good for each seat of a game.

A seat's generation is the number of times that it changed hands: an invitation was taken, an untaken one was taken
back, or a player moved to another device. Only tokens of the newest generation are good.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from quiltwork.server.answers import Refusal
from quiltwork.server.events import Event, Kind
from quiltwork.server.tokens import Pass, Role

_HANDS = 999


@dataclass
class Seats:
    """The generations of a game's seats, as its events add up to."""

    _generations: Counter[Role] = field(default_factory=Counter)
    _taken: set[Role] = field(default_factory=set)
    _given: dict[str, tuple[Role, int]] = field(default_factory=dict)
    """the seat and generation that an invitation led to, by the key of who took it"""

    def generation(self, role: Role) -> int:
        return self._generations[role]

    def is_taken(self, player: int) -> bool:
        """Whether a player came by an invitation."""
        return any(player in role.seats for role in self._taken)

    def admits(self, role: Role, generation: int) -> bool:
        """Whether a token of this generation is good."""
        return self._generations[role] == generation

    def check(self, shown: Pass) -> None:
        """Raises Refusal where a token is good for nothing but an invitation, or no longer."""
        if shown.invites:
            raise Refusal("invitation", "Take the seat of this invitation first.", 403)
        if not self.admits(shown.role, shown.generation):
            raise Refusal("seat-moved", "This seat has moved to another device.", 403)

    def given(self, shown: Pass, key: str) -> Pass | None:
        """What the same visitor was given for the invitation before, if that is still good."""
        mine = Pass(shown.game, shown.role, shown.generation + 1)
        same = self._given.get(key) == (mine.role, mine.generation)
        return mine if same and self.admits(mine.role, mine.generation) else None

    def take(self, shown: Pass, key: str, at: float) -> Event:
        """What happens when an invitation is taken."""
        if not self.admits(shown.role, shown.generation):
            raise Refusal("seat-taken", "This invitation has been used.", 403)
        return self._change(shown.role, "taken", key, at)

    def withdraw(self, role: Role, key: str, at: float) -> Event:
        """What happens when the creator takes an invitation back."""
        return self._change(role, "withdrawn", key, at)

    def _change(self, role: Role, how: str, key: str, at: float) -> Event:
        if self._generations[role] >= _HANDS:
            raise Refusal("too-many", "This seat has changed hands too often.", 429)
        return Event(Kind.SEAT, 0, at, {"role": role.value, "how": how}, key)

    def apply(self, event: Event) -> None:
        role = Role(event.body["role"])
        self._generations[role] += 1
        if event.body["how"] == "taken":
            self._taken.add(role)
            self._given[event.key or ""] = (role, self._generations[role])
