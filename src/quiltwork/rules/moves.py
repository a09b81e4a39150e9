"""A player's move as one integer: its code, the same as the action of the environments.

On a board of `cells` = rows * columns cells, in this order:
0 advance · 1 + (slot * 8 + orientation) * cells + corner: take (or lay, slot 0) a patch ·
then `cells` codes for a special patch on a cell · then its removal · then, where there is a reserve,
take slot 0, 1, 2 ... and wait for the deal.
"""

from __future__ import annotations

from typing import Any

from quiltwork.rules.bits import ONE, ZERO, count, lowest
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import LAY, NO_RESERVE, NOTHING, SPECIAL, TURN, EditionRecord, PositionRecord
from quiltwork.rules.quilt import empty_spaces, fits, fits_somewhere
from quiltwork.rules.steps import (
    advance,
    can_pay,
    choice_count,
    lay_patch,
    place_special_patch,
    reserve_enters,
    ring_place,
    take_patch,
)

ADVANCE = 0


@compiled_inline
def code_of_patch(edition: EditionRecord, slot: int, orientation: int, corner: int) -> int:
    """The code for taking the patch in a slot and laying it; a held patch has slot 0."""
    return 1 + (slot * 8 + orientation) * edition.cells + corner


@compiled_inline
def code_of_special_patch(edition: EditionRecord, cell: int) -> int:
    """The code for placing a special patch on a cell."""
    return 1 + edition.choices * 8 * edition.cells + cell


@compiled_inline
def code_of_removal(edition: EditionRecord) -> int:
    """The code for removing a special patch from play."""
    return code_of_special_patch(edition, edition.cells)


@compiled_inline
def code_of_take(edition: EditionRecord, slot: int) -> int:
    """The code for taking the patch in a slot when the reserve comes before it is laid."""
    return code_of_removal(edition) + 1 + slot


@compiled_inline
def code_count(edition: EditionRecord) -> int:
    """The number of codes: every code is less."""
    if edition.reserve_enters_when_left == NO_RESERVE:
        return code_of_take(edition, 0)
    return code_of_take(edition, edition.choices)


@compiled_inline
def _list_cells(low: Any, high: Any, base: int, codes: Any, found: int) -> int:
    while low != ZERO:
        codes[found] = base + lowest(low)
        found += 1
        low &= low - ONE
    while high != ZERO:
        codes[found] = base + 64 + lowest(high)
        found += 1
        high &= high - ONE
    return found


@compiled_inline
def _list_placements(
    position: PositionRecord, edition: EditionRecord, patch: int, slot: int, codes: Any, found: int
) -> int:
    free_low, free_high = position.free[position.turn, 0], position.free[position.turn, 1]
    size = edition.patch_cells[patch]
    for shape in range(edition.first_shape[patch], edition.first_shape[patch + 1]):
        low, high = fits(edition, shape, size, free_low, free_high)
        base = code_of_patch(edition, slot, edition.orientation[shape], 0) - edition.indent[shape]
        found = _list_cells(low, high, base, codes, found)
    return found


@compiled
def legal_moves(position: PositionRecord, edition: EditionRecord, codes: Any) -> int:
    """Writes the codes of all legal moves in ascending order and returns how many; chance has none.

    `codes` has room for `code_count` codes.
    """
    mover = position.turn
    found = 0
    if position.phase == TURN:
        codes[0] = ADVANCE
        found = 1
        enters = reserve_enters(position, edition)
        for slot in range(choice_count(position, edition)):
            patch = position.ring[ring_place(position, slot)]
            if not can_pay(position, edition, patch):
                continue
            if not enters:
                found = _list_placements(position, edition, patch, slot, codes, found)
            elif fits_somewhere(position, edition, mover, patch):
                codes[found] = code_of_take(edition, slot)
                found += 1
    elif position.phase == LAY:
        found = _list_placements(position, edition, position.held, 0, codes, 0)
    elif position.phase == SPECIAL:
        base = code_of_special_patch(edition, 0)
        found = _list_cells(position.free[mover, 0], position.free[mover, 1], base, codes, 0)
        if found == 0 or edition.may_remove_special_patch:
            codes[found] = code_of_removal(edition)
            found += 1
    return found


@compiled
def legal_count(position: PositionRecord, edition: EditionRecord) -> int:
    """The number of legal moves, without listing them."""
    mover = position.turn
    found = 0
    if position.phase == TURN:
        found = 1
        enters = reserve_enters(position, edition)
        for slot in range(choice_count(position, edition)):
            patch = position.ring[ring_place(position, slot)]
            if can_pay(position, edition, patch):
                if enters:
                    found += fits_somewhere(position, edition, mover, patch)
                else:
                    found += placement_count(position, edition, mover, patch)
    elif position.phase == LAY:
        found = placement_count(position, edition, mover, position.held)
    elif position.phase == SPECIAL:
        found = empty_spaces(position, mover)
        if found == 0 or edition.may_remove_special_patch:
            found += 1
    return found


@compiled_inline
def placement_count(position: PositionRecord, edition: EditionRecord, player: int, patch: int) -> int:
    """The number of ways to lay a patch on a player's quilt."""
    found = 0
    free_low, free_high = position.free[player, 0], position.free[player, 1]
    size = edition.patch_cells[patch]
    for shape in range(edition.first_shape[patch], edition.first_shape[patch + 1]):
        low, high = fits(edition, shape, size, free_low, free_high)
        found += count(low) + count(high)
    return found


@compiled
def play(position: PositionRecord, edition: EditionRecord, code: int) -> None:
    """Plays a legal move, in place."""
    if code == ADVANCE:
        advance(position, edition)
        return
    special = code_of_special_patch(edition, 0)
    if code < special:
        index = (code - 1) // edition.cells
        corner = (code - 1) % edition.cells
        orientation = index & 7
        patch = position.held if position.phase == LAY else take_patch(position, edition, index >> 3)
        shape = edition.shape_at[patch, orientation]
        lay_patch(position, edition, patch, shape, corner + edition.indent[shape])
    elif code < code_of_removal(edition):
        place_special_patch(position, edition, code - special)
    elif code == code_of_removal(edition):
        place_special_patch(position, edition, NOTHING)
    else:
        take_patch(position, edition, code - code_of_take(edition, 0))
