"""A quilt as a bag of 3x3 windows: which patterns of empty spaces it has, wherever they lie and however turned.

What lies beyond the board counts as covered. There are 512 patterns, and 102 when those are one that a turn or a
reflection makes equal; the first is the window without any empty space, which is not counted.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from quiltwork.rules.bits import ONE, WORD, ZERO
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import MAX_SIDE, EditionRecord
from quiltwork.rules.record import Int64s, Words

PATTERNS = 512


def _kinds() -> np.ndarray[Any, Any]:
    """The kind of every pattern; equal for patterns that are images of each other."""
    cells = np.arange(9).reshape(3, 3)
    images = [np.rot90(flipped, turns).ravel() for flipped in (cells, cells.T) for turns in range(4)]
    patterns = np.arange(PATTERNS)
    turned = np.array([np.sum([(patterns >> image[i] & 1) << i for i in range(9)], axis=0) for image in images])
    least = turned.min(axis=0)
    return np.searchsorted(np.unique(least), least)


KIND_OF_PATTERN = _kinds().astype(np.uint8)
KINDS = 104
"""rounded up to a multiple of four"""


class UnfoldedRecord:
    """A quilt taken apart into rows."""

    rows: Annotated[Words, MAX_SIDE]  # each with its neighbours, column by column
    cost: Annotated[Int64s, MAX_SIDE]  # of the windows around the cells of a row


@compiled_inline
def _row_of(low: Any, high: Any, row: int, columns: int) -> Any:
    """The bits of one row, three apart, with a column left free before the first."""
    start = row * columns
    if start >= 64:
        bits = high >> np.uint64(start - 64)
    else:
        bits = low >> np.uint64(start)
        if start + columns > 64:
            bits |= high << np.uint64(64 - start)
    return _spread(bits & ((ONE << np.uint64(columns)) - ONE))


@compiled_inline
def _spread(bits: Any) -> Any:
    """At most sixteen bits, three apart, from the third on."""
    bits = (bits | bits << np.uint64(16)) & np.uint64(0x0000FF0000FF)
    bits = (bits | bits << np.uint64(8)) & np.uint64(0x00F00F00F00F)
    bits = (bits | bits << np.uint64(4)) & np.uint64(0x0C30C30C30C3)
    return ((bits | bits << np.uint64(2)) & np.uint64(0x249249249249)) << np.uint64(3)


@compiled_inline
def _pattern_at(three: Any, column: int) -> int:
    """The pattern of the window around a cell of the middle one of three rows, column by column."""
    return np.int64(three >> np.uint64(3 * column) & np.uint64(511))  # type: ignore[return-value]


@compiled_inline
def _three(above: Any, row: Any, below: Any) -> Any:
    """Three rows in one word, column by column."""
    return above | row << ONE | below << np.uint64(2)


@compiled
def count_windows(low: Any, high: Any, edition: EditionRecord, counts: Any) -> None:
    """Counts the windows of each kind around the cells of a quilt whose empty spaces are given."""
    for kind in range(KINDS):
        counts[kind] = 0
    above, row = ZERO, _row_of(low, high, 0, edition.columns)
    for r in range(edition.rows):
        below = _row_of(low, high, r + 1, edition.columns) if r + 1 < edition.rows else ZERO
        three = _three(above, row, below)
        if three != ZERO:
            for c in range(edition.columns):
                counts[KIND_OF_PATTERN[_pattern_at(three, c)]] += 1
        above, row = row, below
    counts[0] = 0


@compiled_inline
def _cost_of_row(three: Any, columns: int, costs: Any) -> int:
    cost = 0
    for c in range(columns):
        cost += costs[_pattern_at(three, c)]
    return cost


@compiled
def unfold(low: Any, high: Any, edition: EditionRecord, costs: Any, quilt: UnfoldedRecord) -> None:
    """Writes the rows of a quilt, and what the windows around their cells cost."""
    above, row = ZERO, _row_of(low, high, 0, edition.columns)
    for r in range(edition.rows):
        below = _row_of(low, high, r + 1, edition.columns) if r + 1 < edition.rows else ZERO
        quilt.rows[r] = _three(above, row, below)
        quilt.cost[r] = _cost_of_row(quilt.rows[r], edition.columns, costs)
        above, row = row, below


@compiled
def change_of_cost(low: Any, high: Any, edition: EditionRecord, costs: Any, quilt: UnfoldedRecord) -> int:
    """By how much the windows of an unfolded quilt cost more when the cells that are given are covered."""
    change = 0
    columns = np.uint64(edition.columns)
    mask = (ONE << columns) - ONE
    above, row = ZERO, _spread(low & mask)
    for r in range(edition.rows):
        low = low >> columns | high << (WORD - columns)
        high >>= columns
        below = _spread(low & mask) if low & mask != ZERO else ZERO
        covered = _three(above, row, below)
        if covered != ZERO:
            change += _cost_of_row(quilt.rows[r] ^ covered, edition.columns, costs) - quilt.cost[r]
        above, row = row, below
    return change
