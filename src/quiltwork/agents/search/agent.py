"""The agent around the tree search: trees on one or several cores, limits, tree reuse, the exact endgame."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import inf

from quiltwork.agents.agent import Analysis, Limits, RankedMove, Watch, mover_of
from quiltwork.agents.endgame.solver import Endgame
from quiltwork.agents.net.weights import NO_NET, Net
from quiltwork.agents.pace import Pace
from quiltwork.agents.search.calibration import NET_SHARES, PLAYOUT_SHARES, calibrated
from quiltwork.agents.search.config import SearchConfig
from quiltwork.agents.search.ranking import RootMoves
from quiltwork.agents.search.tree import CHUNK_SECONDS, Tree
from quiltwork.move import Advance, Move, Player
from quiltwork.position import Position
from quiltwork.position_setup import Phase

DEFAULT_SECONDS = 1.0
UNLIMITED = 10**12
LINE_LENGTH = 8
LINES = 5
ACTION_SHARE = 0.05
"""the least share of the visits for each action, if several lines are wanted"""
ENDGAME_SHARE = 0.4
"""of the time"""
FOCUS_STEPS = 8
"""times that the best move so far is looked up while it is focused on"""
ENDGAME_NODES = 2
"""nodes of the exact search for a simulation"""


def spaces_left(position: Position) -> float:
    """The spaces that both tokens still have to go, together; infinite while a deal is to come."""
    setup = position.setup
    return inf if setup.reserve else sum(position.edition.last_space - seat.space for seat in setup.players)


class Waits:
    """Who has advanced, and from where, since the circle was as it is."""

    def __init__(self) -> None:
        self._circle = b""
        self._waited: set[tuple[Player, int]] = set()

    def count(self, position: Position) -> int:
        """How often the mover has waited before this turn."""
        circle = b"".join(position.record[name].tobytes() for name in ("ring", "present"))
        if circle != self._circle:
            self._circle, self._waited = circle, set()
        mover = mover_of(position)
        here = (mover, position.player(mover).space)
        return sum(player is mover for player, _ in self._waited - {here})

    def add(self, position: Position) -> None:
        """The mover waits here."""
        mover = mover_of(position)
        self._waited.add((mover, position.player(mover).space))


class SearchAgent:
    """An agent that thinks by growing trees, one on each core, and keeps them for its next move."""

    def __init__(
        self, name: str, config: SearchConfig, *, seed: int = 0, cores: int = 1, net: Net = NO_NET
    ) -> None:
        self.name = name
        self.config = config
        self.seed = seed
        self.cores = cores
        self.net = net
        self.waits = Waits()
        self.trees: list[Tree] = []
        self._endgame: Endgame | None = None

    def close(self) -> None:
        self.trees = []

    def think(self, position: Position, limits: Limits | None = None, watch: Watch | None = None) -> Analysis:
        mover = mover_of(position)
        limits = limits or Limits()
        if limits.seconds is None and limits.simulations is None and not limits.infinite:
            limits = replace(limits, seconds=DEFAULT_SECONDS)
        pace = Pace(limits, watch or Watch())
        waits = self.waits.count(position)
        only = tuple(code for move in limits.only if (code := position.code(move)) is not None)
        solved = self._solved(position, pace, only)
        if solved is not None:
            return solved
        if only:
            # Such a tree knows too little to be kept for the next move.
            self.close()
        if self.trees:
            for tree in self.trees:
                tree.move_to(position)
        else:
            seeds = ((self.seed << 8) + core for core in range(self.cores))
            self.trees = [Tree(position, self.config, seed, self.net, only) for seed in seeds]
        for tree in self.trees:
            tree.set_waits(waits)
            tree.share_out(ACTION_SHARE if limits.lines > 1 else 0.0)
        self._grow(mover, waits, pace)
        analysis = self._analysis(mover, waits)
        if only:
            self.close()
        elif isinstance(analysis.best.move, Advance) and len(analysis.moves) > 1:
            self.waits.add(position)
        return analysis

    def _solved(self, position: Position, pace: Pace, only: tuple[int, ...]) -> Analysis | None:
        """The exact answer, if the rest of the game can be searched out in a part of the limits."""
        if spaces_left(position) > self.config.endgame_spaces:
            return None
        self._endgame = self._endgame or Endgame()
        limits = pace.limits
        nodes = UNLIMITED if limits.simulations is None else ENDGAME_NODES * limits.simulations
        seconds = None if limits.seconds is None else ENDGAME_SHARE * limits.seconds
        return self._endgame.solve(
            position, nodes, seconds=seconds, clock=limits.clock, watch=pace.watch, only=only
        )

    def _grow(self, mover: Player, waits: int, pace: Pace) -> None:
        """Adds simulations until the limits are used up or the watcher says stop; reports now and then."""
        left = UNLIMITED
        if pace.limits.simulations is not None:
            # Simulations kept from the move before count: the limit is for all that the answer rests on.
            left = max(0, pace.limits.simulations - self._visits)
        focused = 0
        if self.trees[0].position.phase is Phase.SPECIAL and pace.limits.lines == 1 and left < UNLIMITED:
            focused = round(self.config.focus * left)
        self._add(left - focused, mover, waits, pace)
        for step in range(FOCUS_STEPS if focused else 0):
            found = RootMoves.of(self.trees, mover)
            best = found.codes[found.order(self.config, waits)[0]]
            for tree in self.trees:
                tree.focus(best)
            self._add((focused + step) // FOCUS_STEPS, mover, waits, pace)
        for tree in self.trees:
            tree.focus()

    def _add(self, simulations: int, mover: Player, waits: int, pace: Pace) -> None:
        """Adds simulations, fewer if time is up or the watcher says stop."""
        shares = [simulations // self.cores + (core < simulations % self.cores) for core in range(self.cores)]

        def seconds_left() -> float:
            return 0.0 if pace.report_due else pace.seconds_left()

        while any(shares) and pace.seconds_left() > 0:
            self._grow_together(shares, seconds_left)
            if pace.watch.report is not None and pace.report_due:
                pace.watch.report(self._analysis(mover, waits, partial=True))
                pace.reported()

    def _grow_together(self, shares: list[int], seconds_left: Callable[[], float]) -> None:
        """Grows one tree on each core until the shares are used up, or the thinking thread has no seconds left."""
        enough = threading.Event()

        def until_enough() -> float:
            return 0.0 if enough.is_set() else CHUNK_SECONDS

        with ThreadPoolExecutor(max(1, self.cores - 1)) as pool:
            others = [pool.submit(self.trees[i].grow, shares[i], until_enough) for i in range(1, self.cores)]
            done = [self.trees[0].grow(shares[0], seconds_left)]
            if seconds_left() <= 0:
                enough.set()
            done += [other.result() for other in others]
        for i in range(self.cores):
            shares[i] -= done[i]

    @property
    def _visits(self) -> int:
        return sum(tree.visits for tree in self.trees)

    def _analysis(self, mover: Player, waits: int, partial: bool = False) -> Analysis:
        found = RootMoves.of(self.trees, mover)
        ranked: list[RankedMove] = []
        for i in found.order(self.config, waits):
            visits, code = int(found.visits[i]), found.codes[i]
            if ranked and visits == 0:
                continue
            line: tuple[Move, ...] = (found.position.move_of_code(code),)
            if len(ranked) < LINES:
                line = max(self.trees, key=lambda tree: tree.visits_of(code)).line(code, LINE_LENGTH)
            ranked.append(RankedMove(line[0], visits, self._win_share(found, i), float(found.points[i]), line))
        return Analysis(mover, tuple(ranked), self._visits, partial=partial)

    def _win_share(self, found: RootMoves, move: int) -> float:
        """The calibrated win share of a move."""
        win, visits = float(found.wins[move]), int(found.visits[move])
        if self.config.net_share > 0:
            return calibrated(win, visits, NET_SHARES)
        # A few playouts that are all won prove nothing: one more counts, half won.
        return calibrated((win * visits + 0.5) / (visits + 1), visits, PLAYOUT_SHARES)
