"""The moves that can matter near the end of a game.

Of two ways to lay a patch that differ in dead spaces only, or where one keeps alive all that the other does and
more, one is enough.
"""

from __future__ import annotations

from typing import Annotated, Any

from quiltwork.agents.endgame.reach import (
    MasksRecord,
    keep_useful,
    list_masks,
    special_patches_ahead,
    useful_after,
    within_reach,
)
from quiltwork.agents.heuristics.tables import signed
from quiltwork.rules.bits import ZERO, count, take_first
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import LAY, NOTHING, SPECIAL, TURN, EditionRecord, PositionRecord
from quiltwork.rules.moves import ADVANCE, code_of_patch, code_of_removal, code_of_special_patch
from quiltwork.rules.quilt import cells_of_shape, empty_spaces, fits, single_cell
from quiltwork.rules.record import Int32s, Int64, Word, Words
from quiltwork.rules.steps import (
    can_pay,
    choice_count,
    income_marks_to,
    place_special_patch,
    ring_place,
    spend_time,
    take_patch,
    wins_special_tile,
)

MAX_MOVES = 512


class LevelRecord:
    """One ply of the search."""

    useful: Annotated[Words, 2, 2]  # [player, word] the empty spaces that are not dead
    alpha: Int64  # what player 0 has for sure, and
    beta: Int64  # what player 1 can hold it to, elsewhere
    low_window: Int64
    high_window: Int64
    best: Int64
    best_code: Int64
    trying: Int64
    key: Word
    count: Int64
    code: Annotated[Int32s, MAX_MOVES]
    order: Annotated[Int32s, MAX_MOVES]  # what looks better is tried first
    won: Annotated[Int32s, MAX_MOVES]  # whether it wins the special tile
    full: Int64  # there were more
    low: Annotated[Words, MAX_MOVES]  # the mover's useful spaces after each move
    high: Annotated[Words, MAX_MOVES]


class WorkRecord:
    """A workspace: the ways to lay one patch."""

    after: PositionRecord  # once it is laid, but for the quilt
    masks: MasksRecord
    patches: Word  # within the mover's reach then
    special: Int64  # special patches that the mover may still get then
    since: Int64  # the first move that lays the patch
    order: Int64  # of these moves


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
def _begin(
    position: PositionRecord, edition: EditionRecord, level: LevelRecord, work: WorkRecord, order: int
) -> None:
    """Begins to list the ways to lay one patch; `work.after` is the position then, but for the quilt."""
    work.patches = within_reach(work.after, edition, position.turn)
    work.special = special_patches_ahead(work.after, edition, position.turn)
    work.since, work.order = level.count, order


@compiled_inline
def _offer(
    position: PositionRecord,
    edition: EditionRecord,
    level: LevelRecord,
    work: WorkRecord,
    code: int,
    low: Any,
    high: Any,
) -> None:
    """Offers a move that covers these cells."""
    won = 1 if wins_special_tile(position, edition, low, high) else 0
    useful_low, useful_high = useful_after(
        position, edition, work.masks, work.patches, work.special, won, low, high
    )
    _add(level, work.since, code, work.order, won, useful_low, useful_high)


@compiled
def _list_placements(
    position: PositionRecord, edition: EditionRecord, level: LevelRecord, work: WorkRecord, patch: int, slot: int
) -> None:
    """Lists the ways to lay a patch."""
    mover = position.turn
    size = edition.patch_cells[patch]
    marks = count(income_marks_to(position, edition, mover, edition.last_space))
    _begin(position, edition, level, work, 2 * size + edition.income[patch] * marks - edition.price[patch])
    for shape in range(signed(edition.first_shape[patch]), signed(edition.first_shape[patch + 1])):
        low, high = fits(edition, shape, size, level.useful[mover, 0], level.useful[mover, 1])
        base = code_of_patch(edition, slot, signed(edition.orientation[shape]), -signed(edition.indent[shape]))
        while (low | high) != ZERO:
            cell, low, high = take_first(low, high)
            covered_low, covered_high = cells_of_shape(edition, shape, cell)
            _offer(position, edition, level, work, base + cell, covered_low, covered_high)


@compiled
def _list_special(position: PositionRecord, edition: EditionRecord, level: LevelRecord, work: WorkRecord) -> None:
    """Lists the ways to place a special patch."""
    mover = position.turn
    _begin(position, edition, level, work, 2)
    low, high = position.free[mover, 0], position.free[mover, 1]
    while (low | high) != ZERO:
        cell, low, high = take_first(low, high)
        covered_low, covered_high = single_cell(cell)
        _offer(position, edition, level, work, code_of_special_patch(edition, cell), covered_low, covered_high)
    if empty_spaces(position, mover) == 0 or edition.may_remove_special_patch:
        # Removing keeps everything alive but costs a space: never the equal of placing.
        low, high = level.useful[mover, 0], level.useful[mover, 1]
        _add(level, level.count, code_of_removal(edition), 0, 0, low, high)


@compiled
def list_moves(position: PositionRecord, edition: EditionRecord, level: LevelRecord, work: WorkRecord) -> None:
    """Lists the moves that can matter."""
    mover, after = position.turn, work.after
    level.count = 0
    level.full = 0
    low, high = level.useful[mover, 0], level.useful[mover, 1]
    list_masks(low, high, edition, within_reach(position, edition, mover), work.masks)
    work.after = position
    if position.phase == TURN:
        _add(level, 0, ADVANCE, 0, 0, low, high)
        for slot in range(choice_count(position, edition)):
            patch = signed(position.ring[ring_place(position, slot)])
            if can_pay(position, edition, patch):
                work.after = position
                take_patch(after, edition, slot)
                spend_time(after, edition, patch)
                _list_placements(position, edition, level, work, patch, slot)
    elif position.phase == LAY:
        spend_time(after, edition, position.held)
        _list_placements(position, edition, level, work, signed(position.held), 0)
    elif position.phase == SPECIAL:
        place_special_patch(after, edition, NOTHING)
        _list_special(position, edition, level, work)
