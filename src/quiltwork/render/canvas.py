"""A brush that knows the theme: draws patches and quilts as SVG in cells of `CELL` units."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from quiltwork.editions import Edition, Patch
from quiltwork.geometry import Cell, Orientation
from quiltwork.move import Placement
from quiltwork.position_setup import Quilt
from quiltwork.render.fabric import CELL, fabric_id, fabric_pattern
from quiltwork.render.markup import move, number, tag, text, use
from quiltwork.render.outline import button_cells, patch_path, seam_path
from quiltwork.render.symbols import symbol_defs
from quiltwork.themes import Theme

FONT = "'Segoe UI', 'Helvetica Neue', 'Noto Sans', Ubuntu, Cantarell, 'Liberation Sans', 'DejaVu Sans', sans-serif"


class Canvas:
    """A theme in light or dark, with the ids that its drawings refer to."""

    def __init__(self, theme: Theme, dark: bool) -> None:
        self.theme = theme
        self.dark = dark
        self.palette = theme.palette(dark=dark)
        # Several pictures may stand on one page: equal ids must then mean equal drawings.
        self.prefix = f"{theme.id}-{'dark' if dark else 'light'}-"

    def document(
        self,
        width: float,
        height: float,
        title: str,
        patches: Iterable[Patch],
        *content: str,
        size: float | None = None,
    ) -> str:
        """A whole SVG file with the definitions for these patches, shown `size` pixels wide (as drawn)."""
        shown = 1.0 if size is None else size / width
        fabrics = "".join(fabric_pattern(self.theme, self.dark, patch, prefix=self.prefix) for patch in patches)
        return tag(
            "svg",
            tag("title", title.replace("&", "&amp;").replace("<", "&lt;")),
            symbol_defs(self.theme, self.dark, prefix=self.prefix),
            tag("defs", fabrics, self._weave()),
            tag("rect", width=width, height=height, fill=self.palette.ground),
            tag("rect", width=width, height=height, fill=f"url(#{self.prefix}weave)"),
            *content,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {number(width)} {number(height)}",
            width=width * shown,
            height=height * shown,
            role="img",
            font_family=FONT,
            style="font-variant-numeric:tabular-nums",
        )

    def _weave(self) -> str:
        threads = "M0 .5H4M2 0V6M0 3.5H2M4 3.5H6"
        lines = tag(
            "path",
            d=threads,
            fill="none",
            stroke=self.palette.ink,
            stroke_width=0.6,
            stroke_opacity=0.035 if self.dark else 0.05,
        )
        return tag("pattern", lines, id=f"{self.prefix}weave", width=6, height=6, patternUnits="userSpaceOnUse")

    def symbol(self, name: str, x: float, y: float, width: float) -> str:
        """One of the symbols, centred on a point."""
        return use(self.prefix + name, x, y, width)

    def patch(self, patch: Patch, orientation: Orientation = Orientation.PLAIN, *, seam: bool = True) -> str:
        """A patch with its buttons, its bounding box at the origin; a small one is clearer without a seam."""
        cells = patch.oriented(orientation)
        palette = self.palette
        outline = tag(
            "path",
            d=patch_path(cells, CELL, 0.7),
            fill=f"url(#{fabric_id(patch.code, self.prefix)})",
            stroke=palette.edge,
            stroke_width=1.8 if seam else 3,
        )
        stitches = tag(
            "path",
            d=seam_path(cells, CELL),
            fill="none",
            stroke=palette.stitch,
            stroke_width=1.5,
            stroke_dasharray="4.5 3",
            stroke_linecap="round",
        )
        buttons = [
            self._buttons(cell, count, 25 if seam else 30) for cell, count in button_cells(patch, orientation)
        ]
        return "".join((outline, stitches if seam else "", *buttons))

    def _buttons(self, cell: Cell, count: int, width: float) -> str:
        x, y = (cell.column + 0.5) * CELL, (cell.row + 0.5) * CELL
        drawn = self.symbol("button", x, y, width)
        if count == 1:
            return drawn
        label = text(
            str(count),
            x,
            y + 6,
            17,
            self.palette.ink,
            font_weight="bold",
            text_anchor="middle",
            stroke=self.palette.panel,
            stroke_width=4,
            paint_order="stroke",
        )
        return drawn + label

    def quilt(self, edition: Edition, quilt: Quilt, *, labels: float | None = None) -> str:
        """A quilt board and what lies on it, the corner of a1 at the origin; `labels` is their font size."""
        parts = [self._board(edition.spaces)]
        if labels is not None:
            parts.append(self._labels(edition, labels))
        for code, placement in quilt.patches:
            parts.append(self.placed(edition.patches[code], placement))
        for cell in quilt.special:
            x, y = (cell.column + 0.5) * CELL, (cell.row + 0.5) * CELL
            parts.append(self.symbol("special-patch", x, y, CELL))
        return "".join(parts)

    def placed(self, patch: Patch, placement: Placement) -> str:
        """A patch where it lies on a quilt board."""
        row, column = placement.cell
        drawn = self.patch(patch, placement.orientation)
        title = tag("title", f"{patch.code}@{placement}")
        return tag("g", title, drawn, transform=move(column * CELL, row * CELL))

    def _board(self, spaces: Collection[Cell]) -> str:
        cells = frozenset(spaces)
        lines = ""
        for row, column in sorted(cells):
            if (row, column + 1) in cells:
                lines += f"M{(column + 1) * CELL} {row * CELL}v{CELL}"
            if (row + 1, column) in cells:
                lines += f"M{column * CELL} {(row + 1) * CELL}h{CELL}"
        outline = patch_path(cells, CELL, -3)
        return tag("path", d=outline, fill=self.palette.cloth, stroke=self.palette.edge, stroke_width=2) + tag(
            "path", d=lines, fill="none", stroke=self.palette.grid, stroke_width=1.2
        )

    def _labels(self, edition: Edition, size: float) -> str:
        colour = self.palette.muted
        columns = "".join(
            text(chr(ord("a") + c), (c + 0.5) * CELL, -0.75 * size, size, colour) for c in range(edition.columns)
        )
        rows = "".join(
            text(str(r + 1), -1.05 * size, (r + 0.5) * CELL + 0.35 * size, size, colour)
            for r in range(edition.rows)
        )
        return tag("g", columns, rows, text_anchor="middle")
