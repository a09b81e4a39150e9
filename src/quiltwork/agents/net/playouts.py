"""A second opinion on the leaves of the net's tree: a short search with playouts to the end of the game.

The net judges by sight; playouts see the tokens run, income come and patches go. Near the end they know more, at
the start the net does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.agents.engine.packing import PREDICTIONS
from quiltwork.agents.engine.tables import tables_of
from quiltwork.agents.engine.tree import NODE, UNEXPANDED, simulate
from quiltwork.agents.net.inputs import move_of_code
from quiltwork.agents.net.tree import WHATS, what_of_move
from quiltwork.agents.tuning import Tuning
from quiltwork.edition import Edition
from quiltwork.rules.chance import source_of
from quiltwork.rules.compiler import compiled
from quiltwork.rules.layout import NOTHING, POSITION

Array = np.ndarray[Any, Any]
ROOM = 16
"""nodes of a short search for each simulation"""


@compiled
def play_out(
    nodes: Any,
    leaves: Any,
    edition: Any,
    tables: Any,
    policy: Any,
    settings: Any,
    scratch: Any,
    source: Any,
    predictions: Any,
    simulations: int,
    outcome: Any,
    shares: Any,
) -> None:
    """Writes the win share and points of each leaf, from its mover's side, and how often each thing was done."""
    work = np.empty(1, POSITION)
    for row in range(len(leaves)):
        work[0] = nodes[leaves[row]].position
        root = scratch[0]
        root.visits = 0
        root.win = 0.0
        root.points = 0.0
        root.value = 0.0
        root.first_child = 0
        root.children = UNEXPANDED
        simulate(work, edition, tables, policy, settings, scratch, 1, source, predictions, simulations)
        win = root.win / simulations
        points = root.points / simulations
        mine = work[0].turn == 0
        outcome[row, 0] = win if mine else 1.0 - win
        outcome[row, 1] = points if mine else -points
        for what in range(WHATS):
            shares[row, what] = 0.0
        for i in range(root.first_child, root.first_child + root.children):
            move = move_of_code(work[0], edition[0], scratch[i].code)
            if move != NOTHING:
                shares[row, what_of_move(move)] += scratch[i].visits / simulations


class Playouts:
    """Short searches from many leaves."""

    def __init__(self, simulations: int, most: int, seed: int) -> None:
        self.simulations = simulations
        tuning = Tuning(placements=1)
        self._policy, self._settings = tuning.policy(), tuning.settings()
        self._scratch = np.zeros(ROOM * simulations + 64, NODE)
        self._predictions = np.zeros(1, PREDICTIONS)
        self._source = source_of(seed)
        self._outcome = np.zeros((most, 2), np.float32)
        self._shares = np.zeros((most, WHATS), np.float32)

    def of(self, nodes: Array, leaves: Array, edition: Edition) -> tuple[Array, Array]:
        """The win share and the points of each leaf, from its mover's side, and the share of each thing to do."""
        compiled = edition.compiled
        found = self._outcome[: len(leaves)], self._shares[: len(leaves)]
        play_out(
            nodes,
            leaves,
            compiled,
            tables_of(compiled),
            self._policy,
            self._settings,
            self._scratch,
            self._source,
            self._predictions,
            self.simulations,
            *found,
        )
        return found
