"""Counting sequences of moves: the classic check of a move generator."""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.rules.compiler import compiled
from quiltwork.rules.moves import code_count, legal_count, legal_moves, play


@compiled
def perft(positions: Any, edition: Any, depth: int) -> int:
    """The number of sequences of exactly `depth` moves of players from `positions[0]`.

    A sequence that ends, or waits for the reserve, earlier counts nothing. `positions` has room for depth + 1.
    """
    if depth == 0:
        return 1
    room = code_count(edition[0])
    codes = np.empty((depth, room), np.int32)
    total = np.empty(depth, np.int64)
    done = np.zeros(depth, np.int64)
    found = 0
    level = 0
    if depth == 1:
        return legal_count(positions[0], edition[0])
    total[0] = legal_moves(positions[0], edition[0], codes[0])
    while level >= 0:
        if done[level] == total[level]:
            level -= 1
            continue
        positions[level + 1] = positions[level]
        play(positions[level + 1], edition[0], codes[level, done[level]])
        done[level] += 1
        if level + 2 == depth:
            found += legal_count(positions[level + 1], edition[0])
        else:
            level += 1
            total[level] = legal_moves(positions[level], edition[0], codes[level])
            done[level] = 0
    return found
