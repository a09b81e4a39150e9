"""`greedy`: the patch with the best worth for its price and time, in its tightest place; it looks no further."""

from __future__ import annotations

import math

import numpy as np

from quiltwork.agents.agent import Analysis, Limits, RankedMove, Watch, mover_of
from quiltwork.agents.engine.candidates import CANDIDATES, candidates_of
from quiltwork.agents.engine.tables import tables_of
from quiltwork.agents.tuning import Tuning
from quiltwork.position import Position


class GreedyAgent:
    """Ranks moves by the prior that guides the searches: economy first, then tight placement."""

    name = "greedy"

    def __init__(self, seed: int = 0) -> None:
        self._tuning = Tuning()

    def think(self, position: Position, limits: Limits | None = None, watch: Watch | None = None) -> Analysis:
        turn = mover_of(position)
        edition = position.edition.compiled
        found = np.zeros(1, CANDIDATES)
        tuning = self._tuning
        candidates_of(
            position.record.copy(), edition, tables_of(edition), tuning.policy(), tuning.settings(), 1, found
        )
        count = int(found["count"][0])
        order = sorted(range(count), key=lambda i: -found["prior"][0, i])
        points = float(position.score(turn).total - position.score(turn.opponent).total)
        win = 1 / (1 + math.exp(-points / 8))
        moves = [position.move_of_code(int(found["code"][0, i])) for i in order]
        return Analysis(turn, tuple(RankedMove(move, 0, win, points, (move,)) for move in moves), 0)

    def close(self) -> None: ...
