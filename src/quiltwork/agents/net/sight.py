"""An edition as the net sees it: each shape in a small window, and the symmetries of the quilt board."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from quiltwork.edition import Edition
from quiltwork.geometry import Cell, Orientation, orient
from quiltwork.rules.layout import MAX_PATCHES, MAX_SHAPES, NOTHING, record_type

WINDOW = 7
"""the side of a shape's window; its corner lies at (1, 1), so that the rim around it shows as well"""

SIGHT = record_type(
    [
        ("cells", np.uint64, (MAX_SHAPES,)),  # the cells of a shape, bit row * WINDOW + column
        ("rim", np.uint64, (MAX_SHAPES,)),  # the neighbours of its cells
        ("height", np.int16, (MAX_SHAPES,)),
        ("width", np.int16, (MAX_SHAPES,)),
        ("drawn", np.uint64, (MAX_PATCHES,)),  # the cells of a patch as drawn
        ("turned", np.int16, (MAX_PATCHES, 8, 8)),  # [patch, symmetry, orientation] the orientation after it
        ("symmetries", np.int16, (8,)),  # those that leave the quilt board as it is, the first `symmetry_count`
        ("symmetry_count", np.int64),
        ("image", np.int16, (8, 81)),  # [symmetry, cell] where a cell comes to lie
        ("circle", np.uint8, (MAX_PATCHES,)),  # the patches that begin in the circle, the start patch last
        ("circle_count", np.int64),
        ("reserve", np.uint8, (MAX_PATCHES,)),
        ("reserve_count", np.int64),
    ]
)
SightRecord: TypeAlias = Any
SightArray: TypeAlias = np.ndarray[tuple[int], np.dtype[np.void]]

SINGLE_CELL = 1 << (WINDOW + 1)
"""the window of a special patch"""
SINGLE_RIM = 1 << 1 | 1 << WINDOW | 1 << (WINDOW + 2) | 1 << (2 * WINDOW + 1)


@lru_cache(maxsize=64)
def sight_of(edition: Edition) -> SightArray:
    """One edition as an array of one record."""
    array = np.zeros(1, SIGHT)
    record = array[0]
    compiled = edition.compiled[0]
    record["turned"] = NOTHING
    for number, patch in enumerate(edition.patches.values()):
        record["drawn"][number] = _window(patch.cells)
        for o in patch.orientations:
            cells = patch.oriented(o)
            shape = compiled["shape_at"][number, o]
            for g in Orientation:
                after = orient(cells, g)
                same = (p for p in patch.orientations if patch.oriented(p) == after)
                record["turned"][number, g, o] = next(same)
            if shape != NOTHING:
                record["cells"][shape] = _window(cells)
                record["rim"][shape] = _window(_rim(cells))
                record["height"][shape] = 1 + max(row for row, _ in cells)
                record["width"][shape] = 1 + max(column for _, column in cells)
    kept = _symmetries(edition)
    record["symmetry_count"] = len(kept)
    record["symmetries"][: len(kept)] = kept
    for symmetry in kept:
        for cell in range(edition.rows * edition.columns):
            row, column = _image(
                Cell(*divmod(cell, edition.columns)), Orientation(symmetry), edition.rows, edition.columns
            )
            record["image"][symmetry, cell] = row * edition.columns + column
    circle = [edition.numbers[code] for code in edition.circle]
    reserve = [edition.numbers[code] for code in edition.reserve]
    record["circle"][: len(circle)] = circle
    record["circle_count"] = len(circle)
    record["reserve"][: len(reserve)] = reserve
    record["reserve_count"] = len(reserve)
    array.flags.writeable = False
    return array


def _window(cells: Sequence[tuple[int, int]]) -> int:
    inside = ((row + 1, column + 1) for row, column in cells)
    return sum(1 << (r * WINDOW + c) for r, c in inside if r < WINDOW and c < WINDOW)


def _rim(cells: Sequence[Cell]) -> list[tuple[int, int]]:
    around = {(r + dr, c + dc) for r, c in cells for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    return sorted(around - set(cells))


def _image(cell: Cell, symmetry: Orientation, rows: int, columns: int) -> tuple[int, int]:
    row, column = cell
    if symmetry >= Orientation.F:
        column = columns - 1 - column
    for _ in range(symmetry % 4):
        row, column = column, rows - 1 - row
        rows, columns = columns, rows
    return row, column


def _symmetries(edition: Edition) -> list[int]:
    """The symmetries that map the quilt board onto itself."""
    spaces = set(edition.spaces)
    found = []
    for g in Orientation:
        if g % 2 and edition.rows != edition.columns:
            continue
        if {_image(cell, g, edition.rows, edition.columns) for cell in spaces} == spaces:
            found.append(int(g))
    return found
