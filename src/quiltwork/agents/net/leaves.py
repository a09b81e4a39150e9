"""What is thought of the leaves of the net's tree: solved near the end, else the net and playouts together."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from quiltwork.agents.engine import endgame as engine
from quiltwork.agents.net import inputs, search, tree
from quiltwork.agents.net.model import Model
from quiltwork.agents.net.playouts import Playouts, net_shares
from quiltwork.edition import Edition

Array = np.ndarray[Any, Any]
SOLVED_SPACES, SOLVED_NODES = 8, 1_000
"""a leaf is solved if the tokens have so few spaces before them, within so many nodes"""
LEAN = 0.3
"""the playouts' share in how likely it is what to do; where to lay a patch is the net's alone"""


class Leaves:
    """Room for a batch of leaves, and those who judge them."""

    def __init__(
        self, model: Model, room: int, playouts: Playouts | None, exact: bool, side_by_side: bool
    ) -> None:
        self.model = model
        self.words = np.zeros((room, inputs.WORDS), np.uint64)
        self.numbers = np.zeros((room, inputs.NUMBERS), np.float32)
        self.indices = np.zeros(room, np.int64)
        self._playouts = playouts
        self._solver = Solver(room) if exact else None
        self._no_shares = np.zeros((room, tree.WHATS), np.float32)
        self._pool = ThreadPoolExecutor(1) if side_by_side and playouts else None

    def judge(self, nodes: Array, count: int, edition: Edition) -> None:
        """Gives the first `count` leaves their moves, and backs their values up."""
        leaves = self.indices[:count]
        if self._solver is not None and leaves[0] != 0:
            self._solver.solve(nodes, leaves, edition)
        played: Future[tuple[Array, Array]] | None = None
        if self._playouts is not None and self._pool is not None:
            played = self._pool.submit(self._playouts.of, nodes, leaves, edition)
        answers = self.model.answers(self.words[:count], self.numbers[:count])
        outcome, shares, weight = answers.outcome, self._no_shares[:count], 0.0
        if self._playouts is not None:
            other, shares = self._playouts.of(nodes, leaves, edition) if played is None else played.result()
            trust = net_shares(nodes, leaves, edition.compiled)[:, None]
            outcome, weight = trust * outcome + (1 - trust) * other, LEAN
        search.scatter(nodes, leaves, edition.compiled, answers.moves, answers.scores, outcome, shares, weight)


class Solver:
    """Solves leaves that are near the end of the game."""

    def __init__(self, most: int) -> None:
        self._table = np.zeros(1 << 16, engine.ENTRY)
        self._edition: Edition | None = None
        self._positions = np.zeros(most, search.POSITION)
        self._rows = np.zeros(most, np.int64)
        self._stack = engine.new_stack()

    def solve(self, nodes: Array, leaves: Array, edition: Edition) -> None:
        """Marks the leaves that are solved within a few nodes."""
        found = search.copy_near_end(nodes, leaves, edition.compiled, SOLVED_SPACES, self._positions, self._rows)
        if not found:
            return
        if self._edition is not edition:
            self._table[:] = 0
            self._edition = edition
        for i in range(found):
            status = np.zeros(1, engine.STATUS)
            status["limit"] = SOLVED_NODES
            root = self._positions[i : i + 1]
            engine.begin(self._stack, root, edition.compiled, -engine.HIGHEST, engine.HIGHEST)
            value = engine.go_on(self._stack, edition.compiled, self._table, status)
            if int(status["ended"][0]) == engine.RUNNING:
                leaf = int(leaves[self._rows[i]])
                tree.mark_solved(nodes, leaf, 1.0 if value > 0 else 0.0, float(round(value / 4)))
