"""The cost of a quilt: how well its empty spaces can still be filled, from patterns of 2x2 windows.

All windows are looked at together by shifting the words of the empty spaces. The cost of a quilt is
a weighted count; less is better, and only differences between quilts of equal size mean something.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from quiltwork.agents.heuristics.tables import TablesRecord
from quiltwork.rules.bits import ONE, count
from quiltwork.rules.compiler import compiled_inline
from quiltwork.rules.record import Int64


@dataclass(frozen=True)
class QuiltWeights:
    """What each pattern adds to the cost of a quilt, fitted by games; also the type of their record."""

    pair: Int64 = -60  # two empty spaces side by side
    square: Int64 = 32  # a 2x2 window that is empty
    corner: Int64 = -10  # a 2x2 window with three empty spaces
    diagonal_pair: Int64 = 5  # a 2x2 window with two empty spaces that only touch at a corner
    row: Int64 = -5  # three empty spaces in a line


_63 = np.uint64(63)


@compiled_inline
def quilt_cost(low: Any, high: Any, tables: TablesRecord, weights: QuiltWeights) -> int:
    """The cost of a quilt whose empty spaces are given."""
    columns, carry = tables.columns, tables.carry
    right_low = ((low >> ONE) | (high << _63)) & tables.not_last_column[0]
    right_high = (high >> ONE) & tables.not_last_column[1]
    left_low = (low << ONE) & tables.not_first_column[0]
    left_high = ((high << ONE) | (low >> _63)) & tables.not_first_column[1]
    down_low = (low >> columns) | (high << carry)
    down_high = high >> columns
    up_low = low << columns
    up_high = (high << columns) | (low >> carry)
    across_low = (right_low >> columns) | (right_high << carry)
    across_high = right_high >> columns
    pairs = count(low & right_low) + count(high & right_high) + count(low & down_low) + count(high & down_high)
    both_low, both_high = right_low & down_low, right_high & down_high
    one_low, one_high = right_low ^ down_low, right_high ^ down_high
    ends_low, ends_high = low & across_low, high & across_high
    end_low, end_high = low ^ across_low, high ^ across_high
    squares = count(both_low & ends_low) + count(both_high & ends_high)
    corners = count((both_low & end_low) | (one_low & ends_low)) + count(
        (both_high & end_high) | (one_high & ends_high)
    )
    diagonals = count((both_low & ~(low | across_low)) | (ends_low & ~(right_low | down_low))) + count(
        (both_high & ~(high | across_high)) | (ends_high & ~(right_high | down_high))
    )
    row_low, row_high = left_low & right_low, left_high & right_high
    column_low, column_high = up_low & down_low, up_high & down_high
    rows = count(low & row_low) + count(high & row_high) + count(low & column_low) + count(high & column_high)
    return (
        weights.pair * pairs
        + weights.square * squares
        + weights.corner * corners
        + weights.diagonal_pair * diagonals
        + weights.row * rows
    )
