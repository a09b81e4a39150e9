"""The moves of a searched root in their order, best first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from quiltwork.agents.search import mcts
from quiltwork.agents.search.config import SearchConfig
from quiltwork.agents.search.tree import Tree
from quiltwork.codes import ADVANCE
from quiltwork.move import Move, Player, piece_of
from quiltwork.position import Position

PRIOR_VISITS = 16
"""visits that the prior counts for: after hardly any simulations it is all there is"""
MIN_VISITS = 16
"""with fewer, values say little: what is visited most is chosen"""
RULED_OUT = 2.0
"""subtracted from the bound of a move with too few visits: more than any difference of values"""

Numbers = np.ndarray[Any, Any]


def by_piece(moves: Iterable[Move]) -> dict[str, list[int]]:
    """The numbers of moves by what they lay: what to do is decided before where."""
    groups: dict[str, list[int]] = {}
    for i, move in enumerate(moves):
        groups.setdefault(piece_of(move), []).append(i)
    return groups


@dataclass(frozen=True)
class RootMoves:
    """The moves at the root of some trees, added up; values, wins and points are the mover's."""

    position: Position
    codes: list[int]
    visits: Numbers
    priors: Numbers
    values: Numbers
    wins: Numbers
    points: Numbers

    @classmethod
    def of(cls, trees: list[Tree], mover: Player) -> RootMoves:
        # Trees widen by their own visits, so one may have moves that another has not.
        children = np.concatenate([tree.children() for tree in trees])
        codes = list(dict.fromkeys(children["code"].tolist()))
        number = {code: i for i, code in enumerate(codes)}
        where = [number[code] for code in children["code"].tolist()]
        visits, wins, points, values, priors = (
            1.0 * np.bincount(where, children[name]) for name in ("visits", "win", "points", "value", "prior")
        )
        known, roots = np.maximum(visits, 1), [tree.nodes[0] for tree in trees]
        total = max(1, sum(int(root["visits"]) for root in roots))
        values = values / known
        wins = np.where(visits > 0, wins / known, sum(float(root["win"]) for root in roots) / total)
        points = np.where(visits > 0, points / known, sum(float(root["points"]) for root in roots) / total)
        if mover is Player.TWO:
            values, wins, points = np.where(visits > 0, 1 - values, 0.0), 1 - wins, -points
        return cls(trees[0].position, codes, visits, priors / len(trees), values, wins, points)

    def order(self, config: SearchConfig, waits: int) -> list[int]:
        """The numbers of the moves, best first: what to do is decided before where."""
        visits, values = self.visits, self.values
        groups = by_piece(map(self.position.move_of_code, self.codes))
        worth = visits + PRIOR_VISITS * self.priors
        worth_of_group = {group: float(worth[members].sum()) for group, members in groups.items()}
        if config.lcb > 0 and visits.sum() >= MIN_VISITS:
            behind = float((visits * values).sum()) < mcts.BEHIND * visits.sum()
            penalty = config.penalty(waits if behind else 0)
            waiting = np.array(self.codes) == ADVANCE
            values = values - penalty * waiting
            # Where waiting is penalised, its visits do not count: they were made before.
            counted = visits[~waiting] if penalty > config.wait_penalty else visits
            least = config.visit_floor * counted.max(initial=0)
            worth = values - config.lcb / np.sqrt(visits + 1.0) - RULED_OUT * (visits < least)
            for group, members in groups.items():
                # The bound of a patch counts the visits of all its placements.
                best, total = max(members, key=lambda i: worth[i]), visits[members].sum()
                bound = values[best] - config.lcb / np.sqrt(total + 1.0)
                worth_of_group[group] = float(bound - RULED_OUT * (total < least))
        first, *others = sorted(groups, key=lambda group: -worth_of_group[group])
        rest = [i for group in others for i in groups[group]]
        last = (-worth).tolist()
        return sorted(groups[first], key=last.__getitem__) + sorted(rest, key=last.__getitem__)
