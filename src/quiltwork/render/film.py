"""A game as a film strip: both quilts after each move, one picture after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quiltwork.move import Move, Player
from quiltwork.position_setup import Setup
from quiltwork.render.canvas import Canvas
from quiltwork.render.fabric import CELL
from quiltwork.render.markup import MINUS, clipped, move, tag, text
from quiltwork.render.overlay import Overlay, overlay_svg
from quiltwork.render.tally import tally
from quiltwork.themes import Theme

_BOARD = 280
_MARGIN = 22
_HEAD = 48
_FOOT = 46
_WIDTH = 2 * _BOARD + 3 * _MARGIN
_HEIGHT = _HEAD + _BOARD + _FOOT
_GAP = 18
_HOLE, _HOLES_APART, _EDGE = 14, 34, 40
"""the holes along both edges of the strip, and how wide the edges are"""


@dataclass(frozen=True)
class Frame:
    """One picture of the strip: the table after a move, and what it was."""

    setup: Setup
    number: int
    """how many moves have been made"""
    move: Move | None = None
    """the last of them"""
    mover: Player | None = None
    """who made it; None for a deal"""


def film_svg(
    frames: Sequence[Frame], theme: Theme, dark: bool = False, *, columns: int = 4, size: float | None = None
) -> str:
    """The frames in strips, from left to right and from top to bottom; `size` is the width in pixels."""
    canvas = Canvas(theme, dark)
    edition = frames[0].setup.edition
    rows = [frames[start : start + columns] for start in range(0, len(frames), columns)]
    width = len(rows[0]) * (_WIDTH + _GAP) + _GAP
    strip = _HEIGHT + 2 * _EDGE
    used = {code for frame in frames for seat in frame.setup.players for code, _ in seat.quilt.patches}
    drawn = [
        tag("g", _strip(canvas, row), transform=move(0, _GAP + number * (strip + _GAP)))
        for number, row in enumerate(rows)
    ]
    return canvas.document(
        width,
        _GAP + len(rows) * (strip + _GAP),
        f"{edition.title}: {frames[-1].number} moves",
        [edition.patches[code] for code in sorted(used)],
        *drawn,
        size=size,
    )


def _strip(canvas: Canvas, frames: Sequence[Frame]) -> str:
    palette = canvas.palette
    width = len(frames) * (_WIDTH + _GAP) + _GAP
    height = _HEIGHT + 2 * _EDGE
    holes = "".join(
        f"M{x} {y}h{_HOLE}v{_HOLE}h-{_HOLE}z"
        for y in ((_EDGE - _HOLE) // 2, height - (_EDGE + _HOLE) // 2)
        for x in range((_HOLES_APART - _HOLE) // 2, width - _HOLE, _HOLES_APART)
    )
    shown = (
        tag("g", _frame(canvas, frame), transform=move(_GAP + number * (_WIDTH + _GAP), _EDGE))
        for number, frame in enumerate(frames)
    )
    return "".join(
        (
            tag("rect", width=width, height=height, fill=palette.edge),
            tag("path", d=holes, fill=palette.ground),
            *shown,
        )
    )


def _frame(canvas: Canvas, frame: Frame) -> str:
    return "".join(
        (
            tag("rect", width=_WIDTH, height=_HEIGHT, rx=8, fill=canvas.palette.panel),
            *(_seat(canvas, frame, player) for player in Player),
            _caption(canvas, frame),
        )
    )


def _seat(canvas: Canvas, frame: Frame, player: Player) -> str:
    """A player's buttons, income and points above the quilt, with the last move outlined."""
    palette, edition = canvas.palette, frame.setup.edition
    numbers = tally(frame.setup, player)
    scale = _BOARD / (CELL * max(edition.rows, edition.columns))
    left = (_BOARD - edition.columns * CELL * scale) / 2
    quilt = canvas.quilt(edition, frame.setup.players[player - 1].quilt)
    quilt += overlay_svg(canvas, frame.setup, player, Overlay(last_move=frame.move))
    points = str(numbers.score).replace("-", MINUS)
    drawn = (
        canvas.symbol(f"token-{int(player)}", 14, 25, 26),
        canvas.symbol("button", 52, 25, 22),
        text(f"{numbers.buttons} +{numbers.income}", 70, 32, 20, palette.ink),
        text(points, _BOARD, 32, 20, palette.accent, font_weight="bold", text_anchor="end"),
        tag("g", quilt, transform=move(left, _HEAD, scale)),
    )
    return tag("g", *drawn, transform=move(_MARGIN + (player - 1) * (_BOARD + _MARGIN), 0))


def _caption(canvas: Canvas, frame: Frame) -> str:
    """The number of the move, who made it, and the move in notation; at the start, the edition."""
    ink, y = canvas.palette.ink, _HEIGHT - 15
    if frame.move is None:
        return text(clipped(frame.setup.edition.title, 40), _MARGIN, y, 20, ink)
    drawn = text(f"{frame.number}", _MARGIN, y, 20, canvas.palette.muted)
    if frame.mover is not None:
        drawn += canvas.symbol(f"token-{int(frame.mover)}", _MARGIN + 56, y - 7, 24)
    return drawn + text(clipped(str(frame.move), 40), _MARGIN + 78, y, 20, ink)
