"""Pictures point things out: the last move, a ghost, marks; one quilt, one patch, the circle."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from quiltwork import Position, load_edition
from quiltwork.errors import QuiltworkError
from quiltwork.geometry import Orientation
from quiltwork.render import circle_svg, patch_svg
from quiltwork.themes import theme_of

START = Position.parse("patchwork 1 0/5/- 0/5/- - 5c4a3a2a")
AFTER = Position.parse("patchwork 2 1/4/2a@a1 0/5/- - 5c4a3a")


def parts(picture: str, kind: str) -> int:
    tree = ElementTree.fromstring(picture)
    return sum(element.get("class") == kind for element in tree.iter())


def test_size_is_the_width_in_pixels() -> None:
    picture = ElementTree.fromstring(START.svg(size=880))
    whole = ElementTree.fromstring(START.svg())
    assert (picture.get("width"), whole.get("width")) == ("880", "1760")
    assert picture.get("viewBox") == whole.get("viewBox")


def test_the_last_move_is_outlined_where_it_lies() -> None:
    assert parts(AFTER.svg(last_move=AFTER.read("2a@a1")), "last-move") == 1
    # On the quilt of player 2 it does not lie.
    assert parts(AFTER.svg(last_move=AFTER.read("2a@a1"), player=1), "last-move") == 1
    assert parts(AFTER.svg(last_move=AFTER.read("2a@a1"), player=2), "last-move") == 0
    assert parts(AFTER.svg(last_move=AFTER.read("5c@a1")), "last-move") == 0
    assert parts(AFTER.svg(last_move=AFTER.read("+2")), "last-move") == 0


def test_a_ghost_and_marks_are_drawn_on_the_quilt_of_the_mover() -> None:
    picture = AFTER.svg(ghost=AFTER.move("5c@d4"), marks=["d4", "A1"])
    assert (parts(picture, "ghost"), parts(picture, "mark")) == (1, 2)
    assert parts(AFTER.svg(marks=["d4"], player=1), "mark") == 1
    assert parts(AFTER.svg(), "ghost") == parts(AFTER.svg(), "mark") == 0


def test_coordinates_can_be_left_out() -> None:
    assert ">i</text>" in START.svg(player=1)
    assert ">i</text>" not in START.svg(player=1, coordinates=False)
    assert ">i</text>" not in START.svg(coordinates=False)


def test_what_cannot_be_drawn_is_refused_with_a_sentence() -> None:
    with pytest.raises(QuiltworkError, match="player must be 1 or 2, not 3"):
        START.svg(player=3)
    with pytest.raises(QuiltworkError, match="size must be a number of pixels above 0, not 0"):
        START.svg(size=0)
    with pytest.raises(QuiltworkError, match="the board ends at i9"):
        START.svg(marks=["z1"])


@pytest.mark.parametrize("name", ["patchwork", "express", "halloween"])
def test_a_patch_and_a_circle_alone(name: str) -> None:
    edition = load_edition(name)
    theme = theme_of(edition)
    for patch in edition.patches.values():
        drawn = ElementTree.fromstring(patch_svg(patch, theme, orientation=Orientation.R1, size=64))
        assert drawn.get("width") == "64"
    start = Position.initial(edition, deal=1)
    circle = circle_svg(start.setup, theme, size=400)
    assert all(f"<title>{patch.code}</title>" in circle for patch in start.circle[edition.choices :])
    assert ElementTree.fromstring(circle).get("width") == "400"
