"""A position as the net sees it, from the mover's side: shapes and numbers, never the numbers of patches.

A view of a position is one row of two arrays: `words`, bit planes and windows, and `numbers`, all about 0 to 1.
The patches that are shown are the special patch or the held patch, if the mover has one to place, then the circle.
Quilt planes have nine columns whatever the edition; the bit of a cell is row * 9 + column.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.agents.net.sight import SINGLE_CELL, SINGLE_RIM, SightRecord
from quiltwork.rules.bits import ALL, ONE, ZERO, bit, count, lowest
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import LAY, NO_RESERVE, NOBODY, NOTHING, SPECIAL, TURN, EditionRecord, PositionRecord
from quiltwork.rules.moves import code_of_patch, code_of_removal, code_of_special_patch, code_of_take
from quiltwork.rules.quilt import empty_spaces, fits
from quiltwork.rules.steps import advance_distance, choice_count, marks_crossed, reserve_enters, ring_place, score

INPUTS_VERSION = 1

SIDE = 9
CELLS = SIDE * SIDE
SLOTS = 3
"""choices that the net distinguishes; it never takes the fourth and further ones of an edition that has more"""
OWN_COVERS = 6
OTHER_COVERS = 4
SHOWN = 16
"""patches of the circle that are shown with their numbers"""
DRAWN = 6
"""patches of the circle that are shown with their shape"""

# The planes, two words each.
BOARD = 0
OWN_FREE = 1
OTHER_FREE = 2
PLACES = 3  # SLOTS * 8: where the corner of a choice may lie, by orientation
OWN_COVER = PLACES + SLOTS * 8  # the spaces that a shown patch can cover
OTHER_COVER = OWN_COVER + OWN_COVERS
PLANES = OTHER_COVER + OTHER_COVERS

# The words.
FILTERS = 2 * PLANES  # SLOTS * 8 windows with the cells, then as many with the rims
DRAWINGS = FILTERS + 2 * SLOTS * 8
OPTIONS = DRAWINGS + DRAWN
"""what can be done: bit 0 advance, 1 to 3 take and lay, 4 to 6 take and wait for the reserve, 7 remove"""
SEED = OPTIONS + 1
"""not 0: the candidates are to be drawn at random (Gumbel) instead of the best"""
WORDS = SEED + 1

PATCH_NUMBERS = 9
GLOBALS = 52
NUMBERS = GLOBALS + SHOWN * PATCH_NUMBERS

# The moves of the net, in one range: places by slot, orientation and cell, then these.
PLACE_MOVES = SLOTS * 8 * CELLS
ADVANCE_MOVE = PLACE_MOVES
TAKE_MOVE = ADVANCE_MOVE + 1  # by slot
REMOVAL_MOVE = TAKE_MOVE + SLOTS
MOVES = REMOVAL_MOVE + 1


@compiled
def _spread(low: Any, high: Any, edition: EditionRecord, words: Any, plane: int) -> None:
    """Writes a bitboard of the edition as a plane of nine columns."""
    columns = edition.columns
    if columns == SIDE:
        words[2 * plane] = low
        words[2 * plane + 1] = high
        return
    out_low = ZERO
    out_high = ZERO
    row_mask = (ONE << np.uint64(columns)) - ONE
    for row in range(edition.rows):
        start = row * columns
        bits = low >> np.uint64(start) if start < 64 else high >> np.uint64(start - 64)
        if start < 64 < start + columns:
            bits |= high << np.uint64(64 - start)
        bits &= row_mask
        at = row * SIDE
        if at < 64:
            out_low |= bits << np.uint64(at)
            if at + SIDE > 64:
                out_high |= bits >> np.uint64(64 - at)
        else:
            out_high |= bits << np.uint64(at - 64)
    words[2 * plane] = out_low
    words[2 * plane + 1] = out_high


@compiled
def _grown(edition: EditionRecord, shape: int, low: Any, high: Any) -> Any:
    """The spaces that a shape covers with its first cell at any of the given places."""
    mask_low = edition.mask[shape, 0]
    mask_high = edition.mask[shape, 1]
    out_low = ZERO
    out_high = ZERO
    while mask_low != ZERO:
        d = np.uint64(lowest(mask_low))
        mask_low &= mask_low - ONE
        if d == ZERO:
            out_low |= low
            out_high |= high
        else:
            out_low |= low << d
            out_high |= (high << d) | (low >> (np.uint64(64) - d))
    while mask_high != ZERO:
        out_high |= low << np.uint64(lowest(mask_high))
        mask_high &= mask_high - ONE
    return out_low, out_high


@compiled_inline
def _lowered(low: Any, high: Any, distance: int) -> Any:
    """Two words moved down by 0 to 63 bits."""
    if distance == 0:
        return low, high
    d = np.uint64(distance)
    return (low >> d) | (high << (np.uint64(64) - d)), high >> d


@compiled
def _show_places(
    position: PositionRecord,
    edition: EditionRecord,
    sight: SightRecord,
    player: int,
    patch: int,
    slot: int,
    cover_plane: int,
    words: Any,
) -> int:
    """Shows where a patch fits and what it can cover; returns the number of places.

    Slot -1: what it covers alone.
    """
    free_low, free_high = position.free[player, 0], position.free[player, 1]
    size = edition.patch_cells[patch]
    cover_low = ZERO
    cover_high = ZERO
    found = 0
    for shape in range(edition.first_shape[patch], edition.first_shape[patch + 1]):
        low, high = fits(edition, shape, size, free_low, free_high)
        if (low | high) == ZERO:
            continue
        found += count(low) + count(high)
        more_low, more_high = _grown(edition, shape, low, high)
        cover_low |= more_low
        cover_high |= more_high
        if slot >= 0:
            o = edition.orientation[shape]
            corner_low, corner_high = _lowered(low, high, edition.indent[shape])
            _spread(corner_low, corner_high, edition, words, PLACES + slot * 8 + o)
            words[FILTERS + slot * 8 + o] = sight.cells[shape]
            words[FILTERS + (SLOTS + slot) * 8 + o] = sight.rim[shape]
    _spread(cover_low, cover_high, edition, words, cover_plane)
    return found


@compiled
def view(position: PositionRecord, edition: EditionRecord, sight: SightRecord, words: Any, numbers: Any) -> None:
    """Writes a position that waits for a player's move as one row of words and of numbers; the seed is 0."""
    mover = position.turn
    other = 1 - mover
    for i in range(WORDS):
        words[i] = ZERO
    for i in range(NUMBERS):
        numbers[i] = 0.0
    _spread(edition.board[0], edition.board[1], edition, words, BOARD)
    _spread(position.free[mover, 0], position.free[mover, 1], edition, words, OWN_FREE)
    _spread(position.free[other, 0], position.free[other, 1], edition, words, OTHER_FREE)
    enters = position.phase == TURN and reserve_enters(position, edition)
    choices = choice_count(position, edition) if position.phase == TURN else 0
    options = ONE if position.phase == TURN else ZERO
    shown = 0
    if position.phase == SPECIAL:
        _spread(position.free[mover, 0], position.free[mover, 1], edition, words, PLACES)
        _spread(position.free[mover, 0], position.free[mover, 1], edition, words, OWN_COVER)
        words[FILTERS] = np.uint64(SINGLE_CELL)
        words[FILTERS + SLOTS * 8] = np.uint64(SINGLE_RIM)
        words[DRAWINGS] = np.uint64(SINGLE_CELL)
        free = empty_spaces(position, mover)
        if free > 0:
            options |= np.uint64(2)
        if free == 0 or edition.may_remove_special_patch:
            options |= np.uint64(128)
        numbers[GLOBALS] = 1.0
        numbers[GLOBALS + 4] = 0.125
        shown = 1
    elif position.phase == LAY:
        options |= np.uint64(2)
        _show_patch(position, edition, sight, position.held, 0, True, False, words, numbers)
        shown = 1
    ahead = position.present & (ALL << np.uint64(position.token))
    behind = position.present ^ ahead
    slot = 0
    while shown < SHOWN and (ahead | behind) != ZERO:
        if ahead == ZERO:
            ahead = behind
            behind = ZERO
        patch = position.ring[lowest(ahead)]
        ahead &= ahead - ONE
        payable = slot < min(choices, SLOTS) and edition.price[patch] <= position.buttons[mover]
        places = _show_patch(
            position, edition, sight, patch, shown, payable and not enters, payable and enters, words, numbers
        )
        if payable and places > 0:
            options |= bit(slot + 4) if enters else bit(slot + 1)
        shown += 1
        slot += 1
    words[OPTIONS] = options
    _globals(position, edition, numbers)


@compiled
def _show_patch(
    position: PositionRecord,
    edition: EditionRecord,
    sight: SightRecord,
    patch: int,
    shown: int,
    placeable: bool,
    takeable: bool,
    words: Any,
    numbers: Any,
) -> int:
    mover = position.turn
    at = GLOBALS + shown * PATCH_NUMBERS
    numbers[at] = 1.0
    numbers[at + 1] = edition.price[patch] / 10.0
    numbers[at + 2] = edition.time[patch] / 6.0
    numbers[at + 3] = edition.income[patch] / 3.0
    numbers[at + 4] = edition.patch_cells[patch] / 8.0
    numbers[at + 5] = 1.0 if edition.price[patch] <= position.buttons[mover] else 0.0
    numbers[at + 6] = 1.0 if edition.price[patch] <= position.buttons[1 - mover] else 0.0
    places = 0
    if shown < DRAWN:
        words[DRAWINGS + shown] = sight.drawn[patch]
    if shown < OWN_COVERS:
        slot = shown if placeable and shown < SLOTS else -1
        places = _show_places(position, edition, sight, mover, patch, slot, OWN_COVER + shown, words)
        numbers[at + 7] = np.log1p(places) / 5.0
    if shown < OTHER_COVERS:
        theirs = _show_places(position, edition, sight, 1 - mover, patch, -1, OTHER_COVER + shown, words)
        numbers[at + 8] = np.log1p(theirs) / 5.0
    return places


@compiled_inline
def _to_next(marks: Any, start: int, end: int) -> float:
    """The distance to the next mark, in eighths; 2 if there is none."""
    left = marks_crossed(marks, start, end)
    if left == ZERO:
        return 2.0
    return (lowest(left) - start) / 8.0


@compiled
def _globals(position: PositionRecord, edition: EditionRecord, numbers: Any) -> None:
    mover = position.turn
    other = 1 - mover
    last = edition.last_space
    spaces = count(edition.board[0]) + count(edition.board[1])
    foremost = max(position.space[0], position.space[1])
    numbers[0] = 1.0 if position.phase == TURN else 0.0
    numbers[1] = 1.0 if position.phase == SPECIAL else 0.0
    numbers[2] = 1.0 if position.phase == LAY else 0.0
    numbers[3] = position.pending / 3.0
    numbers[4] = (position.space[other] - position.space[mover]) / 10.0
    numbers[5] = advance_distance(position, edition) / 10.0 if position.phase == TURN else 0.0
    numbers[6] = 1.0 if position.space[mover] == position.space[other] else 0.0
    numbers[7] = count(marks_crossed(edition.special_patch_marks, foremost, last)) / 5.0
    numbers[8] = last / 60.0
    numbers[9] = spaces / 81.0
    numbers[10] = edition.tile_square / 9.0
    numbers[11] = edition.tile_points / 10.0
    numbers[12] = 1.0 if edition.square_count > 0 and position.tile == NOBODY else 0.0
    numbers[13] = 1.0 if edition.may_remove_special_patch else 0.0
    numbers[14] = count(position.present) / 33.0
    numbers[15] = count(position.reserve) / 10.0
    numbers[16] = (
        0.0
        if edition.reserve_enters_when_left == NO_RESERVE or position.reserve == ZERO
        else (count(position.present) - edition.reserve_enters_when_left) / 10.0
    )
    numbers[17] = edition.choices / 3.0
    numbers[18] = edition.points_per_empty_space / -2.0
    numbers[19] = (score(position, edition, mover) - score(position, edition, other)) / 40.0
    for side in range(2):
        player = mover if side == 0 else other
        at = 20 + side * 16
        buttons = position.buttons[player]
        space = position.space[player]
        marks = count(marks_crossed(edition.income_marks, space, last))
        empty = empty_spaces(position, player)
        numbers[at] = min(buttons / 20.0, 3.0)
        numbers[at + 1] = np.log1p(float(buttons)) / 3.0
        numbers[at + 2] = min(buttons, 10) / 10.0
        numbers[at + 3] = position.income[player] / 10.0
        numbers[at + 4] = space / 60.0
        numbers[at + 5] = (last - space) / 30.0
        numbers[at + 6] = 1.0 if space == last else 0.0
        numbers[at + 7] = marks / 9.0
        numbers[at + 8] = _to_next(edition.income_marks, space, last)
        numbers[at + 9] = _to_next(edition.special_patch_marks, max(foremost, space), last)
        numbers[at + 10] = empty / 81.0
        numbers[at + 11] = position.income[player] * marks / 30.0
        numbers[at + 12] = score(position, edition, player) / 60.0
        numbers[at + 13] = 1.0 if position.tile == player else 0.0
        numbers[at + 14] = 1.0 if position.first == player else 0.0
        numbers[at + 15] = max(0.0, (20 - empty) / 20.0)


@compiled
def code_of_move(position: PositionRecord, edition: EditionRecord, move: int) -> int:
    """The kernel's code of a move of the net."""
    if move < PLACE_MOVES:
        cell = move % CELLS
        corner = (cell // SIDE) * edition.columns + cell % SIDE
        if position.phase == SPECIAL:
            return code_of_special_patch(edition, corner)
        index = move // CELLS
        return code_of_patch(edition, index >> 3, index & 7, corner)
    if move == ADVANCE_MOVE:
        return 0
    if move == REMOVAL_MOVE:
        return code_of_removal(edition)
    return code_of_take(edition, move - TAKE_MOVE)


@compiled
def move_of_code(position: PositionRecord, edition: EditionRecord, code: int) -> int:
    """The net's number of a move; NOTHING for a choice beyond its slots."""
    if code == 0:
        return ADVANCE_MOVE
    special = code_of_special_patch(edition, 0)
    if code < special:
        index = (code - 1) // edition.cells
        corner = (code - 1) % edition.cells
        if index >> 3 >= SLOTS:
            return NOTHING
        return index * CELLS + (corner // edition.columns) * SIDE + corner % edition.columns
    removal = code_of_removal(edition)
    if code < removal:
        cell = code - special
        return (cell // edition.columns) * SIDE + cell % edition.columns
    if code == removal:
        return REMOVAL_MOVE
    slot = code - removal - 1
    return TAKE_MOVE + slot if slot < SLOTS else NOTHING


@compiled
def _image_of_word(sight: SightRecord, symmetry: int, low: Any, high: Any) -> Any:
    out_low = ZERO
    out_high = ZERO
    while low != ZERO:
        to = sight.image[symmetry, lowest(low)]
        low &= low - ONE
        if to < 64:
            out_low |= bit(to)
        else:
            out_high |= bit(to - 64)
    while high != ZERO:
        to = sight.image[symmetry, 64 + lowest(high)]
        high &= high - ONE
        if to < 64:
            out_low |= bit(to)
        else:
            out_high |= bit(to - 64)
    return out_low, out_high


@compiled
def turn_quilts(position: PositionRecord, sight: SightRecord, symmetry: Any) -> None:
    """Turns each quilt by a symmetry of its own, in place; nothing else of the position changes.

    Where patches lie (`placed`) is not turned: the net does not see it.
    """
    for player in range(2):
        g = symmetry[player]
        if g != 0:
            low, high = _image_of_word(sight, g, position.free[player, 0], position.free[player, 1])
            position.free[player, 0], position.free[player, 1] = low, high


@compiled
def turned_code(
    position: PositionRecord, edition: EditionRecord, sight: SightRecord, symmetry: int, code: int
) -> int:
    """The code of the same move on the mover's turned quilt."""
    special = code_of_special_patch(edition, 0)
    if symmetry == 0 or code == 0 or code >= code_of_removal(edition):
        return code
    if code >= special:
        return special + sight.image[symmetry, code - special]
    index = (code - 1) // edition.cells
    corner = (code - 1) % edition.cells
    patch = position.held if position.phase == LAY else position.ring[ring_place(position, index >> 3)]
    o = index & 7
    shape = edition.shape_at[patch, o]
    # The image of the bounding box: its corner is the least row and column of two opposite corners.
    one = sight.image[symmetry, corner]
    far = corner + (sight.height[shape] - 1) * edition.columns + sight.width[shape] - 1
    two = sight.image[symmetry, far]
    columns = edition.columns
    row = min(one // columns, two // columns)
    column = min(one % columns, two % columns)
    return code_of_patch(edition, index >> 3, sight.turned[patch, symmetry, o], row * columns + column)
