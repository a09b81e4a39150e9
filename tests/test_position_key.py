"""Keys of positions: equal where play goes on alike, different everywhere else."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import toys
from lockstep import pair, same_successors
from oracle import State, empty_cells
from quiltwork import Position
from quiltwork.position_setup import Phase
from toys import Switches


def what_matters(state: State) -> object:
    """All of a position but which patch lies where on a quilt."""
    seats = tuple(
        (
            seat.space,
            seat.buttons,
            empty_cells(state.edition, seat),
            sum(state.edition.patches[code].income for code, _ in seat.quilt),
            seat.reached_last_space_first,
        )
        for seat in state.seats
    )
    pending = (state.special_patches_to_place, state.held, state.reserve_is_to_be_dealt)
    return seats, state.mover, state.tile, state.circle, state.reserve, pending


@pytest.mark.parametrize(
    "switches",
    [
        Switches(board="plain", marks="sparse", reserve=True),
        Switches(board="hole", may_be_removed=True, tile=True, reserve=True),
        Switches(board="odd", may_be_removed=True, tile=True),
    ],
    ids=str,
)
def test_the_keys_of_all_reachable_positions(switches: Switches, tmp_path: Path) -> None:
    pairs = [pair(toys.initial_text(switches, toys.write(switches, tmp_path)))]
    keys: dict[object, int] = {}
    seen: set[str] = set()
    while pairs:
        position, state = pairs.pop()
        if position.text not in seen:
            seen.add(position.text)
            assert keys.setdefault(what_matters(state), position.key) == position.key, position.text
            pairs += same_successors(position, state)
    assert len(set(keys.values())) == len(keys) > 100


@pytest.mark.parametrize(("one", "both"), [("e1", "a1"), ("f8", "b8")])
def test_nearly_full_quilts_have_keys_of_their_own(one: str, both: str) -> None:
    """Few empty spaces are small numbers to the kernel: these are 16 and 1, in either word."""

    def key(first: list[str], second: list[str]) -> int:
        cells = [f"{column}{row}" for row in range(1, 10) for column in "abcdefghi"]
        quilts = [",".join(f"s@{cell}" for cell in cells if cell not in empty) for empty in (first, second)]
        return Position.parse(f"patchwork 1 9/0/{quilts[0]} 9/0/{quilts[1]} 1 -").key

    assert key([one], []) != key([one, both], [both])


SQUARE = ",".join(f"s@{column}{row}" for row in range(1, 8) for column in "abcdefg")


def test_a_key_tells_apart_what_differs_in_one_thing() -> None:
    texts = [
        "patchwork 1 3/5/- 3/5/- - 2a3a",
        "patchwork 2 3/5/- 3/5/- - 2a3a",
        "patchwork 1 2/5/- 3/5/- - 2a3a",
        "patchwork 1 3/5/- 4/5/- - 2a3a",
        "patchwork 1 3/6/- 3/5/- - 2a3a",
        "patchwork 1 3/5/- 3/6/- - 2a3a",
        # the same cells, with an income of 1 and of 3
        "patchwork 1 3/5/4c@a1 3/5/- - 2a3a",
        "patchwork 1 3/5/4d@a1 3/5/- - 2a3a",
        "patchwork 1 3/5/- 3/5/4c@a1 - 2a3a",
        "patchwork 1 3/5/- 3/5/4d@a1 - 2a3a",
        # the circle
        "patchwork 1 3/5/- 3/5/- - 3a2a",
        "patchwork 1 3/5/- 3/5/- - 2a",
        "patchwork 1 3/5/- 3/5/- - -",
        "patchwork 1 3/5/- 3/5/- - 2a3b",
        # the special tile
        f"patchwork 1 3/5/{SQUARE} 3/5/{SQUARE} 1 2a3a",
        f"patchwork 1 3/5/{SQUARE} 3/5/{SQUARE} 2 2a3a",
        # who was first
        "patchwork - 53!/5/- 53/5/- - 2a3a",
        "patchwork - 53/5/- 53!/5/- - 2a3a",
        # special patches to place
        "patchwork 1 33/5/- 40/5/- - 2a3a",
        "patchwork 1s 40/5/- 33/5/- - 2a3a",
        "patchwork 2s 33/5/- 40/5/- - 2a3a",
        "patchwork 1s 40/5/- 20/5/- - 2a3a",
        "patchwork 1ss 40/5/- 20/5/- - 2a3a",
        # the reserve and a patch held
        "express 1 3/5/- 3/5/- - 5a5b",
        "express 1 3/5/- 3/5/- - 5a5b+2a",
        "express 1 3/5/- 3/5/- - 5a5b+2b",
        "express 1 3/5/- 3/5/- - 5a5b+2a2b",
        "express 1=5c 3/5/- 3/5/- - 5a5b+2a2b",
        "express 1=5d 3/5/- 3/5/- - 5a5b+2a2b",
        "express 1@5c 3/5/- 3/5/- - 5a5b",
        "express 1@5d 3/5/- 3/5/- - 5a5b",
    ]
    keys = {Position.parse(text).key: text for text in texts}
    assert sorted(keys.values()) == sorted(texts)


def test_every_bit_of_a_key_is_set_as_often_as_not() -> None:
    rng = Random(5)
    keys = []
    for deal in range(8):
        position = Position.initial("express", deal=deal)
        while position.phase is not Phase.OVER:
            deals = position.phase is Phase.DEAL
            position = position.play(position.deal(rng) if deals else rng.choice(position.legal_moves()))
            keys.append(position.key)
    shares = [sum(key >> bit & 1 for key in keys) / len(keys) for bit in range(64)]
    assert len(keys) > 150
    assert all(0.25 < share < 0.75 for share in shares), shares
