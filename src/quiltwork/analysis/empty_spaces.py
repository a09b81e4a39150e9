"""How games end from a position: which spaces stay empty, over many playouts."""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.agents.heuristics.playout import quick_playout
from quiltwork.rules.bits import contains
from quiltwork.rules.compiler import compiled


@compiled
def count_empty(root: Any, context: Any, source: Any, playouts: int, counts: Any) -> None:
    """Adds up, by player and cell, in how many playouts a cell is empty at the end."""
    work = root.copy()
    for _ in range(playouts):
        work[0] = root[0]
        quick_playout(work[0], context[0], context[0].heuristics.noise, source[0])
        for player in range(2):
            for cell in range(context[0].edition.cells):
                if contains(work[0].free[player, 0], work[0].free[player, 1], cell):
                    counts[player, np.int64(cell)] += 1
