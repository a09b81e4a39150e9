"""An edition as the kernel's record has every number of its file."""

from __future__ import annotations

from pathlib import Path

import pytest

import toys
from oracle import read_edition
from quiltwork import Position, load_edition


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


def test_shapes_that_fit_nowhere_on_the_board_are_left_out(tmp_path: Path) -> None:
    record = load_edition(toys.write(toys.Switches(board="plain"), tmp_path)).compiled[0]
    # On 2x2 cells 2a has two orientations and 3b four; 3a, a line of three, is too wide or too high.
    assert record["shape_count"] == 6
    assert record["first_shape"][:4].tolist() == [0, 2, 2, 6]


def test_an_edition_is_one_record_that_nobody_changes() -> None:
    compiled = load_edition("patchwork").compiled
    assert compiled.shape == (1,)
    assert not compiled.flags.writeable


def test_a_board_of_one_row(tmp_path: Path) -> None:
    path = tmp_path / "row.toml"
    path.write_text(toys.toml(toys.Switches()).replace("##\n##", "#####"), encoding="utf-8")
    position = Position.parse(f"{path} 1 0/2/- 0/2/- - 3a3b2a")
    names = ["+1", "3a@a1r1", "3a@b1r1", "3a@c1r1", "2a@a1", "2a@b1", "2a@c1", "2a@d1"]
    assert [str(move) for move in position.legal_moves()] == names
