"""A quilt as a bag of 3x3 windows: which patterns of empty spaces it has, wherever they lie and however turned.

What lies beyond the board counts as covered. There are 512 patterns, and 102 when those are one that a turn or a
reflection makes equal; the first is the window without any empty space, which is not counted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.rules.bits import ONE, ZERO
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import EditionRecord

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


@compiled_inline
def _row_of(low: Any, high: Any, row: int, columns: int) -> Any:
    """The bits of one row, at bit 1 and further, so that a window can begin left of the board."""
    start = row * columns
    if start >= 64:
        bits = high >> np.uint64(start - 64)
    else:
        bits = low >> np.uint64(start)
        if start + columns > 64:
            bits |= high << np.uint64(64 - start)
    return (bits & ((ONE << np.uint64(columns)) - ONE)) << ONE


@compiled_inline
def _pattern_at(above: Any, row: Any, below: Any, column: int) -> int:
    """The pattern of the window around a cell of the middle one of three rows."""
    c, seven = np.uint64(column), np.uint64(7)
    return np.int64(  # type: ignore[return-value]
        (above >> c & seven) | (row >> c & seven) << np.uint64(3) | (below >> c & seven) << np.uint64(6)
    )


@compiled
def count_windows(low: Any, high: Any, edition: EditionRecord, counts: Any) -> None:
    """Counts the windows of each kind around the cells of a quilt whose empty spaces are given."""
    for kind in range(KINDS):
        counts[kind] = 0
    above, row = ZERO, _row_of(low, high, 0, edition.columns)
    for r in range(edition.rows):
        below = _row_of(low, high, r + 1, edition.columns) if r + 1 < edition.rows else ZERO
        if (above | row | below) != ZERO:
            for c in range(edition.columns):
                counts[KIND_OF_PATTERN[_pattern_at(above, row, below, c)]] += 1
        above, row = row, below
    counts[0] = 0
