"""A 64-bit key of a position, Zobrist style: equal positions have equal keys.

What a quilt looks like beyond its empty spaces and its income does not matter for play, and not for the key.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.rules.bits import count
from quiltwork.rules.chance import GAMMA, mix
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import PositionRecord
from quiltwork.rules.steps import ring_place


@compiled_inline
def _key(field: int, value: int) -> Any:
    # A table of random numbers that is computed: one for each value of each field.
    return mix((np.uint64(field) << np.uint64(32)) + np.uint64(value + 1) * GAMMA)


@compiled_inline
def _word(field: int, word: Any) -> Any:
    # Mixed twice: quilts of few empty spaces are small numbers, and sums of small numbers collide.
    return mix(mix(word) + np.uint64(field))


@compiled
def position_key(position: PositionRecord) -> Any:
    """The key of a position; it does not depend on how the position was reached."""
    key = np.uint64(0)
    for player in range(2):
        base = 16 * (player + 1)
        key ^= _word(base, position.free[player, 0])
        key ^= _word(base + 1, position.free[player, 1])
        key ^= _key(base + 2, position.space[player])
        key ^= _key(base + 3, position.buttons[player])
        key ^= _key(base + 4, position.income[player])
    key ^= _key(1, position.phase)
    key ^= _key(2, position.turn)
    key ^= _key(3, position.tile)
    key ^= _key(4, position.first)
    key ^= _key(5, position.held)
    key ^= _key(6, position.pending)
    key ^= _word(7, position.reserve)
    for slot in range(count(position.present)):
        key ^= _key(64 + slot, position.ring[ring_place(position, slot)])
    return key
