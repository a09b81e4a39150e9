"""Pictures point things out: the last move, a ghost, marks; one quilt, one patch, the circle; a whole game."""

from __future__ import annotations

import sys
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageSequence

from quiltwork import Cell, Game, Placement, Position, TakePatch, load_edition, patch_svg
from quiltwork.errors import EditionError, MissingExtra, QuiltworkError
from quiltwork.geometry import Orientation
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
    circle = start.circle_svg(size=400)
    assert all(f"<title>{patch.code}</title>" in circle for patch in start.circle[edition.choices :])
    assert ElementTree.fromstring(circle).get("width") == "400"


def test_a_patch_is_drawn_in_the_theme_that_is_named() -> None:
    patch = load_edition("patchwork").patches["5c"]
    assert (
        patch_svg(patch, "halloween") != patch_svg(patch) == patch_svg(patch, theme_of(load_edition("patchwork")))
    )
    with pytest.raises(EditionError, match="plaid"):
        patch_svg(patch, "plaid")


def short_game() -> Game:
    """Two moves of express that leave the reserve to come, and one more in a variation."""
    game = Game.new("express", deal=3)
    game.play(game.position.legal_moves()[1])
    game.play("+")
    return game


def test_a_film_strip_has_a_picture_for_the_start_and_for_each_move() -> None:
    game = short_game()
    drawn = game.film_strip(size=500)
    strip = ElementTree.fromstring(drawn)
    assert strip.get("width") == "500"
    words = ["".join(element.itertext()) for element in strip.iter("{http://www.w3.org/2000/svg}text")]
    captions = [word for word in words if word in ("Patchwork Express", *map(str, game.moves))]
    assert captions == ["Patchwork Express", *map(str, game.moves)]
    # Only the move that lays a patch outlines one.
    assert parts(drawn, "last-move") == 1
    game.undo()
    assert str(game.end.move) not in game.film_strip()


def test_a_film_strip_is_as_wide_as_its_columns() -> None:
    def shape(columns: int) -> tuple[float, float]:
        _, _, width, height = map(
            float, ElementTree.fromstring(short_game().film_strip(columns=columns)).get("viewBox", "").split()
        )
        return width, height

    (one_wide, three_high), (three_wide, one_high) = shape(1), shape(3)
    assert one_wide < three_wide / 2
    assert one_high < three_high / 2
    assert shape(9) == shape(3)


@pytest.mark.parametrize("form", ["webp", "gif"])
def test_an_animated_picture_has_a_frame_a_move_and_stays_on_the_last(form: str) -> None:
    with Image.open(BytesIO(short_game().animation(form, size=400, seconds=0.5))) as picture:
        assert (picture.format, picture.width) == (form.upper(), 400)
        frames = []
        durations = []
        for frame in ImageSequence.Iterator(picture):
            frames.append(frame.convert("RGB"))
            durations.append(frame.info["duration"])
    assert durations == [500, 500, 2000]
    assert len({frame.tobytes() for frame in frames}) == 3
    # Its pixels are the theme's: the ground at the edge, and many colours of cloth.
    ground = frames[0].getpixel((1, 1))
    assert frames[1].getpixel((1, 1)) == frames[2].getpixel((1, 1)) == ground
    assert all(len(set(frame.get_flattened_data())) > 100 for frame in frames)


def test_a_game_without_moves_is_one_picture() -> None:
    with Image.open(BytesIO(Game.new("express", deal=3).animation("gif", size=64))) as picture:
        assert getattr(picture, "n_frames", 1) == 1


def test_a_game_that_cannot_be_drawn_is_refused_with_a_sentence() -> None:
    game = short_game()
    with pytest.raises(QuiltworkError, match="columns must be a whole number of at least 1, not 0"):
        game.film_strip(columns=0)
    with pytest.raises(QuiltworkError, match="size must be a number of pixels above 0, not -3"):
        game.film_strip(size=-3)
    with pytest.raises(QuiltworkError, match="an animated picture is webp or gif, not 'png'"):
        game.animation("png")
    with pytest.raises(QuiltworkError, match="size must be from 16 to 4096 pixels, not 5000"):
        game.animation(size=5000)
    with pytest.raises(QuiltworkError, match=r"seconds must be from 0\.02 to 60, not 0"):
        game.animation(seconds=0)


@pytest.mark.parametrize("missing", ["resvg_py", "PIL"])
def test_without_the_extra_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    from quiltwork.render import raster

    raster._font.cache_clear()
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MissingExtra, match=r"needs the extra 'pictures': pip install 'quiltwork\[pictures\]'"):
        short_game().animation()


def test_a_game_shows_itself_in_a_notebook() -> None:
    game = short_game()
    game.tags["Player1"] = "Ada & co"
    shown = game._repr_html_()
    assert "<p>Patchwork Express: Ada &amp; co – Player 2" in shown
    assert game.position.svg(size=880, last_move=game.node.move) in shown
    assert f"<p>2 moves: <code>{game.moves[0]} {game.moves[1]}</code></p>" in shown


def test_moves_to_draw_may_be_given_as_text() -> None:
    picture = AFTER.svg(ghost="5c@d4", last_move="2a@a1")
    assert picture == AFTER.svg(ghost=AFTER.move("5c@d4"), last_move=AFTER.read("2a@a1"))
    assert (parts(picture, "ghost"), parts(picture, "last-move")) == (1, 1)


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"ghost": "hello"}, QuiltworkError, "expected a move"),
        ({"ghost": TakePatch("9z", Placement(Cell(0, 0)))}, QuiltworkError, "patchwork has no patch 9z"),
        ({"ghost": 7}, TypeError, "expected a move, or its text, found int"),
        ({"marks": "d4"}, QuiltworkError, "marks must be a list of cells, not the text 'd4'"),
        ({"marks": [Cell(30, 0)]}, QuiltworkError, "the board of patchwork has no cell a31"),
        ({"marks": [(1, 2)]}, TypeError, r"expected a cell such as \"d4\""),
        ({"size": "400"}, QuiltworkError, "size must be a number of pixels above 0, not '400'"),
        ({"player": 0}, QuiltworkError, "player must be 1 or 2, not 0"),
    ],
)
def test_a_wrong_argument_of_a_picture_is_told(
    options: dict[str, Any], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        START.svg(**options)


def test_a_code_is_no_patch() -> None:
    with pytest.raises(TypeError, match=r"expected a Patch such as edition.patches.*found .5c."):
        patch_svg("5c")  # type: ignore[arg-type]
