"""Cells of a quilt board and the eight ways to turn a patch."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class Cell(NamedTuple):
    """A cell of a quilt board, counted from 0; `a1` is the top left one."""

    row: int
    """from 0, at the top"""
    column: int
    """from 0, at the left"""

    def __str__(self) -> str:
        if not 0 <= self.column < 26 or self.row < 0:
            return f"(row {self.row}, column {self.column})"  # on no board, so without a name
        return f"{chr(ord('a') + self.column)}{self.row + 1}"


class Orientation(IntEnum):
    """How a patch is turned: flipped left-right first (F), then clockwise quarter turns (R1 to R3).

    The order is the order in which names are preferred where several give the same cells.
    """

    PLAIN = 0
    """as the edition draws it"""
    R1 = 1
    """a quarter turn clockwise"""
    R2 = 2
    """a half turn"""
    R3 = 3
    """a quarter turn anticlockwise"""
    F = 4
    """flipped left-right"""
    FR1 = 5
    """flipped, then a quarter turn clockwise"""
    FR2 = 6
    """flipped, then a half turn"""
    FR3 = 7
    """flipped, then a quarter turn anticlockwise"""

    def __str__(self) -> str:
        return _NAMES[self]


_NAMES = ("", "r1", "r2", "r3", "f", "fr1", "fr2", "fr3")
ORIENTATION_OF_NAME = {name: Orientation(index) for index, name in enumerate(_NAMES)}


def orient(cells: tuple[Cell, ...], orientation: Orientation) -> tuple[Cell, ...]:
    """The cells turned, moved to the top left corner of their bounding box, in reading order."""
    if orientation >= Orientation.F:
        cells = tuple(Cell(row, -column) for row, column in cells)
    for _ in range(orientation % 4):
        cells = tuple(Cell(column, -row) for row, column in cells)
    top = min(row for row, _ in cells)
    left = min(column for _, column in cells)
    return tuple(sorted(Cell(row - top, column - left) for row, column in cells))


def cells_of_drawing(rows: tuple[str, ...]) -> tuple[Cell, ...]:
    """The cells that a drawing marks with `#`, in reading order."""
    return tuple(Cell(r, c) for r, line in enumerate(rows) for c, mark in enumerate(line) if mark == "#")
