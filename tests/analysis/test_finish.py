"""Whether a quilt can still be finished is told with the pieces that do it."""

from __future__ import annotations

from pathlib import Path

import pytest

import toys
from quiltwork import Position
from quiltwork.analysis.finish import finish_of, finish_sentence
from quiltwork.move import Player
from toys import Switches


@pytest.mark.parametrize(
    ("marks", "circle", "sentence"),
    [
        # A board of 2x2; two special patches lie ahead on the dense board, one on the sparse one.
        ("dense", "2a", "This quilt can be finished with 2a@a1 s@a2 s@b2, for 1 buttons and 1 time."),
        ("sparse", "3b2a3a", "This quilt can be finished with 3b@a1 s@b2, for 2 buttons and 3 time."),
        ("sparse", "2a", "This quilt cannot be finished any more."),
        ("dense", "3a", "This quilt cannot be finished any more."),
    ],
)
def test_a_small_quilt(marks: str, circle: str, sentence: str, tmp_path: Path) -> None:
    edition = toys.write(Switches(marks=marks), tmp_path)
    position = Position.parse(f"{edition} 1 0/2/- 0/2/- - {circle}")
    assert finish_sentence(finish_of(position, Player.ONE)) == sentence


def test_a_finished_quilt(tmp_path: Path) -> None:
    edition = toys.write(Switches(marks="dense"), tmp_path)
    position = Position.parse(f"{edition} 2 4!/2/3b@a1,s@b2 0/2/- - 2a")
    assert finish_sentence(finish_of(position, Player.ONE)) == "This quilt is finished."


def test_time_that_is_not_left_counts(tmp_path: Path) -> None:
    # 2a and 2a's neighbour would fill the board, but from space 3 only one patch can still be taken.
    edition = toys.write(Switches(marks="sparse", board="odd"), tmp_path)
    late = Position.parse(f"{edition} 1 3/2/- 3/2/- - 2a")
    assert finish_of(late, Player.ONE).possible is False


def test_giving_up_is_admitted() -> None:
    answer = finish_of(Position.initial("patchwork", deal=1), Player.ONE, steps=3)
    assert answer.possible is None
    assert finish_sentence(answer) == "Whether this quilt can still be finished was not found out."
