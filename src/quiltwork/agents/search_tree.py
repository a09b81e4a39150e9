"""One search tree over a position: growing it, moving its root on, and what it predicts."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from quiltwork.agents.engine import tree
from quiltwork.agents.engine.candidates import CANDIDATES, candidates_of
from quiltwork.agents.engine.packing import MAX_PREDICTIONS, PREDICTIONS, wastes
from quiltwork.agents.engine.tables import tables_of
from quiltwork.agents.tuning import Tuning
from quiltwork.agents.weights import NO_NET, Net
from quiltwork.codes import ADVANCE, codes_of
from quiltwork.move import Move
from quiltwork.position import Position
from quiltwork.rules import entry
from quiltwork.rules.chance import source_of
from quiltwork.rules.layout import MAX_CHOICES, NOBODY

REUSE_DEPTH = 12
CHUNK_SECONDS = 0.004
FEWEST = 16
"""simulations between two looks at the clock"""


def group_of(position: Position, code: int) -> int:
    """A number for what is taken or placed, whatever the place."""
    book = codes_of(position.edition)
    if code == ADVANCE or code >= book.removal:
        return -1 - code
    return (code - 1) // book.slot if code < book.special else MAX_CHOICES


class Tree:
    """One search tree and its source of chance."""

    def __init__(self, position: Position, tuning: Tuning, seed: int, net: Net = NO_NET) -> None:
        self.position = position
        self._root = position.record.copy()
        self.tuning = tuning
        self._policy = tuning.policy()
        self._settings = tuning.settings()
        self._net = net
        self._source = source_of(seed)
        self.predictions = np.zeros(1, PREDICTIONS)
        self.nodes = _empty(tuning.room)
        self.used = 1
        self.simulate(1)

    def simulate(self, simulations: int) -> None:
        edition = self.position.edition.compiled
        self.used = tree.simulate(
            self._root,
            edition,
            tables_of(edition),
            self._policy,
            self._settings,
            self._net,
            self.nodes,
            self.used,
            self._source,
            self.predictions,
            simulations,
        )

    def grow(self, simulations: int, seconds_left: Callable[[], float]) -> int:
        """Adds simulations in small chunks until all are made or no seconds are left; returns how many."""
        done, chunk = 0, FEWEST
        while done < simulations:
            chunk = min(chunk, simulations - done)
            before = time.thread_time()
            self.simulate(chunk)
            done += chunk
            left = seconds_left()
            if left <= 0:
                break
            speed = chunk / max(1e-6, time.thread_time() - before)
            chunk = max(FEWEST, int(speed * min(left, CHUNK_SECONDS)))
        return done

    def move_to(self, position: Position) -> None:
        """Makes another position the root, and keeps what is known of it."""
        found = -1
        target = position.record.copy()
        if position.edition is self.position.edition:
            found = tree.find_position(self.nodes, self._root, target, position.edition.compiled, REUSE_DEPTH)
        self.position = position
        self._root = target
        self.predictions["written"] = 0
        if found == 0:
            return
        if found < 0 or self.nodes[found]["children"] <= 0:
            self.nodes[0] = _empty(1)[0]
            self.used = 1
        else:
            kept = _empty(self.tuning.room)
            self.used = tree.copy_subtree(self.nodes, found, kept)
            self.nodes = kept
        # A root has more places than it had as an inner node.
        self.simulate(1)

    def set_waits(self, waits: int) -> None:
        """Tells how often the mover at the root has waited."""
        self._settings["waits"] = min(waits, tree.MOST_WAITS)

    @property
    def visits(self) -> int:
        return int(self.nodes[0]["visits"])

    def children(self, index: int = 0) -> np.ndarray[Any, Any]:
        node = self.nodes[index]
        first = int(node["first_child"])
        return self.nodes[first : first + max(0, int(node["children"]))]

    def placements(self, group: int, room: int) -> list[int]:
        """The tightest ways to place what a group stands for, as codes."""
        found = np.empty(1, CANDIDATES)
        edition = self.position.edition.compiled
        candidates_of(self._root, edition, tables_of(edition), self._policy, self._settings, room, found)
        codes = [int(code) for code in found["code"][0, : int(found["count"][0])]]
        return [code for code in codes if group_of(self.position, code) == group]

    def wastes(self, codes: list[int], width: int, enough: Callable[[int], bool]) -> np.ndarray[Any, Any] | None:
        """For each placement of a patch, the cells of predicted patches that find no place; None without any.

        After each prediction `enough` is asked, with their number, whether to stop.
        """
        position, edition = self.position, self.position.edition.compiled
        predictions = self.predictions[0]
        known = min(int(predictions["written"]), MAX_PREDICTIONS)
        group = group_of(position, codes[0])
        fitting = [i for i in range(known) if group_of(position, int(predictions["code"][i])) == group]
        if not fitting:
            return None
        mover = int(self._root["turn"][0])
        free = np.empty((len(codes), 2), np.uint64)
        first = -1
        for i, code in enumerate(codes):
            after, _ = entry.after(self._root, edition, code)
            free[i] = after["free"][0, mover]
            laid = np.flatnonzero(after["placed"][0] != self._root["placed"][0])
            first = int(laid[0]) if len(laid) else -1
        found = np.zeros(len(codes))
        for number, row in enumerate(reversed(fitting), 1):
            wastes(
                self._root,
                edition,
                tables_of(edition),
                self._policy,
                free,
                first,
                self.predictions,
                row,
                width,
                found,
            )
            if enough(number):
                break
        return found

    def settle(self, child: int, code: int) -> None:
        """Lets a child of the root stand for another placement of its patch."""
        node = self.children()[child : child + 1]
        if node["code"][0] != code:
            node["code"], node["children"], node["turn"] = code, tree.UNEXPANDED, NOBODY

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
