"""The start of a game."""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.rules.bits import ALL, ONE, ZERO
from quiltwork.rules.compiler import compiled
from quiltwork.rules.layout import NOBODY, NOT_PLACED, NOTHING, TURN, VACANT, EditionRecord, PositionRecord


@compiled
def set_up(position: PositionRecord, edition: EditionRecord, circle: Any, reserve: Any) -> None:
    """Sets up a game: `circle` are the patches clockwise from the neutral token, `reserve` those that wait."""
    for player in range(2):
        for word in range(2):
            position.free[player, word] = edition.board[word]
            position.special[player, word] = ZERO
        position.space[player] = 0
        position.buttons[player] = edition.start_buttons
        position.income[player] = 0
    for place in range(len(circle)):
        position.ring[place] = circle[place]
    for place in range(len(circle), len(position.ring)):
        position.ring[place] = VACANT
    for patch in range(len(position.placed)):
        position.placed[patch] = NOT_PLACED
    position.present = ALL >> np.uint64(64 - len(circle)) if len(circle) > 0 else ZERO
    position.reserve = ZERO
    for i in range(len(reserve)):
        position.reserve |= ONE << np.uint64(reserve[i])
    position.token = 0
    position.phase = TURN
    # The start player's token lies on top.
    position.turn = 0
    position.tile = NOBODY
    position.first = NOBODY
    position.held = NOTHING
    position.pending = 0
