"""What the net sees of a position, and the symmetries that it is taught with."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from quiltwork import Position, load_edition
from quiltwork.agents.net import inputs
from quiltwork.agents.net.sight import sight_of
from quiltwork.rules import entry
from quiltwork.setup import Phase

EDITIONS = ("patchwork", "patchwork-2014", "halloween", "express", "stack-and-stuff")
Array = np.ndarray[Any, Any]


def random_positions(edition: str, seed: int) -> list[Position]:
    """The positions of a random game in which a player is to move."""
    rng = Random(seed)
    position = Position.initial(edition, deal=seed)
    found = []
    while position.phase is not Phase.OVER:
        if position.phase is Phase.DEAL:
            position = position.play(position.deal(rng))
            continue
        found.append(position)
        position = position.play(rng.choice(position.legal_moves()))
    return found


def view_of(position: Position) -> tuple[Array, Array]:
    words, numbers = np.zeros(inputs.WORDS, np.uint64), np.zeros(inputs.NUMBERS, np.float32)
    edition = position.edition
    inputs.view(position.record[0], edition.compiled[0], sight_of(edition)[0], words, numbers)
    return words, numbers


def moves_of_view(words: Array) -> set[int]:
    """The legal moves that a view shows."""
    planes = np.unpackbits(
        words[: 2 * inputs.PLANES].view(np.uint8).reshape(inputs.PLANES, 16), axis=1, bitorder="little"
    )
    places = np.flatnonzero(planes[inputs.PLACES : inputs.OWN_COVER, : inputs.CELLS].reshape(-1))
    options = int(words[inputs.OPTIONS])
    found = {int(place) for place in places}
    found |= {inputs.ADVANCE_MOVE} if options & 1 else set()
    found |= {inputs.TAKE_MOVE + slot for slot in range(3) if options >> 4 + slot & 1}
    return found | ({inputs.REMOVAL_MOVE} if options & 128 else set())


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_view_shows_exactly_the_legal_moves(edition: str) -> None:
    for position in random_positions(edition, 3):
        words, _ = view_of(position)
        record, compiled = position.record[0], position.edition.compiled[0]
        codes = {inputs.code_of_move(record, compiled, move) for move in moves_of_view(words)}
        assert codes == set(entry.legal_codes(position.record, position.edition.compiled).tolist())


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_move_of_the_net_and_its_code_name_each_other(edition: str) -> None:
    for position in random_positions(edition, 4):
        record, compiled = position.record[0], position.edition.compiled[0]
        for code in entry.legal_codes(position.record, position.edition.compiled).tolist():
            assert inputs.code_of_move(record, compiled, inputs.move_of_code(record, compiled, code)) == code


@pytest.mark.parametrize("edition", EDITIONS)
def test_turned_moves_are_the_legal_moves_of_the_turned_quilt(edition: str) -> None:
    rng = Random(5)
    for position in random_positions(edition, 5):
        chosen, sight = position.edition, sight_of(position.edition)
        g = rng.randrange(int(sight[0]["symmetry_count"]))
        codes = entry.legal_codes(position.record, chosen.compiled).tolist()
        turned = {
            int(inputs.turned_code(position.record[0], chosen.compiled[0], sight[0], g, code)) for code in codes
        }
        record = position.record.copy()
        inputs.turn_quilts(record[0], sight[0], np.array([g, g]))
        assert turned == set(entry.legal_codes(record, chosen.compiled).tolist())


@pytest.mark.parametrize("edition", EDITIONS)
def test_numbers_stay_small(edition: str) -> None:
    for position in random_positions(edition, 6):
        _, numbers = view_of(position)
        assert np.isfinite(numbers).all()
        assert np.abs(numbers).max() < 5


def test_each_quilt_board_has_all_eight_symmetries() -> None:
    assert [int(sight_of(load_edition(e))[0]["symmetry_count"]) for e in EDITIONS] == [8, 8, 8, 8, 8]
