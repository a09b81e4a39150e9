"""Laying a patch step by step: turn it, move it, see where it would lie."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from quiltwork.editions import Edition, Patch
from quiltwork.geometry import Cell, Orientation
from quiltwork.move import Move, Placement

_NUDGES = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
_SHORT = {"u": "up", "d": "down", "l": "left", "k": "right", "right": "right"}
_CELL = re.compile(r"([a-i])([1-9])")


@dataclass(frozen=True)
class Lifted:
    """A patch in the hand: how it is turned and where its corner would lie."""

    patch: Patch
    placement: Placement

    def turned(self, edition: Edition) -> Lifted:
        """A quarter turn clockwise."""
        flip, turns = divmod(self.placement.orientation, 4)
        return self._as(edition, Orientation(flip * 4 + (turns + 1) % 4))

    def flipped(self, edition: Edition) -> Lifted:
        """Flipped left-right as it lies: turning back, flipping and turning forth again."""
        flip, turns = divmod(self.placement.orientation, 4)
        return self._as(edition, Orientation((1 - flip) * 4 + -turns % 4))

    def at(self, edition: Edition, cell: Cell) -> Lifted:
        """With its corner on a cell, moved back onto the board where it would hang over."""
        cells = self.patch.oriented(self.placement.orientation)
        row = min(max(cell.row, 0), edition.rows - 1 - max(r for r, _ in cells))
        column = min(max(cell.column, 0), edition.columns - 1 - max(c for _, c in cells))
        return replace(self, placement=Placement(Cell(max(row, 0), max(column, 0)), self.placement.orientation))

    def _as(self, edition: Edition, orientation: Orientation) -> Lifted:
        turned = replace(self, placement=Placement(self.placement.cell, self.patch.canonical(orientation)))
        return turned.at(edition, self.placement.cell)

    @property
    def cells(self) -> tuple[Cell, ...]:
        row, column = self.placement.cell
        return tuple(Cell(row + r, column + c) for r, c in self.patch.oriented(self.placement.orientation))


def changed(lifted: Lifted, edition: Edition, word: str) -> Lifted | None:
    """The patch after one word (`r`, `f`, a cell, or a direction); None if the word says nothing here."""
    if word in ("r", "rotate"):
        return lifted.turned(edition)
    if word in ("f", "flip"):
        return lifted.flipped(edition)
    word = _SHORT.get(word, word)
    if word in _NUDGES:
        (row, column), (down, across) = lifted.placement.cell, _NUDGES[word]
        return lifted.at(edition, Cell(row + down, column + across))
    match = _CELL.fullmatch(word)
    if match is None:
        return None
    return lifted.at(edition, Cell(int(match.group(2)) - 1, ord(match.group(1)) - ord("a")))


HELP = (
    "a cell (d4) puts its corner there; r turns, f flips; up down left right move it (u d l k); "
    "Enter sews where it is legal; x puts it back"
)


def first_place(patch: Patch, moves: tuple[Move, ...]) -> Placement:
    """Where to show a patch first: its first legal place."""
    for move in moves:
        placement = getattr(move, "placement", None)
        if getattr(move, "patch", None) == patch.code and isinstance(placement, Placement):
            return placement
    return Placement(Cell(0, 0))
