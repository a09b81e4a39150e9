"""The time board as a band that winds to the middle, with its marks and both tokens."""

from __future__ import annotations

from itertools import pairwise
from math import ceil

from quiltwork.move import Player
from quiltwork.position_setup import Setup
from quiltwork.render.canvas import Canvas
from quiltwork.render.markup import number, tag, text
from quiltwork.render.tally import special_patches_left

_LARGEST_SPACE = 76.0
_Point = tuple[float, float]


def spiral(spaces: int, columns: int, rows: int) -> tuple[tuple[int, int], ...]:
    """The first cells, as (column, row), of a clockwise spiral from the top left corner inwards."""
    left, top, right, bottom = 0, 0, columns - 1, rows - 1
    path: list[tuple[int, int]] = []
    while left <= right and top <= bottom:
        path += [(c, top) for c in range(left, right + 1)]
        path += [(right, r) for r in range(top + 1, bottom + 1)]
        if top < bottom:
            path += [(c, bottom) for c in range(right - 1, left - 1, -1)]
        if left < right:
            path += [(left, r) for r in range(bottom - 1, top, -1)]
        left, top, right, bottom = left + 1, top + 1, right - 1, bottom - 1
    return tuple(path[:spaces])


def track_shape(spaces: int, width: float, height: float) -> tuple[int, int]:
    """The columns and rows of the spiral that has the largest spaces in a box."""

    def side(columns: int) -> float:
        return min(width / columns, height / ceil(spaces / columns))

    columns = max(range(1, spaces + 1), key=lambda c: (round(side(c), 6), -c))
    return columns, ceil(spaces / columns)


def space_side(spaces: int, width: float, height: float) -> float:
    """The side of a space in that spiral."""
    columns, rows = track_shape(spaces, width, height)
    return min(width / columns, height / rows, _LARGEST_SPACE)


def track_svg(canvas: Canvas, setup: Setup, width: float, height: float) -> str:
    """The time board, in the middle of a box of this size at the origin."""
    spaces = setup.edition.last_space + 1
    columns, rows = track_shape(spaces, width, height)
    side = space_side(spaces, width, height)
    left, top = (width - side * columns) / 2, (height - side * rows) / 2
    centres = [
        (left + (column + 0.5) * side, top + (row + 0.5) * side) for column, row in spiral(spaces, columns, rows)
    ]
    return "".join(
        (
            _band(canvas, centres, side),
            _numbers(canvas, centres, side),
            _marks(canvas, setup, centres, side),
            _tokens(canvas, setup, centres, side),
        )
    )


def _band(canvas: Canvas, centres: list[_Point], side: float) -> str:
    palette = canvas.palette
    points = " ".join(f"{number(x)},{number(y)}" for x, y in centres)
    if len(centres) == 1:
        points += f" {points}"
    shape: dict[str, str | float | None] = {
        "points": points,
        "fill": "none",
        "stroke_linejoin": "round",
        "stroke_linecap": "square",
    }
    borders = ""
    half = side * 0.42
    for (x0, y0), (x1, y1) in pairwise(centres):
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        if y0 == y1:
            borders += f"M{number(x)} {number(y - half)}v{number(2 * half)}"
        else:
            borders += f"M{number(x - half)} {number(y)}h{number(2 * half)}"
    last_x, last_y = centres[-1]
    return "".join(
        (
            tag("polyline", **shape, stroke=palette.edge, stroke_width=side * 0.84 + 3),
            tag("polyline", **shape, stroke=palette.track, stroke_width=side * 0.84),
            tag("path", d=borders, stroke=palette.track_line, stroke_width=1.4, stroke_dasharray="4 3"),
            tag(
                "circle",
                cx=last_x,
                cy=last_y,
                r=side * 0.34,
                fill="none",
                stroke=palette.track_line,
                stroke_width=2,
                stroke_dasharray="5 3",
            ),
        )
    )


def _numbers(canvas: Canvas, centres: list[_Point], side: float) -> str:
    size = side * 0.3
    labels = (
        text(str(space), x, y + size * 0.36, size, canvas.palette.track_ink)
        for space, (x, y) in enumerate(centres)
    )
    return tag("g", *labels, text_anchor="middle")


def _marks(canvas: Canvas, setup: Setup, centres: list[_Point], side: float) -> str:
    # A mark lies on the line before its space: it counts as soon as a token crosses that line.
    special = set(special_patches_left(setup))
    income = set(setup.edition.income_spaces)
    parts = []
    for space in sorted(special | income):
        (x0, y0), (x1, y1) = centres[space - 1], centres[space]
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        both = side * 0.2 if space in special and space in income else 0.0
        dx, dy = (0.0, both) if y0 == y1 else (both, 0.0)
        if space in income:
            parts.append(canvas.symbol("button", x - dx, y - dy, side * 0.44))
        if space in special:
            parts.append(canvas.symbol("special-patch", x + dx, y + dy, side * 0.42))
    return "".join(parts)


def _tokens(canvas: Canvas, setup: Setup, centres: list[_Point], side: float) -> str:
    # On a shared space the player to move lies on top, so is drawn last.
    top = setup.turn if setup.turn is not None else Player.TWO
    shared = setup.players[0].space == setup.players[1].space
    parts = []
    for player, shift in ((top.opponent, -0.13), (top, 0.13)):
        x, y = centres[min(setup.players[player - 1].space, len(centres) - 1)]
        dx, dy = (side * shift, -side * shift) if shared else (0.0, 0.0)
        parts.append(canvas.symbol(f"token-{int(player)}", x + dx, y + dy, side * 0.66))
    return "".join(parts)
