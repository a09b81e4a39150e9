"""The fabrics: SVG patterns in a theme's colourways, and which patch is cut from which.

Everything is drawn for cells of `CELL` units. Tiles repeat without a visible seam.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from quiltwork.editions import Patch
from quiltwork.render.markup import number, tag
from quiltwork.themes import Colourway, Fabric, Theme, swatch_of

CELL = 40
"""the side of a cell in all drawings; whole pictures are scaled"""


def fabric_id(code: str, prefix: str = "") -> str:
    """The id of the pattern that fills the patch of this code."""
    return f"{prefix}fabric-{code}"


def fabric_defs(
    theme: Theme, dark: bool, patches: Iterable[Patch], *, size: float = CELL, prefix: str = ""
) -> str:
    """A `<defs>` element with a pattern for each patch, for cells of this size."""
    return tag("defs", *(fabric_pattern(theme, dark, patch, size=size, prefix=prefix) for patch in patches))


def fabric_pattern(theme: Theme, dark: bool, patch: Patch, *, size: float = CELL, prefix: str = "") -> str:
    """The `<pattern>` element that fills a patch."""
    fabric, place = swatch_of(theme, patch.code, patch.reserve)
    way = theme.palette(dark=dark).colourways[place]
    width, drawing = _FABRICS[fabric](way)
    return tag(
        "pattern",
        tag("rect", width=width, height=width, fill=way.base),
        drawing,
        id=fabric_id(patch.code, prefix),
        width=width,
        height=width,
        patternUnits="userSpaceOnUse",
        patternTransform=None if size == CELL else f"scale({number(size / CELL)})",
    )


Drawing = tuple[int, str]
"""the side of the tile, and what is printed on it"""


def _fill(path: str, colour: str, opacity: float | None = None) -> str:
    return tag("path", d=path, fill=colour, fill_opacity=opacity)


def _line(path: str, colour: str, width: float, opacity: float | None = None) -> str:
    return tag("path", d=path, fill="none", stroke=colour, stroke_width=width, stroke_opacity=opacity)


def _dot(x: float, y: float, radius: float) -> str:
    r, d = number(radius), number(2 * radius)
    return f"M{number(x - radius)} {number(y)}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z"


def _gingham(way: Colourway) -> Drawing:
    return 20, _fill("M0 0h10v20h-10z", way.figure, 0.45) + _fill("M0 0h20v10h-20z", way.figure, 0.45)


def _stripes(way: Colourway) -> Drawing:
    return 20, _fill("M3 0h7v20h-7z", way.figure) + _fill("M14 0h2v20h-2zM6 0h1v20h-1z", way.detail)


def _dots(way: Colourway) -> Drawing:
    return 20, _fill(_dot(5, 5, 3.4) + _dot(15, 15, 3.4), way.figure) + _fill(
        _dot(15, 5, 1.3) + _dot(5, 15, 1.3), way.detail
    )


def _herringbone(way: Colourway) -> Drawing:
    left = "M0 10l10 -10M0 20l10 -10M0 0l1 -1M9 21l1 -1"
    right = "M10 -5l10 10M10 5l10 10M10 15l10 10"
    return 20, _line(left + right, way.figure, 3.2) + _line("M0 -1v22M10 -1v22M20 -1v22", way.detail, 0.8, 0.7)


def _floral(way: Colourway) -> Drawing:
    def flower(x: int, y: int, radius: float) -> str:
        around = ((0, -1), (0.95, -0.31), (0.59, 0.81), (-0.59, 0.81), (-0.95, -0.31))
        return "".join(_dot(x + dx * radius, y + dy * radius, radius * 0.72) for dx, dy in around)

    leaves = "M3 27q6 -7 9 0q-6 4 -9 0zM37 13q-6 -6 -9 1q5 4 9 -1zM18 35q7 -1 5 -8q-7 1 -5 8z"
    return 40, (
        _fill(leaves, way.figure, 0.55)
        + _fill(flower(12, 12, 5.2) + flower(31, 31, 4.4), way.figure)
        + _fill(_dot(12, 12, 3) + _dot(31, 31, 2.6) + _dot(31, 5, 1.4) + _dot(6, 36, 1.4), way.detail)
    )


def _plaid(way: Colourway) -> Drawing:
    bands = _fill("M4 0h14v40h-14z", way.figure, 0.4) + _fill("M0 4h40v14h-40z", way.figure, 0.4)
    stripes = _fill("M28 0h3v40h-3zM0 28h40v3h-40z", way.figure, 0.7)
    return 40, bands + stripes + _line("M11 0v40M0 11h40M35 0v40M0 35h40", way.detail, 1.2, 0.9)


def _paisley(way: Colourway) -> Drawing:
    drops = (
        "M19 2C21 9 19 20 10.5 20.5C4 20.8 1 15 3 10.5C5.5 5.5 14 8 19 2Z"
        "M21 38C19 31 21 20 29.5 19.5C36 19.2 39 25 37 29.5C34.5 34.5 26 32 21 38Z"
    )
    veins = (
        "M15.5 8C15 13 13.5 17 10 17.2C6.5 17.3 5 14 6.2 11.5"
        "M24.5 32C25 27 26.5 23 30 22.8C33.5 22.7 35 26 33.8 28.5"
    )
    beads = (
        _dot(10, 12.8, 1.9)
        + _dot(30, 27.2, 1.9)
        + _dot(31, 8, 2)
        + _dot(36, 12, 1.3)
        + _dot(9, 32, 2)
        + _dot(4, 28, 1.3)
    )
    return 40, _fill(drops, way.figure) + _line(veins, way.detail, 1.1) + _fill(beads, way.detail)


def _chevron(way: Colourway) -> Drawing:
    zigzag = "M-2 {0}l12 -10l12 10"
    lines = "".join(zigzag.format(y) for y in (12, 32))
    thin = "".join(zigzag.format(y) for y in (3, 23))
    return 20, _line(lines, way.figure, 5) + _line(thin, way.detail, 1.4)


def _houndstooth(way: Colourway) -> Drawing:
    # A twill of four dark and four light threads, over two and under two, gives the broken check.
    runs = ""
    for row in range(8):
        for column in range(8):
            thread = column if (row + column) % 4 < 2 else row
            if thread % 8 < 4:
                runs += f"M{number(column * 2.5)} {number(row * 2.5)}h2.6v2.6h-2.6z"
    return 20, _fill(runs, way.figure)


def _argyle(way: Colourway) -> Drawing:
    diamonds = _fill("M10 0l10 20l-10 20l-10 -20z", way.figure, 0.85) + _fill(
        "M30 0l10 20l-10 20l-10 -20z", way.figure, 0.25
    )
    return 40, diamonds + _line("M0 0l20 40M20 0l20 40M20 0l-20 40M40 0l-20 40", way.detail, 1, 0.9)


def _scallops(way: Colourway) -> Drawing:
    def scale(x: int, y: int) -> str:
        return f"M{x - 10} {y}a10 10 0 0 0 20 0z"

    ring = "M{0} {1}a6 6 0 0 0 12 0"
    low = scale(0, 10) + scale(20, 10)
    high = scale(10, 0) + scale(10, 20)
    return 20, (
        tag("path", d=scale(0, 10) + scale(20, 10), fill=way.figure, fill_opacity=0.35)
        + _line(low + high, way.figure, 1.8)
        + _line(
            ring.format(-6, 10) + ring.format(14, 10) + ring.format(4, 0) + ring.format(4, 20),
            way.detail,
            1.2,
        )
    )


def _sprigs(way: Colourway) -> Drawing:
    stems = "M10 22q-2 -9 2 -18M30 38q2 -9 -2 -18"
    leaves = (
        "M10 16q-7 0 -7 -6q7 0 7 6zM10.5 12q6 -1 6 -7q-6 1 -6 7zM10 21q6 -1 7 -6q-6 0 -7 6z"
        "M30 32q7 0 7 -6q-7 0 -7 6zM29.5 28q-6 -1 -6 -7q6 1 6 7zM30 37q-6 -1 -7 -6q6 0 7 6z"
    )
    berries = _dot(12.4, 3.5, 1.9) + _dot(27.6, 19.5, 1.9) + _dot(33, 9, 1.4) + _dot(7, 31, 1.4)
    return 40, _line(stems, way.figure, 1.6) + _fill(leaves, way.figure) + _fill(berries, way.detail)


def _crosses(way: Colourway) -> Drawing:
    def cross(x: float, y: float, arm: float) -> str:
        length = number(2 * arm)
        return f"M{number(x - arm)} {number(y)}h{length}M{number(x)} {number(y - arm)}v{length}"

    return 20, _line(cross(5, 5, 3.6) + cross(15, 15, 3.6), way.figure, 2.6) + _fill(
        "M13.5 5l1.5 -1.5l1.5 1.5l-1.5 1.5zM3.5 15l1.5 -1.5l1.5 1.5l-1.5 1.5z", way.detail
    )


def _cobwebs(way: Colourway) -> Drawing:
    spokes = "M0 0L40 0M0 0L37 15M0 0L28 28M0 0L15 37M0 0L0 40"
    rings = "".join(
        f"M{r} 0Q{number(r * 0.86)} {number(r * 0.1)} {number(r * 0.92)} {number(r * 0.375)}"
        f"Q{number(r * 0.72)} {number(r * 0.4)} {number(r * 0.7)} {number(r * 0.7)}"
        f"Q{number(r * 0.4)} {number(r * 0.72)} {number(r * 0.375)} {number(r * 0.92)}"
        f"Q{number(r * 0.1)} {number(r * 0.86)} 0 {r}"
        for r in (11, 21, 31)
    )
    return 40, _line(spokes + rings, way.figure, 1.7) + _fill(_dot(33, 33, 2.2), way.detail)


def _moons(way: Colourway) -> Drawing:
    moon = "M14 4a9 9 0 1 0 4 14a7.5 7.5 0 0 1 -4 -14zM34 24a9 9 0 1 0 4 14a7.5 7.5 0 0 1 -4 -14z"
    star = "M{0} {1}l1.3 3.2l3.2 1.3l-3.2 1.3l-1.3 3.2l-1.3 -3.2l-3.2 -1.3l3.2 -1.3z"
    stars = star.format(31, 4) + star.format(11, 25) + star.format(20, 12)
    return 40, _fill(moon, way.figure) + _fill(stars, way.detail)


def _confetti(way: Colourway) -> Drawing:
    bits = (
        "M4 5l6 -2l1 3l-6 2zM22 3l3 5l-3 2l-3 -5zM33 14l6 1l-1 3l-6 -1z"
        "M8 20l5 4l-2 3l-5 -4zM25 24l1 -6l3 1l-1 6zM14 35l6 -1v3l-6 1zM33 32l4 4l-2 2l-4 -4z"
    )
    return 40, _fill(bits, way.figure) + _fill(
        _dot(15, 13, 2)
        + _dot(30, 7, 1.5)
        + _dot(3, 33, 2)
        + _dot(21, 29, 1.5)
        + _dot(36, 25, 1.8)
        + _dot(26, 37, 1.5),
        way.detail,
    )


def _planks(way: Colourway) -> Drawing:
    joints = "M0 10h40M0 20h40M0 30h40M0 40h40M0 0h40M12 0v10M30 10v10M6 20v10M24 30v10"
    grain = "M3 5q5 -3 8 0M17 4q8 3 18 0M4 15q10 3 20 0M10 25q9 -3 14 0t12 0M2 35q9 3 18 0M28 36q5 -3 9 0"
    return 40, _line(grain, way.figure, 1, 0.8) + _line(joints, way.figure, 1.8) + _fill(
        _dot(14.5, 5, 0.9) + _dot(27.5, 15, 0.9) + _dot(8.5, 25, 0.9) + _dot(21.5, 35, 0.9), way.detail
    )


def _arrows(way: Colourway) -> Drawing:
    up = "M{0} {1}l5 -7l5 7h-3v7h-4v-7z"
    return 40, _fill(up.format(3, 12) + up.format(23, 32), way.figure) + _line(
        "M2 23h12M22 3h12M27 16l4 -5l4 5M7 36l4 -5l4 5", way.detail, 1.8
    )


_FABRICS: dict[Fabric, Callable[[Colourway], Drawing]] = {
    Fabric.GINGHAM: _gingham,
    Fabric.STRIPES: _stripes,
    Fabric.DOTS: _dots,
    Fabric.HERRINGBONE: _herringbone,
    Fabric.FLORAL: _floral,
    Fabric.PLAID: _plaid,
    Fabric.PAISLEY: _paisley,
    Fabric.CHEVRON: _chevron,
    Fabric.HOUNDSTOOTH: _houndstooth,
    Fabric.ARGYLE: _argyle,
    Fabric.SCALLOPS: _scallops,
    Fabric.SPRIGS: _sprigs,
    Fabric.CROSSES: _crosses,
    Fabric.COBWEBS: _cobwebs,
    Fabric.MOONS: _moons,
    Fabric.CONFETTI: _confetti,
    Fabric.PLANKS: _planks,
    Fabric.ARROWS: _arrows,
}
