"""What a picture tells about a set-up in numbers."""

from __future__ import annotations

from dataclasses import dataclass

from quiltwork.edition import Edition
from quiltwork.geometry import Cell
from quiltwork.move import Player
from quiltwork.render.outline import placed_cells
from quiltwork.setup import Phase, Quilt, Setup


@dataclass(frozen=True)
class Tally:
    """One player's numbers."""

    buttons: int
    income: int
    empty: int
    score: int


def tally(setup: Setup, player: Player) -> Tally:
    """A player's buttons, income, empty spaces, and score if the game ended now."""
    edition, seat = setup.edition, setup.players[player - 1]
    empty = len(edition.spaces) - len(covered_cells(edition, seat.quilt))
    tile = edition.special_tile.points if edition.special_tile and setup.tile is player else 0
    return Tally(
        buttons=seat.buttons,
        income=sum(edition.patches[code].income for code, _ in seat.quilt.patches),
        empty=empty,
        score=seat.buttons + tile + edition.points_per_empty_space * empty,
    )


def covered_cells(edition: Edition, quilt: Quilt) -> frozenset[Cell]:
    """The cells of a quilt board under patches and special patches."""
    patches = (cell for code, place in quilt.patches for cell in placed_cells(edition.patches[code], place))
    return frozenset(patches) | frozenset(quilt.special)


def special_patches_left(setup: Setup) -> tuple[int, ...]:
    """The spaces of the time board on which a special patch still lies."""
    foremost = max(seat.space for seat in setup.players)
    return tuple(space for space in setup.edition.special_patch_spaces if space > foremost)


def missing_buttons(setup: Setup, code: str) -> int | None:
    """How many buttons the player who is to choose lacks for a patch; None if nobody is to choose."""
    if setup.turn is None or setup.phase is not Phase.TURN:
        return None
    return max(0, setup.edition.patches[code].buttons - setup.players[setup.turn - 1].buttons)


def status(setup: Setup, names: tuple[str, str], special_patch: str, winner: Player | None = None) -> str:
    """What the game waits for, as a short sentence without a full stop."""
    if setup.turn is None or setup.phase is Phase.OVER:
        return f"{names[winner - 1]} wins" if winner is not None else "Game over"
    name = names[setup.turn - 1]
    match setup.phase:
        case Phase.SPECIAL:
            return f"{name} places a {special_patch}"
        case Phase.DEAL:
            return f"{name} holds {setup.held}; the reserve is dealt"
        case Phase.LAY:
            return f"{name} lays {setup.held}"
        case _:
            return f"{name} to move"
