"""The picture of a finished game, to send to a friend: both quilts, who won, and how the points came about."""

from __future__ import annotations

from quiltwork.editions import Edition
from quiltwork.events import Score
from quiltwork.move import Player
from quiltwork.position_setup import Setup
from quiltwork.render.canvas import Canvas
from quiltwork.render.fabric import CELL
from quiltwork.render.markup import MINUS, clipped, move, tag, text
from quiltwork.themes import Theme

_BOARD = 600
_MARGIN = 48
_HEAD = 96
_FOOT = 84


def result_svg(
    setup: Setup,
    scores: tuple[Score, Score],
    winner: Player,
    names: tuple[str, str],
    theme: Theme,
    dark: bool = False,
) -> str:
    """Both quilts side by side, the points above them, their parts below; it holds no words but the names."""
    canvas = Canvas(theme, dark)
    edition = setup.edition
    width = 2 * _BOARD + 3 * _MARGIN
    height = _HEAD + _BOARD + _FOOT + _MARGIN
    codes = {code for seat in setup.players for code, _ in seat.quilt.patches}
    title = f"{edition.title}: {names[0]} {scores[0].total}, {names[1]} {scores[1].total}"
    return canvas.document(
        width,
        height,
        title,
        [edition.patches[code] for code in sorted(codes)],
        *(
            tag(
                "g",
                _seat(canvas, setup, player, clipped(names[player - 1], 20), scores[player - 1], player is winner),
                transform=move(_MARGIN + (player - 1) * (_BOARD + _MARGIN), 0),
            )
            for player in Player
        ),
        text("Quiltwork", width / 2, height - 22, 18, canvas.palette.muted, text_anchor="middle"),
    )


def _seat(canvas: Canvas, setup: Setup, player: Player, name: str, score: Score, won: bool) -> str:
    palette = canvas.palette
    quilt = setup.players[player - 1].quilt
    ground = palette.accent if won else palette.panel
    ink = palette.accent_ink if won else palette.ink
    return "".join(
        (
            tag("rect", x=0, y=22, width=_BOARD, height=60, rx=16, fill=ground),
            canvas.symbol(f"token-{int(player)}", 34, 52, 40),
            text(name, 64, 62, 28, ink, font_weight="bold"),
            text(_signed(score.total), _BOARD - 22, 64, 36, ink, font_weight="bold", text_anchor="end"),
            tag("g", canvas.quilt(setup.edition, quilt), transform=move(0, _HEAD, _scale(setup.edition))),
            _parts(canvas, score),
        )
    )


def _scale(edition: Edition) -> float:
    return _BOARD / (CELL * max(edition.rows, edition.columns))


def _parts(canvas: Canvas, score: Score) -> str:
    """The parts of a score: buttons, empty spaces, the special tile."""
    palette = canvas.palette
    y = _HEAD + _BOARD + 44
    drawn = [
        canvas.symbol("button", 20, y, 30),
        text(f"+{score.buttons}", 44, y + 9, 26, palette.ink),
        tag("rect", x=146, y=y - 14, width=28, height=28, fill=palette.cloth, stroke=palette.grid, stroke_width=3),
        text(f"{_signed(score.empty_points)}", 186, y + 9, 26, palette.ink),
    ]
    if score.tile:
        drawn += [canvas.symbol("tile", 316, y, 40), text(f"+{score.tile}", 344, y + 9, 26, palette.ink)]
    return "".join(drawn)


def _signed(points: int) -> str:
    return str(points).replace("-", MINUS)
