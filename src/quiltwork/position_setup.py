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
    """the game has ended"""


@dataclass(frozen=True)
class Quilt:
    """What lies on a quilt board: patches by code, and the cells of special patches."""

    patches: tuple[tuple[str, Placement], ...] = ()
    """codes, and where they lie"""
    special: tuple[Cell, ...] = ()
    """the cells of special patches"""

    def covered(self, edition: Edition) -> frozenset[Cell]:
        """The cells on which something lies."""
        under = (cell for code, place in self.patches for cell in place.covers(edition.patches[code]))
        return frozenset((*under, *self.special))


@dataclass(frozen=True)
class Seat:
    """One player's side of a set-up."""

    space: int = 0
    """of the time token on the time board, from 0"""
    buttons: int = 0
    """that the player has"""
    quilt: Quilt = Quilt()
    """what lies on the quilt board"""
    first: bool = False
    """whether this player reached the last space first"""


@dataclass(frozen=True)
class Setup:
    """A position as described; `Position.from_setup` checks it against the rules."""

    edition: Edition
    """whose rules and patches are meant"""
    phase: Phase
    """what the game waits for"""
    turn: Player | None
    """who moves, or holds a patch; None when the game is over"""
    players: tuple[Seat, Seat]
    """player 1 and player 2"""
    tile: Player | None
    """who has the special tile"""
    circle: tuple[str, ...]
    """codes clockwise from the neutral token"""
    reserve: tuple[str, ...] = ()
    """codes of the undealt reserve; its order means nothing"""
    held: str | None = None
    """the code of the patch that was taken and is not yet laid"""
    pending: int = 0
    """special patches that the player whose turn it is has still to place"""
