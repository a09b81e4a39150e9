"""One search tree over a position, for Python: growing it, moving its root on, and reading it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from quiltwork.agents.net.weights import NO_NET, Net
from quiltwork.agents.search import mcts
from quiltwork.agents.search.candidates import candidates_of
from quiltwork.agents.search.config import SearchConfig
from quiltwork.agents.search.placements import MAX_PLACEMENTS
from quiltwork.agents.search.reuse import copy_subtree, find_position
from quiltwork.move import Move
from quiltwork.position import Position
from quiltwork.rules.layout import NOBODY

REUSE_DEPTH = 12
CHUNK_SECONDS = 0.004
MIN_CHUNK = 16
"""simulations between two looks at the clock"""


class Tree:
    """One search tree and its source of chance."""

    def __init__(
        self, position: Position, config: SearchConfig, seed: int, net: Net = NO_NET, only: tuple[int, ...] = ()
    ) -> None:
        self.position = position
        self.config = config
        self._net = net
        self._tree = np.zeros(1, mcts.TREE)
        self.focus()
        self.set_waits(0)
        self._tree["chance"]["state"] = seed & 0xFFFF_FFFF_FFFF_FFFF
        self._begin(position)
        if only:
            self._restrict(only)
        self.simulate(1)

    def _begin(self, position: Position) -> None:
        """Starts afresh from a position."""
        self.position = position
        self._context = self.config.context(position.edition, self._net)
        self._workspace = np.zeros(1, mcts.WORKSPACE)
        self._tree["root"] = position.record
        self._tree["used"] = 1
        self.nodes = _empty(self.config.max_nodes)

    def _restrict(self, only: tuple[int, ...]) -> None:
        """Gives the root these children, and never others; half of the prior is shared out evenly."""
        listed = dict(zip(*candidates_of(self.position.record, self._context, MAX_PLACEMENTS), strict=True))
        total = sum(listed.get(code, 0.0) for code in only) or 1.0
        for i, code in enumerate(only, 1):
            child = self.nodes[i : i + 1]
            child["code"], child["children"], child["turn"] = code, mcts.UNEXPANDED, NOBODY
            child["prior"] = 0.5 / len(only) + 0.5 * listed.get(code, 0.0) / total
        root = self.nodes[:1]
        root["first_child"], root["children"] = 1, len(only)
        root["turn"] = self.position.record["turn"][0]
        root["placement_limit"] = np.iinfo(np.int8).max
        self._tree["used"] = 1 + len(only)

    def focus(self, code: int = mcts.NO_FOCUS) -> None:
        """Has only this move at the root visited from now on, or all again."""
        self._tree["focus"] = code

    def share_out(self, share: float) -> None:
        """Gives every action at the root at least that share of the visits."""
        self._tree["action_share"] = share

    def set_waits(self, waits: int) -> None:
        """Sets the wait penalties for a mover that has waited so often."""
        self._tree["wait_penalty"] = self.config.penalty(0)
        self._tree["wait_penalty_behind"] = self.config.penalty(waits)

    def simulate(self, simulations: int) -> None:
        mcts.simulate(self.nodes, self._tree, self._context, self._workspace, simulations)

    def grow(self, simulations: int, seconds_left: Callable[[], float]) -> int:
        """Adds simulations in small chunks until all are made or no seconds are left; returns how many."""
        done, chunk = 0, MIN_CHUNK
        while done < simulations:
            chunk = min(chunk, simulations - done)
            before = time.thread_time()
            self.simulate(chunk)
            done += chunk
            left = seconds_left()
            if left <= 0:
                break
            speed = chunk / max(1e-6, time.thread_time() - before)
            chunk = max(MIN_CHUNK, int(speed * min(left, CHUNK_SECONDS)))
        return done

    def move_to(self, position: Position) -> None:
        """Makes another position the root, and keeps what is known of it."""
        found = -1
        if position.edition is self.position.edition:
            edition, root, target = position.edition.compiled, self._tree["root"].copy(), position.record.copy()
            found = find_position(self.nodes, root, target, edition, REUSE_DEPTH)
        if found == 0:
            return
        if found < 0 or self.nodes[found]["children"] <= 0:
            self._begin(position)
        else:
            kept = _empty(self.config.max_nodes)
            self._tree["used"] = copy_subtree(self.nodes, found, kept)
            self._tree["root"] = position.record
            self.position, self.nodes = position, kept
        # A root has more places than it had as an inner node.
        self.simulate(1)

    @property
    def visits(self) -> int:
        return int(self.nodes[0]["visits"])

    @property
    def used(self) -> int:
        """How many nodes there are."""
        return int(self._tree["used"][0])

    def children(self, index: int = 0) -> np.ndarray[Any, Any]:
        node = self.nodes[index]
        first = int(node["first_child"])
        return self.nodes[first : first + max(0, int(node["children"]))]

    def visits_of(self, code: int) -> int:
        """Of a move at the root."""
        children = self.children()
        return int(children["visits"][children["code"] == code].sum())

    def line(self, code: int, length: int) -> tuple[Move, ...]:
        """How play goes on after a move at the root, along the most visited moves; it ends before chance."""
        index = int(self.nodes[0]["first_child"]) + int(np.argmax(self.children()["code"] == code))
        position = self.position
        moves: list[Move] = []
        while len(moves) < length:
            node = self.nodes[index]
            code = int(node["code"])
            moves.append(position.move_of_code(code))
            position = position.after_code(code)
            if node["children"] <= 0 or node["turn"] == mcts.CHANCE:
                break
            index = int(node["first_child"]) + int(np.argmax(self.children(index)["visits"]))
            if self.nodes[index]["visits"] == 0:
                break
        return tuple(moves)


def _empty(max_nodes: int) -> np.ndarray[Any, Any]:
    nodes = np.zeros(max_nodes, mcts.NODE)
    nodes[0]["children"] = mcts.UNEXPANDED
    return nodes
