"""A second opinion on the leaves of the net's tree: a short search with playouts to the end of the game.

The net judges by sight; playouts see the tokens run, income come and patches go. Near the end they know more, at
the start the net does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.agents.engine.packing import PREDICTIONS
from quiltwork.agents.engine.policy import PolicyRecord, quick_playout
from quiltwork.agents.engine.tables import TablesRecord, tables_of
from quiltwork.agents.engine.tree import NODE, clear, simulate
from quiltwork.agents.net.inputs import move_of_code
from quiltwork.agents.net.search import spaces_left
from quiltwork.agents.net.tree import WHATS, final_value, what_of_move
from quiltwork.agents.tuning import Tuning
from quiltwork.edition import Edition
from quiltwork.rules.chance import SourceRecord, source_of
from quiltwork.rules.compiler import compiled
from quiltwork.rules.layout import NOTHING, POSITION, EditionRecord, PositionRecord

Array = np.ndarray[Any, Any]
TRUST = 0.5
"""the net's share in the value of a position that is far from the end; the playouts have the rest"""
FAR = 50.0
"""spaces before both tokens; nearer to the end the net's share falls with them"""
ROOM = 16
"""nodes of a short search for each simulation"""


@compiled
def net_share(position: PositionRecord, edition: EditionRecord) -> float:
    """The net's share in the value of a position; the playouts have the rest."""
    return TRUST * min(1.0, spaces_left(position, edition) / FAR)


@compiled
def net_shares(nodes: Any, leaves: Any, edition: Any) -> Any:
    """The same for leaves of a tree."""
    shares = np.empty(len(leaves), np.float32)
    for row in range(len(leaves)):
        shares[row] = net_share(nodes[leaves[row]].position, edition[0])
    return shares


@compiled
def quick_outcome(
    position: PositionRecord,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    source: SourceRecord,
    times: int,
) -> Any:
    """The win share and the points of some quick playouts, from the mover's side."""
    work = np.empty(1, POSITION)
    win = 0.0
    points = 0.0
    for _ in range(times):
        work[0] = position
        quick_playout(work[0], edition, tables, policy, source)
        one, lead = final_value(work[0], edition)
        win += one
        points += lead
    if position.turn == 0:
        return win / times, points / times
    return 1.0 - win / times, -points / times


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
        clear(root)
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
