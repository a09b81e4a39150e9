"""Random games, for playouts and for measuring: every legal move is equally likely."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from quiltwork.rules.bits import count, nth
from quiltwork.rules.chance import SourceRecord, below, deal_at_random
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import (
    DEAL,
    LAY,
    MAX_CHOICES,
    NOTHING,
    OVER,
    SPECIAL,
    TURN,
    EditionRecord,
    PositionRecord,
)
from quiltwork.rules.quilt import empty_spaces, fits, fits_somewhere
from quiltwork.rules.record import Int64s, Words, record_type
from quiltwork.rules.steps import (
    advance,
    can_pay,
    choice_count,
    lay_patch,
    place_special_patch,
    reserve_enters,
    ring_place,
    take_patch,
    winner,
)


class ScratchRecord:
    """Room for listing the placements of the choices."""

    places: Annotated[Words, MAX_CHOICES * 8, 2]  # where each shape of each choice fits
    total: Annotated[Int64s, MAX_CHOICES]  # legal moves up to and with each choice


SCRATCH = record_type(ScratchRecord)


@compiled_inline
def _nth_cell(low: Any, high: Any, n: int) -> int:
    below_64 = count(low)
    if n < below_64:
        return nth(low, n)
    return 64 + nth(high, n - below_64)


@compiled_inline
def _count_placements(
    position: PositionRecord, edition: EditionRecord, patch: int, scratch: ScratchRecord, row: int
) -> int:
    found = 0
    free_low, free_high = position.free[position.turn, 0], position.free[position.turn, 1]
    size = edition.patch_cells[patch]
    for shape in range(edition.first_shape[patch], edition.first_shape[patch + 1]):
        low, high = fits(edition, shape, size, free_low, free_high)
        scratch.places[row, 0], scratch.places[row, 1] = low, high
        found += count(low) + count(high)
        row += 1
    return found


@compiled_inline
def _lay_nth(
    position: PositionRecord, edition: EditionRecord, patch: int, scratch: ScratchRecord, row: int, n: int
) -> None:
    shape = edition.first_shape[patch]
    while True:
        low, high = scratch.places[row, 0], scratch.places[row, 1]
        here = count(low) + count(high)
        if n < here:
            lay_patch(position, edition, patch, shape, _nth_cell(low, high, n))
            return
        n -= here
        shape += 1
        row += 1


@compiled_inline
def play_at_random(
    position: PositionRecord, edition: EditionRecord, source: SourceRecord, scratch: ScratchRecord
) -> None:
    """Plays one random legal move, or the chance move, in place."""
    if position.phase == TURN:
        _turn_at_random(position, edition, source, scratch)
    elif position.phase == SPECIAL:
        mover = position.turn
        free = empty_spaces(position, mover)
        options = free + (1 if free == 0 or edition.may_remove_special_patch else 0)
        n = below(source, options)
        cell = _nth_cell(position.free[mover, 0], position.free[mover, 1], n) if n < free else NOTHING
        place_special_patch(position, edition, cell)
    elif position.phase == LAY:
        patch = position.held
        found = _count_placements(position, edition, patch, scratch, 0)
        _lay_nth(position, edition, patch, scratch, 0, below(source, found))
    elif position.phase == DEAL:
        deal_at_random(position, source)


@compiled_inline
def _turn_at_random(
    position: PositionRecord, edition: EditionRecord, source: SourceRecord, scratch: ScratchRecord
) -> None:
    enters = reserve_enters(position, edition)
    choices = choice_count(position, edition)
    total = 1
    for slot in range(choices):
        found = 0
        patch = position.ring[ring_place(position, slot)]
        if can_pay(position, edition, patch):
            if enters:
                found = 1 if fits_somewhere(position, edition, position.turn, patch) else 0
            else:
                found = _count_placements(position, edition, patch, scratch, slot * 8)
        total += found
        scratch.total[slot] = total
    n = below(source, total)
    if n == 0:
        advance(position, edition)
        return
    slot = 0
    before = 1
    while scratch.total[slot] <= n:
        before = scratch.total[slot]
        slot += 1
    patch = take_patch(position, edition, slot)
    if not enters:
        _lay_nth(position, edition, patch, scratch, slot * 8, n - before)


@compiled
def playout(position: PositionRecord, edition: EditionRecord, source: SourceRecord, scratch: ScratchRecord) -> int:
    """Plays random moves to the end of the game, in place; returns how many."""
    plies = 0
    while position.phase != OVER:
        play_at_random(position, edition, source, scratch)
        plies += 1
    return plies


@compiled
def random_games(start: Any, edition: Any, source: Any, games: int) -> Any:
    """Plays complete random games from copies of `start[0]`; returns plies and wins of player 1."""
    scratch = np.empty(1, SCRATCH)
    work = start.copy()
    plies = 0
    wins = 0
    for _ in range(games):
        work[0] = start[0]
        plies += playout(work[0], edition[0], source[0], scratch[0])
        wins += winner(work[0], edition[0]) == 0
    return plies, wins
