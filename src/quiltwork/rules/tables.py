"""Compiles an edition's data into the record that the kernel reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from quiltwork.rules.layout import EDITION, NO_RESERVE, NOTHING, EditionArray


@dataclass(frozen=True)
class PatchData:
    """A patch as plain numbers; each canonical orientation has its number and its cells (row, column)."""

    buttons: int
    time: int
    income: int
    reserve: bool
    orientations: Sequence[tuple[int, Sequence[tuple[int, int]]]]


def compile_edition(
    *,
    board: Sequence[str],
    points_per_empty_space: int,
    last_space: int,
    income_spaces: Sequence[int],
    special_patch_spaces: Sequence[int],
    special_patch_may_be_removed: bool,
    tile_square: int,
    tile_points: int,
    choices: int,
    reserve_enters_when_left: int | None,
    start_buttons: int,
    patches: Sequence[PatchData],
) -> EditionArray:
    """One edition as an array of one record, ready for the kernel."""
    rows, columns = len(board), len(board[0])
    spaces = sum(1 << (r * columns + c) for r in range(rows) for c in range(columns) if board[r][c] == "#")
    array = np.zeros(1, EDITION)
    record = array[0]
    record["board"] = _words(spaces)
    record["income_marks"] = sum(1 << space for space in income_spaces)
    record["special_patch_marks"] = sum(1 << space for space in special_patch_spaces)
    record["rows"], record["columns"], record["cells"] = rows, columns, rows * columns
    record["last_space"] = last_space
    record["start_buttons"] = start_buttons
    record["points_per_empty_space"] = points_per_empty_space
    record["may_remove_special_patch"] = special_patch_may_be_removed
    record["choices"] = choices
    record["reserve_enters_when_left"] = (
        NO_RESERVE if reserve_enters_when_left is None else reserve_enters_when_left
    )
    record["tile_square"], record["tile_points"] = tile_square, tile_points
    squares = _squares(tile_square, rows, columns, spaces)
    record["square_count"] = len(squares)
    for number, square in enumerate(squares):
        record["squares"][number] = _words(square)
    record["patch_count"] = len(patches)
    record["shape_at"] = NOTHING
    shape = 0
    for number, patch in enumerate(patches):
        record["price"][number] = patch.buttons
        record["time"][number] = patch.time
        record["income"][number] = patch.income
        record["patch_cells"][number] = len(patch.orientations[0][1])
        record["first_shape"][number] = shape
        for orientation, cells in patch.orientations:
            # A shape that is larger than the board, or hits a hole everywhere, is left out.
            if _compile_shape(record, shape, cells, rows, columns, spaces):
                record["orientation"][shape] = orientation
                record["shape_at"][number, orientation] = shape
                shape += 1
    record["first_shape"][len(patches) :] = shape
    record["shape_count"] = shape
    array.flags.writeable = False
    return array


def _compile_shape(
    record: np.void, shape: int, cells: Sequence[tuple[int, int]], rows: int, columns: int, spaces: int
) -> bool:
    height = 1 + max(row for row, _ in cells)
    width = 1 + max(column for _, column in cells)
    indent = cells[0][1]
    offsets = [row * columns + column - indent for row, column in cells]
    if width > columns:
        return False
    mask = sum(1 << offset for offset in offsets)
    starts = 0
    for row in range(rows - height + 1):
        for column in range(columns - width + 1):
            start = row * columns + column + indent
            if (mask << start) & ~spaces == 0:
                starts |= 1 << start
    if starts == 0:
        return False
    record["starts"][shape] = _words(starts)
    record["mask"][shape] = _words(mask)
    steps = [after - before for before, after in pairwise(offsets)]
    record["step"][shape, : len(steps)] = steps[::-1]
    record["carry"][shape] = 64 - record["step"][shape]
    record["indent"][shape] = indent
    return True


def _squares(side: int, rows: int, columns: int, spaces: int) -> list[int]:
    """The squares of that side that consist of spaces of the quilt board."""
    if side == 0:
        return []
    squares = [
        sum(1 << ((top + r) * columns + left + c) for r in range(side) for c in range(side))
        for top in range(rows - side + 1)
        for left in range(columns - side + 1)
    ]
    return [square for square in squares if square & ~spaces == 0]


def _words(bits: int) -> tuple[int, int]:
    return bits & 0xFFFF_FFFF_FFFF_FFFF, bits >> 64
