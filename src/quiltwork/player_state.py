"""One player's side of a position, read from the kernel's record when it is asked for."""

from __future__ import annotations

from collections.abc import Callable

from quiltwork.editions import Edition
from quiltwork.geometry import Cell
from quiltwork.kernel_record import cells_of_words
from quiltwork.move import LayPatch, PlaceSpecialPatch, Player
from quiltwork.position_setup import Setup
from quiltwork.rules import layout


class PlayerState:
    """One player's side of a position; its figures cost no more than a look into the record."""

    __slots__ = ("_edition", "_index", "_record", "_setup")

    def __init__(
        self, edition: Edition, record: layout.PositionArray, player: Player, setup: Callable[[], Setup]
    ) -> None:
        self._edition = edition
        self._record = record
        self._index = player - 1
        self._setup = setup

    @property
    def space(self) -> int:
        """The space of the time board on which the time token stands."""
        return int(self._record["space"][0, self._index])

    @property
    def buttons(self) -> int:
        """The buttons in the purse, those on the quilt not counted."""
        return int(self._record["buttons"][0, self._index])

    @property
    def income(self) -> int:
        """The buttons on the quilt: what each income space passed brings."""
        return int(self._record["income"][0, self._index])

    @property
    def empty_spaces(self) -> int:
        """The spaces of the quilt board on which nothing lies."""
        low, high = self._record["free"][0, self._index].tolist()
        return int(low.bit_count() + high.bit_count())

    @property
    def covered(self) -> frozenset[Cell]:
        """The cells of the quilt board on which something lies."""
        empty = cells_of_words(self._edition, self._record["free"][0, self._index])
        return frozenset(self._edition.spaces).difference(empty)

    @property
    def placements(self) -> tuple[LayPatch | PlaceSpecialPatch, ...]:
        """What lies on the quilt, sorted as text."""
        quilt = self._setup().players[self._index].quilt
        laid: list[LayPatch | PlaceSpecialPatch] = [LayPatch(code, where) for code, where in quilt.patches]
        return tuple(sorted([*laid, *map(PlaceSpecialPatch, quilt.special)], key=str))

    @property
    def _value(self) -> tuple[object, ...]:
        return self.space, self.buttons, self.income, self.empty_spaces, self.placements

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlayerState) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __repr__(self) -> str:
        return (
            f"PlayerState(space={self.space}, buttons={self.buttons}, income={self.income},"
            f" empty_spaces={self.empty_spaces}, placements={self.placements!r})"
        )
