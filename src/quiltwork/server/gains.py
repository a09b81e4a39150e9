"""What a move brings: income, special patches and the special tile, read off the kernel's records.

The records hold the figures already; a story in events, which `Position.explain` tells, takes ten times as long.
"""

from __future__ import annotations

from dataclasses import dataclass

from quiltwork import Advance, Move, Position, TakePatch


@dataclass(frozen=True)
class Gains:
    """What the mover received beyond what the move itself costs or pays."""

    income: int
    specials: int
    tile: bool


def gains(before: Position, move: Move, after: Position) -> Gains:
    """What a move brought to the player whose turn it was."""
    mover = before.turn
    if mover is None:
        return Gains(0, 0, False)
    received = figure(after, "buttons", mover) - figure(before, "buttons", mover)
    return Gains(
        income=received + _price(before, move),
        specials=_pending(after) - max(0, _pending(before) - 1),
        tile=after.tile is mover and before.tile is None,
    )


def figure(position: Position, name: str, player: int) -> int:
    """A player's figure in the record, without taking the position apart."""
    return int(position.record[name][0, player - 1])


def _pending(position: Position) -> int:
    return int(position.record["pending"][0])


def _price(position: Position, move: Move) -> int:
    """The buttons that a move itself costs; what else comes in is income."""
    match move:
        case Advance(spaces):
            return -spaces
        case TakePatch(patch, _):
            return position.edition.patches[patch].buttons
        case _:
            return 0
