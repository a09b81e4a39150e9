"""The kernel's doors for Python: arrays of one record in, new arrays out.

Numba recognises an array at once but looks long at a single record, so Python calls only these.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.rules import hashing, legality, moves, quilt, steps
from quiltwork.rules.bits import count
from quiltwork.rules.compiler import compiled
from quiltwork.rules.layout import EditionArray, PositionArray


@compiled
def legal_codes(position: PositionArray, edition: EditionArray) -> Any:
    """The codes of all legal moves, ascending."""
    codes = np.empty(moves.code_count(edition[0]), np.int32)
    found = moves.legal_moves(position[0], edition[0], codes)
    return codes[:found].copy()


@compiled
def after(position: PositionArray, edition: EditionArray, code: int) -> Any:
    """The position after a move and LEGAL; or an equal position and the reason why it is illegal."""
    result = position.copy()
    reason = legality.try_play(result[0], edition[0], code)
    return result, reason


@compiled
def after_deal(position: PositionArray, order: Any) -> Any:
    """The position after the reserve is dealt in an order."""
    result = position.copy()
    steps.deal_reserve(result[0], order)
    return result


@compiled
def illegality(position: PositionArray, edition: EditionArray, code: int) -> int:
    """LEGAL, or the first reason why a move is illegal."""
    return legality.illegality(position[0], edition[0], code)


@compiled
def score(position: PositionArray, edition: EditionArray, player: int) -> int:
    """The score of player 0 or 1."""
    return steps.score(position[0], edition[0], player)


@compiled
def winner(position: PositionArray, edition: EditionArray) -> int:
    """Who wins with these scores, 0 or 1."""
    return steps.winner(position[0], edition[0])


@compiled
def empty_spaces(position: PositionArray, player: int) -> int:
    """The empty spaces of player 0 or 1."""
    return quilt.empty_spaces(position[0], player)


@compiled
def advance_distance(position: PositionArray, edition: EditionArray) -> int:
    """The spaces that an advance would move."""
    return steps.advance_distance(position[0], edition[0])


@compiled
def reserve_enters(position: PositionArray, edition: EditionArray) -> bool:
    """Whether taking a patch now brings the reserve."""
    return steps.reserve_enters(position[0], edition[0])


@compiled
def fits_somewhere(position: PositionArray, edition: EditionArray, player: int, patch: int) -> bool:
    """Whether a patch fits on the quilt of player 0 or 1."""
    return quilt.fits_somewhere(position[0], edition[0], player, patch)


@compiled
def has_full_square(position: PositionArray, edition: EditionArray, player: int) -> bool:
    """Whether player 0 or 1 has filled a square of the special tile's size."""
    return quilt.has_full_square(position[0], edition[0], player)


@compiled
def income_marks_crossed(edition: EditionArray, start: int, end: int) -> Any:
    """The income marks between two spaces, as bits."""
    return steps.marks_crossed(edition[0].income_marks, start, end)


@compiled
def special_patch_marks_crossed(edition: EditionArray, start: int, end: int) -> Any:
    """The special patch marks between two spaces, as bits."""
    return steps.marks_crossed(edition[0].special_patch_marks, start, end)


@compiled
def circle(position: PositionArray) -> Any:
    """The patches in the circle, clockwise from the neutral token."""
    patches = np.empty(count(position[0].present), np.uint8)
    for slot in range(len(patches)):
        patches[slot] = position[0].ring[steps.ring_place(position[0], slot)]
    return patches


@compiled
def position_key(position: PositionArray) -> Any:
    """The 64-bit key of a position."""
    return hashing.position_key(position[0])
