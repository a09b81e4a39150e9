"""A set-up: a position as someone describes it, which may be wrong."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from quiltwork.editions import Edition
from quiltwork.geometry import Cell
from quiltwork.move import Placement, Player


class Phase(IntEnum):
    """What the game waits for."""

    TURN = 0
    """a player chooses: advance, or take a patch"""
    SPECIAL = 1
    """a player places or removes a special patch"""
    DEAL = 2
    """chance deals the reserve; a player holds a paid patch"""
    LAY = 3
    """a player lays the patch held"""
    OVER = 4


@dataclass(frozen=True)
class Quilt:
    """What lies on a quilt board: patches by code, and the cells of special patches."""

    patches: tuple[tuple[str, Placement], ...] = ()
    special: tuple[Cell, ...] = ()

    def covered(self, edition: Edition) -> frozenset[Cell]:
        """The cells on which something lies."""
        under = (cell for code, place in self.patches for cell in place.covers(edition.patches[code]))
        return frozenset((*under, *self.special))


@dataclass(frozen=True)
class Seat:
    """One player's side of a set-up."""

    space: int = 0
    buttons: int = 0
    quilt: Quilt = Quilt()
    first: bool = False
    """whether this player reached the last space first"""


@dataclass(frozen=True)
class Setup:
    """A position as described; `Position.from_setup` checks it against the rules."""

    edition: Edition
    phase: Phase
    turn: Player | None
    players: tuple[Seat, Seat]
    tile: Player | None
    circle: tuple[str, ...]
    """codes clockwise from the neutral token"""
    reserve: tuple[str, ...] = ()
    """codes of the undealt reserve; its order means nothing"""
    held: str | None = None
    pending: int = 0
    """special patches that the player whose turn it is has still to place"""
