"""Edition files: the five built-in ones, and what is wrong with others."""

from __future__ import annotations

from pathlib import Path

import pytest

from quiltwork import EditionError, Position, available_editions, load_edition
from quiltwork.editions import EDITIONS_FOLDER, Confidence

HOLED = """
format = 1
id = "ring"
title = "Ring"

[quilt_board]
drawing = '''
####
#..#
####'''
points_per_empty_space = -1

[time_board]
last_space = 8
income_spaces = [4, 8]
special_patch_spaces = [2, 3]

[special_patch]
may_be_removed = true

[circle]
start_patch = "2a"
choices = 2

[players]
start_buttons = 3

[patches]
2a = { shape = "##", buttons = 1, time = 2, income = 1 }
3a = { shape = "###", buttons = 2, time = 1, income = 0 }
4a = { shape = "##/##", buttons = 0, time = 1, income = 0 }
"""


def write(folder: Path, text: str, name: str = "own.toml") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def problems(folder: Path, text: str) -> list[str]:
    with pytest.raises(EditionError) as caught:
        load_edition(write(folder, text))
    return list(caught.value.problems)


def test_the_five_editions_are_built_in() -> None:
    assert available_editions() == ("patchwork", "express", "halloween", "patchwork-2014", "stack-and-stuff")


@pytest.mark.parametrize(
    ("name", "patches", "cells", "spaces", "specials"),
    [
        ("patchwork", 33, 166, 81, (26, 32, 38, 44, 50)),
        ("patchwork-2014", 33, 166, 81, (20, 26, 32, 44, 50)),
        ("halloween", 33, 166, 81, (26, 32, 38, 44, 50)),
        ("express", 23, 93, 49, (7, 11, 15, 19, 23, 27)),
        ("stack-and-stuff", 23, 93, 49, (7, 11, 15, 19, 23, 27)),
    ],
)
def test_the_components_are_counted(
    name: str, patches: int, cells: int, spaces: int, specials: tuple[int, ...]
) -> None:
    edition = load_edition(name)
    assert len(edition.patches) == patches
    assert sum(len(patch.cells) for patch in edition.patches.values()) == cells
    assert len(edition.spaces) == spaces
    assert edition.special_patch_spaces == specials


def test_the_8_cell_patch_has_8_cells() -> None:
    patch = load_edition("patchwork").patches["8a"]
    assert (len(patch.cells), patch.buttons, patch.time, patch.income) == (8, 5, 3, 1)


def test_doubts_are_told() -> None:
    assert load_edition("patchwork").source.unverified == ()
    assert "14 rebalanced patches" in load_edition("halloween").source.unverified[0]
    assert load_edition("stack-and-stuff").source.confidence is Confidence.RECONSTRUCTED


def test_a_line_of_four_has_two_orientations() -> None:
    assert [str(o) for o in load_edition("patchwork").patches["4a"].orientations] == ["", "r1"]


def test_an_own_edition_plays_by_its_path(tmp_path: Path) -> None:
    folder = tmp_path / "with space"
    folder.mkdir()
    name = write(folder, HOLED)
    position = Position.initial(load_edition(name))
    assert "%20" in position.text.split()[0]
    assert Position.parse(position.text) == position
    # 4a fits nowhere around the hole, 3a in the two long rows and the two columns.
    assert [str(move) for move in position.legal_moves()] == [
        "+1",
        "3a@a1", "3a@b1", "3a@a3", "3a@b3", "3a@a1r1", "3a@d1r1",
    ]  # fmt: skip


def test_an_edited_file_is_read_anew(tmp_path: Path) -> None:
    name = write(tmp_path, HOLED)
    assert load_edition(name).start_buttons == 3
    write(tmp_path, HOLED.replace("start_buttons = 3", "start_buttons = 14"))
    assert load_edition(name).start_buttons == 14


def test_all_problems_come_at_once(tmp_path: Path) -> None:
    text = (
        HOLED.replace("last_space = 8", "last_space = 80")
        .replace("may_be_removed = true", "may_be_removed = 1")
        .replace('start_patch = "2a"', 'start_patch = "9z"')
        .replace('3a = { shape = "###"', '5a = { shape = "###"')
        .replace("choices = 2", "choice = 2")
    )
    found = problems(tmp_path, text)
    assert found == [
        "[time_board] last_space should be a whole number from 1 to 63, is 80",
        "[special_patch] may_be_removed should be true or false, is 1",
        "[circle] choices is missing",
        "patch 5a: the code says 5 cells, the shape has 3",
        "[circle] start_patch '9z' is not a patch of the circle",
        "[circle] choice is not known",
    ]


@pytest.mark.parametrize(
    ("shape", "complaint"),
    [
        ("#.#", "shape is not in one piece"),
        (".#/.#", "shape has an empty row or column at its edge"),
        ("##/#", "all rows of the shape should be equally long"),
        ("#x", "shape should have only `#`, `.` and `/`"),
        ("", "shape is missing: rows of `#` and `.`, separated by `/`"),
        ("#" * 10, "shape is larger than 9 x 9"),
    ],
)
def test_a_bad_shape_is_named(tmp_path: Path, shape: str, complaint: str) -> None:
    assert f"patch 3a: {complaint}" in problems(tmp_path, HOLED.replace('"###"', f'"{shape}"'))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"format = ", "is not TOML"),
        (b"\xff\xfe\x00", "is not UTF-8 text (byte 0)"),
        (b"", "format is missing"),
        (b"[" * 5000, "is not TOML"),
    ],
)
def test_what_is_no_edition_is_told_in_a_sentence(tmp_path: Path, content: bytes, complaint: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(EditionError) as caught:
        load_edition(path)
    assert complaint in str(caught.value)


def test_a_folder_a_missing_file_and_an_unknown_name(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    for name, complaint in [
        (str(tmp_path / "folder.toml"), "is a folder, not a file"),
        (str(tmp_path / "none.toml"), "no such file"),
        ("chess", "unknown; built in are patchwork, express"),
    ]:
        with pytest.raises(EditionError, match=complaint):
            load_edition(name)


@pytest.mark.parametrize("name", available_editions())
def test_built_in_files_are_complete(name: str) -> None:
    text = (EDITIONS_FOLDER / f"{name}.toml").read_text()
    assert "[source]" in text
    assert load_edition(name).id == name
