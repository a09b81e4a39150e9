"""Fabrics and outlines: each patch keeps its cloth, and its outline is exactly its cells."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiltwork.editions import Patch, available_editions, load_edition
from quiltwork.geometry import Cell, Orientation, cells_of_drawing, orient
from quiltwork.render import button_cells, fabric_defs, patch_path, seam_path
from quiltwork.themes import Fabric, available_themes, load_theme, swatch_of


def corners(path: str) -> list[list[tuple[float, float]]]:
    """The corners of each closed line of an outline; rounding does not move them."""
    lines = [line for line in path.split("Z") if line]
    return [[(float(x), float(y)) for x, y in re.findall(r"Q(\S+) (\S+) ", line)] for line in lines]


def area(path: str) -> float:
    """The area inside an outline, holes left out."""
    total = 0.0
    for line in corners(path):
        for (x0, y0), (x1, y1) in pairwise([*line, line[0]]):
            total += (x0 * y1 - x1 * y0) / 2
    return total


@st.composite
def polyominoes(draw: st.DrawFn) -> frozenset[Cell]:
    cells = {Cell(0, 0)}
    for _ in range(draw(st.integers(0, 20))):
        row, column = draw(st.sampled_from(sorted(cells)))
        down, right = draw(st.sampled_from([(0, 1), (1, 0), (0, -1), (-1, 0)]))
        cells.add(Cell(row + down, column + right))
    return frozenset(cells)


@pytest.mark.parametrize(
    ("code", "fabric", "colourway"),
    [
        ("2a", Fabric.ARGYLE, 2),
        ("3a", Fabric.STRIPES, 3),
        ("4b", Fabric.HERRINGBONE, 1),
        ("5c", Fabric.DOTS, 3),
        ("6j", Fabric.CHEVRON, 3),
        ("7a", Fabric.HOUNDSTOOTH, 3),
        ("8a", Fabric.FLORAL, 0),
    ],
)
def test_a_patch_keeps_its_fabric_for_ever(code: str, fabric: Fabric, colourway: int) -> None:
    assert swatch_of(load_theme("patchwork"), code) == (fabric, colourway)


@pytest.mark.parametrize("theme", available_themes())
@pytest.mark.parametrize("edition", available_editions())
def test_no_two_patches_of_an_edition_look_the_same(edition: str, theme: str) -> None:
    patches = load_edition(edition).patches.values()
    assert len({swatch_of(load_theme(theme), p.code, p.reserve) for p in patches}) == len(patches)


@pytest.mark.parametrize("edition", ["express", "stack-and-stuff"])
def test_the_reserve_is_blue_and_nothing_else_is(edition: str) -> None:
    theme = load_theme(edition)
    for patch in load_edition(edition).patches.values():
        way = theme.light.colourways[swatch_of(theme, patch.code, patch.reserve).colourway]
        assert (way.name == "blue") == patch.reserve


@pytest.mark.parametrize("theme", available_themes())
def test_patches_of_one_size_with_neighbouring_letters_differ_in_pattern_and_colour(theme: str) -> None:
    for first, second in pairwise(sorted(load_edition("patchwork").codes)):
        if first[0] == second[0]:
            one, two = swatch_of(load_theme(theme), first), swatch_of(load_theme(theme), second)
            assert one.fabric != two.fabric
            assert one.colourway != two.colourway


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("theme", available_themes())
def test_definitions_have_a_pattern_in_the_theme_s_colours_for_each_code(theme: str, dark: bool) -> None:
    codes = load_edition("patchwork").codes
    patches = load_edition("patchwork").patches.values()
    defs = ElementTree.fromstring(fabric_defs(load_theme(theme), dark, patches, prefix="x-"))
    assert [pattern.get("id") for pattern in defs] == [f"x-fabric-{code}" for code in codes]
    palette = load_theme(theme).palette(dark=dark)
    for code, pattern in zip(codes, defs, strict=True):
        way = palette.colourways[swatch_of(load_theme(theme), code).colourway]
        used = {value for node in pattern.iter() for value in node.attrib.values() if value.startswith("#")}
        assert way.base in used
        assert way.figure in used
        assert used <= {way.base, way.figure, way.detail}


def test_every_fabric_is_in_some_theme() -> None:
    used = {fabric for name in available_themes() for fabric in load_theme(name).fabrics}
    assert used == set(Fabric)


def test_definitions_scale_with_the_cell() -> None:
    theme = load_theme("patchwork")
    patch = load_edition("patchwork").patches["5c"]
    assert "patternTransform" not in fabric_defs(theme, False, [patch])
    assert 'patternTransform="scale(1.5)"' in fabric_defs(theme, False, [patch], size=60)


@pytest.mark.parametrize(
    ("drawing", "lines"),
    [("#", 1), ("###/##.", 1), (".#./###/.#.", 1), ("###/#.#/###", 2), ("##./#.#/###", 1), (".##/#.#/###", 1)],
)
def test_an_outline_has_a_line_for_the_edge_and_for_each_hole(drawing: str, lines: int) -> None:
    cells = cells_of_drawing(tuple(drawing.split("/")))
    assert patch_path(cells, 10).count("Z") == lines
    assert area(patch_path(cells, 10)) == 100 * len(cells)


def test_a_cell_and_its_seam() -> None:
    assert corners(patch_path([Cell(0, 0)], 40)) == [[(0, 0), (40, 0), (40, 40), (0, 40)]]
    assert corners(seam_path([Cell(0, 0)], 40, 5)) == [[(5, 5), (35, 5), (35, 35), (5, 35)]]


@given(polyominoes())
def test_an_outline_holds_exactly_its_cells(cells: frozenset[Cell]) -> None:
    assert area(patch_path(cells, 10)) == 100 * len(cells)


@given(polyominoes())
def test_a_seam_runs_inside_the_outline(cells: frozenset[Cell]) -> None:
    # A point of the seam lies in a cell of the patch, away from every line between patch and table.
    for line in corners(seam_path(cells, 10, 1)):
        for x, y in line:
            assert Cell(int(y // 10), int(x // 10)) in cells


@pytest.mark.parametrize("edition", available_editions())
def test_a_patch_shows_as_many_buttons_as_its_income(edition: str) -> None:
    for patch in load_edition(edition).patches.values():
        shown = button_cells(patch)
        assert sum(count for _, count in shown) == patch.income
        assert {cell for cell, _ in shown} <= set(patch.cells)


@pytest.mark.parametrize("orientation", list(Orientation))
@pytest.mark.parametrize("edition", ["patchwork", "express"])
def test_buttons_are_sewn_on_and_turn_with_the_patch(edition: str, orientation: Orientation) -> None:
    for patch in load_edition(edition).patches.values():
        marked = {cell for cell, _ in button_cells(patch)}
        turned = {cell for cell, _ in button_cells(patch, orientation)}
        assert turned <= set(orient(patch.cells, orientation))
        if turned:
            assert orient(tuple(turned), Orientation.PLAIN) == orient(tuple(marked), orientation)


def test_more_buttons_than_cells_are_a_number() -> None:
    assert button_cells(Patch("2a", ("##",), 1, 1, income=7)) == ((Cell(0, 0), 7),)
