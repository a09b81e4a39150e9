"""The moves that can matter near the end of a game.

Of two ways to lay a patch that differ in dead spaces only, or where one keeps alive all that the other does and
more, one is enough.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from quiltwork.agents.engine.cells import take_first
from quiltwork.agents.engine.reach import (
    MasksRecord,
    keep_useful,
    list_masks,
    special_patches_ahead,
    useful_after,
    within_reach,
)
from quiltwork.agents.engine.tables import signed
from quiltwork.rules.bits import ZERO, bit, count
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import LAY, NOBODY, SPECIAL, TURN, EditionRecord, PositionRecord, record_type
from quiltwork.rules.moves import ADVANCE, code_of_patch, code_of_removal, code_of_special_patch
from quiltwork.rules.quilt import cells_of_shape, empty_spaces, fits, single_cell
from quiltwork.rules.steps import can_pay, choice_count, marks_crossed, ring_place

MAX_MOVES = 512

LEVEL = record_type(
    [
        ("useful", np.uint64, (2, 2)),  # [player, word] the empty spaces that are not dead
        ("alpha", np.int64),  # what player 0 has for sure, and
        ("beta", np.int64),  # what player 1 can hold it to, elsewhere
        ("low_window", np.int64),
        ("high_window", np.int64),
        ("best", np.int64),
        ("best_code", np.int64),
        ("trying", np.int64),
        ("key", np.uint64),
        ("count", np.int64),
        ("code", np.int32, (MAX_MOVES,)),
        ("order", np.int32, (MAX_MOVES,)),  # what looks better is tried first
        ("won", np.int32, (MAX_MOVES,)),  # whether it wins the special tile
        ("full", np.int64),  # there were more
        ("low", np.uint64, (MAX_MOVES,)),  # the mover's useful spaces after each move
        ("high", np.uint64, (MAX_MOVES,)),
    ]
)
LevelRecord: TypeAlias = Any


@compiled_inline
def set_useful(position: PositionRecord, edition: EditionRecord, level: LevelRecord) -> None:
    for player in range(2):
        useful_low, useful_high = keep_useful(position, edition, player)
        level.useful[player, 0] = useful_low
        level.useful[player, 1] = useful_high


@compiled_inline
def _add(level: LevelRecord, since: int, code: int, order: int, won: int, low: Any, high: Any) -> None:
    """Adds a move unless one since `since` keeps at least as much alive; drops those that keep less.

    A move that wins the special tile (`won`) is never the equal of one that does not.
    """
    i = since
    while i < level.count:
        if level.won[i] == won:
            if (low & ~level.low[i]) | (high & ~level.high[i]) == ZERO:
                return
            if (level.low[i] & ~low) | (level.high[i] & ~high) == ZERO:
                level.count -= 1
                last = level.count
                level.code[i] = level.code[last]
                level.order[i] = level.order[last]
                level.won[i] = level.won[last]
                level.low[i] = level.low[last]
                level.high[i] = level.high[last]
                continue
        i += 1
    if level.count == MAX_MOVES:
        level.full = 1
        return
    i = level.count
    level.code[i] = code
    level.order[i] = order + 14 * won
    level.won[i] = won
    level.low[i] = low
    level.high[i] = high
    level.count = i + 1


@compiled_inline
def _tile_after(position: PositionRecord, edition: EditionRecord, covered_low: Any, covered_high: Any) -> int:
    """Who has the special tile when the mover covers some spaces."""
    mover = position.turn
    tile = signed(position.tile)
    if tile == NOBODY:
        low, high = position.free[mover, 0] & ~covered_low, position.free[mover, 1] & ~covered_high
        for square in range(edition.square_count):
            if (low & edition.squares[square, 0]) | (high & edition.squares[square, 1]) == ZERO:
                tile = signed(mover)
    return tile


@compiled
def _list_placements(
    position: PositionRecord,
    after: PositionRecord,
    edition: EditionRecord,
    level: LevelRecord,
    masks: MasksRecord,
    patch: int,
    slot: int,
) -> None:
    """Lists the ways to lay a patch; `after` is the position then, but for the quilt."""
    mover = position.turn
    low_all, high_all = level.useful[mover, 0], level.useful[mover, 1]
    size = edition.patch_cells[patch]
    marks = count(marks_crossed(edition.income_marks, position.space[mover], edition.last_space))
    order = 2 * size + edition.income[patch] * marks - edition.price[patch]
    patches = within_reach(after, edition, mover)
    special = special_patches_ahead(after, edition, mover)
    since = level.count
    for shape in range(signed(edition.first_shape[patch]), signed(edition.first_shape[patch + 1])):
        low, high = fits(edition, shape, size, low_all, high_all)
        base = code_of_patch(edition, slot, signed(edition.orientation[shape]), -signed(edition.indent[shape]))
        while (low | high) != ZERO:
            cell, low, high = take_first(low, high)
            covered_low, covered_high = cells_of_shape(edition, shape, cell)
            tile = _tile_after(position, edition, covered_low, covered_high)
            useful_low, useful_high = useful_after(
                position, edition, masks, patches, special, tile, covered_low, covered_high
            )
            won = 1 if tile != position.tile else 0
            _add(level, since, base + cell, order, won, useful_low, useful_high)


@compiled
def _list_special(
    position: PositionRecord,
    after: PositionRecord,
    edition: EditionRecord,
    level: LevelRecord,
    masks: MasksRecord,
) -> None:
    """Lists the ways to place a special patch; `after` is the position then, but for the quilt."""
    mover = position.turn
    base = code_of_special_patch(edition, 0)
    patches = within_reach(after, edition, mover)
    special = special_patches_ahead(after, edition, mover)
    since = level.count
    low, high = position.free[mover, 0], position.free[mover, 1]
    while (low | high) != ZERO:
        cell, low, high = take_first(low, high)
        covered_low, covered_high = single_cell(cell)
        tile = _tile_after(position, edition, covered_low, covered_high)
        useful_low, useful_high = useful_after(
            position, edition, masks, patches, special, tile, covered_low, covered_high
        )
        won = 1 if tile != position.tile else 0
        _add(level, since, base + cell, 2, won, useful_low, useful_high)
    if empty_spaces(position, mover) == 0 or edition.may_remove_special_patch:
        # Removing keeps everything alive but costs a space: never the equal of placing.
        low, high = level.useful[mover, 0], level.useful[mover, 1]
        _add(level, level.count, code_of_removal(edition), 0, 0, low, high)


@compiled_inline
def _move_on(position: PositionRecord, after: PositionRecord, edition: EditionRecord, patch: int) -> None:
    """Changes a copy of the position as laying a patch does, but for the quilt and the turn."""
    mover = position.turn
    start = position.space[mover]
    end = min(edition.last_space, start + edition.time[patch])
    after.space[mover] = end
    after.phase = TURN
    after.income[mover] += edition.income[patch]
    after.buttons[mover] += count(marks_crossed(edition.income_marks, start, end)) * after.income[mover]
    foremost = max(start, position.space[1 - mover])
    if end > foremost:
        crossed = count(marks_crossed(edition.special_patch_marks, foremost, end))
        if crossed > 0:
            after.phase = SPECIAL
            after.pending = crossed


@compiled
def list_moves(
    position: PositionRecord, edition: EditionRecord, level: LevelRecord, works: Any, masks: MasksRecord
) -> None:
    """Lists the moves that can matter."""
    mover = position.turn
    level.count = 0
    level.full = 0
    works[0] = position
    after = works[0]
    low, high = level.useful[mover, 0], level.useful[mover, 1]
    list_masks(low, high, edition, within_reach(position, edition, mover), masks)
    if position.phase == TURN:
        _add(level, 0, ADVANCE, 0, 0, low, high)
        for slot in range(choice_count(position, edition)):
            place = ring_place(position, slot)
            patch = signed(position.ring[place])
            if not can_pay(position, edition, patch):
                continue
            works[0] = position
            after.buttons[mover] -= edition.price[patch]
            after.present ^= bit(place)
            after.token = place
            _move_on(position, after, edition, patch)
            _list_placements(position, after, edition, level, masks, patch, slot)
    elif position.phase == LAY:
        _move_on(position, after, edition, position.held)
        _list_placements(position, after, edition, level, masks, signed(position.held), 0)
    elif position.phase == SPECIAL:
        after.pending -= 1
        _list_special(position, after, edition, level, masks)
