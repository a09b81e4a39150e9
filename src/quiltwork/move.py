"""The moves of the game, as values; `str(move)` is its notation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, TypeAlias

from quiltwork.geometry import Cell, Orientation

if TYPE_CHECKING:
    from quiltwork.editions import Edition, Patch


class Player(IntEnum):
    """A seat; player 1 is the start player."""

    ONE = 1
    """the start player"""
    TWO = 2
    """the other one"""

    @property
    def opponent(self) -> Player:
        """The other player."""
        return Player.TWO if self is Player.ONE else Player.ONE


@dataclass(frozen=True, slots=True, order=True)
class Placement:
    """Where a patch lies: the top left corner of its bounding box, and how it is turned."""

    cell: Cell
    """the top left corner of the bounding box of the patch as it is turned"""
    orientation: Orientation = Orientation.PLAIN
    """how the patch is turned"""

    def covers(self, patch: Patch) -> tuple[Cell, ...]:
        """The cells under a patch that lies there, in reading order."""
        row, column = self.cell
        return tuple([Cell(row + r, column + c) for r, c in patch.oriented(self.orientation)])

    def __str__(self) -> str:
        return f"{self.cell}{self.orientation}"


@dataclass(frozen=True, slots=True)
class Advance:
    """Move the time token to the space in front of the opponent's, for a button a space."""

    spaces: int
    """how far the token moves, and the buttons that it brings"""

    def __str__(self) -> str:
        return f"+{self.spaces}"


@dataclass(frozen=True, slots=True)
class TakePatch:
    """Take a patch of the circle and lay it; without a placement when the reserve comes first."""

    patch: str
    """the code of the patch"""
    placement: Placement | None = None
    """where it lies; None when the reserve comes first"""

    def __str__(self) -> str:
        return self.patch if self.placement is None else f"{self.patch}@{self.placement}"


@dataclass(frozen=True, slots=True)
class LayPatch:
    """Lay the patch that was taken before the reserve was dealt."""

    patch: str
    """the code of the patch"""
    placement: Placement
    """where it lies"""

    def __str__(self) -> str:
        return f"{self.patch}@{self.placement}"


@dataclass(frozen=True, slots=True)
class PlaceSpecialPatch:
    """Place a special patch on a cell, or remove it from play (None)."""

    cell: Cell | None
    """the cell that it covers; None removes it from play"""

    def __str__(self) -> str:
        return "s@-" if self.cell is None else f"s@{self.cell}"


@dataclass(frozen=True, slots=True)
class Replenish:
    """The chance move: the reserve joins the circle in this order."""

    order: tuple[str, ...]
    """the codes of the reserve's patches, clockwise"""

    def __str__(self) -> str:
        return "=" + "".join(self.order)


Move: TypeAlias = Advance | TakePatch | LayPatch | PlaceSpecialPatch | Replenish


def cells_of(move: Move | None, edition: Edition) -> tuple[Cell, ...]:
    """The cells that a move covers, in reading order; none for a move that covers nothing."""
    match move:
        case TakePatch(patch, Placement() as placement) | LayPatch(patch, placement):
            return placement.covers(edition.patches[patch])
        case PlaceSpecialPatch(Cell() as cell):
            return (cell,)
        case _:
            return ()


def corner_of(move: Move) -> Cell | None:
    """The cell that names the place of a move; None for a move without a place."""
    match move:
        case TakePatch(_, Placement(cell)) | LayPatch(_, Placement(cell)) | PlaceSpecialPatch(cell):
            return cell
        case _:
            return None


def at(move: Move, cell: Cell) -> Move:
    """The same move at another place; a move without a place stays as it is."""
    match move:
        case TakePatch(patch, Placement(_, orientation)):
            return TakePatch(patch, Placement(cell, orientation))
        case LayPatch(patch, Placement(_, orientation)):
            return LayPatch(patch, Placement(cell, orientation))
        case PlaceSpecialPatch(Cell()):
            return PlaceSpecialPatch(cell)
        case _:
            return move


def piece_of(move: Move) -> str:
    """What a move lays, wherever it does: a patch's code, or `s`; `+` and `s@-` lay nothing."""
    match move:
        case Advance():
            return "+"
        case TakePatch(patch, _) | LayPatch(patch, _):
            return patch
        case PlaceSpecialPatch(Cell()):
            return "s"
        case _:
            return str(move)
