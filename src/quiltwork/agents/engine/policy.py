"""A quick player for playouts: what a patch is worth for its price and time, sewn into the first tight place."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from quiltwork.agents.engine.cells import first_cell
from quiltwork.agents.engine.judge import WEIGHTS, quilt_cost
from quiltwork.agents.engine.tables import TablesRecord, signed
from quiltwork.agents.engine.windows import PATTERNS
from quiltwork.rules.bits import ONE, ZERO, count
from quiltwork.rules.chance import SourceRecord, deal_at_random, draw
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import (
    DEAL,
    LAY,
    NOTHING,
    OVER,
    SPECIAL,
    TURN,
    EditionRecord,
    PositionRecord,
    record_type,
)
from quiltwork.rules.quilt import cells_of_shape, empty_spaces, fits, fits_somewhere
from quiltwork.rules.steps import (
    advance,
    advance_distance,
    choice_count,
    lay_patch,
    marks_crossed,
    place_special_patch,
    reserve_enters,
    ring_place,
    take_patch,
)

POLICY = record_type(
    [
        ("judge", WEIGHTS),
        ("windows", np.int16, (PATTERNS,)),  # what a 3x3 window of each pattern adds to the cost, if `wide`
        ("wide", np.int64),  # how many placements are listed for one wanted; compared by windows if above 1
        # worth in sixteenths of a button
        ("space", np.int64),  # a space covered
        ("income", np.int64),  # a button of income at each mark to come
        ("time", np.int64),  # a space on the time board
        ("special", np.int64),  # a special patch reached
        ("noise", np.int64),  # random worth up to this is added in playouts
        ("poverty", np.int64),  # a button spent or received before the last income mark, above its point
    ]
)
PolicyRecord: TypeAlias = Any
_FAR = 1 << 40
_16 = np.uint64(16)
_NOISE_BITS = np.uint64(0xFFFF)


@compiled_inline
def _button(position: PositionRecord, tables: TablesRecord, policy: PolicyRecord, player: int) -> int:
    # A button is a point at the end; before, it also buys.
    marks = tables.income_marks_after[position.space[player]]
    return 16 + policy.poverty * marks // 8


@compiled_inline
def worth_of_advance(
    position: PositionRecord, edition: EditionRecord, tables: TablesRecord, policy: PolicyRecord
) -> int:
    """What the advance is worth to the mover, in sixteenths of a button."""
    distance = advance_distance(position, edition)
    mover = position.turn
    end = position.space[mover] + distance
    worth = distance * (_button(position, tables, policy, mover) - policy.time)
    return worth + policy.special * count(
        marks_crossed(edition.special_patch_marks, position.space[1 - mover], end)
    )


@compiled_inline
def worth_to(
    position: PositionRecord,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    player: int,
    patch: int,
) -> int:
    """What a patch is worth to a player for its price and time, in sixteenths of a button."""
    start = position.space[player]
    end = min(start + edition.time[patch], edition.last_space)
    worth = (
        policy.space * edition.patch_cells[patch]
        + policy.income * edition.income[patch] * tables.income_marks_after[start]
        - _button(position, tables, policy, player) * edition.price[patch]
        - policy.time * (end - start)
    )
    foremost = max(start, position.space[1 - player])
    if end > foremost:
        worth += policy.special * count(marks_crossed(edition.special_patch_marks, foremost, end))
    return worth


@compiled_inline
def worth_of_patch(
    position: PositionRecord, edition: EditionRecord, tables: TablesRecord, policy: PolicyRecord, patch: int
) -> int:
    """What a patch is worth to the mover."""
    return worth_to(position, edition, tables, policy, position.turn, patch)


@compiled_inline
def _first_place(
    position: PositionRecord, edition: EditionRecord, tables: TablesRecord, policy: PolicyRecord, patch: int
) -> Any:
    # The first place of each shape, from the top left; the judge chooses the shape, NOTHING if none fits.
    mover = position.turn
    free_low, free_high = position.free[mover, 0], position.free[mover, 1]
    size = edition.patch_cells[patch]
    best = _FAR
    best_shape, best_cell = signed(NOTHING), signed(0)
    for shape in range(signed(edition.first_shape[patch]), signed(edition.first_shape[patch + 1])):
        low, high = fits(edition, shape, size, free_low, free_high)
        if (low | high) == ZERO:
            continue
        cell = first_cell(low, high)
        covered_low, covered_high = cells_of_shape(edition, shape, cell)
        cost = quilt_cost(free_low & ~covered_low, free_high & ~covered_high, tables, policy.judge)
        if cost < best:
            best = cost
            best_shape = shape
            best_cell = cell
    return best_shape, best_cell


@compiled_inline
def _special_quickly(position: PositionRecord, edition: EditionRecord, tables: TablesRecord) -> None:
    # A space without empty neighbours if there is one, else the first.
    mover = position.turn
    low, high = position.free[mover, 0], position.free[mover, 1]
    if (low | high) == ZERO:
        place_special_patch(position, edition, NOTHING)
        return
    columns, carry, end = tables.columns, tables.carry, np.uint64(63)
    near_low = ((low >> ONE) | (high << end)) & tables.not_last_column[0]
    near_high = (high >> ONE) & tables.not_last_column[1]
    near_low |= (low << ONE) & tables.not_first_column[0]
    near_high |= ((high << ONE) | (low >> end)) & tables.not_first_column[1]
    near_low |= (low >> columns) | (high << carry) | (low << columns)
    near_high |= (high >> columns) | (high << columns) | (low >> carry)
    single_low, single_high = low & ~near_low, high & ~near_high
    if (single_low | single_high) != ZERO:
        low, high = single_low, single_high
    place_special_patch(position, edition, first_cell(low, high))


@compiled_inline
def play_quickly(
    position: PositionRecord,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    noise: int,
    source: SourceRecord,
) -> None:
    """Plays one quick move, or the chance move, in place."""
    if position.phase == TURN:
        _turn_quickly(position, edition, tables, policy, noise, source)
    elif position.phase == SPECIAL:
        _special_quickly(position, edition, tables)
    elif position.phase == LAY:
        shape, cell = _first_place(position, edition, tables, policy, position.held)
        lay_patch(position, edition, position.held, shape, cell)
    elif position.phase == DEAL:
        deal_at_random(position, source)


@compiled_inline
def _turn_quickly(
    position: PositionRecord,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    noise: int,
    source: SourceRecord,
) -> None:
    mover = position.turn
    enters = reserve_enters(position, edition)
    first_bits = draw(source)
    buttons = position.buttons[mover]
    least = worth_of_advance(position, edition, tables, policy)
    least += signed(((first_bits & _NOISE_BITS) * np.uint64(noise)) >> _16)
    refused = 0
    while True:
        best, best_slot, best_patch = signed(least), signed(NOTHING), signed(0)
        bits = first_bits
        for slot in range(choice_count(position, edition)):
            bits >>= np.uint64(12)
            if refused >> slot & 1:
                continue
            patch = position.ring[ring_place(position, slot)]
            if edition.price[patch] > buttons:
                continue
            worth = worth_of_patch(position, edition, tables, policy, patch)
            worth += signed(((bits & _NOISE_BITS) * np.uint64(noise)) >> _16)
            if worth > best:
                best = worth
                best_slot = slot
                best_patch = signed(patch)
        if best_slot == NOTHING:
            advance(position, edition)
            return
        if enters:
            if fits_somewhere(position, edition, mover, best_patch):
                take_patch(position, edition, best_slot)
                return
        elif empty_spaces(position, mover) >= edition.patch_cells[best_patch]:
            shape, cell = _first_place(position, edition, tables, policy, best_patch)
            if shape != NOTHING:
                take_patch(position, edition, best_slot)
                lay_patch(position, edition, best_patch, shape, cell)
                return
        refused |= 1 << best_slot


@compiled
def quick_playout(
    position: PositionRecord,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    noise: int,
    source: SourceRecord,
) -> int:
    """Plays quick moves to the end of the game, in place; returns how many."""
    plies = 0
    while position.phase != OVER:
        play_quickly(position, edition, tables, policy, noise, source)
        plies += 1
    return plies


@compiled
def quick_games(start: Any, edition: Any, tables: Any, policy: Any, source: Any, games: int) -> int:
    """Plays quick games from copies of `start[0]`, for measuring; returns the plies of all."""
    work = start.copy()
    plies = 0
    for _ in range(games):
        work[0] = start[0]
        plies += quick_playout(work[0], edition[0], tables[0], policy[0], policy[0].noise, source[0])
    return plies
