"""Patches and quilts in characters: patches with a line around each, or filled in."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from quiltwork.edition import Edition, Patch
from quiltwork.geometry import Cell, Orientation
from quiltwork.render.fabric import swatch_of
from quiltwork.render.outline import button_cells, placed_cells
from quiltwork.render.sheet import BOLD, PLAIN, Ink, Sheet
from quiltwork.setup import Quilt
from quiltwork.theme import Theme

_OFF, _EMPTY, _PREVIEW = "off", "empty", "preview"
# By the lines that meet: up 1, right 2, down 4, left 8.
_LINES = " │─└││┌├─┘─┴┐┤┬┼"


def patch_sheet(patch: Patch, theme: Theme, orientation: Orientation = Orientation.PLAIN) -> Sheet:
    """A patch filled in, two characters a cell, `()` where it shows a button."""
    sheet = Sheet()
    ink = patch_ink(theme, patch.code)
    buttons = dict(button_cells(patch, orientation))
    for cell in patch.oriented(orientation):
        count = buttons.get(cell, 0)
        if count:
            sheet.write(2 * cell.column, cell.row, "()" if count == 1 else f"{count:2d}", ink)
        else:
            # In colour the ground alone shows the cell; the block is of the same colour.
            sheet.write(2 * cell.column, cell.row, "██", Ink(ink.ground, ink.ground))
    return sheet


def patch_ink(theme: Theme, code: str) -> Ink:
    """The colours in which a patch is printed."""
    palette = theme.light
    return Ink(palette.edge, palette.colourways[swatch_of(theme, code).colourway].base, bold=True)


def quilt_sheet(edition: Edition, quilt: Quilt, theme: Theme, preview: Collection[Cell] = ()) -> Sheet:
    """A quilt board with a line around each patch, and the cells of a preview on top.

    A preview's cells are filled in, with `XXX` where they cover a patch; those off the board are left out.
    """
    spaces = frozenset(edition.spaces)
    owners = dict.fromkeys(spaces, _EMPTY)
    marks: dict[Cell, str] = dict.fromkeys(spaces, " · ")
    inks: dict[str, Ink] = {
        _EMPTY: PLAIN,
        _PREVIEW: Ink(theme.light.accent, theme.light.accent),
    }
    for code, placement in quilt.patches:
        patch = edition.patches[code]
        cells = placed_cells(patch, placement)
        inks[code] = patch_ink(theme, code)
        owners.update(dict.fromkeys(cells, code))
        marks.update(_patch_marks(patch, cells, placement.cell, placement.orientation))
    for cell in quilt.special:
        owner = f"s{cell}"
        owners[cell], marks[cell] = owner, "▒▒▒"
        inks[owner] = Ink(theme.light.leather_stitch, theme.light.leather)
    clash = Ink(theme.light.panel, theme.light.warning, bold=True)
    clashes = {cell for cell in preview if owners.get(cell, _EMPTY) != _EMPTY}
    for cell in spaces.intersection(preview):
        owners[cell], marks[cell] = _PREVIEW, "XXX" if cell in clashes else "▓▓▓"
    sheet = Sheet()
    _write_labels(sheet, edition)
    _write_lines(sheet, edition, owners, inks)
    for cell in spaces:
        ink = clash if cell in clashes else inks[owners[cell]]
        sheet.write(4 * cell.column + 4, 2 * cell.row + 2, marks[cell], ink)
    return sheet


def _patch_marks(patch: Patch, cells: tuple[Cell, ...], corner: Cell, orientation: Orientation) -> dict[Cell, str]:
    marks = dict.fromkeys(cells, "   ")
    for cell, count in button_cells(patch, orientation):
        place = Cell(corner.row + cell.row, corner.column + cell.column)
        marks[place] = "(o)" if count == 1 else f"{count:2d}o"
    free = next((cell for cell in cells if marks[cell] == "   "), None)
    if free is not None:
        marks[free] = f"{patch.code:<3}"
    elif patch.income == len(cells):
        marks[cells[0]] = f"{patch.code}o"[:3]
    return marks


def _write_labels(sheet: Sheet, edition: Edition) -> None:
    for column in range(edition.columns):
        sheet.write(4 * column + 5, 0, chr(ord("a") + column), BOLD)
    for row in range(edition.rows):
        sheet.write(0, 2 * row + 2, str(row + 1), BOLD)


def _write_lines(sheet: Sheet, edition: Edition, owners: Mapping[Cell, str], inks: Mapping[str, Ink]) -> None:
    def owner(row: int, column: int) -> str:
        return owners.get(Cell(row, column), _OFF)

    for row in range(edition.rows + 1):
        for column in range(edition.columns + 1):
            above_left, above = owner(row - 1, column - 1), owner(row - 1, column)
            left, here = owner(row, column - 1), owner(row, column)
            meeting = (above_left != above) + 2 * (above != here) + 4 * (left != here) + 8 * (above_left != left)
            x, y = 4 * column + 3, 2 * row + 1
            inner = inks.get(here, PLAIN)
            sheet.write(x, y, _LINES[meeting], PLAIN if meeting else inner)
            if column < edition.columns:
                sheet.write(x + 1, y, "───" if above != here else "   ", PLAIN if above != here else inner)
            if row < edition.rows:
                sheet.write(x, y + 1, "│" if left != here else " ", PLAIN if left != here else inner)
