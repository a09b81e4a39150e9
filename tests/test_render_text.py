"""The table in characters."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quiltwork.editions import load_edition
from quiltwork.geometry import Cell, Orientation
from quiltwork.move import Placement, Player
from quiltwork.notation.positions import parse_setup
from quiltwork.position_setup import Quilt, Setup
from quiltwork.render import patch_text, position_text, quilt_text
from quiltwork.themes import load_theme, theme_of

LINES = (Path(__file__).parent / "data" / "positions.txt").read_text(encoding="utf-8").splitlines()
POSITIONS = [line for line in LINES if line and not line.startswith("#")]
MIDDLE = next(line for line in POSITIONS if line.startswith("patchwork 2 16/3"))
EXPRESS = next(line for line in POSITIONS if line.startswith("express 1 "))
THEME = load_theme("express")
QUILT = Quilt(
    (("5h", Placement(Cell(0, 0))), ("2c", Placement(Cell(0, 2))), ("4d", Placement(Cell(3, 5)))),
    (Cell(6, 6),),
)


def setup(text: str) -> Setup:
    return parse_setup(text)[0]


def drawn(text: str) -> str:
    described = setup(text)
    return position_text(described, theme_of(described.edition))


def test_a_quilt_has_a_line_around_each_patch() -> None:
    assert quilt_text(load_edition("express"), QUILT, THEME).splitlines() == [
        "     a   b   c   d   e   f   g",
        "   ┌───┬───┬───────┬───────────┐",
        "1  │ · │(o)│2co (o)│ ·   ·   · │",
        "   ├───┘   └───┬───┘           │",
        "2  │5h         │ ·   ·   ·   · │",
        "   ├───┐   ┌───┘               │",
        "3  │ · │(o)│ ·   ·   ·   ·   · │",
        "   │   └───┘           ┌───────┤",
        "4  │ ·   ·   ·   ·   · │4d     │",
        "   │                   │       │",
        "5  │ ·   ·   ·   ·   · │       │",
        "   │                   └───────┤",
        "6  │ ·   ·   ·   ·   ·   ·   · │",
        "   │                       ┌───┤",
        "7  │ ·   ·   ·   ·   ·   · │▒▒▒│",
        "   └───────────────────────┴───┘",
    ]


def test_a_preview_lies_on_top_and_marks_what_it_covers() -> None:
    preview = [Cell(3, 3), Cell(3, 4), Cell(3, 5), Cell(2, 7)]
    lines = quilt_text(load_edition("express"), QUILT, THEME, preview=preview, ascii_only=True).splitlines()
    assert lines[7:10] == [
        "   |   +---+   +-----------+---+",
        "4  | .   .   . |@@@ @@@ XXX|   |",
        "   |           +-------+---+   |",
    ]


def test_a_board_with_holes_is_drawn_as_it_is(tmp_path: Path) -> None:
    text = (Path(__file__).parent.parent / "src/quiltwork/editions/express.toml").read_text(encoding="utf-8")
    board = "#######\n" * 7
    assert board.strip() in text
    path = tmp_path / "holes.toml"
    path.write_text(text.replace(board.strip(), ".##\n#.#\n###" + "\n###" * 2), encoding="utf-8")
    holes = quilt_text(load_edition(path), Quilt(), THEME).splitlines()
    assert holes[:7] == [
        "     a   b   c",
        "       ┌───────┐",
        "1      │ ·   · │",
        "   ┌───┼───┐   │",
        "2  │ · │   │ · │",
        "   │   └───┘   │",
        "3  │ ·   ·   · │",
    ]


@pytest.mark.parametrize(
    ("orientation", "expected"),
    [
        (Orientation.PLAIN, "  ##\n##()##\n##"),
        (Orientation.R1, "####\n  ()##\n  ##"),
        (Orientation.R2, "    ##\n##()##\n  ##"),
        (Orientation.F, "  ##\n##()##\n    ##"),
        (Orientation.FR3, "  ####\n##()\n  ##"),
    ],
)
def test_a_patch_is_drawn_turned_with_its_button(orientation: Orientation, expected: str) -> None:
    patch = load_edition("express").patches["5e"]
    assert patch_text(patch, THEME, orientation=orientation, ascii_only=True) == expected


@pytest.mark.parametrize("width", [80, 96, 120])
@pytest.mark.parametrize("text", POSITIONS)
def test_no_line_is_longer_than_the_width(text: str, width: int) -> None:
    described = setup(text)
    table = position_text(described, theme_of(described.edition), width=width)
    assert max(map(len, table.splitlines())) <= width
    assert [line for line in table.splitlines() if line != line.rstrip()] == []


def test_quilts_stand_side_by_side_where_there_is_room() -> None:
    described = setup(MIDDLE)
    wide, narrow = (position_text(described, THEME, width=width).splitlines() for width in (80, 79))
    assert any("Player 1" in line and "Player 2" in line for line in wide)
    assert not any("Player 1" in line and "Player 2" in line for line in narrow)


@pytest.mark.parametrize("text", POSITIONS)
def test_colour_changes_no_character(text: str) -> None:
    described = setup(text)
    theme = theme_of(described.edition)
    coloured = position_text(described, theme, colour=True)
    assert coloured.count("\x1b[") > 20
    plain = [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", coloured).splitlines()]
    assert plain == position_text(described, theme).splitlines()


@pytest.mark.parametrize("text", POSITIONS)
def test_plain_characters_are_enough(text: str) -> None:
    described = setup(text)
    assert position_text(described, theme_of(described.edition), ascii_only=True).isascii()


def test_the_table_tells_the_position() -> None:
    table = drawn(MIDDLE)
    assert table.startswith("Patchwork: Player 2 to move\nspecial tile for a full 7x7 square: +7\n")
    assert re.search(r"\n      3 buttons, \+3 income +5 buttons, \+2 income\n", table)
    assert re.search(r"\n      −115 points, 59 empty +−129 points, 67 empty\n", table)
    assert "1 5h 10 buttons, 4 time, +3    2 5a 7 buttons, 1 time, +1    3 3c 3 buttons, 1 time, +0" in table
    assert "     needs 5 more                   needs 2 more" in table
    assert "then (buttons/time+income): 5g 5/4+2  6g 1/2+0" in table


def test_choices_have_a_number_while_one_can_be_chosen() -> None:
    """The terminal asks for it; with a patch in the hand there is nothing to choose."""
    assert "\n1 5c 2 buttons, 2 time, +0    2 4a " in drawn("patchwork 1 0/5/- 0/5/- - 5c4a2a")
    assert "\n5a 2 buttons, 1 time, +0    4a " in drawn("express 1@5c 0/5/- 0/5/- - 5a4a3a5b")


def test_the_time_board_shows_marks_and_who_stands_where() -> None:
    lines = drawn(EXPRESS).splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("Time board"))
    assert lines[start : start + 4] == [
        "Time board  o button income, s leather patch",
        " 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29",
        "                o     s     o     s     o     s     o     s     o     s     o     s     o",
        "12",
    ]


def test_the_player_to_move_lies_on_top() -> None:
    assert "\n21\n" in drawn("express 2 0/5/- 0/5/- - 5g5c5a")


def test_the_reserve_is_listed_without_an_order() -> None:
    shuffled = EXPRESS.replace("+2a2b2c", "+2c2a2b")
    assert drawn(EXPRESS) == drawn(shuffled)
    assert "later, in random order, 8 blue patches: 2a 0/2+1  2b 0/1+0" in drawn(EXPRESS)


def test_the_end_names_the_winner() -> None:
    described = setup(next(line for line in POSITIONS if line.startswith("halloween -")))
    table = position_text(described, load_theme("halloween"), names=("Ann", "Bob"), winner=Player.TWO)
    assert table.startswith("Patchwork Halloween: Bob wins\n")
    assert re.search(r"25 eyeballs, \+15 income .*\n +−19 points, 22 empty", table)
    assert "needs" not in table


def test_an_empty_circle_says_so() -> None:
    assert "no tile left" in drawn("stack-and-stuff - 29!/3/- 29/4/- - -")
