"""The fixed-size records of the kernel: an edition and a position.

Fields that serve as an index are unsigned: an index that may be negative costs Numba a test each time.
A quilt is a bitboard of two 64-bit words: the cell at (row, column) is bit `row * columns + column`.
Players are 0 and 1 here; a patch is its number in the edition.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from quiltwork.rules.compiler import PLAIN

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

# The phases; `quiltwork.setup.Phase` has the same numbers.
TURN = 0
SPECIAL = 1
DEAL = 2
LAY = 3
OVER = 4


def record_type(fields: list[Any]) -> np.dtype[np.void]:
    """A record with these fields; where the kernel runs as plain Python, one whose fields are attributes."""
    plain = np.dtype(fields, align=True)
    return np.dtype((np.record, plain)) if PLAIN else plain


EDITION = record_type(
    [
        ("board", np.uint64, (2,)),  # the spaces of the quilt board
        ("income_marks", np.uint64),  # bit n: crossing space n pays income
        ("special_patch_marks", np.uint64),  # bit n: a special patch lies on space n
        ("rows", np.int64),
        ("columns", np.int64),
        ("cells", np.int64),  # rows * columns
        ("last_space", np.int64),
        ("start_buttons", np.int64),
        ("points_per_empty_space", np.int64),
        ("may_remove_special_patch", np.int64),
        ("choices", np.int64),
        ("reserve_enters_when_left", np.int64),  # NO_RESERVE: never
        ("tile_square", np.int64),  # 0: no special tile
        ("tile_points", np.int64),
        ("square_count", np.int64),
        ("patch_count", np.int64),
        ("shape_count", np.int64),
        ("squares", np.uint64, (MAX_SIDE * MAX_SIDE, 2)),  # the squares that win the special tile
        # patches, by number
        ("price", np.uint16, (MAX_PATCHES,)),
        ("time", np.uint16, (MAX_PATCHES,)),
        ("income", np.uint16, (MAX_PATCHES,)),
        ("patch_cells", np.uint16, (MAX_PATCHES,)),
        ("first_shape", np.uint16, (MAX_PATCHES + 1,)),  # its shapes are first_shape[p] .. first_shape[p + 1]
        ("shape_at", np.int16, (MAX_PATCHES, 8)),  # the shape of an orientation, NOTHING if not canonical
        # shapes: a patch in one canonical orientation
        ("starts", np.uint64, (MAX_SHAPES, 2)),  # where its first cell may lie on the empty board
        ("mask", np.uint64, (MAX_SHAPES, 2)),  # its cells, the first one at bit 0
        ("step", np.uint8, (MAX_SHAPES, MAX_CELLS)),  # distance in bits from the cell before, last cell first
        ("carry", np.uint8, (MAX_SHAPES, MAX_CELLS)),  # 64 - step: from a table it is faster than computed
        ("indent", np.uint16, (MAX_SHAPES,)),  # column of the first cell in the bounding box
        ("orientation", np.uint16, (MAX_SHAPES,)),
    ]
)

POSITION = record_type(
    [
        ("free", np.uint64, (2, 2)),  # [player, word] the empty spaces
        ("special", np.uint64, (2, 2)),  # [player, word] the spaces under special patches
        ("present", np.uint64),  # ring places that still hold a patch
        ("reserve", np.uint64),  # bit p: patch p waits in the reserve
        ("space", np.int16, (2,)),
        ("buttons", np.int16, (2,)),
        ("income", np.int16, (2,)),
        ("phase", np.int8),
        ("turn", np.uint8),  # who moves; on a shared space, whose token is on top
        ("tile", np.int8),  # who has the special tile, or NOBODY
        ("first", np.int8),  # who reached the last space first, or NOBODY
        ("held", np.int8),  # the patch paid and not yet laid, or NOTHING
        ("pending", np.int8),  # special patches still to be placed
        ("token", np.uint8),  # the ring place of the neutral token
        ("ring", np.uint8, (MAX_PATCHES,)),  # the patches as dealt, clockwise
        ("placed", np.uint16, (MAX_PATCHES,)),  # where a patch lies: see `rules.steps.whereabouts`
    ]
)

EditionRecord: TypeAlias = Any
PositionRecord: TypeAlias = Any
EditionArray: TypeAlias = np.ndarray[tuple[int], np.dtype[np.void]]
PositionArray: TypeAlias = np.ndarray[tuple[int], np.dtype[np.void]]
Words: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]
