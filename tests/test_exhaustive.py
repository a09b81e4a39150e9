"""Every position that play can reach in a toy edition is the same to the library and to the oracle."""

from __future__ import annotations

from pathlib import Path

import pytest

import toys
from lockstep import pair, same_successors
from toys import Switches


@pytest.mark.parametrize("switches", toys.every_combination(), ids=str)
def test_every_reachable_position_is_equal(switches: Switches, tmp_path: Path) -> None:
    pairs = [pair(toys.initial_text(switches, toys.write(switches, tmp_path)))]
    seen: set[str] = set()
    while pairs:
        position, state = pairs.pop()
        if position.text not in seen:
            seen.add(position.text)
            pairs += same_successors(position, state)
    assert len(seen) > 30
