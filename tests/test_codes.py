"""Moves as integers: as many as the design says, and none beyond."""

from __future__ import annotations

import pytest

from quiltwork import Position, load_edition
from quiltwork.codes import codes_of
from quiltwork.rules import entry, legality
from quiltwork.rules.moves import code_count

COUNTS = {"patchwork": 2027, "patchwork-2014": 2027, "halloween": 2027, "express": 1230, "stack-and-stuff": 1230}


@pytest.mark.parametrize(("name", "count"), COUNTS.items())
def test_every_edition_has_its_number_of_codes(name: str, count: int) -> None:
    edition = load_edition(name)
    assert code_count(edition.compiled[0]) == count
    assert codes_of(edition).count == count


@pytest.mark.parametrize(("name", "count"), COUNTS.items())
def test_a_number_that_is_no_code_is_no_choice(name: str, count: int) -> None:
    position = Position.initial(name, deal=1)
    for code in (-1, count, count + 1, 1_000_000):
        assert entry.illegality(position.record, position.edition.compiled, code) == legality.CHOICE
    assert entry.illegality(position.record, position.edition.compiled, count - 1) == legality.PHASE
