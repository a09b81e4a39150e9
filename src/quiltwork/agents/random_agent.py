"""`random`: every legal move is equally likely."""

from __future__ import annotations

from random import Random

from quiltwork.agents.agent import Analysis, Limits, RankedMove, Watch, mover_of
from quiltwork.position import Position


class RandomAgent:
    """Chooses at random, for tests and first games."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._rng = Random(seed)

    def think(self, position: Position, limits: Limits | None = None, watch: Watch | None = None) -> Analysis:
        turn = mover_of(position)
        moves = list(limits.only if limits is not None and limits.only else position.legal_moves())
        first = self._rng.randrange(len(moves))
        moves[0], moves[first] = moves[first], moves[0]
        score = position.score(turn).total - position.score(turn.opponent).total
        return Analysis(turn, tuple(RankedMove(move, 0, 0.5, float(score), (move,)) for move in moves), 0)

    def close(self) -> None: ...
