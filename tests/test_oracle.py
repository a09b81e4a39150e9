"""The oracle itself, against records and counts that were made by others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import oracle

DATA = Path(__file__).parent / "data"
POSITIONS = [line for line in (DATA / "positions.txt").read_text().splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("path", sorted(DATA.glob("*.quilt")), ids=lambda path: path.stem)
def test_a_record_replays_to_its_final_position(path: Path) -> None:
    final = oracle.text(oracle.replay(path.read_text())[-1])
    assert final in POSITIONS


@pytest.mark.parametrize("line", POSITIONS)
def test_positions_round_trip_and_count_as_given(line: str) -> None:
    state = oracle.parse(line)
    assert oracle.text(state) == " ".join(line.split()[:6])
    counts = re.search(r"perft=(\S+)", line)
    for depth, count in enumerate(counts[1].split(",") if counts else [], 1):
        assert oracle.perft(state, depth) == int(count)
