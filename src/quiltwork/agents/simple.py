"""`simple`: the idea of the best public programs, to measure against: economy search and a placement beam of 4.

It believes that every patch fits while there is room, and it does not see the special tile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.agents.agent import Analysis, Limits, RankedMove, Watch, mover_of
from quiltwork.agents.engine.blind import simulate_blindly
from quiltwork.agents.engine.candidates import CANDIDATES, candidates_of
from quiltwork.agents.engine.packing import PREDICTIONS, wastes
from quiltwork.agents.engine.tables import tables_of
from quiltwork.agents.engine.tree import NODE, UNEXPANDED
from quiltwork.agents.tuning import Tuning
from quiltwork.codes import codes_of
from quiltwork.move import Player
from quiltwork.position import Position
from quiltwork.rules import entry
from quiltwork.rules.chance import source_of
from quiltwork.setup import Phase

ITERATIONS = 10_000
BEAM = 4
FORESEEN = 4


class SimpleAgent:
    """Searches with a fixed number of iterations, whatever the limits, as its models do."""

    name = "simple"

    def __init__(self, seed: int = 0, iterations: int = ITERATIONS) -> None:
        self._source = source_of(seed)
        self._iterations = iterations
        self._tuning = Tuning()

    def close(self) -> None: ...

    def think(self, position: Position, limits: Limits | None = None, watch: Watch | None = None) -> Analysis:
        turn = mover_of(position)
        nodes = self._grown(position)
        win, points = _share(nodes[0], "win", turn), _share(nodes[0], "points", turn)
        code = self._code(position, nodes)
        move = position.move_of_code(code)
        return Analysis(turn, (RankedMove(move, self._iterations, win, points, (move,)),), self._iterations)

    def _grown(self, position: Position) -> np.ndarray[Any, Any]:
        edition = position.edition.compiled.copy()
        edition["square_count"] = 0
        edition.flags.writeable = False
        nodes = np.zeros(self._iterations * (1 + position.edition.choices) + 8, NODE)
        nodes[0]["children"] = UNEXPANDED
        simulate_blindly(
            position.record.copy(),
            edition,
            tables_of(position.edition.compiled),
            self._tuning.policy(),
            self._tuning.settings(),
            nodes,
            1,
            self._source,
            self._iterations,
        )
        return nodes

    def _code(self, position: Position, nodes: np.ndarray[Any, Any]) -> int:
        """The most visited economy move that is possible, at the place that the beam likes best."""
        found = np.zeros(1, CANDIDATES)
        edition = position.edition.compiled
        tuning = self._tuning
        candidates_of(
            position.record.copy(), edition, tables_of(edition), tuning.policy(), tuning.settings(), 16, found
        )
        codes = [int(code) for code in found["code"][0, : int(found["count"][0])]]
        if position.phase is not Phase.TURN:
            return self._placed(position, codes, nodes, 0)
        first, count = int(nodes[0]["first_child"]), int(nodes[0]["children"])
        children = sorted(range(first, first + count), key=lambda i: -int(nodes[i]["visits"]))
        book = codes_of(position.edition)
        for child in children:
            slot = int(nodes[child]["code"]) - 1
            if slot < 0:
                return 0
            taking = [c for c in codes if 0 < c < book.special and (c - 1) // book.slot == slot]
            taking += [c for c in codes if c == book.take + slot]
            if taking:
                return self._placed(position, taking, nodes, child)
        return 0

    def _placed(self, position: Position, codes: list[int], nodes: np.ndarray[Any, Any], node: int) -> int:
        """The first of the placements that wastes least of the patches foreseen; they come tightest first."""
        if len(codes) == 1:
            return codes[0]
        root = position.record.copy()
        mover = int(root["turn"][0])
        predictions = np.zeros(1, PREDICTIONS)
        predictions["patches"][0, 0] = self._foreseen(position, codes[0], nodes, node)
        edition = position.edition.compiled
        free = np.array([entry.after(root, edition, code)[0]["free"][0, mover] for code in codes])
        found = np.zeros(len(codes))
        wastes(
            root,
            edition,
            tables_of(edition),
            self._tuning.policy(),
            free,
            -1,
            predictions,
            0,
            BEAM,
            found,
        )
        return codes[int(np.argmin(found))]

    def _foreseen(self, position: Position, code: int, nodes: np.ndarray[Any, Any], node: int) -> int:
        """The next patches that the mover takes along the most visited moves, as bits."""
        mover = mover_of(position)
        position = position.play(position.move_of_code(code))
        circle = [patch.code for patch in position.circle]
        numbers, patches, taken = position.edition.numbers, 0, 0
        while taken < FORESEEN and int(nodes[node]["children"]) > 0:
            first, count = int(nodes[node]["first_child"]), int(nodes[node]["children"])
            mine = Player(int(nodes[node]["turn"]) + 1) is mover
            node = max(range(first, first + count), key=lambda i: int(nodes[i]["visits"]))
            slot = int(nodes[node]["code"]) - 1
            if int(nodes[node]["visits"]) == 0:
                break
            if 0 <= slot < len(circle):
                patch = circle[slot]
                circle = circle[slot + 1 :] + circle[:slot]
                if mine:
                    patches |= 1 << numbers[patch]
                    taken += 1
        return patches


def _share(node: Any, name: str, turn: Player) -> float:
    value = float(node[name]) / max(1, int(node["visits"]))
    if turn is Player.ONE:
        return value
    return 1 - value if name == "win" else -value
