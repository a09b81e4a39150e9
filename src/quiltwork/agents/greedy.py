"""`greedy`: the patch with the best worth for its price and time, in its tightest place; it looks no further.

Habits make it weak in the way beginners are: it misjudges, but it never plays a random move.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

from quiltwork.agents.agent import Analysis, Limits, RankedMove, Watch, mover_of, restricted
from quiltwork.agents.heuristics.economy import WORTHS, Worths
from quiltwork.agents.search.candidates import candidates_of
from quiltwork.agents.search.config import ContextArray, SearchConfig
from quiltwork.agents.search.placements import MAX_PLACEMENTS
from quiltwork.agents.search.ranking import by_piece
from quiltwork.editions.edition import Edition
from quiltwork.move import Move
from quiltwork.position import Position


@dataclass(frozen=True)
class Habits:
    """What a greedy player looks at, in sixteenths of a button."""

    size: int = WORTHS.space
    """a space covered"""
    income: int = WORTHS.income
    """a button of income, at each mark that it thinks of"""
    foresight: int = 99
    """how many income marks ahead it thinks of; beyond them a button is only a point"""
    thrift: int = WORTHS.button
    """a button in hand, above its point, for all that it may still buy"""
    hurry: int = WORTHS.time
    """a space on the time board that is not used up"""
    special: int = WORTHS.special
    """a special patch reached"""
    waver: float = 0.0
    """how far its judgement of a patch may be off (standard deviation)"""
    untidy: float = 0.0
    """how far its judgement of a place may be off, where an open edge between two empty spaces is 60"""


class GreedyAgent:
    """Takes the patch that its habits value most, and lays it in the place that they value most."""

    name = "greedy"

    def __init__(self, habits: Habits | None = None, seed: int = 0) -> None:
        self.habits = habits or Habits()
        self._rng = Random(seed)
        self._config = SearchConfig()
        self._edition: Edition | None = None
        self._context: ContextArray | None = None

    def think(self, position: Position, limits: Limits | None = None, watch: Watch | None = None) -> Analysis:
        turn = mover_of(position)
        codes, priors = self._candidates(position)
        considered = [position.move_of_code(code) for code in codes]
        points = float(position.score(turn).total - position.score(turn.opponent).total)
        win = 1 / (1 + math.exp(-points / 8))
        moves = restricted(tuple(considered[i] for i in self._order(considered, priors)), limits)
        return Analysis(turn, tuple(RankedMove(move, 0, win, points, (move,)) for move in moves), 0)

    def close(self) -> None: ...

    def _candidates(self, position: Position) -> tuple[list[int], list[float]]:
        """The moves to consider; a prior combines the worth of the patch and the cost of the place."""
        if self._context is None or self._edition is not position.edition:
            self._edition, self._context = position.edition, self._context_of(position.edition)
        return candidates_of(position.record, self._context, MAX_PLACEMENTS)

    def _context_of(self, edition: Edition) -> ContextArray:
        habits = self.habits
        worths = Worths(habits.size, habits.income, habits.hurry, habits.special, habits.thrift)
        context = self._config.context(edition, worths=worths)
        marks = context["tables"]["income_marks_after"]
        marks[:] = marks.clip(0, max(0, habits.foresight))
        return context

    def _order(self, moves: list[Move], priors: list[float]) -> list[int]:
        """The moves by its habits, best first: what to take is decided before where to lay it."""
        groups = by_piece(moves)
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
