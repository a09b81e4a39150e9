"""An edition as the kernel's record has every number of its file."""

from __future__ import annotations

import pytest

from oracle import read_edition
from quiltwork import load_edition


@pytest.mark.parametrize("name", ["patchwork", "patchwork-2014", "halloween", "express", "stack-and-stuff"])
def test_the_record_has_what_the_file_says(name: str) -> None:
    box, edition = read_edition(name), load_edition(name)
    record = edition.compiled[0]
    side = 9 if box.tile_square else 7
    sides = {"rows": side, "columns": side, "cells": side * side, "last_space": box.last_space}
    rules = {
        "start_buttons": 5,
        "points_per_empty_space": -2,
        "may_remove_special_patch": name not in ("patchwork", "patchwork-2014"),
        "choices": 3,
        "reserve_enters_when_left": 5 if side == 7 else -1,
        "tile_square": 7 if side == 9 else 0,
        "tile_points": 7 if side == 9 else 0,
        # all 7x7 squares of a 9x9 board
        "square_count": 9 if side == 9 else 0,
        "patch_count": 33 if side == 9 else 23,
        # patches in all their different orientations
        "shape_count": 144 if side == 9 else 98,
    }
    assert {field: int(record[field]) for field in sides | rules} == sides | rules


@pytest.mark.parametrize("name", ["patchwork", "express"])
def test_every_patch_has_its_values_and_shapes(name: str) -> None:
    box, edition = read_edition(name), load_edition(name)
    record = edition.compiled[0]
    for number, code in enumerate(edition.codes):
        patch = box.patches[code]
        values = tuple(int(record[field][number]) for field in ("price", "time", "income", "patch_cells"))
        assert values == (patch.buttons, patch.time, patch.income, len(patch.cells))
        orientations = {placement[2:] for placement in box.placements(code)}
        shapes = range(record["first_shape"][number], record["first_shape"][number + 1])
        assert len(shapes) == len(orientations)
        assert sum(record["shape_at"][number] != -1) == len(orientations)
