"""The playthrough of each edition reads today as it was written."""

from __future__ import annotations

import pytest

from playthroughs import FOLDER, retold
from quiltwork import available_editions


@pytest.mark.parametrize("edition", available_editions())
def test_every_edition_has_a_playthrough_that_is_told_the_same(edition: str) -> None:
    text = (FOLDER / f"{edition}.txt").read_text(encoding="utf-8")
    assert retold(text).splitlines() == text.splitlines()
