"""The tree search that `search` and `planner` share: trees on one or several cores, limits, reuse, ranking."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from quiltwork.agents.agent import Analysis, Limits, RankedMove, Watch, mover_of
from quiltwork.agents.endgame import Endgame
from quiltwork.agents.engine import tree
from quiltwork.agents.engine.packing import MAX_PREDICTIONS, PREDICTIONS, wastes
from quiltwork.agents.engine.tables import tables_of
from quiltwork.agents.tuning import Tuning
from quiltwork.codes import ADVANCE, codes_of
from quiltwork.move import Move, Player
from quiltwork.position import Position
from quiltwork.rules import entry
from quiltwork.rules.chance import source_of
from quiltwork.rules.layout import MAX_CHOICES

CHUNK_SECONDS = 0.004
DEFAULT_SECONDS = 1.0
REUSE_DEPTH = 12
LINE_LENGTH = 8
LINES = 5
PRIOR_VISITS = 16
ENDGAME_SPACES = 14
"""tokens that have no more than this left together are near enough to the end to try to search it out"""
ENDGAME_SHARE = 0.4
"""of the time"""
ENDGAME_NODES = 10
"""nodes of the exact search for a simulation"""


def group_of(position: Position, code: int) -> int:
    """A number for what is taken or placed, whatever the place."""
    book = codes_of(position.edition)
    if code == ADVANCE or code >= book.removal:
        return -1 - code
    return (code - 1) // book.slot if code < book.special else MAX_CHOICES


class Tree:
    """One search tree and its source of chance."""

    def __init__(self, position: Position, tuning: Tuning, seed: int) -> None:
        self.position = position
        self._root = position.record.copy()
        self.tuning = tuning
        self._policy = tuning.policy()
        self._settings = tuning.settings()
        self._source = source_of(seed)
        self.predictions = np.zeros(1, PREDICTIONS)
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
            self.predictions,
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
        self.predictions["written"] = 0
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

    def wastes(self, codes: list[int], group: int, rows: int, width: int) -> np.ndarray[Any, Any] | None:
        """For each placement, the cells of predicted patches that find no place; None if nothing is predicted."""
        position, edition = self.position, self.position.edition.compiled
        predictions = self.predictions[0]
        known = min(int(predictions["written"]), MAX_PREDICTIONS)
        fitting = [i for i in range(known) if group_of(position, int(predictions["code"][i])) == group][-rows:]
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
        wastes(
            self._root,
            edition,
            tables_of(edition),
            self._policy,
            free,
            first,
            self.predictions,
            np.array(fitting),
            width,
            found,
        )
        return found / len(fitting)

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
        self._endgame: Endgame | None = None

    def close(self) -> None:
        self._trees = []

    def think(self, position: Position, limits: Limits | None = None, watch: Watch | None = None) -> Analysis:
        mover = mover_of(position)
        limits, watch = limits or Limits(), watch or Watch()
        began = time.monotonic()
        solved = self._solved(position, limits, watch)
        if solved is not None:
            return solved
        if self._trees:
            for each in self._trees:
                each.move_to(position)
        else:
            self._trees = [Tree(position, self.tuning, (self.seed << 8) + core) for core in range(self.cores)]
        reported = time.monotonic()
        for _ in self._grow(limits, watch, began):
            now = time.monotonic()
            if watch.report is not None and now - reported >= watch.every:
                reported = now
                watch.report(self._analysis(mover, partial=True))
        return self._analysis(mover)

    def _solved(self, position: Position, limits: Limits, watch: Watch) -> Analysis | None:
        """The exact answer, where the end is near enough to be searched out in a part of the limits."""
        left = [position.edition.last_space - seat.space for seat in position.setup.players]
        if sum(left) > ENDGAME_SPACES or position.setup.reserve:
            return None
        if self._endgame is None:
            self._endgame = Endgame()
        if limits.simulations is not None:
            nodes, seconds = ENDGAME_NODES * limits.simulations, limits.seconds
        else:
            nodes, seconds = 1_000_000_000, limits.seconds or DEFAULT_SECONDS
        if seconds is not None:
            seconds *= ENDGAME_SHARE
        return self._endgame.solve(position, nodes, seconds=seconds, watch=watch)

    def _grow(self, limits: Limits, watch: Watch, began: float) -> Iterator[None]:
        """Adds simulations in small chunks until a limit is reached or the watcher says stop."""
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

    def _order(self, position: Position, codes: list[int], visits: Any, priors: Any) -> list[int]:
        """The moves, best first: patches by the visits of all their placements, placements by what still fits."""
        groups: dict[int, list[int]] = {}
        for i, code in enumerate(codes):
            groups.setdefault(group_of(position, code), []).append(i)
        # The prior counts like a few visits: after hardly any simulations it is all there is.
        trust = visits + PRIOR_VISITS * priors / len(self._trees)
        ranked = sorted(groups, key=lambda group: -sum(float(trust[i]) for i in groups[group]))
        best = sorted(groups[ranked[0]], key=lambda i: (-visits[i], -priors[i]))
        if len(best) > 1 and self.tuning.predictions > 0:
            tried = best[: self.tuning.root_placements]
            waste = self._trees[0].wastes(
                [codes[i] for i in tried], ranked[0], self.tuning.predictions, self.tuning.beam
            )
            if waste is not None:
                cost = {i: waste[n] for n, i in enumerate(tried)}
                best = sorted(tried, key=lambda i: (cost[i], -visits[i])) + best[len(tried) :]
        rest = [i for group in ranked[1:] for i in groups[group]]
        return best + sorted(rest, key=lambda i: (-visits[i], -priors[i]))

    def _analysis(self, mover: Player, partial: bool = False) -> Analysis:
        position = self._trees[0].position
        children = [each.children() for each in self._trees]
        visits = np.sum([each["visits"].astype(np.int64) for each in children], axis=0)
        sums = {name: np.sum([each[name] for each in children], axis=0) for name in ("win", "points", "prior")}
        order = self._order(position, [int(code) for code in children[0]["code"]], visits, sums["prior"])
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
