"""The picture of a position: well-formed, complete, and telling what the position is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from quiltwork.editions import load_edition
from quiltwork.geometry import Cell
from quiltwork.move import Placement, Player
from quiltwork.notation.positions import parse_setup
from quiltwork.position_setup import Phase, Quilt, Seat, Setup
from quiltwork.render import position_svg, quilt_svg
from quiltwork.render.canvas import Canvas
from quiltwork.render.ring import lay_ring
from quiltwork.render.track import spiral, track_shape, track_svg
from quiltwork.themes import available_themes, load_theme, theme_of

LINES = (Path(__file__).parent / "data" / "positions.txt").read_text(encoding="utf-8").splitlines()
POSITIONS = [line for line in LINES if line and not line.startswith("#")]
MIDDLE = next(line for line in POSITIONS if line.startswith("patchwork 2 16/3"))
END = next(line for line in POSITIONS if line.startswith("halloween -"))
PENDING = next(line for line in POSITIONS if line.startswith("express 2s"))
START = next(line for line in POSITIONS if line.startswith("patchwork 1 0/5"))
LATE = next(line for line in POSITIONS if line.startswith("patchwork -"))
SVG = "{http://www.w3.org/2000/svg}"


def setup(text: str) -> Setup:
    return parse_setup(text)[0]


def picture(text: str, dark: bool = False) -> str:
    described = setup(text)
    return position_svg(described, theme_of(described.edition), dark)


def words(svg: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def symbols(root: ElementTree.Element) -> Counter[str]:
    """How often each symbol is drawn, by its name without the theme."""
    names = (node.get("href", "") for node in root.iter(f"{SVG}use"))
    return Counter(re.sub(r"^#.*-(light|dark)-", "", name) for name in names)


def check_references(svg: str) -> None:
    root = ElementTree.fromstring(svg)
    ids = [node.get("id") for node in root.iter() if node.get("id")]
    assert len(ids) == len(set(ids))
    used = set(re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', svg))
    assert {a or b for a, b in used} <= set(ids)
    assert "NaN" not in svg
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("text", POSITIONS)
def test_a_picture_is_well_formed_and_needs_nothing_else(text: str, dark: bool) -> None:
    check_references(picture(text, dark))


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("theme", available_themes())
def test_any_position_shows_in_any_theme(theme: str, dark: bool) -> None:
    svg = position_svg(setup(MIDDLE), load_theme(theme), dark)
    check_references(svg)
    assert load_theme(theme).palette(dark=dark).ground in svg


def test_two_themes_may_stand_on_one_page() -> None:
    def ids(theme: str, dark: bool) -> set[str]:
        return set(re.findall(r' id="([^"]+)"', position_svg(setup(MIDDLE), load_theme(theme), dark)))

    assert ids("patchwork", False).isdisjoint(ids("patchwork", True) | ids("halloween", False))


def test_both_players_numbers_are_told() -> None:
    told = words(picture(MIDDLE))
    # Player 1: 3 buttons and 59 empty spaces; player 2: 5 buttons and 67.
    assert {"Player 1", "3", "+3", "−115", "59 empty: −118"} <= set(told)
    assert {"Player 2", "5", "+2", "−129", "67 empty: −134"} <= set(told)
    assert "Player 2 to move" in told


def test_the_choices_say_what_is_missing() -> None:
    # 5h costs 10, 5a costs 7, 3c costs 3; player 2 has 5 buttons.
    told = words(picture(MIDDLE))
    assert [word for word in told if word.startswith("needs")] == ["needs 5 more", "needs 2 more"]
    assert [word for word in told if re.fullmatch(r"\d[a-z]", word)] == ["5h", "5a", "3c"]


def test_nobody_lacks_buttons_when_nobody_chooses() -> None:
    for text in (END, PENDING):
        assert [word for word in words(picture(text)) if word.startswith("needs")] == []


def test_the_circle_lies_in_its_order() -> None:
    root = ElementTree.fromstring(picture(MIDDLE))
    titles = [node.text for node in root.iter(f"{SVG}title")]
    rest = setup(MIDDLE).circle[3:]
    assert [title for title in titles if title in rest] == list(rest)


def test_patches_lie_where_the_notation_says() -> None:
    root = ElementTree.fromstring(picture(MIDDLE))
    titles = [node.text for node in root.iter(f"{SVG}title")]
    placed = [title for title in titles if title and "@" in title]
    assert placed == ["4e@c5", "6c@e7r2", "6e@a2r1", "6i@a7r3", "4c@h1r1", "5c@a7fr3", "5d@e7r2"]


def test_marks_tokens_and_special_patches_are_all_there() -> None:
    drawn = symbols(ElementTree.fromstring(picture(START)))
    assert drawn["special-patch"] == 5
    assert drawn["neutral-token"] == 1
    assert drawn["tile"] == 1
    # Each token stands on the time board and beside its player's name.
    assert (drawn["token-1"], drawn["token-2"]) == (2, 2)
    # Nine marks, two counters a player, a price for each of 33 patches, and the 38 buttons on them.
    assert drawn["button"] == 9 + 4 + 33 + 38


@pytest.mark.parametrize(("turn", "order"), [("1", "2 1"), ("2", "1 2")])
def test_on_a_shared_space_the_player_to_move_lies_on_top(turn: str, order: str) -> None:
    described = setup(f"express {turn} 0/5/- 0/5/- - 5g5c5a")
    track = track_svg(Canvas(load_theme("express"), False), described, 400, 300)
    assert re.findall(r"token-(\d)", track) == order.split()


def test_a_mark_lies_on_the_line_before_its_space() -> None:
    track = track_svg(Canvas(load_theme("patchwork"), False), setup(START), 400, 300)
    root = ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{track}</svg>')
    columns = {node.text: float(node.get("x", "")) for node in root.iter(f"{SVG}text")}
    first = next(node for node in root.iter(f"{SVG}use") if node.get("href", "").endswith("-button"))
    middle = float(first.get("x", "")) + float(first.get("width", "")) / 2
    assert middle == pytest.approx((columns["4"] + columns["5"]) / 2, abs=0.02)


def test_the_ring_runs_clockwise() -> None:
    edition = load_edition("patchwork")
    patches = tuple(edition.patches[code] for code in setup(START).circle[3:])
    ring = lay_ring(patches, 600, 560, 54)
    assert ring is not None
    assert tuple(slot.patch for slot in ring.slots) == patches
    right = [slot.y for slot in ring.slots if slot.upright and slot.x > 300]
    bottom = [slot.x for slot in ring.slots if not slot.upright]
    left = [slot.y for slot in ring.slots if slot.upright and slot.x < 300]
    assert min(len(right), len(bottom), len(left)) >= 2
    assert right == sorted(right)
    assert bottom == sorted(bottom, reverse=True)
    assert left == sorted(left, reverse=True)
    sides = [True] * len(right) + [False] * len(bottom) + [True] * len(left)
    assert [slot.upright for slot in ring.slots] == sides


def test_a_box_that_is_too_small_has_no_ring() -> None:
    patches = tuple(load_edition("patchwork").patches.values())
    assert lay_ring(patches, 300, 200, 54) is None


def test_special_patches_that_were_passed_are_gone_and_pending_ones_are_in_hand() -> None:
    # Tokens on 18 and 19: of 7, 11, 15, 19, 23, 27 two are left; three are sewn on, one is in hand.
    drawn = symbols(ElementTree.fromstring(picture(PENDING)))
    assert drawn["special-patch"] == 2 + 3 + 1
    assert "Player 2 places a leather patch" in words(picture(PENDING))


def test_the_special_tile_lies_with_its_owner() -> None:
    assert words(picture(MIDDLE)).count("7×7: +7") == 1
    owned = words(picture(MIDDLE.replace(" - 5h", " 1 5h")))
    assert owned.count("7×7: +7") == 1
    assert {"−108", "−129"} <= set(owned)


def test_a_held_patch_is_shown_and_named() -> None:
    text = "express 1@5k 4/3/5h@a1 5/2/- - 5g5c5a4c5b"
    assert "Player 1 lays 5k" in words(picture(text))
    assert picture(text).count("url(#express-light-fabric-5k)") == 1


def test_names_and_the_winner_are_shown_and_cut() -> None:
    names = ("Ann & <Bob>", "A name that is far too long")
    described = setup(END)
    svg = position_svg(described, theme_of(described.edition), names=names, winner=Player.ONE)
    told = words(svg)
    assert {"Ann & <Bob>", "A name that i…", "Ann & <Bob> wins"} <= set(told)


def test_a_whole_game_has_one_size() -> None:
    sizes = {tuple(re.findall(r'viewBox="([^"]+)"', picture(text))[:1]) for text in (START, MIDDLE, LATE)}
    assert len(sizes) == 1


def test_pictures_do_not_depend_on_the_run() -> None:
    program = (
        "from quiltwork.notation.positions import parse_setup;"
        "from quiltwork.render import position_svg, position_text;"
        "from quiltwork.themes import load_theme; import sys, hashlib; t = load_theme('express');"
        "s = parse_setup(sys.argv[1])[0];"
        "print(hashlib.sha256((position_svg(s, t) + position_text(s, t, True)).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program, MIDDLE],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_one_quilt_alone() -> None:
    described = setup(MIDDLE)
    quilt = described.players[0].quilt
    svg = quilt_svg(described.edition, quilt, load_theme("patchwork"), caption="Mine & yours")
    check_references(svg)
    root = ElementTree.fromstring(svg)
    assert words(svg)[-1] == "Mine & yours"
    assert symbols(root) == {"button": 3}
    assert len(re.findall(r"<pattern[^>]+fabric-", svg)) == 4


ODD = """
format = 1
id = "odd"
title = "Odd <&> holes"
theme = "patchwork"
[quilt_board]
drawing = '''
.###.###.
####.####
###...###
'''
points_per_empty_space = -3
[time_board]
last_space = 63
income_spaces = [1, 10, 63]
special_patch_spaces = [10, 30]
[special_patch]
may_be_removed = true
[circle]
start_patch = "1a"
choices = 8
[players]
start_buttons = 500
[patches]
1a = { shape = "#", buttons = 2, time = 1, income = 99 }
8a = { shape = "###/#.#/###", buttons = 999, time = 63, income = 2 }
9a = { shape = "#########", buttons = 1, time = 1, income = 2 }
9b = { shape = "#/#/#/#/#/#/#/#/#", buttons = 1, time = 1, income = 2 }
"""


@pytest.fixture
def odd(tmp_path: Path) -> Setup:
    """A home-made edition at the limits: holes, 56 patches, eight choices, 64 spaces."""
    squares = "".join(
        f'{cells}{chr(letter)} = {{ shape = "{shape}", buttons = 12, time = 11, income = 1 }}\n'
        for cells, shape in ((4, "##/##"), (5, "#####"))
        for letter in range(ord("a"), ord("z") + 1)
    )
    path = tmp_path / "odd.toml"
    path.write_text(ODD + squares, encoding="utf-8")
    edition = load_edition(path)
    quilt = Quilt((("1a", Placement(Cell(0, 1))),), (Cell(1, 0),))
    circle = tuple(code for code in edition.circle if code != "1a")
    return Setup(edition, Phase.TURN, Player.ONE, (Seat(5, 12, quilt), Seat(5, 9999)), None, circle)


def test_a_home_made_edition_at_the_limits_is_drawn(odd: Setup) -> None:
    svg = position_svg(odd, load_theme("patchwork"))
    check_references(svg)
    titles = [node.text for node in ElementTree.fromstring(svg).iter(f"{SVG}title")]
    assert [title for title in titles if title in odd.circle] == list(odd.circle[8:])
    assert "99" in words(svg)
    # 20 spaces at -3 each, two of player 1's covered.
    assert {"18 empty: −54", "−42", "20 empty: −60", "9939"} <= set(words(svg))
    assert "Odd <&> holes" in words(svg)


def test_an_empty_circle_and_a_full_quilt_are_drawn() -> None:
    edition = load_edition("express")
    full = Quilt((), edition.spaces)
    over = Setup(edition, Phase.OVER, None, (Seat(29, 0, full, first=True), Seat(29, 0, full)), None, ())
    svg = position_svg(over, load_theme("express"))
    check_references(svg)
    assert words(svg).count("0 empty: 0") == 2


@pytest.mark.parametrize("spaces", [2, 5, 30, 54, 64])
def test_the_time_board_winds_step_by_step_to_the_middle(spaces: int) -> None:
    columns, rows = track_shape(spaces, 400, 300)
    path = spiral(spaces, columns, rows)
    assert len(set(path)) == spaces
    assert path[0] == (0, 0)
    assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise(path))


def test_a_spiral_of_twelve() -> None:
    assert spiral(12, 4, 3) == (
        *((0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (3, 2)),
        *((2, 2), (1, 2), (0, 2), (0, 1), (1, 1), (2, 1)),
    )
