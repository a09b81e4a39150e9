"""Random play in the kernel: every legal move, and no other, is equally likely."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest

import oracle
from quiltwork import Position
from quiltwork.rules import entry
from quiltwork.rules.chance import source_of
from quiltwork.rules.layout import OVER
from quiltwork.rules.playout import SCRATCH, play_at_random, random_games

EDITIONS = Path(__file__).parent / "editions"
TOY = quote(str(EDITIONS / "toy.toml"))
RESERVE = quote(str(EDITIONS / "toy-reserve.toml"))
FULL = "s@a2,s@a3,s@b3,s@c1,s@c2,s@c3,s@d2,s@d3"
SEVEN_ROWS = ",".join(f"s@{column}{row}" for row in range(1, 8) for column in "abcdefghi")
DRAWS = 100
"""For each legal move; a fair source then stays between 60 and 140."""


def random_successors(position: Position, draws: int) -> Counter[str]:
    """How often random play leads where."""
    source, scratch = source_of(20), np.zeros(1, SCRATCH)
    edition = position.edition
    found: Counter[bytes] = Counter()
    work = position.record.copy()
    for _ in range(draws):
        work[0] = position.record[0]
        play_at_random(work[0], edition.compiled[0], source[0], scratch[0])
        found[work.tobytes()] += 1
    records = {record: np.frombuffer(record, work.dtype) for record in found}
    return Counter({Position(edition, records[record]).text: times for record, times in found.items()})


POSITIONS = {
    "two patches to choose from, one too dear, one out of reach": f"{TOY} 1 0/1/4b@a1,s@a3,s@b3 3/3/- - 3b2a3a4a",
    "nothing to take": f"{TOY} 2 5/0/- 1/0/- - 2a",
    "special patches to place": f"{TOY} 1ss 6/0/4a@a1,s@c1 1/0/- - -",
    "a special patch to place or remove": f"{RESERVE} 2s 0/0/- 1/0/3b@a1 - -",
    "a special patch and a full quilt": f"{RESERVE} 1s 2/0/2a@a1,{FULL} 0/0/- - -",
    "a take that brings the reserve": f"{RESERVE} 1 0/2/- 0/2/- - 3a3b2a+1a4b5a",
    "the deal": f"{RESERVE} 1=3a 0/0/- 0/2/- - 3b2a+1a4b5a",
    "a patch to lay": f"{RESERVE} 2@3a 0/0/- 0/2/- - 3b2a1a4b5a",
    "cells in the second word of a quilt": f"patchwork 1 0/1/{SEVEN_ROWS} 0/0/- 1 3b",
}


@pytest.mark.parametrize("text", POSITIONS.values(), ids=POSITIONS.keys())
def test_every_legal_move_is_equally_likely(text: str) -> None:
    position, state = Position.parse(text), oracle.parse(text)
    moves = [*oracle.legal_moves(state), *oracle.deals(state)]
    successors = {oracle.text(oracle.play(state, move)) for move in moves}
    found = random_successors(position, DRAWS * len(moves))
    assert found.keys() == successors
    assert all(60 <= times <= 140 for times in found.values()), found


@pytest.mark.parametrize("edition", ["patchwork", "express"])
def test_random_games_are_random_moves_to_the_end(edition: str) -> None:
    start = Position.initial(edition, deal=1)
    source, scratch, work = source_of(7), np.zeros(1, SCRATCH), start.record.copy()
    plies = wins = 0
    for _ in range(4):
        work[0] = start.record[0]
        while work[0]["phase"] != OVER:
            play_at_random(work[0], start.edition.compiled[0], source[0], scratch[0])
            plies += 1
        wins += entry.winner(work, start.edition.compiled) == 0
    assert random_games(start.record, start.edition.compiled, source_of(7), 4) == (plies, wins)
    assert 4 * 25 < plies < 4 * 63
