"""What a player is about to do: one of the choices, and where its patch would lie."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from quiltwork.editions import Patch
from quiltwork.errors import Illegality
from quiltwork.geometry import Cell
from quiltwork.move import Advance, LayPatch, Move, PlaceSpecialPatch, TakePatch
from quiltwork.position import Position
from quiltwork.position_setup import Phase
from quiltwork.terminal.placing import Lifted, first_place

SPECIAL = Patch("s", ("#",), 0, 0, 0)
"""a special patch in the hand"""


class Kind(Enum):
    """What an option is."""

    TAKE = "take"
    LAY = "lay"
    SPECIAL = "special"
    REMOVE = "remove"
    ADVANCE = "advance"


@dataclass(frozen=True)
class Option:
    """Something that a player may consider, whether it is legal now or not."""

    kind: Kind
    patch: Patch | None = None


def options_of(position: Position) -> tuple[Option, ...]:
    """What to choose from: the choices and the advance, or what is to be done with what is in the hand."""
    match position.phase:
        case Phase.TURN:
            takes = (Option(Kind.TAKE, patch) for patch in position.choices())
            return (*takes, Option(Kind.ADVANCE))
        case Phase.LAY:
            return (Option(Kind.LAY, position.held),)
        case Phase.SPECIAL:
            place = () if _only_removal(position) else (Option(Kind.SPECIAL, SPECIAL),)
            return (*place, Option(Kind.REMOVE)) if _may_remove(position) else place
        case _:
            return ()


def _may_remove(position: Position) -> bool:
    return position.why_illegal(PlaceSpecialPatch(None)) is None


def _only_removal(position: Position) -> bool:
    return len(position.legal_moves()) == 1 and _may_remove(position)


@dataclass(frozen=True)
class Hand:
    """The option that is looked at, and the patch of it as it is held over the quilt."""

    position: Position
    option: Option | None
    lifted: Lifted | None = None

    @classmethod
    def of(cls, position: Position) -> Hand:
        """With the first option that is legal."""
        options = options_of(position)
        hands = [cls.holding(position, option) for option in options]
        legal = [hand for hand in hands if hand.illegality is None]
        return next(iter(legal or hands), cls(position, None))

    @classmethod
    def holding(cls, position: Position, option: Option) -> Hand:
        """With an option in the hand, its patch at the first place where it fits."""
        patch = option.patch
        if patch is None or cls(position, option)._bare:
            return cls(position, option)
        moves = position.legal_moves()
        if option.kind is Kind.SPECIAL:
            cells = [move.cell for move in moves if isinstance(move, PlaceSpecialPatch) and move.cell is not None]
            return cls(position, option, Lifted(patch, first_place(patch, ())).at(position.edition, cells[0]))
        lifted = Lifted(patch, first_place(patch, moves))
        return cls(position, option, lifted.at(position.edition, lifted.placement.cell))

    @classmethod
    def making(cls, position: Position, move: Move) -> Hand:
        """As it is just before a legal move, such as one that was hinted at."""
        for option in options_of(position):
            hand = cls.holding(position, option)
            match move, option.kind:
                case (Advance(), Kind.ADVANCE) | (PlaceSpecialPatch(None), Kind.REMOVE):
                    return hand
                case PlaceSpecialPatch(Cell() as cell), Kind.SPECIAL:
                    return hand.at(cell)
                case ((TakePatch(patch, place) | LayPatch(patch, place)), (Kind.TAKE | Kind.LAY)):
                    if option.patch is None or option.patch.code != patch:
                        continue
                    if place is None or hand.lifted is None:
                        return hand
                    return replace(hand, lifted=replace(hand.lifted, placement=place))
                case _:
                    continue
        return cls.of(position)

    @property
    def _bare(self) -> bool:
        """Whether the patch is taken before it is laid, as the reserve comes in between."""
        assert self.option is not None
        if self.option.kind is not Kind.TAKE or self.option.patch is None:
            return False
        return self.position.why_illegal(TakePatch(self.option.patch.code)) is None

    @property
    def move(self) -> Move | None:
        """The move that is considered, legal or not."""
        if self.option is None:
            return None
        match self.option.kind, self.lifted:
            case Kind.ADVANCE, _:
                return next((m for m in self.position.legal_moves() if isinstance(m, Advance)), None)
            case Kind.REMOVE, _:
                return PlaceSpecialPatch(None)
            case Kind.SPECIAL, Lifted(_, placement):
                return PlaceSpecialPatch(placement.cell)
            case Kind.LAY, Lifted(patch, placement):
                return LayPatch(patch.code, placement)
            case Kind.TAKE, Lifted(patch, placement):
                return TakePatch(patch.code, placement)
        assert self.option.patch is not None
        return TakePatch(self.option.patch.code)

    @property
    def illegality(self) -> Illegality | None:
        """Why the move cannot be made; None if it can."""
        move = self.move
        return None if move is None else self.position.why_illegal(move)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells under the patch in the hand."""
        return self.lifted.cells if self.lifted else ()

    # Changing one's mind; each returns another hand

    def choose(self, index: int) -> Hand:
        """With another option, counted from 0 and round and round."""
        options = options_of(self.position)
        if not options:
            return self
        option = options[index % len(options)]
        return self if option == self.option else Hand.holding(self.position, option)

    def step(self, by: int) -> Hand:
        """With the option so many further on."""
        options = options_of(self.position)
        return self if self.option is None else self.choose(options.index(self.option) + by)

    def moved(self, down: int, across: int) -> Hand:
        if self.lifted is None:
            return self
        row, column = self.lifted.placement.cell
        return self.at(Cell(row + down, column + across))

    def at(self, cell: Cell) -> Hand:
        """With the top left corner of the patch on a cell."""
        if self.lifted is None:
            return self
        return replace(self, lifted=self.lifted.at(self.position.edition, cell))

    def around(self, cell: Cell) -> Hand:
        """With the middle of the patch on a cell."""
        if self.lifted is None:
            return self
        shape = self.lifted.patch.oriented(self.lifted.placement.orientation)
        return self.at(Cell(cell.row - max(r for r, _ in shape) // 2, cell.column - max(c for _, c in shape) // 2))

    def turned(self, quarters: int = 1) -> Hand:
        lifted = self.lifted
        if lifted is None:
            return self
        for _ in range(quarters % 4):
            lifted = lifted.turned(self.position.edition)
        return replace(self, lifted=lifted)

    def flipped(self) -> Hand:
        if self.lifted is None:
            return self
        return replace(self, lifted=self.lifted.flipped(self.position.edition))

    def next_place(self, by: int = 1) -> Hand:
        """At the next place where the patch fits as it is turned now, in reading order."""
        if self.lifted is None:
            return self
        here = self.lifted.placement
        edition = self.position.edition
        places = [hand for cell in edition.spaces if (hand := self.at(cell)).illegality is None]
        found = list(dict.fromkeys(hand.lifted.placement.cell for hand in places if hand.lifted))
        if not found:
            return self
        if here.cell in found:
            return self.at(found[(found.index(here.cell) + by) % len(found)])
        later = [cell for cell in found if cell > here.cell]
        return self.at((later or found)[0] if by > 0 else found[len(found) - len(later) - 1])
