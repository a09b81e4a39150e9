"""What a move does, told as events, in the order in which they happen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from quiltwork.geometry import Cell
from quiltwork.move import Player


@dataclass(frozen=True)
class Score:
    """A score with its parts; `total` is their sum with the points for empty spaces."""

    buttons: int
    """a point each"""
    empty_spaces: int
    """spaces of the quilt board that nothing covers"""
    empty_points: int
    """what they cost, 0 or negative"""
    tile: int
    """the points of the special tile, 0 without it"""
    total: int
    """the points in all"""


@dataclass(frozen=True)
class Outcome:
    """How a game ended; a tie goes to who reached the last space first."""

    winner: Player
    """there is always one"""
    scores: tuple[Score, Score]
    """of player 1 and of player 2"""
    by_tie_break: bool
    """whether the scores were equal"""


@dataclass(frozen=True)
class Paid:
    player: Player
    patch: str
    buttons: int

    def __str__(self) -> str:
        return f"player {self.player} pays {self.buttons} for {self.patch}"


@dataclass(frozen=True)
class ReserveEntered:
    """The reserve is to be dealt before the patch is laid."""

    player: Player
    patches: int

    def __str__(self) -> str:
        return f"the {self.patches} patches of the reserve enter the circle"


@dataclass(frozen=True)
class Dealt:
    """The reserve has joined the circle in this order."""

    order: tuple[str, ...]

    def __str__(self) -> str:
        return f"the reserve is dealt: {' '.join(self.order)}"


@dataclass(frozen=True)
class Laid:
    """A patch, or a special patch (`s`), covers cells."""

    player: Player
    patch: str
    cells: tuple[Cell, ...]

    def __str__(self) -> str:
        return f"player {self.player} lays {self.patch} on {' '.join(map(str, self.cells))}"


@dataclass(frozen=True)
class Removed:
    """A special patch is removed from play."""

    player: Player

    def __str__(self) -> str:
        return f"player {self.player} removes a special patch from play"


@dataclass(frozen=True)
class WonSpecialTile:
    player: Player
    points: int

    def __str__(self) -> str:
        return f"player {self.player} wins the special tile ({self.points} points)"


@dataclass(frozen=True)
class Advanced:
    """Buttons for an advance, one for each space."""

    player: Player
    buttons: int

    def __str__(self) -> str:
        return f"player {self.player} receives {self.buttons} for advancing"


@dataclass(frozen=True)
class MovedToken:
    player: Player
    start: int
    end: int

    def __str__(self) -> str:
        return f"player {self.player} moves from space {self.start} to {self.end}"


@dataclass(frozen=True)
class ReceivedIncome:
    """Income for one mark crossed."""

    player: Player
    space: int
    buttons: int

    def __str__(self) -> str:
        return f"player {self.player} receives {self.buttons} income at space {self.space}"


@dataclass(frozen=True)
class TookSpecialPatch:
    player: Player
    space: int

    def __str__(self) -> str:
        return f"player {self.player} takes the special patch of space {self.space}"


@dataclass(frozen=True)
class ReachedLastSpace:
    player: Player
    first: bool

    def __str__(self) -> str:
        return f"player {self.player} reaches the last space{' first' if self.first else ''}"


@dataclass(frozen=True)
class Next:
    """Who moves next; `again` if it is the one who just moved."""

    player: Player
    again: bool

    def __str__(self) -> str:
        return f"player {self.player} moves {'again' if self.again else 'next'}"


@dataclass(frozen=True)
class GameEnded:
    outcome: Outcome

    def __str__(self) -> str:
        one, two = (score.total for score in self.outcome.scores)
        tie = ", the first on the last space" if self.outcome.by_tie_break else ""
        return f"the game ends {one}:{two}, player {self.outcome.winner} wins{tie}"


Event: TypeAlias = (
    Paid
    | ReserveEntered
    | Dealt
    | Laid
    | Removed
    | WonSpecialTile
    | Advanced
    | MovedToken
    | ReceivedIncome
    | TookSpecialPatch
    | ReachedLastSpace
    | Next
    | GameEnded
)


@dataclass(frozen=True)
class Gains:
    """What the mover received beyond what the move itself costs or pays."""

    income: int = 0
    specials: int = 0
    tile: bool = False


def gains(events: Iterable[Event]) -> Gains:
    """The gains among the events of a move, or of a take and the lay that completes it."""
    income, specials, tile = 0, 0, False
    for event in events:
        match event:
            case ReceivedIncome():
                income += event.buttons
            case TookSpecialPatch():
                specials += 1
            case WonSpecialTile():
                tile = True
    return Gains(income, specials, tile)
