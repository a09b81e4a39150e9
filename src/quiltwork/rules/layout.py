"""The fixed-size records of the kernel: an edition and a position.

Fields that serve as an index are unsigned: an index that may be negative costs Numba a test each time.
A quilt is a bitboard of two 64-bit words: the cell at (row, column) is bit `row * columns + column`.
Players are 0 and 1 here; a patch is its number in the edition.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import numpy as np

from quiltwork.rules.record import Int8, Int16s, Int64, UInt8, UInt8s, UInt16s, Word, Words, record_type

MAX_SIDE = 9
MAX_LAST_SPACE = 63
MAX_PATCHES = 64
MAX_CELLS = 16
MAX_CHOICES = 8
MAX_SHAPES = MAX_PATCHES * 8
MAX_BUTTONS = 9999

NOBODY = -1
NOTHING = -1
NOT_PLACED = 0xFFFF
NO_RESERVE = -1
VACANT = 255

# The phases; `quiltwork.position_setup.Phase` has the same numbers.
TURN = 0
SPECIAL = 1
DEAL = 2
LAY = 3
OVER = 4


class EditionRecord:
    """An edition."""

    board: Annotated[Words, 2]  # the spaces of the quilt board
    income_marks: Word  # bit n: crossing space n pays income
    special_patch_marks: Word  # bit n: a special patch lies on space n
    rows: Int64
    columns: Int64
    cells: Int64  # rows * columns
    last_space: Int64
    start_buttons: Int64
    points_per_empty_space: Int64
    may_remove_special_patch: Int64
    choices: Int64
    reserve_enters_when_left: Int64  # NO_RESERVE: never
    tile_square: Int64  # 0: no special tile
    tile_points: Int64
    square_count: Int64
    patch_count: Int64
    shape_count: Int64
    squares: Annotated[Words, MAX_SIDE * MAX_SIDE, 2]  # the squares that win the special tile
    # patches, by number
    price: Annotated[UInt16s, MAX_PATCHES]
    time: Annotated[UInt16s, MAX_PATCHES]
    income: Annotated[UInt16s, MAX_PATCHES]
    patch_cells: Annotated[UInt16s, MAX_PATCHES]
    first_shape: Annotated[UInt16s, MAX_PATCHES + 1]  # its shapes are first_shape[p] .. first_shape[p + 1]
    shape_at: Annotated[Int16s, MAX_PATCHES, 8]  # the shape of an orientation, NOTHING if not canonical
    # shapes: a patch in one canonical orientation
    starts: Annotated[Words, MAX_SHAPES, 2]  # where its first cell may lie on the empty board
    mask: Annotated[Words, MAX_SHAPES, 2]  # its cells, the first one at bit 0
    step: Annotated[UInt8s, MAX_SHAPES, MAX_CELLS]  # distance in bits from the cell before, last cell first
    carry: Annotated[UInt8s, MAX_SHAPES, MAX_CELLS]  # 64 - step: from a table it is faster than computed
    indent: Annotated[UInt16s, MAX_SHAPES]  # column of the first cell in the bounding box
    orientation: Annotated[UInt16s, MAX_SHAPES]


EDITION = record_type(EditionRecord)


class PositionRecord:
    """A position."""

    free: Annotated[Words, 2, 2]  # [player, word] the empty spaces
    special: Annotated[Words, 2, 2]  # [player, word] the spaces under special patches
    present: Word  # ring places that still hold a patch
    reserve: Word  # bit p: patch p waits in the reserve
    space: Annotated[Int16s, 2]
    buttons: Annotated[Int16s, 2]
    income: Annotated[Int16s, 2]
    phase: Int8
    turn: UInt8  # who moves; on a shared space, whose token is on top
    tile: Int8  # the owner of the special tile, or NOBODY
    first: Int8  # who reached the last space first, or NOBODY
    held: Int8  # the patch paid and not yet laid, or NOTHING
    pending: Int8  # special patches still to be placed
    token: UInt8  # the ring place of the neutral token
    ring: Annotated[UInt8s, MAX_PATCHES]  # the patches as dealt, clockwise
    placed: Annotated[UInt16s, MAX_PATCHES]  # where a patch lies: see `rules.steps.whereabouts`


POSITION = record_type(PositionRecord)

EditionArray: TypeAlias = np.ndarray[tuple[int], np.dtype[np.void]]
PositionArray: TypeAlias = np.ndarray[tuple[int], np.dtype[np.void]]
