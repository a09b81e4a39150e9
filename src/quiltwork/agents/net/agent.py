"""The agent `net`: a tree search that a trained net guides, exact at the end of the game."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from quiltwork.agents.agent import Analysis, Limits, RankedMove, Watch, mover_of
from quiltwork.agents.endgame import Endgame
from quiltwork.agents.engine import endgame as engine
from quiltwork.agents.net import inputs, search, tree
from quiltwork.agents.net.model import Answers, Model
from quiltwork.agents.net.playouts import Playouts
from quiltwork.agents.net.sight import sight_of
from quiltwork.edition import Edition
from quiltwork.move import Move, Player
from quiltwork.position import Position
from quiltwork.rules.chance import source_of

Array = np.ndarray[Any, Any]
NO_LIMITS = Limits()
DEFAULT_SECONDS = 1.0
MOST_SIMULATIONS = 100_000
BATCH = 16
PLAYOUTS = 200
LINE_LENGTH = 12
LINES = 4
"""moves that are told with how play may go on"""
ROOT_SPACES, ROOT_NODES = 14, 50_000
"""the whole position is solved if the tokens have so few spaces before them, within so many nodes"""
LEAF_SPACES, LEAF_NODES = 8, 1_000
"""the same for a leaf of the tree"""


class NetAgent:
    """An agent that thinks with a net; one tree, its leaves in batches."""

    def __init__(
        self,
        name: str,
        model: Model,
        *,
        seed: int = 0,
        batch: int = BATCH,
        considered: int = 16,
        exact: bool = True,
        playouts: int = PLAYOUTS,
        trust: float = 0.5,
        lean: float = 0.3,
    ) -> None:
        self.name = name
        self.model = model
        self.seed = seed
        self.batch = batch
        self.considered = considered
        self.exact = exact
        self.nodes = np.zeros(1, tree.NODE)
        """the tree of the last search"""
        self._speed = 100.0
        self._endgame: Endgame | None = None
        self._words = np.zeros((batch, inputs.WORDS), np.uint64)
        self._numbers = np.zeros((batch, inputs.NUMBERS), np.float32)
        self._leaves = np.zeros(batch, np.int64)
        self._solver = Leaves(batch)
        self._playouts = Playouts(playouts, batch, seed) if playouts else None
        self.trust = trust
        self.lean = lean
        self._no_shares = np.zeros((batch, tree.WHATS), np.float32)
        self._pool = ThreadPoolExecutor(1)

    def close(self) -> None:
        self._endgame = None

    def think(self, position: Position, limits: Limits | None = None, watch: Watch | None = None) -> Analysis:
        mover = mover_of(position)
        limits = limits or NO_LIMITS
        watch = watch or Watch()
        began = time.monotonic()
        solved = self._solved(position, limits, watch)
        if solved is not None:
            return solved
        total, deadline = self._budget(limits, began)
        nodes = self.nodes = np.zeros(2 * total + 2, tree.NODE)
        grown = Grown(position, nodes)
        edition, sight = position.edition.compiled, sight_of(position.edition)
        source = source_of(self.seed * 1_000_003 + position.key)
        root = position.record.copy()
        size = search.begin(nodes, root, edition, sight, self._words, self._numbers, self._leaves)
        self._answer(nodes, 1, position.edition, leaves=False)
        plan = np.array(tree.halving_schedule(min(self.considered, int(nodes[0]["children"])), total), np.int32)
        done, reported = 0, began
        while done < total:
            # Small trees in small batches, so that the search can learn from what it finds.
            width = max(1, min(self.batch, total // 8))
            found, size, done = search.gather(
                nodes, size, done, plan, edition, sight, source, self._words, self._numbers, self._leaves[:width]
            )
            if found:
                self._answer(nodes, found, position.edition, leaves=True)
            now = time.monotonic()
            if watch.stopped or (deadline is not None and now >= deadline):
                break
            if watch.report is not None and now - reported >= watch.every:
                reported = now
                watch.report(grown.analysis(mover, partial=True))
        if done >= 16:
            self._speed = 0.5 * self._speed + 0.5 * done / max(1e-3, time.monotonic() - began)
        return grown.analysis(mover)

    def view(self, position: Position) -> tuple[Array, Array]:
        """A position as the net sees it: one row of words, one of numbers."""
        mover_of(position)
        nodes = np.zeros(1, tree.NODE)
        edition, sight = position.edition.compiled, sight_of(position.edition)
        search.begin(nodes, position.record.copy(), edition, sight, self._words, self._numbers, self._leaves)
        return self._words[:1].copy(), self._numbers[:1].copy()

    def opinion(self, position: Position) -> Answers:
        """What the net says of a position without any search."""
        return self.model.answers(*self.view(position))

    def _budget(self, limits: Limits, began: float) -> tuple[int, float | None]:
        """The simulations to plan for, and when to stop at the latest."""
        seconds = limits.seconds
        if seconds is None and limits.simulations is None:
            seconds = DEFAULT_SECONDS
        total = MOST_SIMULATIONS if limits.simulations is None else limits.simulations
        if seconds is not None:
            total = min(total, int(0.95 * seconds * self._speed))
        deadline = None if seconds is None else began + seconds
        return int(max(1, min(MOST_SIMULATIONS, total))), deadline

    def _solved(self, position: Position, limits: Limits, watch: Watch) -> Analysis | None:
        if not self.exact or search.spaces_left(position.record[0], position.edition.compiled[0]) > ROOT_SPACES:
            return None
        if self._endgame is None:
            self._endgame = Endgame()
        # A limit in seconds alone would make the answer depend on the machine.
        seconds = None if limits.seconds is None else 0.3 * limits.seconds
        return self._endgame.solve(position, ROOT_NODES, seconds=seconds, watch=watch)

    def _answer(self, nodes: Array, count: int, edition: Edition, leaves: bool) -> None:
        """Asks the net about the gathered leaves, and solves those near the end."""
        if self.exact and leaves:
            self._solver.solve(nodes, self._leaves[:count], edition)
        other = None
        if self._playouts is not None:
            other = self._pool.submit(self._playouts.of, nodes, self._leaves[:count], edition)
        answers = self.model.answers(self._words[:count], self._numbers[:count])
        shares, weight = self._no_shares[:count], 0.0
        if other is not None:
            played, shares = other.result()
            weight = self.lean
            left = search.spaces_left_of(nodes, self._leaves[:count], edition.compiled)[:, None]
            share = self.trust * np.clip(left / 50.0, 0.0, 1.0)
            answers.outcome[:] = share * answers.outcome + (1 - share) * played
        search.scatter(
            nodes,
            self._leaves[:count],
            edition.compiled,
            answers.moves,
            answers.scores,
            answers.outcome,
            shares,
            weight,
        )


class Leaves:
    """Solves leaves of the tree that are near the end of the game."""

    def __init__(self, most: int) -> None:
        self._table = np.zeros(1 << 16, engine.ENTRY)
        self._edition: Edition | None = None
        self._positions = np.zeros(most, search.POSITION)
        self._rows = np.zeros(most, np.int64)
        self._stop = np.zeros(1, np.int8)

    def solve(self, nodes: Array, leaves: Array, edition: Edition) -> None:
        """Marks the leaves that are solved within a few nodes."""
        found = search.copy_near_end(nodes, leaves, edition.compiled, LEAF_SPACES, self._positions, self._rows)
        if not found:
            return
        if self._edition is not edition:
            self._table[:] = 0
            self._edition = edition
        for i in range(found):
            status = np.zeros(1, engine.STATUS)
            status["limit"] = LEAF_NODES
            value = engine.solve(
                self._positions[i : i + 1].copy(),
                edition.compiled,
                self._table,
                status,
                self._stop,
                -engine.HIGHEST,
                engine.HIGHEST,
            )
            if int(status["ended"][0]) == engine.RUNNING:
                leaf = int(leaves[self._rows[i]])
                tree.mark_solved(nodes, leaf, 1.0 if value > 0 else 0.0, float(round(value / 4)))


class Grown:
    """A tree, read as an analysis."""

    def __init__(self, position: Position, nodes: Array) -> None:
        self.position, self.nodes = position, nodes

    def analysis(self, mover: Player, partial: bool = False) -> Analysis:
        """The moves of the root, the best first."""
        root = self.nodes[0]
        count = int(root["children"])
        logits = np.zeros(tree.CHILDREN, np.float64)
        best = int(tree.best_at_root(self.nodes, logits))
        children = root["child"][:count]
        visits = np.where(children >= 0, self.nodes["visits"][children], 0)
        order = sorted(range(count), key=lambda i: (i != best, -int(visits[i]), -logits[i]))
        moves = []
        for rank, i in enumerate(order):
            node = self.nodes[int(children[i])] if visits[i] else root
            seen = max(1, int(node["visits"]))
            win, points = float(node["win"]) / seen, float(node["points"]) / seen
            if mover is Player.TWO:
                win, points = 1 - win, -points
            move = self.position.move_of_code(int(root["code"][i]))
            line = self._line(move, int(children[i])) if rank < LINES and visits[i] else (move,)
            moves.append(RankedMove(move, int(visits[i]), win, points, line))
        return Analysis(mover, tuple(moves), int(visits.sum()), partial=partial)

    def _line(self, move: Move, index: int) -> tuple[Move, ...]:
        """How play goes on after a move, along the most visited ones; it ends before chance."""
        line = [move]
        position = self.position.play(move)
        while len(line) < LINE_LENGTH:
            # Forced moves have no nodes.
            while position.turn is not None and len(forced := position.legal_moves()) == 1:
                line.append(forced[0])
                position = position.play(forced[0])
            node = self.nodes[index]
            if int(node["state"]) != tree.OPEN:
                break
            children = node["child"][: int(node["children"])]
            visits = np.where(children >= 0, self.nodes["visits"][children], 0)
            if not visits.any():
                break
            edge = int(np.argmax(visits))
            line.append(position.move_of_code(int(node["code"][edge])))
            position = position.play(line[-1])
            index = int(children[edge])
        return tuple(line[:LINE_LENGTH])
