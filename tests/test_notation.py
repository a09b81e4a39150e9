"""Texts of positions and moves: what readers accept, what writers print, and errors that point."""

from __future__ import annotations

import pytest

from quiltwork import NotationError, Position, SetupError, circle_of_deal, load_edition
from quiltwork.notation.positions import parse_lines, parse_setup

START = "patchwork 1 0/5/- 0/5/- - 5i4e5d6e6c6j5c6h6b4c5f6i5h5a3c5g6g3b3a8a5b4f6a4d6d6f7b4a4g4b5e7a2a"
MIDDLE = (
    "patchwork 2 16/3/4e@c5,6c@e7r2,6e@a2r1,6i@a7r3 11/5/4c@h1r1,5c@a7fr3,5d@e7r2 - "
    "5h5a3c5g6g3b3a8a5b4f6a4d6d6f7b4a4g4b5e7a2a5i6j6h6b5f"
)
EXPRESS = "express 1 0/5/- 0/5/- - 5g5c5a4c5b5i5k5d5h4b5j5f5e4a3a+2a2b2c3b3c3d4d4e"


@pytest.mark.parametrize("text", [START, MIDDLE, EXPRESS])
def test_the_one_text_of_a_position(text: str) -> None:
    assert Position.parse(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        START.upper(),
        START.replace(" ", "   "),
        f"  {START} id=7 perft=805,458601 note=a=b",
        # The reserve's order means nothing.
        EXPRESS.replace("+2a2b2c", "+2c2b2a"),
    ],
)
def test_readers_accept_more(text: str) -> None:
    assert Position.parse(text).text in (START, EXPRESS)


def test_orientations_have_one_name() -> None:
    # A square is the same however it is turned, an S piece after half a turn.
    text = START.replace("0/5/- 0/5/-", "0/5/4b@a1fr3,4c@d4r2 0/5/-").replace("4c", "", 0)
    circle = text.rsplit(" ", 1)[1]
    text = text.replace(circle, circle.replace("4b", "").replace("4c", ""))
    assert Position.parse(text).text.split()[2] == "0/5/4b@a1,4c@d4"


def test_the_mark_of_the_first_on_the_last_space_may_be_missing_where_it_is_clear() -> None:
    one_there = "patchwork 2 53/9/- 50/3/- - 2a"
    assert Position.parse(one_there).text == "patchwork 2 53!/9/- 50/3/- - 2a"
    with pytest.raises(SetupError, match="no mark"):
        Position.parse("patchwork - 53/9/- 53/3/- - 2a")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "position, column 1: expected six fields (edition turn player1 player2 tile circle), found 0: edition is missing"),
        ("chess 1 0/5/- 0/5/- - -", "position, column 1: edition 'chess': unknown; built in are"),
        ("patchwork 3 0/5/- 0/5/- - -", "position, column 11: expected whose turn it is (1, 2 or -), found '3'"),
        ("patchwork 1 x/5/- 0/5/- - -", "position, column 13: expected the space of the time token, found 'x/5/-'"),
        ("patchwork 1 0-5/- 0/5/- - -", "position, column 14: expected '/' after the space, found '-5/-'"),
        ("patchwork 1 0/5/5c@z0 0/5/- - -", "position, column 20: expected a cell after '@', found 'z0' (the board ends at i9)"),
        ("patchwork 1 0/5/5z@a1 0/5/- - -", "position, column 17: patchwork has no patch 5z"),
        ("patchwork 1 0/5/5c@a1r7 0/5/- - -", "position, column 22: expected an orientation (f, r1, r2, r3, fr1, fr2, fr3 or none), found 'r7'"),
        ("patchwork 1 0/5/- 0/5/- 3 -", "position, column 25: expected who has the special tile (1, 2 or -), found '3'"),
        ("patchwork 1 0/5/- 0/5/- - 2a!", "position, column 29: expected the code of a patch, such as 2a, found '!'"),
        ("patchwork 1 0/5/- 0/5/- - 2a junk", "position, column 30: expected key=value, found 'junk'"),
        ("patchwork 1 99999999999/5/- 0/5/- - 2a", "position, column 13: the space of the time token is far too large: 999999999..."),
    ],
)  # fmt: skip
def test_errors_point_to_the_place(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        Position.parse(text)
    assert str(caught.value).startswith(message)


def test_a_very_long_text_is_refused_at_once() -> None:
    with pytest.raises(NotationError, match="too many for a position"):
        Position.parse("x" * 1_000_000)


def test_position_files_have_comments_and_keys() -> None:
    lines = list(parse_lines(f"# a comment\n\n{START} perft=805\n"))
    assert [(number, dict(keys)) for number, _, keys in lines] == [(3, {"perft": "805"})]
    with pytest.raises(NotationError, match=r"position, line 2, column 1: edition 'b'"):
        list(parse_lines("# x\nb 1 2 3 4 5"))


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("patchwork 1 0/5/2a@a1 0/5/- - 2a", ["2a is there twice"]),
        ("patchwork 1 0/5/2a@a1,3a@a1r1 0/5/- - 4a", ["player 1: 3a@a1r1 overlaps 2a@a1"]),
        ("patchwork 1 0/5/2a@i1 0/5/- - 4a", ["player 1: 2a@i1 lies off the board"]),
        ("patchwork 1 9/5/- 3/5/- - 4a", ["it is player 1's turn, but its token is ahead (9 to 3)"]),
        ("patchwork 1 54/5/- 0/5/- - 4a", ["player 1: space 54 is not on the time board (0 to 53)"]),
        ("patchwork 1 0/10000/- 0/5/- - 4a", ["player 1: 10000 buttons (0 to 9999 are possible)"]),
        ("patchwork 1 0/5/- 0/5/- 1 4a", ["player 1 has the special tile without a full 7x7 square"]),
        ("express 1 0/5/- 0/5/- 1 4a", ["express has no special tile"]),
        ("patchwork 1ss 33/5/- 27/5/- - 4a", ["player 1 has 2 special patches to place, but passed 1 that the opponent had not"]),
        ("patchwork - 53/5/- 50/5/- - 4a", ["the game is not over: the tokens are on spaces 53 and 50 of 53"]),
        ("patchwork 1 53!/5/- 53/5/- - 4a", ["the game is over: both tokens are on the last space"]),
        ("patchwork - 53!/5/- 53!/5/- - 4a", ["both players are marked as first on the last space"]),
        ("patchwork 1 4!/5/- 5/5/- - 4a", ["player 1 is marked as first on the last space but stands on 4"]),
        ("express 1=5k 0/5/- 0/5/- - 4a", ["there is no reserve to be dealt"]),
        (
            "patchwork 1 60/5/2a@i1,2a@a1 0/5/- 2 2a",
            ["2a is there 3 times", "player 1: 2a@i1 lies off the board", "player 1: space 60 is not on the time board (0 to 53)"],
        ),
    ],
)  # fmt: skip
def test_a_wrong_set_up_is_refused_with_all_its_problems(text: str, problems: list[str]) -> None:
    with pytest.raises(SetupError) as caught:
        Position.parse(text)
    assert list(caught.value.problems) == problems


def test_a_held_patch_must_fit() -> None:
    cells = ",".join(
        f"s@{column}{row}" for row in range(1, 8) for column in "abcdefg" if (column, row) != ("g", 7)
    )
    with pytest.raises(SetupError, match="5k is held but fits nowhere on player 1's quilt"):
        Position.parse(f"express 1@5k 0/5/{cells} 0/5/- - 4a")


def test_patches_may_be_nowhere() -> None:
    assert len(Position.parse("patchwork 1 0/5/- 0/5/- - -").circle) == 0


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("+", "+1"),
        ("+1", "+1"),
        (" 5I@D4 ", "5i@d4"),
        ("5i@d4fr2", "5i@d4r2"),
        ("4e@a1f", "4e@a1"),
    ],
)
def test_moves_have_one_name(given: str, canonical: str) -> None:
    assert str(Position.parse(START).move(given)) == canonical


@pytest.mark.parametrize(
    "text", ["", "5", "5i@", "5i@d", "5i@d4r", "5i@d4 x", "s", "s@", "++", "+x", "=", "=2a", "5i", "é", "9" * 5000]
)
def test_a_text_that_names_no_move(text: str) -> None:
    with pytest.raises(NotationError):
        Position.parse(START).move(text)


def test_a_deal_number_fixes_the_circle_for_ever() -> None:
    assert "".join(circle_of_deal(load_edition("patchwork"), 7)) == (
        "4f6a6j4g6i7a5e8a7b5g4c6d6g5d6c5f4a3a6b5a3b5b6f5h4e4b5c6h3c4d5i6e2a"
    )
    assert "".join(circle_of_deal(load_edition("express"), 3)) == "4b5b5j5i5c4c5f4a5e5h5d5k5a5g3a"


def test_keys_belong_to_the_line() -> None:
    setup, keys = parse_setup(f"{START} best=5i@d4")
    assert keys == {"best": "5i@d4"}
    assert Position.from_setup(setup).text == START
