"""The net's tree, read as an analysis."""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.agents.agent import Analysis, RankedMove
from quiltwork.agents.net import tree
from quiltwork.agents.net.root import best_at_root
from quiltwork.move import Move, Player
from quiltwork.position import Position

Array = np.ndarray[Any, Any]
LINE_LENGTH = 12
LINES = 4
"""moves that are told with how play may go on"""


class Grown:
    """A tree, read as an analysis."""

    def __init__(self, position: Position, nodes: Array) -> None:
        self.position, self.nodes = position, nodes

    def analysis(self, mover: Player, partial: bool = False) -> Analysis:
        """The moves of the root, the best first."""
        root = self.nodes[0]
        count = int(root["children"])
        logits = np.zeros(tree.CHILDREN, np.float64)
        best = int(best_at_root(self.nodes, logits))
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
