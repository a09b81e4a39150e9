"""Patches and quilts in characters: patches with a line around each, or filled in."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from quiltwork.editions import Edition, Patch
from quiltwork.geometry import Cell, Orientation
from quiltwork.move import Placement
from quiltwork.position_setup import Quilt
from quiltwork.render.outline import button_cells
from quiltwork.render.sheet import BOLD, PLAIN, Ink, Sheet
from quiltwork.themes import Fabric, Palette, Theme, swatch_of

_OFF, _EMPTY, _PREVIEW = "off", "empty", "preview"
# By the lines that meet: up 1, right 2, down 4, left 8.
_LINES = " │─└││┌├─┘─┴┐┤┬┼"


def patch_sheet(
    patch: Patch, theme: Theme, orientation: Orientation = Orientation.PLAIN, *, dark: bool = False
) -> Sheet:
    """A patch filled in, two characters a cell, `()` where it shows a button."""
    sheet = Sheet()
    ink = patch_ink(theme, patch, dark)
    buttons = dict(button_cells(patch, orientation))
    for cell in patch.oriented(orientation):
        count = buttons.get(cell, 0)
        if count:
            sheet.write(2 * cell.column, cell.row, "()" if count == 1 else f"{count:2d}", ink)
        else:
            # In colour the ground alone shows the cell; the block is of the same colour.
            sheet.write(2 * cell.column, cell.row, "██", Ink(ink.ground, ink.ground))
    return sheet


def patch_ink(theme: Theme, patch: Patch, dark: bool = False) -> Ink:
    """The colours in which a patch is printed."""
    palette = theme.palette(dark=dark)
    return Ink(
        palette.edge, palette.colourways[swatch_of(theme, patch.code, patch.reserve).colourway].base, bold=True
    )


def quilt_sheet(
    edition: Edition, quilt: Quilt, theme: Theme, preview: Collection[Cell] = (), *, dark: bool = False
) -> Sheet:
    """A quilt board with a line around each patch, and the cells of a preview on top.

    A preview's cells are filled in, with `XXX` where they cover a patch; those off the board are left out.
    """
    spaces = frozenset(edition.spaces)
    palette = theme.palette(dark=dark)
    owners = dict.fromkeys(spaces, _EMPTY)
    marks: dict[Cell, str] = dict.fromkeys(spaces, " · ")
    inks: dict[str, Ink] = {
        _EMPTY: PLAIN,
        _PREVIEW: Ink(palette.accent, palette.accent),
    }
    for code, placement in quilt.patches:
        patch = edition.patches[code]
        cells = placement.covers(patch)
        inks[code] = patch_ink(theme, patch, dark)
        owners.update(dict.fromkeys(cells, code))
        marks.update(_patch_marks(patch, cells, placement.cell, placement.orientation))
    for cell in quilt.special:
        owner = f"s{cell}"
        owners[cell], marks[cell] = owner, "▒▒▒"
        inks[owner] = Ink(palette.leather_stitch, palette.leather)
    clash = Ink(palette.panel, palette.warning, bold=True)
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


_PRINTS = {
    Fabric.GINGHAM: "░░",
    Fabric.STRIPES: "||",
    Fabric.DOTS: "..",
    Fabric.HERRINGBONE: "//",
    Fabric.FLORAL: "**",
    Fabric.PLAID: "##",
    Fabric.PAISLEY: "~~",
    Fabric.CHEVRON: "^^",
    Fabric.HOUNDSTOOTH: "%%",
    Fabric.ARGYLE: "<>",
    Fabric.SCALLOPS: "uu",
    Fabric.SPRIGS: "''",
    Fabric.CROSSES: "++",
    Fabric.COBWEBS: "xx",
    Fabric.MOONS: "cc",
    Fabric.CONFETTI: "::",
    Fabric.PLANKS: "==",
    Fabric.ARROWS: ">>",
}
"""how the fabrics look in two characters"""


def small_quilt_sheet(
    edition: Edition,
    quilt: Quilt,
    theme: Theme,
    preview: Collection[Cell] = (),
    *,
    fits: bool = True,
    latest: str | None = None,
    dark: bool = False,
    colour: bool = True,
) -> Sheet:
    """A quilt board in two characters a cell, for small screens.

    Without colour every cell of a patch has its code, so that neighbours can be told apart; in colour it has the
    print of its fabric. The cells of a preview are filled in, with `XX` where they cover a patch. `latest` is the
    code of a patch to point out.
    """
    palette = theme.palette(dark=dark)
    sheet = Sheet()
    for column in range(edition.columns):
        sheet.write(2 * column + 2, 0, chr(ord("a") + column), Ink(palette.muted))
    for row in range(edition.rows):
        sheet.write(0, row + 1, str(row + 1), Ink(palette.muted))
    cells: dict[Cell, tuple[str, Ink]] = dict.fromkeys(edition.spaces, ("· ", Ink(palette.muted, palette.cloth)))
    for code, placement in quilt.patches:
        cells.update(_small_patch(edition.patches[code], placement, theme, palette, code == latest, colour))
    for cell in quilt.special:
        cells[cell] = "▒▒", Ink(palette.leather_stitch, palette.leather)
    ghost = Ink(palette.accent_ink, palette.accent, bold=True)
    blocked = Ink(palette.panel, palette.warning, bold=True)
    taken = {cell for cell in cells if cells[cell][0] != "· "}
    for cell in preview:
        if cell in cells:
            cells[cell] = (
                ("XX", blocked) if cell in taken else ("▓▓" if fits else "░░", ghost if fits else blocked)
            )
    for cell, (mark, ink) in cells.items():
        sheet.write(2 * cell.column + 2, cell.row + 1, mark, ink)
    return sheet


def _small_patch(
    patch: Patch, placement: Placement, theme: Theme, palette: Palette, latest: bool, colour: bool
) -> dict[Cell, tuple[str, Ink]]:
    swatch = swatch_of(theme, patch.code, patch.reserve)
    way = palette.colourways[swatch.colourway]
    label = f"{patch.code:<2}"[:2]
    named, printed = Ink(palette.edge, way.base, bold=True), Ink(way.figure, way.base)
    covered = placement.covers(patch)
    cells = dict.fromkeys(covered, (_PRINTS[swatch.fabric], printed) if colour else (label, named))
    if latest:
        cells = {cell: (label, named._replace(bold=True)) for cell in covered}
    corner = placement.cell
    for cell, count in button_cells(patch, placement.orientation):
        cells[Cell(corner.row + cell.row, corner.column + cell.column)] = (
            "()" if count == 1 else f"{count:2d}",
            named,
        )
    free = next((cell for cell in covered if cells[cell][1] == printed), None)
    if free is not None:
        cells[free] = label, named
    return cells


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
