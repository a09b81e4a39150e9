"""Where a patch is laid: its tightest placements on a quilt, the best of them compared by 3x3 windows."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from quiltwork.agents.heuristics.economy import ContextRecord
from quiltwork.agents.heuristics.quilt_cost import quilt_cost
from quiltwork.agents.heuristics.tables import TablesRecord, signed
from quiltwork.agents.heuristics.windows import UnfoldedRecord, change_of_cost, unfold
from quiltwork.rules.bits import ONE, ZERO, contains, take_first
from quiltwork.rules.chance import mix
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.quilt import cells_of_shape, fits, single_cell
from quiltwork.rules.record import Int16, Int16s, Int32s, Int64, Int64s, Records, Word, Words

MAX_PLACEMENTS = 64
CACHED = 4
"""placements of a patch on a quilt that the cache holds"""
_BITS = 10
_SHIFT = np.uint64(64 - _BITS)


class CachedRecord:
    """The best placements of a patch on a quilt."""

    key: Word  # of the quilt and the patch, 0 if there is none yet
    limit: Int16
    count: Int16
    place: Annotated[Int16s, CACHED]
    cost: Annotated[Int32s, CACHED]


class PlacementsRecord:
    """The placements of one patch, best first, and a cache of those found before, for one context."""

    # a place is orientation * cells + corner
    count: Int64
    cost: Annotated[Int64s, MAX_PLACEMENTS]
    place: Annotated[Int64s, MAX_PLACEMENTS]
    low: Annotated[Words, MAX_PLACEMENTS]
    high: Annotated[Words, MAX_PLACEMENTS]
    symmetry: Annotated[Int64s, 7]  # whether the quilt has that symmetry of the board
    symmetric: Int64
    quilt: UnfoldedRecord
    cache: Annotated[Records[CachedRecord], 1 << _BITS]  # direct-mapped, keyed by quilt and patch


@compiled_inline
def _find_symmetries(free_low: Any, free_high: Any, context: ContextRecord, placements: PlacementsRecord) -> None:
    # A quilt with a symmetry is rare: most are found out at the first few covered spaces.
    board, tables = context.edition.board, context.tables
    placements.symmetric = 0
    for symmetry in range(tables.symmetries):
        low, high = free_low ^ board[0], free_high ^ board[1]
        same = 1
        while same and (low | high) != ZERO:
            cell, low, high = take_first(low, high)
            if contains(free_low, free_high, tables.image[symmetry, cell]):
                same = 0
        placements.symmetry[symmetry] = same
        placements.symmetric |= same


@compiled_inline
def _image(low: Any, high: Any, symmetry: int, tables: TablesRecord) -> Any:
    image_low, image_high = ZERO, ZERO
    while (low | high) != ZERO:
        cell, low, high = take_first(low, high)
        one_low, one_high = single_cell(tables.image[symmetry, cell])
        image_low |= one_low
        image_high |= one_high
    return image_low, image_high


@compiled
def _seen(low: Any, high: Any, cost: int, tables: TablesRecord, placements: PlacementsRecord) -> bool:
    """Whether a placement is the image of one that is listed."""
    for symmetry in range(tables.symmetries):
        if placements.symmetry[symmetry]:
            image_low, image_high = _image(low, high, symmetry, tables)
            for i in range(placements.count):
                if (
                    placements.cost[i] == cost
                    and placements.low[i] == image_low
                    and placements.high[i] == image_high
                ):
                    return True
    return False


@compiled_inline
def _offer(
    low: Any, high: Any, cost: int, place: int, limit: int, tables: TablesRecord, placements: PlacementsRecord
) -> None:
    count = placements.count
    if count == limit and cost >= placements.cost[count - 1]:
        return
    if placements.symmetric and _seen(low, high, cost, tables, placements):
        return
    _insert(low, high, cost, place, count if count < limit else limit - 1, placements)
    if count < limit:
        placements.count = count + 1


@compiled_inline
def _insert(low: Any, high: Any, cost: int, place: int, i: int, placements: PlacementsRecord) -> None:
    """Puts a placement among the first `i`, which are in order; what was at `i` is lost."""
    while i > 0 and placements.cost[i - 1] > cost:
        placements.cost[i] = placements.cost[i - 1]
        placements.place[i] = placements.place[i - 1]
        placements.low[i] = placements.low[i - 1]
        placements.high[i] = placements.high[i - 1]
        i -= 1
    placements.cost[i] = cost
    placements.place[i] = place
    placements.low[i] = low
    placements.high[i] = high


@compiled_inline
def _compare_by_windows(
    free_low: Any, free_high: Any, context: ContextRecord, limit: int, placements: PlacementsRecord
) -> None:
    """Puts the placements of a shortlist in the order of what their windows cost, and keeps `limit`."""
    edition, windows = context.edition, context.heuristics.windows
    if context.heuristics.shortlist == 1:
        return
    unfold(free_low, free_high, edition, windows, placements.quilt)
    for i in range(placements.count):
        low, high = placements.low[i], placements.high[i]
        change = change_of_cost(low, high, edition, windows, placements.quilt)
        _insert(low, high, placements.cost[i] + change, placements.place[i], i, placements)
    placements.count = min(placements.count, limit)


@compiled
def _tightest_placements(
    free_low: Any, free_high: Any, context: ContextRecord, patch: int, limit: int, placements: PlacementsRecord
) -> None:
    """Lists at most `limit` placements of a patch on the empty spaces, the least cost first.

    Of placements that a symmetry of the quilt makes equal one is listed.
    """
    edition, tables, weights = context.edition, context.tables, context.heuristics.quilt
    placements.count = 0
    _find_symmetries(free_low, free_high, context, placements)
    size = edition.patch_cells[patch]
    for shape in range(signed(edition.first_shape[patch]), signed(edition.first_shape[patch + 1])):
        low, high = fits(edition, shape, size, free_low, free_high)
        base = edition.orientation[shape] * edition.cells - edition.indent[shape]
        while (low | high) != ZERO:
            cell, low, high = take_first(low, high)
            covered_low, covered_high = cells_of_shape(edition, shape, cell)
            cost = quilt_cost(free_low & ~covered_low, free_high & ~covered_high, tables, weights)
            _offer(covered_low, covered_high, cost, base + cell, limit, tables, placements)


@compiled
def best_cells(
    free_low: Any, free_high: Any, context: ContextRecord, limit: int, placements: PlacementsRecord
) -> None:
    """Lists the `limit` best cells for a special patch; a place is the cell."""
    tables, weights = context.tables, context.heuristics.quilt
    listed = min(MAX_PLACEMENTS, context.heuristics.shortlist * limit)
    placements.count = 0
    _find_symmetries(free_low, free_high, context, placements)
    low, high = free_low, free_high
    while (low | high) != ZERO:
        cell, low, high = take_first(low, high)
        covered_low, covered_high = single_cell(cell)
        cost = quilt_cost(free_low & ~covered_low, free_high & ~covered_high, tables, weights)
        _offer(covered_low, covered_high, cost, cell, listed, tables, placements)
    _compare_by_windows(free_low, free_high, context, limit, placements)


@compiled
def best_placements(
    free_low: Any, free_high: Any, context: ContextRecord, patch: int, limit: int, placements: PlacementsRecord
) -> None:
    """Lists the `limit` best placements of a patch, from the cache where it holds as many.

    What fits into the cache is always made from the same shortlist, whatever the limit.
    """
    key = mix(mix(mix(free_low) ^ free_high) + np.uint64(patch)) | ONE
    entry = placements.cache[np.int64(key >> _SHIFT)]
    if entry.key == key and entry.limit >= limit:
        placements.count = min(limit, entry.count)
        for i in range(placements.count):
            placements.place[i], placements.cost[i] = entry.place[i], entry.cost[i]
        return
    shortlist = context.heuristics.shortlist
    wanted, listed = limit, shortlist * limit
    if limit <= CACHED and shortlist > 1:
        wanted, listed = CACHED, max(shortlist, CACHED)
    _tightest_placements(free_low, free_high, context, patch, min(MAX_PLACEMENTS, listed), placements)
    _compare_by_windows(free_low, free_high, context, wanted, placements)
    if wanted <= CACHED:
        entry.key, entry.limit, entry.count = key, wanted, placements.count
        for i in range(placements.count):
            entry.place[i], entry.cost[i] = placements.place[i], placements.cost[i]
    placements.count = min(limit, placements.count)
