"""The figures of a position as plain numbers; reading a record as a whole costs less than field by field."""

from __future__ import annotations

from functools import lru_cache
from struct import Struct

from quiltwork import narration
from quiltwork.editions import Edition
from quiltwork.events import Gains
from quiltwork.geometry import Cell, Orientation
from quiltwork.kernel_record import cells_of_bits, reserve_of
from quiltwork.notation.positions import format_fields, format_turn
from quiltwork.position_setup import Phase
from quiltwork.rules import entry, layout
from quiltwork.rules.quilt import placement_of
from quiltwork.telling import why_turn_of


def _reading() -> tuple[Struct, dict[str, slice]]:
    """A struct that reads a whole record, and where each field's numbers then are."""
    fields = layout.POSITION.fields
    assert fields is not None
    form, end, number, places = "=", 0, 0, {}
    for name, (kind, offset, *_) in sorted(fields.items(), key=lambda field: int(field[1][1])):
        one = kind.base
        count = kind.itemsize // one.itemsize
        form += f"{int(offset) - end}x{count}{one.char if one.itemsize < 8 else 'Q'}"
        end = int(offset) + kind.itemsize
        places[name] = slice(number, number + count)
        number += count
    return Struct(f"{form}{layout.POSITION.itemsize - end}x"), places


_STRUCT, _AT = _reading()
_WORDS = (_AT["free"], _AT["special"])
_PAIRS = (_AT["space"], _AT["buttons"], _AT["income"])
_NUMBERS = [_AT[name].start for name in ("phase", "turn", "tile", "first", "held", "pending")]
_PLACED = _AT["placed"]


class Figures:
    """What a record says; players are 0 and 1 here, as in the kernel."""

    __slots__ = (
        "_placed",
        "_special",
        "buttons",
        "edition",
        "first",
        "free",
        "held",
        "income",
        "mover",
        "pending",
        "phase",
        "record",
        "space",
        "tile",
    )

    def __init__(self, edition: Edition, record: layout.PositionArray) -> None:
        self.edition = edition
        self.record = record
        values: tuple[int, ...] = _STRUCT.unpack_from(record.data)
        self.free, self._special = (_bits_of_players(values[words]) for words in _WORDS)
        """the empty spaces of each player, and those under special patches, as bits"""
        self.space, self.buttons, self.income = (values[pair] for pair in _PAIRS)
        self.phase, turn, self.tile, self.first, self.held, self.pending = (values[at] for at in _NUMBERS)
        self.mover: int | None = None if self.phase == layout.OVER else turn
        self._placed = values[_PLACED]

    @property
    def circle(self) -> list[str]:
        """The codes of the patches in the circle, clockwise from the neutral token."""
        codes = self.edition.codes
        return [codes[number] for number in entry.circle(self.record).tolist()]

    @property
    def reserve(self) -> tuple[str, ...]:
        return reserve_of(self.edition, self.record)

    def empty(self, player: int) -> int:
        return self.free[player].bit_count()

    def score(self, player: int) -> int:
        return int(entry.score(self.record, self.edition.compiled, player))

    def tile_points(self, player: int) -> int:
        tile = self.edition.special_tile
        return tile.points if tile and self.tile == player else 0

    @property
    def why(self) -> str:
        """Why it is this player's turn, as the key of a message."""
        mover = self.mover
        mine, other = (0, 0) if mover is None else (self.space[mover], self.space[1 - mover])
        return why_turn_of(Phase(self.phase), mine, other, self.edition.last_space)

    def quilts(self) -> tuple[list[str], list[str]]:
        """The placements of both players, each sorted as text."""
        found: tuple[list[str], list[str]] = ([], [])
        for code, where in zip(self.edition.codes, self._placed, strict=False):
            if where != layout.NOT_PLACED:
                player, text = _laid(code, where, self.edition.columns)
                found[player].append(text)
        for laid, bits in zip(found, self._special, strict=True):
            if bits:
                laid += [f"s@{cell}" for cell in cells_of_bits(self.edition, bits)]
            laid.sort()
        return found

    def text(self, quilts: tuple[list[str], list[str]], circle: list[str], reserve: tuple[str, ...]) -> str:
        """The position in notation, of parts that are worked out already."""
        held = "" if self.held == layout.NOTHING else self.edition.codes[self.held]
        turn = format_turn(Phase(self.phase), 0 if self.mover is None else self.mover + 1, held, self.pending)
        seats = [
            (self.space[player], self.first == player, self.buttons[player], quilts[player]) for player in (0, 1)
        ]
        return format_fields(self.edition.name, turn, seats, self.tile + 1, circle, reserve)

    def gains_to(self, after: Figures) -> Gains:
        """What the mover received from this position to the one after a move."""
        mover = self.mover
        if mover is None:
            return Gains()
        start, end = self.space[mover], after.space[mover]
        incomes, specials = narration.crossed(self.edition, start, end, after.space[1 - mover], after.phase)
        tile = self.edition.special_tile is not None and after.tile != self.tile
        return Gains(after.income[mover] * len(incomes), len(specials), tile)


@lru_cache(maxsize=32_768)
def _laid(code: str, where: int, columns: int) -> tuple[int, str]:
    """Who laid a patch, and its placement as text."""
    found = placement_of(where)
    assert found is not None
    player, orientation, corner = found
    return player, f"{code}@{Cell(*divmod(corner, columns))}{Orientation(orientation)}"


def _bits_of_players(words: tuple[int, ...]) -> tuple[int, int]:
    """Two words for each player as one number for each."""
    one, more, two, rest = words
    return one | more << 64, two | rest << 64
