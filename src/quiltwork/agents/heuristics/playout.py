"""A quick player for playouts: the patch of the best worth plus noise, in the first tight place."""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.agents.heuristics.economy import ContextRecord, worth_of_advance, worth_of_patch
from quiltwork.agents.heuristics.quilt_cost import quilt_cost
from quiltwork.agents.heuristics.tables import TablesRecord, signed
from quiltwork.rules.bits import ONE, ZERO, first_cell
from quiltwork.rules.chance import SourceRecord, deal_at_random, draw
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import DEAL, LAY, NOTHING, OVER, SPECIAL, TURN, EditionRecord, PositionRecord
from quiltwork.rules.quilt import cells_of_shape, empty_spaces, fits, fits_somewhere
from quiltwork.rules.steps import (
    advance,
    choice_count,
    lay_patch,
    place_special_patch,
    reserve_enters,
    ring_place,
    take_patch,
)

_FAR = 1 << 40
_16 = np.uint64(16)
_NOISE_BITS = np.uint64(0xFFFF)


@compiled_inline
def _first_place(position: PositionRecord, context: ContextRecord, patch: int) -> Any:
    # The first place of each shape, from the top left; the cost chooses the shape, NOTHING if none fits.
    edition = context.edition
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
        cost = quilt_cost(
            free_low & ~covered_low, free_high & ~covered_high, context.tables, context.heuristics.quilt
        )
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
def play_quickly(position: PositionRecord, context: ContextRecord, noise: int, source: SourceRecord) -> None:
    """Plays one quick move, or the chance move, in place."""
    if position.phase == TURN:
        _turn_quickly(position, context, noise, source)
    elif position.phase == SPECIAL:
        _special_quickly(position, context.edition, context.tables)
    elif position.phase == LAY:
        shape, cell = _first_place(position, context, position.held)
        lay_patch(position, context.edition, position.held, shape, cell)
    elif position.phase == DEAL:
        deal_at_random(position, source)


@compiled_inline
def _turn_quickly(position: PositionRecord, context: ContextRecord, noise: int, source: SourceRecord) -> None:
    edition = context.edition
    mover = position.turn
    enters = reserve_enters(position, edition)
    first_bits = draw(source)
    buttons = position.buttons[mover]
    least = worth_of_advance(position, context)
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
            worth = worth_of_patch(position, context, patch)
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
            shape, cell = _first_place(position, context, best_patch)
            if shape != NOTHING:
                take_patch(position, edition, best_slot)
                lay_patch(position, edition, best_patch, shape, cell)
                return
        refused |= 1 << best_slot


@compiled
def quick_playout(position: PositionRecord, context: ContextRecord, noise: int, source: SourceRecord) -> int:
    """Plays quick moves to the end of the game, in place; returns how many."""
    plies = 0
    while position.phase != OVER:
        play_quickly(position, context, noise, source)
        plies += 1
    return plies
