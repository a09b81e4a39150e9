"""The start of a game, set up in a record that held anything before."""

from __future__ import annotations

import numpy as np
import pytest

from quiltwork import Position
from quiltwork.kernel_record import numbers_of
from quiltwork.rules.layout import POSITION
from quiltwork.rules.start import set_up


@pytest.mark.parametrize("edition", ["patchwork", "express"])
@pytest.mark.parametrize("rubbish", [0x00, 0x5A, 0xFF])
def test_setting_up_leaves_nothing_of_what_was_there(edition: str, rubbish: int) -> None:
    start = Position.initial(edition, deal=1)
    array = np.zeros(1, POSITION)
    array.view(np.uint8)[:] = rubbish
    circle = numbers_of(start.edition, tuple(patch.code for patch in start.circle))
    reserve = numbers_of(start.edition, tuple(patch.code for patch in start.reserve))
    set_up(array[0], start.edition.compiled[0], circle, reserve)
    for field in POSITION.names or ():
        assert array[field].tolist() == start.record[field].tolist(), field


def test_a_game_can_start_with_an_empty_circle() -> None:
    position = Position.parse("patchwork 1 0/5/- 0/5/- - -")
    assert position.circle == ()
    assert [str(move) for move in position.legal_moves()] == ["+1"]
