"""Why a move is illegal: the first reason that applies, in the order phase, choice, cost, board, overlap."""

from __future__ import annotations

from quiltwork.rules.bits import ZERO
from quiltwork.rules.compiler import compiled
from quiltwork.rules.layout import LAY, NOTHING, SPECIAL, TURN, EditionRecord, PositionRecord
from quiltwork.rules.moves import ADVANCE, code_count, code_of_removal, code_of_special_patch, code_of_take, play
from quiltwork.rules.quilt import cells_of_shape, empty_spaces, fits_somewhere, single_cell
from quiltwork.rules.steps import can_pay, choice_count, reserve_enters, ring_place

LEGAL = 0
PHASE = 1
CHOICE = 2
COST = 3
BOARD = 4
OVERLAP = 5


@compiled
def illegality(position: PositionRecord, edition: EditionRecord, code: int) -> int:
    """LEGAL, or the first reason why the move of that code is illegal."""
    special = code_of_special_patch(edition, 0)
    removal = code_of_removal(edition)
    if code < 0 or code >= code_count(edition):
        return CHOICE
    if code == ADVANCE:
        return LEGAL if position.phase == TURN else PHASE
    if code < special:
        index = (code - 1) // edition.cells
        slot, orientation = index >> 3, index & 7
        corner = (code - 1) % edition.cells
        if position.phase == LAY:
            if slot != 0:
                return CHOICE
            return _placement(position, edition, position.held, orientation, corner)
        if position.phase != TURN or reserve_enters(position, edition):
            return PHASE
        reason = _choice(position, edition, slot)
        if reason != LEGAL:
            return reason
        return _placement(position, edition, position.ring[ring_place(position, slot)], orientation, corner)
    if code <= removal:
        if position.phase != SPECIAL:
            return PHASE
        if code == removal:
            if edition.may_remove_special_patch or empty_spaces(position, position.turn) == 0:
                return LEGAL
            return CHOICE
        return _special_patch(position, edition, code - special)
    if position.phase != TURN or not reserve_enters(position, edition):
        return PHASE
    slot = code - code_of_take(edition, 0)
    reason = _choice(position, edition, slot)
    if reason != LEGAL:
        return reason
    patch = position.ring[ring_place(position, slot)]
    return LEGAL if fits_somewhere(position, edition, position.turn, patch) else OVERLAP


@compiled
def _choice(position: PositionRecord, edition: EditionRecord, slot: int) -> int:
    if slot >= choice_count(position, edition):
        return CHOICE
    if not can_pay(position, edition, position.ring[ring_place(position, slot)]):
        return COST
    return LEGAL


@compiled
def _placement(position: PositionRecord, edition: EditionRecord, patch: int, orientation: int, corner: int) -> int:
    shape = edition.shape_at[patch, orientation]
    if shape == NOTHING:
        return BOARD
    first_cell = corner + edition.indent[shape]
    low, high = single_cell(first_cell)
    if (low & edition.starts[shape, 0]) | (high & edition.starts[shape, 1]) == ZERO:
        return BOARD
    mover = position.turn
    low, high = cells_of_shape(edition, shape, first_cell)
    if (low & ~position.free[mover, 0]) | (high & ~position.free[mover, 1]) != ZERO:
        return OVERLAP
    return LEGAL


@compiled
def _special_patch(position: PositionRecord, edition: EditionRecord, cell: int) -> int:
    mover = position.turn
    low, high = single_cell(cell)
    if (low & edition.board[0]) | (high & edition.board[1]) == ZERO:
        return BOARD
    if (low & position.free[mover, 0]) | (high & position.free[mover, 1]) == ZERO:
        return OVERLAP
    return LEGAL


@compiled
def try_play(position: PositionRecord, edition: EditionRecord, code: int) -> int:
    """Plays a move in place if it is legal; returns LEGAL or the reason, with the position unchanged."""
    reason = illegality(position, edition, code)
    if reason == LEGAL:
        play(position, edition, code)
    return reason
