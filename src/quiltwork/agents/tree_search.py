"""The tree search that `search` and `planner` share: trees on one or several cores, limits, reuse, ranking."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from quiltwork.agents.agent import Analysis, Limits, RankedMove, Watch, mover_of
from quiltwork.agents.engine import tree
from quiltwork.agents.engine.tables import tables_of
from quiltwork.agents.tuning import Tuning
from quiltwork.move import Move, Player
from quiltwork.position import Position
from quiltwork.rules.chance import source_of

CHUNK_SECONDS = 0.004
DEFAULT_SECONDS = 1.0
REUSE_DEPTH = 12
LINE_LENGTH = 8
LINES = 5


class Tree:
    """One search tree and its source of chance."""

    def __init__(self, position: Position, tuning: Tuning, seed: int) -> None:
        self.position = position
        self._root = position.record.copy()
        self.tuning = tuning
        self._policy = tuning.policy()
        self._settings = tuning.settings()
        self._source = source_of(seed)
        self.nodes = _empty(tuning.room)
        self.used = 1

    def simulate(self, simulations: int) -> None:
        edition = self.position.edition.compiled
        self.used = tree.simulate(
            self._root,
            edition,
            tables_of(edition),
            self._policy,
            self._settings,
            self.nodes,
            self.used,
            self._source,
            simulations,
        )

    def move_to(self, position: Position) -> None:
        """Makes another position the root, and keeps what is known of it."""
        found = -1
        target = position.record.copy()
        if position.edition is self.position.edition:
            found = tree.find_position(self.nodes, self._root, target, position.edition.compiled, REUSE_DEPTH)
        self.position = position
        self._root = target
        if found == 0:
            return
        if found < 0 or self.nodes[found]["children"] <= 0:
            self.nodes[0] = _empty(1)[0]
            self.used = 1
            return
        kept = _empty(self.tuning.room)
        self.used = tree.copy_subtree(self.nodes, found, kept)
        self.nodes = kept

    @property
    def visits(self) -> int:
        return int(self.nodes[0]["visits"])

    def children(self, index: int = 0) -> np.ndarray[Any, Any]:
        node = self.nodes[index]
        first = int(node["first_child"])
        return self.nodes[first : first + max(0, int(node["children"]))]

    def line(self, child: int, length: int) -> tuple[Move, ...]:
        """How play goes on after a child of the root, along the most visited moves; it ends before chance."""
        index = int(self.nodes[0]["first_child"]) + child
        position = self.position
        moves: list[Move] = []
        while len(moves) < length:
            move = position.move_of_code(int(self.nodes[index]["code"]))
            moves.append(move)
            position = position.play(move)
            node = self.nodes[index]
            if node["children"] <= 0 or node["turn"] == tree.CHANCE:
                break
            index = int(node["first_child"]) + int(np.argmax(self.children(index)["visits"]))
            if self.nodes[index]["visits"] == 0:
                break
        return tuple(moves)


def _empty(room: int) -> np.ndarray[Any, Any]:
    nodes = np.zeros(room, tree.NODE)
    nodes[0]["children"] = tree.UNEXPANDED
    return nodes


class TreeSearch:
    """An agent that thinks by growing trees, one on each core, and remembers them for its next move."""

    def __init__(self, name: str, tuning: Tuning, *, seed: int = 0, cores: int = 1) -> None:
        self.name = name
        self.tuning = tuning
        self.seed = seed
        self.cores = cores
        self._trees: list[Tree] = []

    def close(self) -> None:
        self._trees = []

    def think(self, position: Position, limits: Limits = Limits(), watch: Watch | None = None) -> Analysis:
        mover = mover_of(position)
        watch = watch or Watch()
        if self._trees:
            for each in self._trees:
                each.move_to(position)
        else:
            self._trees = [Tree(position, self.tuning, (self.seed << 8) + core) for core in range(self.cores)]
        reported = time.monotonic()
        for _ in self._grow(limits, watch):
            now = time.monotonic()
            if watch.report is not None and now - reported >= watch.every:
                reported = now
                watch.report(self._analysis(mover, partial=True))
        return self._analysis(mover)

    def _grow(self, limits: Limits, watch: Watch) -> Iterator[None]:
        """Adds simulations in small chunks until a limit is reached or the watcher says stop."""
        began = time.monotonic()
        seconds = limits.seconds
        if seconds is None and limits.simulations is None:
            seconds = DEFAULT_SECONDS
        # What is known from the move before counts: a limit is on what the answer rests on.
        left = None if limits.simulations is None else max(1, limits.simulations - self._visits)
        chunk = 32
        with ThreadPoolExecutor(self.cores) as pool:
            while left is None or left > 0:
                share = chunk if left is None else min(chunk, -(-left // self.cores))
                before = time.monotonic()
                if self.cores == 1:
                    self._trees[0].simulate(share)
                else:
                    for done in [pool.submit(each.simulate, share) for each in self._trees]:
                        done.result()
                if left is not None:
                    left -= share * self.cores
                yield
                now = time.monotonic()
                if watch.stopped or (seconds is not None and now - began >= seconds):
                    return
                spent = max(1e-6, now - before)
                chunk = max(16, min(4096, int(share * CHUNK_SECONDS / spent)))
                if seconds is not None:
                    chunk = max(16, min(chunk, int(share / spent * (seconds - (now - began)))))

    @property
    def _visits(self) -> int:
        return sum(each.visits for each in self._trees)

    def _analysis(self, mover: Player, partial: bool = False) -> Analysis:
        position = self._trees[0].position
        children = [each.children() for each in self._trees]
        visits = sum(each["visits"].astype(np.int64) for each in children)
        sums = {name: sum(each[name] for each in children) for name in ("win", "points", "prior")}
        order = sorted(range(len(visits)), key=lambda i: (-visits[i], -sums["prior"][i]))
        total = max(1, self._visits)
        root_win = float(sum(each.nodes[0]["win"] for each in self._trees)) / total
        root_points = float(sum(each.nodes[0]["points"] for each in self._trees)) / total
        moves: list[RankedMove] = []
        for i in order:
            seen = int(visits[i])
            win = sums["win"][i] / seen if seen else root_win
            points = sums["points"][i] / seen if seen else root_points
            move = position.move_of_code(int(children[0][i]["code"]))
            line: tuple[Move, ...] = (move,)
            if len(moves) < LINES:
                best_tree = max(self._trees, key=lambda each: int(each.children()[i]["visits"]))
                line = best_tree.line(i, LINE_LENGTH)
            moves.append(
                RankedMove(
                    move=move,
                    visits=seen,
                    win=float(win if mover is Player.ONE else 1 - win),
                    points=float(points if mover is Player.ONE else -points),
                    line=line,
                )
            )
        return Analysis(mover, tuple(moves), self._visits, partial=partial)
