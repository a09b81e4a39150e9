"""The kernel counts sequences of moves as the oracle did when it wrote the perft files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from quiltwork import Position
from quiltwork.rules import layout
from quiltwork.rules.perft import perft

DATA = Path(__file__).parent / "data"
EDITIONS = ("patchwork", "patchwork-2014", "halloween", "express", "stack-and-stuff")


def lines(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if "perft=" in line]


def counts_of(line: str) -> list[int]:
    (counts,) = (key.removeprefix("perft=") for key in line.split()[6:] if key.startswith("perft="))
    return [int(count) for count in counts.split(",")]


def kernel_counts(position: Position, depth: int) -> list[int]:
    counts = []
    for n in range(1, depth + 1):
        room = np.zeros(n + 1, layout.POSITION)
        room[0] = position.record[0]
        counts.append(int(perft(room, position.edition.compiled, n)))
    return counts


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_has_ten_positions_to_depth_3(edition: str) -> None:
    counted = [counts_of(line) for line in lines(DATA / "perft" / f"{edition}.txt")]
    assert len(counted) >= 10
    assert all(len(counts) == 3 for counts in counted)


@pytest.mark.parametrize("line", lines(DATA / "positions.txt"))
def test_the_example_positions_count_as_given(line: str) -> None:
    assert kernel_counts(Position.parse(line), len(counts_of(line))) == counts_of(line)


COUNTED = [line for edition in EDITIONS for line in lines(DATA / "perft" / f"{edition}.txt")]


def name_of(line: str) -> str:
    """The edition and the id of a line, such as `express-end-1`."""
    edition, *fields = line.split()
    return next(f"{edition}-{field.removeprefix('id=')}" for field in fields if field.startswith("id="))


@pytest.mark.parametrize("line", COUNTED, ids=name_of)
def test_the_perft_files_count_as_given(line: str) -> None:
    assert kernel_counts(Position.parse(line), 3) == counts_of(line)


def test_no_move_at_all_is_one_sequence() -> None:
    position = Position.parse("patchwork 1 0/5/- 0/5/- - 2a")
    assert int(perft(np.array(position.record), position.edition.compiled, 0)) == 1
