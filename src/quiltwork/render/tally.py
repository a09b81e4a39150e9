"""What a picture tells about a set-up in numbers."""

from __future__ import annotations

from dataclasses import dataclass

from quiltwork.move import Player
from quiltwork.position_setup import Phase, Setup
from quiltwork.speech import Speech


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
    empty = len(edition.spaces) - len(seat.quilt.covered(edition))
    tile = edition.special_tile.points if edition.special_tile and setup.tile is player else 0
    return Tally(
        buttons=seat.buttons,
        income=sum(edition.patches[code].income for code, _ in seat.quilt.patches),
        empty=empty,
        score=seat.buttons + tile + edition.points_per_empty_space * empty,
    )


def special_patches_left(setup: Setup) -> tuple[int, ...]:
    """The spaces of the time board on which a special patch still lies."""
    foremost = max(seat.space for seat in setup.players)
    return tuple(space for space in setup.edition.special_patch_spaces if space > foremost)


def missing_buttons(setup: Setup, code: str) -> int | None:
    """How many buttons the player who is to choose lacks for a patch; None if nobody is to choose."""
    if setup.turn is None or setup.phase is not Phase.TURN:
        return None
    return max(0, setup.edition.patches[code].buttons - setup.players[setup.turn - 1].buttons)


def status(speech: Speech, setup: Setup, names: tuple[str, str], winner: Player | None = None) -> str:
    """What the game waits for, as a short sentence without a full stop."""
    if setup.turn is None or setup.phase is Phase.OVER:
        return speech.say("picture.over") if winner is None else speech.say("picture.wins", name=names[winner - 1])
    name = names[setup.turn - 1]
    match setup.phase:
        case Phase.SPECIAL:
            return speech.say("picture.special", name=name)
        case Phase.DEAL:
            return speech.say("picture.deal", name=name, patch=setup.held or "")
        case Phase.LAY:
            return speech.say("picture.lay", name=name, patch=setup.held or "")
        case _:
            return speech.say("picture.turn", name=name)
