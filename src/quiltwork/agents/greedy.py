"""`greedy`: the patch with the best worth for its price and time, in its tightest place; it looks no further.

Its habits make it play like people do at first. It never throws in a random move: each move is the best in its own
eyes, which differ in what they look at and in how sure they are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

import numpy as np

from quiltwork.agents.agent import Analysis, Limits, RankedMove, Watch, mover_of, restricted
from quiltwork.agents.search.candidates import CANDIDATES, candidates_of
from quiltwork.agents.search.config import SearchConfig
from quiltwork.agents.search.placements import MAX_PLACEMENTS
from quiltwork.agents.search.tree import group_of
from quiltwork.position import Position


@dataclass(frozen=True)
class Habits:
    """What a greedy player looks at, in sixteenths of a button."""

    size: int = 25
    """a space covered"""
    income: int = 20
    """a button of income, at each mark that it thinks of"""
    foresight: int = 99
    """how many income marks ahead it thinks of; beyond them a button is only a point"""
    thrift: int = 19
    """a button in hand, above its point, for all that it may still buy"""
    hurry: int = 47
    """a space on the time board that is not used up"""
    special: int = 95
    """a special patch reached"""
    waver: float = 0.0
    """how far its judgement of a patch may be off (standard deviation)"""
    untidy: float = 0.0
    """how far its judgement of a place may be off, where an open edge between two empty spaces is 60"""


class GreedyAgent:
    """Weighs the patches by its habits, takes the best in its eyes, and lays it where it looks good."""

    name = "greedy"

    def __init__(self, habits: Habits | None = None, seed: int = 0) -> None:
        self.habits = habits or Habits()
        self._rng = Random(seed)
        self._config = SearchConfig()

    def think(self, position: Position, limits: Limits | None = None, watch: Watch | None = None) -> Analysis:
        turn = mover_of(position)
        codes, priors = self._candidates(position)
        order = self._order(position, codes, priors)
        points = float(position.score(turn).total - position.score(turn.opponent).total)
        win = 1 / (1 + math.exp(-points / 8))
        moves = restricted(tuple(position.move_of_code(codes[i]) for i in order), limits)
        return Analysis(turn, tuple(RankedMove(move, 0, win, points, (move,)) for move in moves), 0)

    def close(self) -> None: ...

    def _candidates(self, position: Position) -> tuple[list[int], list[float]]:
        """The moves that it considers; a prior tells the worth of the patch and the cost of the place."""
        context, habits = self._config.context(position.edition), self.habits
        for name, value in (
            ("space", habits.size),
            ("income", habits.income),
            ("time", habits.hurry),
            ("special", habits.special),
            ("button", habits.thrift),
        ):
            context["heuristics"][name] = value
        marks = context["tables"]["income_marks_after"]
        marks[:] = marks.clip(0, max(0, habits.foresight))
        found = np.zeros(1, CANDIDATES)
        candidates_of(position.record.copy(), context, MAX_PLACEMENTS, found)
        count = int(found["count"][0])
        return found["code"][0, :count].tolist(), found["prior"][0, :count].tolist()

    def _order(self, position: Position, codes: list[int], priors: list[float]) -> list[int]:
        """The moves, best in its eyes first: what to take is decided before where to lay it."""
        groups: dict[int, list[int]] = {}
        for i, code in enumerate(codes):
            groups.setdefault(group_of(position, code), []).append(i)
        habits, gauss = self.habits, self._rng.gauss
        worth = {
            group: self._config.heuristic_temperature * math.log(sum(priors[i] for i in members))
            + gauss(0, habits.waver)
            for group, members in groups.items()
        }
        fit = [self._config.placement_temperature * math.log(prior) + gauss(0, habits.untidy) for prior in priors]
        return [
            i
            for group in sorted(groups, key=lambda group: -worth[group])
            for i in sorted(groups[group], key=lambda i: -fit[i])
        ]
