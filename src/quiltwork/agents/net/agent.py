"""The agent `net`: a tree search that a trained net guides, exact at the end of the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from quiltwork.agents.agent import Analysis, Limits, Watch, mover_of
from quiltwork.agents.endgame import Endgame
from quiltwork.agents.net import search, tree
from quiltwork.agents.net.grown import Grown
from quiltwork.agents.net.leaves import Leaves
from quiltwork.agents.net.model import Answers, Model
from quiltwork.agents.net.playouts import Playouts
from quiltwork.agents.net.root import CONSIDERED, halving_schedule
from quiltwork.agents.net.sight import sight_of
from quiltwork.agents.pace import Pace
from quiltwork.position import Position
from quiltwork.rules.chance import source_of
from quiltwork.rules.layout import NOTHING

Array = np.ndarray[Any, Any]
DEFAULT_LIMITS = Limits(seconds=1.0)
MOST_SIMULATIONS = 100_000
BATCH = 16
PLAYOUTS = 200
"""simulations of the short search from every leaf"""
ROOT_SPACES, ROOT_NODES, ROOT_SHARE = 14, 50_000, 0.3
"""a position is solved if the tokens have so few spaces left, within so many nodes and that share of the time"""


class NetAgent:
    """An agent that thinks with a net; one tree, its leaves in batches, kept for the next move."""

    def __init__(
        self,
        name: str,
        model: Model,
        *,
        seed: int = 0,
        batch: int = BATCH,
        playouts: int = PLAYOUTS,
        exact: bool = True,
        side_by_side: bool = False,
    ) -> None:
        self.name = name
        self.model = model
        self.seed = seed
        self.nodes: Array = np.zeros(1, tree.NODE)
        """the tree of the last search"""
        self._size = 0
        self._position: Position | None = None
        self._speed = 400.0
        self._exact = exact
        self._endgame: Endgame | None = None
        short = Playouts(playouts, batch, seed) if playouts else None
        self._leaves = Leaves(model, batch, short, exact, side_by_side)

    def close(self) -> None:
        self._endgame = None

    def think(self, position: Position, limits: Limits | None = None, watch: Watch | None = None) -> Analysis:
        mover = mover_of(position)
        limits = limits or DEFAULT_LIMITS
        pace = Pace(limits, watch or Watch())
        solved = self._solved(position, limits, pace)
        if solved is not None:
            return solved
        total = self._budget(limits)
        known = self._plant(position, total)
        if limits.simulations is not None:
            # What is known from the move before counts: a limit is on what the answer rests on.
            total = max(1, min(total, limits.simulations - known))
        grown = Grown(position, self.nodes)
        began, done = limits.clock.now(), 0
        for done in self._grow(position, total, pace):  # noqa: B007
            if pace.report_due:
                pace.watch.report(grown.analysis(mover, partial=True))  # type: ignore[misc]
                pace.reported()
        if done >= 16:
            self._speed = 0.5 * self._speed + 0.5 * done / max(1e-3, limits.clock.now() - began)
        return grown.analysis(mover)

    def view(self, position: Position) -> tuple[Array, Array]:
        """A position as the net sees it: one row of words, one of numbers."""
        mover_of(position)
        self._show(np.zeros(1, tree.NODE), position)
        return self._leaves.words[:1].copy(), self._leaves.numbers[:1].copy()

    def opinion(self, position: Position) -> Answers:
        """What the net says of a position without any search."""
        return self.model.answers(*self.view(position))

    def _show(self, nodes: Array, position: Position) -> int:
        """Plants a tree whose root waits for the net; returns its size."""
        leaves, edition = self._leaves, position.edition
        sight = sight_of(edition)
        record = position.record.copy()
        return int(
            search.begin(nodes, record, edition.compiled, sight, leaves.words, leaves.numbers, leaves.indices)
        )

    def _plant(self, position: Position, room: int) -> int:
        """Makes the position the root, with what the last search knows of it; returns its visits."""
        known = NOTHING
        if self._position is not None and self._position.edition is position.edition:
            known = int(tree.find(self.nodes, self._size, position.record))
        self._position = position
        before = self.nodes
        self.nodes = np.zeros(2 * room + 2 + self._size, tree.NODE)
        if known == NOTHING:
            self._size = self._show(self.nodes, position)
            self._leaves.judge(self.nodes, 1, position.edition)
            return 0
        self._size = int(tree.copy_below(before, known, self.nodes))
        return int(self.nodes[0]["visits"])

    def _grow(self, position: Position, total: int, pace: Pace) -> Iterator[int]:
        """Adds so many simulations, or fewer at a limit; yields their number after every batch."""
        edition, sight = position.edition.compiled, sight_of(position.edition)
        source = source_of(self.seed * 1_000_003 + position.key)
        considered = min(CONSIDERED, int(self.nodes[0]["children"]))
        plan = np.array(halving_schedule(considered, total), np.int32)
        # Small trees in small batches, so that the search can learn from what it finds.
        width = max(1, min(len(self._leaves.indices), total // 8))
        words, numbers, indices = self._leaves.words, self._leaves.numbers, self._leaves.indices[:width]
        done = 0
        while done < total:
            found, self._size, done = search.gather(
                self.nodes, self._size, done, plan, edition, sight, source, words, numbers, indices
            )
            if found:
                self._leaves.judge(self.nodes, found, position.edition)
            yield done
            if pace.seconds_left(1.0) <= 0:
                return

    def _budget(self, limits: Limits) -> int:
        """The simulations to plan for."""
        total = MOST_SIMULATIONS if limits.simulations is None else limits.simulations
        if limits.seconds is not None:
            total = min(total, int(0.95 * limits.seconds * self._speed))
        return int(max(1, min(MOST_SIMULATIONS, total)))

    def _solved(self, position: Position, limits: Limits, pace: Pace) -> Analysis | None:
        if not self._exact or search.spaces_left(position.record[0], position.edition.compiled[0]) > ROOT_SPACES:
            return None
        if self._endgame is None:
            self._endgame = Endgame()
        seconds = None if limits.seconds is None else ROOT_SHARE * limits.seconds
        return self._endgame.solve(position, ROOT_NODES, seconds=seconds, clock=limits.clock, watch=pace.watch)
