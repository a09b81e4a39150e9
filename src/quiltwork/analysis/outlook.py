"""What is known of a position without a search, at once: for reviews and for drawing.

>>> from quiltwork import Position
>>> from quiltwork.analysis.outlook import outlook_of
>>> look = outlook_of(Position.initial("patchwork", deal=1))
>>> 0 < look.win < 1 and round(sum(look.policy.values()), 6)
1.0
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from quiltwork.agents.agent import mover_of
from quiltwork.agents.net.forward import POINTS, POINTS_UNIT, POLICY, SLOTS, WIN, evaluation_of
from quiltwork.agents.net.weights import DEFAULT, load_net
from quiltwork.agents.search.config import SearchConfig
from quiltwork.analysis.empty_spaces import count_empty
from quiltwork.move import Player
from quiltwork.position import Position
from quiltwork.position_setup import Phase
from quiltwork.rules.chance import source_of

PLAYOUTS = 1000


@dataclass(frozen=True)
class Outlook:
    """What the net says, from the mover's side, and how quilts end in playouts."""

    turn: Player
    win: float
    points: float
    """the expected lead at the end"""
    policy: dict[str, float]
    """how likely each thing is to be done: `advance`, or the code of a patch; empty where no turn begins"""
    empty: tuple[tuple[tuple[float, ...], ...], tuple[tuple[float, ...], ...]]
    """by player, row and column: how likely a space is to be empty at the end"""


def outlook_of(position: Position, weights: str = DEFAULT, playouts: int = PLAYOUTS, seed: int = 0) -> Outlook:
    """The outlook of a position in which a player has to move."""
    mover = mover_of(position)
    context = SearchConfig().context(position.edition, load_net(weights))
    _, _, outputs = evaluation_of(position.record, context)
    counts = np.zeros((2, position.edition.rows * position.edition.columns), np.int64)
    count_empty(position.record.copy(), context, source_of(seed), playouts, counts)
    shares = (counts / max(1, playouts)).reshape(2, position.edition.rows, position.edition.columns)
    one, two = (tuple(tuple(float(x) for x in row) for row in quilt) for quilt in shares)
    return Outlook(
        turn=mover,
        win=1 / (1 + math.exp(-float(outputs[WIN]))),
        points=POINTS_UNIT * float(outputs[POINTS]),
        policy=_policy(position, [float(x) for x in outputs[POLICY:]]),
        empty=(one, two),
    )


def _policy(position: Position, logits: list[float]) -> dict[str, float]:
    if position.phase is not Phase.TURN:
        return {}
    legal = {getattr(move, "patch", "advance") for move in position.legal_moves()}
    found = {"advance": math.exp(logits[0])}
    for slot, patch in enumerate(position.circle[: position.edition.choices], 1):
        if patch.code in legal:
            found[patch.code] = math.exp(logits[min(slot, SLOTS)])
    total = sum(found.values())
    return {what: share / total for what, share in found.items()}
