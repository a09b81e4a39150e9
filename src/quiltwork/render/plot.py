"""Plain plots as SVG: bars, and lines over a number."""

from __future__ import annotations

from collections.abc import Sequence

from quiltwork.render.canvas import FONT
from quiltwork.render.markup import number, tag, text
from quiltwork.themes import Palette

WIDTH, HEIGHT = 720.0, 360.0
LEFT, RIGHT, TOP, BOTTOM = 56.0, 16.0, 44.0, 52.0


def bar_plot(
    palette: Palette,
    title: str,
    bars: Sequence[tuple[str, float]],
    *,
    percent: bool = False,
    line: float | None = None,
) -> str:
    """A bar for each label; `line` is a value to compare with, drawn across."""
    top = _ceiling(max([value for _, value in bars], default=1.0), percent)
    room = (WIDTH - LEFT - RIGHT) / max(1, len(bars))
    drawn = []
    for place, (label, value) in enumerate(bars):
        x, y = LEFT + (place + 0.5) * room, _y(value, top)
        height = HEIGHT - BOTTOM - y
        drawn.append(
            tag(
                "rect",
                tag("title", f"{label}: {_told(value, percent)}"),
                x=x - 0.36 * room,
                y=y,
                width=0.72 * room,
                height=height,
                fill=palette.accent,
            )
        )
        drawn.append(text(label, x, HEIGHT - BOTTOM + 16, 11, palette.muted, text_anchor="middle"))
    if line is not None:
        y = _y(line, top)
        drawn.append(
            tag("path", d=f"M{LEFT} {number(y)}H{WIDTH - RIGHT}", stroke=palette.ink, stroke_dasharray="5 4")
        )
    return _frame(palette, title, top, percent, "", *drawn)


def line_plot(palette: Palette, title: str, points: Sequence[tuple[float, float]], below: str) -> str:
    """A line through points, which go from left to right; `below` says what they are."""
    top = _ceiling(max([value for _, value in points], default=1.0), False)
    last = max([x for x, _ in points], default=1.0) or 1.0
    places = [
        f"{number(LEFT + x / last * (WIDTH - LEFT - RIGHT))} {number(_y(value, top))}" for x, value in points
    ]
    path = (
        tag("path", d="M" + "L".join(places), fill="none", stroke=palette.accent, stroke_width=2.5)
        if places
        else ""
    )
    step = max(1, round(last / 10))
    marks = [
        text(
            str(x),
            LEFT + x / last * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM + 16,
            11,
            palette.muted,
            text_anchor="middle",
        )
        for x in range(0, int(last) + 1, step)
    ]
    return _frame(palette, title, top, False, below, path, *marks)


def _frame(palette: Palette, title: str, top: float, percent: bool, below: str, *content: str) -> str:
    lines = []
    for part in range(5):
        value = top * part / 4
        y = _y(value, top)
        lines.append(tag("path", d=f"M{LEFT} {number(y)}H{WIDTH - RIGHT}", stroke=palette.grid, stroke_width=1))
        lines.append(text(_told(value, percent), LEFT - 8, y + 4, 11, palette.muted, text_anchor="end"))
    return tag(
        "svg",
        tag("title", title),
        tag("rect", width=WIDTH, height=HEIGHT, fill=palette.panel),
        *lines,
        *content,
        text(title, LEFT, 26, 16, palette.ink, font_weight="bold"),
        text(below, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, 12, palette.muted, text_anchor="middle")
        if below
        else "",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(WIDTH)} {number(HEIGHT)}",
        width=WIDTH,
        height=HEIGHT,
        role="img",
        font_family=FONT,
    )


def _ceiling(value: float, percent: bool) -> float:
    """The top of the axis: a round number above all values."""
    if percent:
        return 1.0
    step = 1.0
    while step * 4 < value:
        step *= 2 if step * 8 >= value else 5 if step * 20 >= value else 10
    return step * 4


def _y(value: float, top: float) -> float:
    return HEIGHT - BOTTOM - value / top * (HEIGHT - BOTTOM - TOP)


def _told(value: float, percent: bool) -> str:
    return f"{100 * value:.0f} %" if percent else f"{value:g}"
