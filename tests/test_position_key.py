"""Keys of positions: equal where play goes on alike, different everywhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

import toys
from lockstep import pair, same_successors
from oracle import State, empty_cells
from quiltwork import Position
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
