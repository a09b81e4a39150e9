"""A move as a picture for people: the quilt with the cells that it covers."""

from __future__ import annotations

from quiltwork.move import Move, cells_of
from quiltwork.position import Position
from quiltwork.render.text import quilt_text
from quiltwork.themes import theme_of


def move_picture(position: Position, move: Move, colour: bool = False) -> str | None:
    """The mover's quilt with the cells that a move covers; None for a move that covers none."""
    cells = cells_of(move, position.edition)
    if not cells or position.turn is None:
        return None
    quilt = position.setup.players[position.turn - 1].quilt
    return quilt_text(position.edition, quilt, theme_of(position.edition), colour, preview=cells)
