"""The room on a quilt: what still fits, how the empty spaces hang together, how near the square is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from quiltwork.editions import Edition
from quiltwork.geometry import Cell
from quiltwork.move import Player
from quiltwork.position import Position


@dataclass(frozen=True)
class Room:
    """What still fits on a quilt."""

    dead: frozenset[Cell]
    """empty spaces that no patch still to be had can cover"""
    places: int
    """in how many places the patches still to be had fit, all together"""


def room_of(position: Position, player: Player) -> Room:
    """What the patches that are still to be had can do on a player's quilt."""
    edition = position.edition
    free = _empty(position, player)
    empty = _bits(free, edition)
    covered, places = 0, 0
    held = [position.held] if position.held else []
    for patch in (*position.circle, *position.reserve, *held):
        for orientation in patch.orientations:
            shape = patch.oriented(orientation)
            mask = _bits(shape, edition)
            height, width = (1 + max(cell[axis] for cell in shape) for axis in (0, 1))
            for row in range(edition.rows - height + 1):
                for column in range(edition.columns - width + 1):
                    laid = mask << (row * edition.columns + column)
                    if laid & empty == laid:
                        covered |= laid
                        places += 1
    return Room(frozenset(cell for cell in free if not covered & _bits((cell,), edition)), places)


def _bits(cells: Iterable[Cell], edition: Edition) -> int:
    return sum(1 << (cell.row * edition.columns + cell.column) for cell in cells)


def parts(position: Position, player: Player) -> int:
    """How many separate parts the empty spaces of a quilt have."""
    left, found = set(_empty(position, player)), 0
    while left:
        found += 1
        edge = [left.pop()]
        while edge:
            for near in _beside(edge.pop()):
                if near in left:
                    left.remove(near)
                    edge.append(near)
    return found


def touching(position: Position, player: Player, cells: Iterable[Cell]) -> float:
    """The share of a shape's outer sides that would touch a patch or the edge of the board."""
    shape, empty = frozenset(cells), _empty(position, player)
    sides = [near for cell in shape for near in _beside(cell) if near not in shape]
    return sum(near not in empty for near in sides) / len(sides)


def _beside(cell: Cell) -> tuple[Cell, ...]:
    row, column = cell
    return Cell(row + 1, column), Cell(row - 1, column), Cell(row, column + 1), Cell(row, column - 1)


def missing_from_square(position: Position, player: Player) -> int:
    """The empty spaces of the square that is nearest to the special tile."""
    edition, tile = position.edition, position.edition.special_tile
    assert tile is not None
    free, spaces = _empty(position, player), frozenset(edition.spaces)
    squares = (
        {Cell(row + r, column + c) for r in range(tile.square) for c in range(tile.square)}
        for row in range(edition.rows - tile.square + 1)
        for column in range(edition.columns - tile.square + 1)
    )
    return min((len(square & free) for square in squares if square <= spaces), default=tile.square**2)


def _empty(position: Position, player: Player) -> frozenset[Cell]:
    return frozenset(position.edition.spaces) - position.player(player).covered
