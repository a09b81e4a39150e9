"""The tree search that `search` and `planner` share: trees on one or several cores, limits, reuse, ranking."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import inf
from typing import Any

import numpy as np

from quiltwork.agents.agent import Analysis, Limits, RankedMove, Watch, mover_of
from quiltwork.agents.endgame import Endgame
from quiltwork.agents.engine import tree
from quiltwork.agents.pace import Pace
from quiltwork.agents.search_tree import CHUNK_SECONDS, Tree, group_of
from quiltwork.agents.tuning import Tuning
from quiltwork.agents.weights import NO_NET, Net
from quiltwork.codes import ADVANCE
from quiltwork.move import Advance, Move, Player
from quiltwork.position import Position

DEFAULT_SECONDS = 1.0
UNLIMITED = 10**12
LINE_LENGTH = 8
LINES = 5
PRIOR_VISITS = 16
FEW_VISITS = 16
"""say little about values: with fewer, what is visited most is chosen"""
PLACING_SHARE = 0.15
"""of the time, for choosing places by what simulations predict"""
SERIOUS_SHARE = 0.1
"""of the simulations, for a patch whose place is chosen"""
ENDGAME_SPACES = 16
"""tokens that have no more than this left together are near enough to the end to try to search it out"""
LATE_SPACES = 32
"""are the last part of a game: simulations are short, and what fits where decides"""
ENDGAME_SHARE = 0.4
"""of the time"""
ENDGAME_NODES = 2
"""nodes of the exact search for a simulation"""


def spaces_left(position: Position) -> float:
    """What both tokens have before them together; endless while a deal is to come."""
    setup = position.setup
    return inf if setup.reserve else sum(position.edition.last_space - seat.space for seat in setup.players)


class TreeSearch:
    """An agent that thinks by growing trees, one on each core, and remembers them for its next move."""

    def __init__(
        self,
        name: str,
        tuning: Tuning,
        *,
        late: Tuning | None = None,
        seed: int = 0,
        cores: int = 1,
        net: Net = NO_NET,
    ) -> None:
        self.name = name
        self.tuning = tuning
        self.late = late or tuning
        """the tuning for the last part of the game"""
        self.seed = seed
        self.cores = cores
        self.net = net
        self._trees: list[Tree] = []
        self._endgame: Endgame | None = None
        self._circle = b""
        self._waited: set[tuple[Player, int]] = set()
        """who has advanced, and from where, since the circle was as it is"""

    def close(self) -> None:
        self._trees = []

    def think(self, position: Position, limits: Limits | None = None, watch: Watch | None = None) -> Analysis:
        mover = mover_of(position)
        limits = limits or Limits()
        if limits.seconds is None and limits.simulations is None:
            limits = replace(limits, seconds=DEFAULT_SECONDS)
        pace = Pace(limits, watch or Watch())
        circle = b"".join(position.record[name].tobytes() for name in ("ring", "present"))
        if circle != self._circle:
            self._circle, self._waited = circle, set()
        left = spaces_left(position)
        solved = self._solved(position, pace) if left <= ENDGAME_SPACES else None
        if solved is not None:
            return solved
        tuning = self.late if left <= LATE_SPACES else self.tuning
        if self._trees and self._trees[0].tuning == tuning:
            for each in self._trees:
                each.move_to(position)
        else:
            self._trees = [Tree(position, tuning, (self.seed << 8) + core, self.net) for core in range(self.cores)]
        # What is known from the move before counts: a limit is on what the answer rests on.
        known = self._visits
        for each in self._trees:
            each.set_waits(self._waits(position))
        if tuning.root_placements == 1:
            self._grow(mover, known, tuning.predicting, pace)
            self._settle(pace)
        self._grow(mover, known, 1.0, pace)
        analysis = self._analysis(mover)
        if isinstance(analysis.best.move, Advance) and len(analysis.moves) > 1:
            self._waited.add((mover, position.player(mover).space))
        return analysis

    def _solved(self, position: Position, pace: Pace) -> Analysis | None:
        """The exact answer, if the rest of the game can be searched out in a part of the limits."""
        if self._endgame is None:
            self._endgame = Endgame()
        limits = pace.limits
        nodes = UNLIMITED if limits.simulations is None else ENDGAME_NODES * limits.simulations
        seconds = None if limits.seconds is None else ENDGAME_SHARE * limits.seconds
        return self._endgame.solve(position, nodes, seconds=seconds, clock=limits.clock, watch=pace.watch)

    def _grow(self, mover: Player, known: int, share: float, pace: Pace) -> None:
        """Adds simulations until a share of the limits is used or the watcher says stop; reports now and then."""
        left = UNLIMITED
        if pace.limits.simulations is not None:
            wanted = max(0, pace.limits.simulations - known)
            left = int(share * wanted) - (self._visits - known)
        shares = [left // self.cores + (core < left % self.cores) for core in range(self.cores)]

        def seconds_left() -> float:
            return 0.0 if pace.report_due else pace.seconds_left(share)

        while any(shares) and pace.seconds_left(share) > 0:
            self._grow_together(shares, seconds_left)
            if pace.watch.report is not None and pace.report_due:
                pace.watch.report(self._analysis(mover, partial=True))
                pace.reported()

    def _grow_together(self, shares: list[int], seconds_left: Callable[[], float]) -> None:
        """Grows one tree on each core until the shares are used up, or the thinking thread has no seconds left."""
        enough = threading.Event()

        def until_enough() -> float:
            return 0.0 if enough.is_set() else CHUNK_SECONDS

        with ThreadPoolExecutor(max(1, self.cores - 1)) as pool:
            others = [pool.submit(self._trees[i].grow, shares[i], until_enough) for i in range(1, self.cores)]
            done = [self._trees[0].grow(shares[0], seconds_left)]
            if seconds_left() <= 0:
                enough.set()
            done += [other.result() for other in others]
        for i in range(self.cores):
            shares[i] -= done[i]

    @property
    def _visits(self) -> int:
        return sum(each.visits for each in self._trees)

    def _settle(self, pace: Pace) -> None:
        """Chooses the place of each patch in question: where the least of the predicted patches is left over.

        What is known of a patch stays known; how play goes on from its new place is to be found out.
        """
        first = self._trees[0]
        tuning = first.tuning
        settled = min(1.0, tuning.predicting + PLACING_SHARE)
        visits = first.children()["visits"]
        codes = [int(code) for code in first.children()["code"]]
        for i in sorted(range(len(codes)), key=lambda i: -visits[i]):
            tried = first.placements(group_of(first.position, codes[i]), tuning.tried)
            if len(tried) == 1 or visits[i] < SERIOUS_SHARE * visits.sum():
                continue

            def enough(predictions: int) -> bool:
                return predictions >= tuning.predictions or pace.seconds_left(settled) <= 0

            waste = first.wastes(tried, tuning.beam, enough)
            if waste is not None:
                for each in self._trees:
                    each.settle(i, tried[int(np.argmin(waste))])

    def _order(self, position: Position, codes: list[int], visits: Any, priors: Any, values: Any) -> list[int]:
        """The moves, best first: what to do is decided by all placements of a patch together, then where."""
        tuning = self._trees[0].tuning
        groups: dict[int, list[int]] = {}
        for i, code in enumerate(codes):
            groups.setdefault(group_of(position, code), []).append(i)
        # The prior counts like a few visits: after hardly any simulations it is all there is.
        worth = visits + PRIOR_VISITS * priors / len(self._trees)
        worth_of_group = {group: float(worth[members].sum()) for group, members in groups.items()}
        if tuning.certainty > 0 and visits.sum() >= FEW_VISITS:
            behind = float((visits * values).sum()) < tree.BEHIND * visits.sum()
            patience = tuning.patience(self._waits(position) if behind else 0)
            sure = values - patience * (np.array(codes) == ADVANCE)
            worth = sure - tuning.certainty / np.sqrt(visits + 1.0)
            for group, members in groups.items():
                best = max(members, key=lambda i: worth[i])
                doubt = tuning.certainty / np.sqrt(visits[members].sum() + 1.0)
                worth_of_group[group] = float(sure[best] - doubt)
        first, *others = sorted(groups, key=lambda group: -worth_of_group[group])
        rest = [i for group in others for i in groups[group]]
        last = (-worth).tolist()
        return sorted(groups[first], key=last.__getitem__) + sorted(rest, key=last.__getitem__)

    def _waits(self, position: Position) -> int:
        """How often the mover has waited before, since a patch was taken."""
        mover = mover_of(position)
        here = (mover, position.player(mover).space)
        return sum(player is mover for player, _ in self._waited - {here})

    def _analysis(self, mover: Player, partial: bool = False) -> Analysis:
        position = self._trees[0].position
        children = [each.children() for each in self._trees]
        # Trees widen by their own visits, so one may have moves that another has not.
        everything = np.concatenate(children)
        codes = list(dict.fromkeys(everything["code"].tolist()))
        number = {code: i for i, code in enumerate(codes)}
        where = [number[code] for code in everything["code"].tolist()]
        visits, win_sums, point_sums, value_sums, priors = (
            np.bincount(where, everything[name]) for name in ("visits", "win", "points", "value", "prior")
        )
        known, total = np.maximum(visits, 1), max(1, self._visits)
        values = (value_sums if mover is Player.ONE else visits - value_sums) / known
        root_win = float(sum(each.nodes[0]["win"] for each in self._trees)) / total
        root_points = float(sum(each.nodes[0]["points"] for each in self._trees)) / total
        wins = np.where(visits > 0, win_sums / known, root_win)
        points = np.where(visits > 0, point_sums / known, root_points)
        if mover is Player.TWO:
            wins, points = 1 - wins, -points
        of_move = list(zip(visits.astype(int).tolist(), wins.tolist(), points.tolist(), strict=True))
        moves: list[RankedMove] = []
        for i in self._order(position, codes, visits, priors, values):
            move = position.move_of_code(codes[i])
            line: tuple[Move, ...] = (move,)
            if len(moves) < LINES:
                best_tree = max(self._trees, key=lambda each: each.visits_of(codes[i]))
                line = best_tree.line(codes[i], LINE_LENGTH)
            moves.append(RankedMove(move, *of_move[i], line))
        return Analysis(mover, tuple(moves), self._visits, partial=partial)
