"""Where patches fit on a quilt, and what lies there."""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.rules.bits import ONE, ZERO, bit, count, shifted
from quiltwork.rules.compiler import compiled_inline
from quiltwork.rules.layout import NOT_PLACED, EditionRecord, PositionRecord


@compiled_inline
def fits(edition: EditionRecord, shape: int, size: int, free_low: Any, free_high: Any) -> Any:
    """The places for the first cell of a shape of `size` cells on the free cells, as two words.

    Every step moves the places found so far back by the distance between two cells and keeps the free ones,
    so that all positions are tried at once.
    """
    low, high = free_low, free_high
    for i in range(size - 1):
        step = np.uint64(edition.step[shape, i])
        low = free_low & ((low >> step) | (high << np.uint64(edition.carry[shape, i])))
        high = free_high & (high >> step)
    return low & edition.starts[shape, 0], high & edition.starts[shape, 1]


@compiled_inline
def fits_somewhere(position: PositionRecord, edition: EditionRecord, player: int, patch: int) -> bool:
    """Whether a player's quilt has a place for a patch, turned in any way."""
    free_low, free_high = position.free[player, 0], position.free[player, 1]
    size = edition.patch_cells[patch]
    for shape in range(edition.first_shape[patch], edition.first_shape[patch + 1]):
        low, high = fits(edition, shape, size, free_low, free_high)
        if (low | high) != ZERO:
            return True
    return False


@compiled_inline
def empty_spaces(position: PositionRecord, player: int) -> int:
    """The number of empty spaces on a player's quilt board."""
    return count(position.free[player, 0]) + count(position.free[player, 1])


@compiled_inline
def cover(position: PositionRecord, player: int, low: Any, high: Any) -> None:
    """Covers spaces of a player's quilt."""
    position.free[player, 0] &= ~low
    position.free[player, 1] &= ~high


@compiled_inline
def cells_of_shape(edition: EditionRecord, shape: int, first_cell: int) -> Any:
    """The cells of a shape whose first cell lies at `first_cell`, as two words."""
    return shifted(edition.mask[shape, 0], edition.mask[shape, 1], first_cell)


@compiled_inline
def single_cell(cell: int) -> Any:
    """One cell as two words."""
    if cell < 64:
        return bit(cell), ZERO
    return ZERO, ONE << np.uint64(cell - 64)


@compiled_inline
def has_full_square(position: PositionRecord, edition: EditionRecord, player: int) -> bool:
    """Whether a player has completely filled a square of the special tile's size."""
    return is_square_full(edition, position.free[player, 0], position.free[player, 1])


@compiled_inline
def is_square_full(edition: EditionRecord, low: Any, high: Any) -> bool:
    """Whether a square of the special tile's size has none of these empty spaces."""
    for square in range(edition.square_count):
        if (low & edition.squares[square, 0]) | (high & edition.squares[square, 1]) == ZERO:
            return True
    return False


@compiled_inline
def whereabouts(player: int, orientation: int, corner: int) -> int:
    """Where a patch lies, as one number: 7 bits for the corner, 3 for the orientation, 1 for the player."""
    return (np.int64(player) << 10) | (np.int64(orientation) << 7) | corner  # type: ignore[return-value]


def placement_of(number: int) -> tuple[int, int, int] | None:
    """Player, orientation and corner of a whereabouts number; None if not placed."""
    if number == NOT_PLACED:
        return None
    return number >> 10, number >> 7 & 7, number & 127
