"""What is drawn on top of a quilt: the last move, a move that is only considered, and marked cells."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from quiltwork.editions import Edition
from quiltwork.geometry import Cell
from quiltwork.move import LayPatch, Move, Placement, PlaceSpecialPatch, Player, TakePatch, cells_of
from quiltwork.position_setup import Setup
from quiltwork.render.canvas import Canvas
from quiltwork.render.fabric import CELL
from quiltwork.render.markup import move as moved
from quiltwork.render.markup import tag
from quiltwork.render.outline import patch_path

GHOST_OPACITY = 0.55


@dataclass(frozen=True)
class Overlay:
    """What to point out in a picture of a position."""

    last_move: Move | None = None
    """outlined on the quilt where it lies"""
    ghost: Move | None = None
    """drawn translucent on the quilt of `owner`"""
    marks: Collection[Cell] = ()
    """cells with a ring, on the quilt of `owner`"""
    owner: Player = Player.ONE


NOTHING = Overlay()


def overlay_svg(canvas: Canvas, setup: Setup, player: Player, overlay: Overlay) -> str:
    """The overlay of one player's quilt, the corner of a1 at the origin."""
    parts = []
    if overlay.last_move is not None and _lies_on(setup, player, overlay.last_move):
        parts.append(_outlined(canvas, cells_of(overlay.last_move, setup.edition)))
    if player is overlay.owner:
        parts.append(_ghost(canvas, setup.edition, overlay.ghost))
        parts += [_ring(canvas, cell) for cell in sorted(overlay.marks)]
    return "".join(parts)


def _lies_on(setup: Setup, player: Player, move: Move) -> bool:
    quilt = setup.players[player - 1].quilt
    match move:
        case TakePatch(patch, Placement() as placement) | LayPatch(patch, placement):
            return (patch, placement) in quilt.patches
        case PlaceSpecialPatch(Cell() as cell):
            return cell in quilt.special
        case _:
            return False


def _outlined(canvas: Canvas, cells: Collection[Cell]) -> str:
    return tag(
        "path",
        d=patch_path(cells, CELL, 0.7),
        fill="none",
        stroke=canvas.palette.accent,
        stroke_width=4,
        **{"class": "last-move"},
    )


def _ghost(canvas: Canvas, edition: Edition, move: Move | None) -> str:
    cells = cells_of(move, edition)
    if not cells:
        return ""
    match move:
        case TakePatch(patch, Placement() as placement) | LayPatch(patch, placement):
            drawn = canvas.placed(edition.patches[patch], placement)
        case _:
            row, column = cells[0]
            symbol = canvas.symbol("special-patch", CELL / 2, CELL / 2, CELL)
            drawn = tag("g", symbol, transform=moved(column * CELL, row * CELL))
    outline = tag(
        "path",
        d=patch_path(cells, CELL, 0.7),
        fill="none",
        stroke=canvas.palette.accent,
        stroke_width=2.5,
        stroke_dasharray="6 4",
    )
    return tag("g", tag("g", drawn, opacity=GHOST_OPACITY), outline, **{"class": "ghost"})


def _ring(canvas: Canvas, cell: Cell) -> str:
    return tag(
        "circle",
        tag("title", str(cell)),
        cx=(cell.column + 0.5) * CELL,
        cy=(cell.row + 0.5) * CELL,
        r=CELL * 0.36,
        fill="none",
        stroke=canvas.palette.accent,
        stroke_width=4,
        **{"class": "mark"},
    )
