"""Can a quilt still be finished: an exact cover of its empty spaces by patches and special patches."""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.agents.heuristics.tables import signed
from quiltwork.rules.bits import ONE, ZERO, bit, count, first_cell, lowest
from quiltwork.rules.compiler import compiled
from quiltwork.rules.quilt import cells_of_shape, single_cell

FOUND, IMPOSSIBLE, GIVEN_UP = 1, 0, -1
SPECIAL = -1
MAX_LAID = 96


@compiled
def cover_exactly(free: Any, edition: Any, patches: Any, special: int, left: int, limit: int, laid: Any) -> Any:
    """Fills the empty spaces `free` (two words) with some of the patches and at most `special` special patches.

    All patches but the one with the most time must be paid for within `left` spaces, less one for that one.
    Writes shape and first cell of each patch (SPECIAL and the cell for a special patch) to `laid`; returns
    whether it is FOUND, IMPOSSIBLE, or GIVEN_UP after `limit` steps, and how many were laid.
    """
    record = edition[0]
    low = np.empty(MAX_LAID, np.uint64)
    high = np.empty(MAX_LAID, np.uint64)
    unused = np.empty(MAX_LAID, np.uint64)
    singles = np.empty(MAX_LAID, np.int64)
    time = np.empty(MAX_LAID, np.int64)
    longest = np.empty(MAX_LAID, np.int64)
    shape = np.empty(MAX_LAID, np.int64)
    low[0], high[0], unused[0] = free[0], free[1], patches
    singles[0], time[0], longest[0], shape[0] = special, 0, 0, 0
    patch_of = np.empty(record.shape_count + 1, np.int64)
    for patch in range(record.patch_count):
        for one in range(signed(record.first_shape[patch]), signed(record.first_shape[patch + 1])):
            patch_of[one] = patch
    depth = 0
    steps = 0
    while depth >= 0:
        if low[depth] | high[depth] == ZERO:
            return FOUND, depth
        steps += 1
        if steps > limit:
            return GIVEN_UP, 0
        cell = first_cell(low[depth], high[depth])
        at_low, at_high = single_cell(cell)
        found = False
        # The first empty space must be the first cell of whatever covers it.
        while shape[depth] < record.shape_count and not found:
            one = shape[depth]
            shape[depth] += 1
            patch = patch_of[one]
            if unused[depth] & bit(patch) == ZERO:
                continue
            if (record.starts[one, 0] & at_low) | (record.starts[one, 1] & at_high) == ZERO:
                continue
            covered_low, covered_high = cells_of_shape(record, one, cell)
            if (covered_low & ~low[depth]) | (covered_high & ~high[depth]) != ZERO:
                continue
            needed = time[depth] + signed(record.time[patch])
            most = max(longest[depth], signed(record.time[patch]))
            if needed - most >= left:
                continue
            found = True
            laid[depth, 0], laid[depth, 1] = one, cell
            low[depth + 1] = low[depth] & ~covered_low
            high[depth + 1] = high[depth] & ~covered_high
            unused[depth + 1] = unused[depth] ^ bit(patch)
            singles[depth + 1], time[depth + 1], longest[depth + 1] = singles[depth], needed, most
        if not found and shape[depth] == record.shape_count:
            shape[depth] += 1
            if singles[depth] > 0:
                found = True
                laid[depth, 0], laid[depth, 1] = SPECIAL, cell
                low[depth + 1] = low[depth] & ~at_low
                high[depth + 1] = high[depth] & ~at_high
                unused[depth + 1] = unused[depth]
                singles[depth + 1] = singles[depth] - 1
                time[depth + 1], longest[depth + 1] = time[depth], longest[depth]
        if not found:
            depth -= 1
            continue
        depth += 1
        shape[depth] = 0
        if _too_large(low[depth], high[depth], unused[depth], singles[depth], record):
            depth -= 1
    return IMPOSSIBLE, 0


@compiled
def _too_large(low: Any, high: Any, unused: Any, singles: int, record: Any) -> bool:
    """Whether all that is unused together is too small for the empty spaces."""
    area = singles
    while unused != ZERO:
        area += signed(record.patch_cells[lowest(unused)])
        unused &= unused - ONE
    return count(low) + count(high) > area
