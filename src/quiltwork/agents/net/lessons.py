"""Samples of self-play as rows for a learner, every quilt turned at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.agents.net.games import KEPT
from quiltwork.agents.net.inputs import CELLS, SIDE, move_of_code, turn_quilts, turned_code, view
from quiltwork.rules.bits import contains
from quiltwork.rules.chance import below
from quiltwork.rules.compiler import compiled
from quiltwork.rules.layout import POSITION


@compiled
def write_batch(
    samples: Any,
    chosen: Any,
    editions: Any,
    sights: Any,
    sources: Any,
    words: Any,
    numbers: Any,
    moves: Any,
    shares: Any,
    outcome: Any,
    quilts: Any,
) -> None:
    """Writes the chosen samples as rows for the learner, from the mover's side, each quilt turned at random.

    `outcome` is win and points at the end, then win and points of the search; `quilts` is 1 where a space is empty
    at the end and 2 off the board. Moves that are not kept are NOTHING.
    """
    work = np.empty(1, POSITION)
    end = np.empty(1, POSITION)
    symmetry = np.zeros(2, np.int64)
    for row in range(len(chosen)):
        sample = samples[chosen[row]]
        edition = editions[sample.edition]
        sight = sights[sample.edition]
        position = work[0]
        work[0] = sample.position
        end[0] = sample.position
        for player in range(2):
            symmetry[player] = sight.symmetries[below(sources[0], sight.symmetry_count)]
            for word in range(2):
                end[0].free[player, word] = sample.final_free[player, word]
        mover = np.int64(position.turn)
        for i in range(KEPT):
            moves[row, i] = -1
            shares[row, i] = 0.0
        for i in range(sample.moves):
            code = turned_code(position, edition, sight, symmetry[mover], sample.code[i])
            moves[row, i] = move_of_code(position, edition, code)
            shares[row, i] = sample.share[i]
        turn_quilts(position, sight, symmetry)
        turn_quilts(end[0], sight, symmetry)
        view(position, edition, sight, words[row], numbers[row])
        sign = 1.0 if mover == 0 else -1.0
        outcome[row, 0] = sample.win if mover == 0 else 1.0 - sample.win
        outcome[row, 1] = sign * sample.points
        outcome[row, 2] = sample.search_win if mover == 0 else 1.0 - sample.search_win
        outcome[row, 3] = sign * sample.search_points
        for side in range(2):
            whose = mover if side == 0 else 1 - mover
            for cell in range(CELLS):
                r, c = cell // SIDE, cell % SIDE
                mark = 2
                if r < edition.rows and c < edition.columns:
                    at = r * edition.columns + c
                    if contains(edition.board[0], edition.board[1], at):
                        empty = contains(end[0].free[whose, 0], end[0].free[whose, 1], at)
                        mark = 1 if empty else 0
                quilts[row, side, cell] = mark
