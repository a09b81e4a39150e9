"""A position: always legal, never changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableSequence
from functools import cached_property, lru_cache
from numbers import Real
from typing import Any, Protocol, SupportsIndex

from quiltwork import narration
from quiltwork.codes import ADVANCE, codes_of
from quiltwork.deal import circle_of_deal
from quiltwork.editions import DEFAULT_EDITION, Edition, Patch, edition_of
from quiltwork.errors import Illegality, IllegalMove, QuiltworkError, Reason
from quiltwork.events import Event, Outcome, Score
from quiltwork.geometry import Cell
from quiltwork.kernel_record import numbers_of, record_of, reserve_of, setup_of
from quiltwork.move import (
    Advance,
    LayPatch,
    Move,
    Placement,
    PlaceSpecialPatch,
    Player,
    Replenish,
    TakePatch,
    at,
    corner_of,
)
from quiltwork.notation.moves import parse_move
from quiltwork.notation.positions import format_setup, parse_setup
from quiltwork.notation.scanner import Scanner
from quiltwork.player_state import PlayerState
from quiltwork.position_setup import Phase, Seat, Setup
from quiltwork.rules import entry, layout, legality, warm
from quiltwork.setup_check import checked

_REASONS = {
    legality.PHASE: Reason.PHASE,
    legality.CHOICE: Reason.CHOICE,
    legality.COST: Reason.COST,
    legality.BOARD: Reason.BOARD,
    legality.OVERLAP: Reason.OVERLAP,
}


def _illegal_code(code: int, reason: int) -> IllegalMove:
    return IllegalMove(f"code {code}", Illegality(_REASONS[reason], "this code is no legal move here"))


_kernel_ready = lru_cache(maxsize=1)(warm.ready)
"""compiles the kernel before its first use, with progress; a start that finds it compiled costs nothing"""


_LONGEST_NAME = 10
"""characters of a move's text that is worth remembering: `10c@d4fr1` and a blank"""


@lru_cache(maxsize=1 << 14)
def _named(text: str, edition: Edition, holding: bool) -> Move:
    """The move of a text; large files name the same few thousand placements again and again."""
    return parse_move(text, edition, holding=holding)


def check_size(size: float | None) -> None:
    """Raises QuiltworkError for a width of a picture that cannot be drawn."""
    # NumPy's numbers are welcome, a text is not.
    if size is not None and not (isinstance(size, Real) and 0 < size < float("inf")):
        raise QuiltworkError(f"size must be a number of pixels above 0, not {size!r}")


def _player(number: Player | int) -> Player:
    """A player that there is."""
    if isinstance(number, Player):
        return number
    # Not Player(number): "1" and True would pass, or be told in Python's words.
    if type(number) is not int or number not in (1, 2):
        raise QuiltworkError(f"player must be 1 or 2, not {number!r}")
    return Player(number)


class Shuffler(Protocol):
    """A source of chance: `random.Random`, `secrets.SystemRandom` or a NumPy generator."""

    def shuffle(self, x: MutableSequence[Any], /) -> object: ...


class Position:
    """A legal position of a game; an immutable value. `str` draws it, `text` is its notation."""

    __slots__ = ("__dict__", "_codes", "_phase", "_record", "edition")

    edition: Edition
    """whose rules hold"""

    def __init__(self, edition: Edition, record: layout.PositionArray) -> None:
        """For the library itself; use `parse`, `initial` or `from_setup`."""
        record.flags.writeable = False
        self.edition = edition
        self._record = record
        self._phase = int(record["phase"][0])
        self._codes: tuple[str, ...] | None = None

    # Making positions

    @classmethod
    def parse(cls, text: str) -> Position:
        """The position of a text; raises NotationError or SetupError."""
        if not isinstance(text, str):
            raise TypeError(f"expected the text of a position, found {type(text).__name__}")
        setup, _ = parse_setup(text)
        return cls.from_setup(setup)

    @classmethod
    def from_setup(cls, setup: Setup) -> Position:
        """The position of a set-up; raises SetupError with all its problems."""
        _kernel_ready()
        right = checked(setup)
        return cls(right.edition, record_of(right))

    @classmethod
    def initial(
        cls,
        edition: Edition | str = DEFAULT_EDITION,
        *,
        deal: SupportsIndex | None = None,
        circle: tuple[str, ...] | None = None,
    ) -> Position:
        """The start of a game with the circle of a deal number, or in a given order.

        With neither, the circle is in the sorted order of its codes.
        """
        chosen = edition_of(edition)
        if circle is None:
            circle = chosen.circle if deal is None else circle_of_deal(chosen, deal)
        seat = Seat(buttons=chosen.start_buttons)
        return cls.from_setup(Setup(chosen, Phase.TURN, Player.ONE, (seat, seat), None, circle, chosen.reserve))

    # What there is

    @property
    def phase(self) -> Phase:
        """What the game waits for."""
        return Phase(self._phase)

    @property
    def turn(self) -> Player | None:
        """Whose turn it is; None when the game is over."""
        return None if self._phase == layout.OVER else Player(int(self._record["turn"][0]) + 1)

    @cached_property
    def setup(self) -> Setup:
        """The same position as plain data."""
        return setup_of(self.edition, self._record)

    @cached_property
    def text(self) -> str:
        """The position in notation."""
        return format_setup(self.setup)

    @property
    def players(self) -> tuple[PlayerState, PlayerState]:
        """The two players' sides; player 1 is `players[0]`."""
        return self.player(Player.ONE), self.player(Player.TWO)

    def player(self, player: Player | int) -> PlayerState:
        """The side of player 1 or 2; raises QuiltworkError for another number."""
        return PlayerState(self.edition, self._record, _player(player), lambda: self.setup)

    @property
    def pending(self) -> int:
        """The special patches that the player whose turn it is has still to place."""
        return int(self._record["pending"][0])

    @property
    def _circle_codes(self) -> tuple[str, ...]:
        # By hand: the lock of cached_property costs more than the work.
        if self._codes is None:
            codes = self.edition.codes
            self._codes = tuple([codes[number] for number in entry.circle(self._record).tolist()])
        return self._codes

    @property
    def circle(self) -> tuple[Patch, ...]:
        """The patches in the circle, clockwise from the neutral token."""
        return tuple(self.edition.patches[code] for code in self._circle_codes)

    def choices(self) -> tuple[Patch, ...]:
        """The patches that may be chosen from, whether they can be paid and placed or not."""
        return self.circle[: self.edition.choices]

    @property
    def reserve(self) -> tuple[Patch, ...]:
        """The patches that wait to be dealt, sorted by code."""
        return tuple([self.edition.patches[code] for code in reserve_of(self.edition, self._record)])

    @property
    def held(self) -> Patch | None:
        """The patch that is paid and not yet laid."""
        held = int(self._record["held"][0])
        return None if held == layout.NOTHING else self.edition.patches[self.edition.codes[held]]

    @property
    def tile(self) -> Player | None:
        """Who has the special tile."""
        tile = int(self._record["tile"][0])
        return None if tile == layout.NOBODY else Player(tile + 1)

    @property
    def key(self) -> int:
        """A 64-bit key: equal for positions that play alike, as the search sees them."""
        return int(entry.position_key(self._record))

    @property
    def record(self) -> layout.PositionArray:
        """The kernel's record, an array of one; not to be changed."""
        return self._record

    # Moves

    def legal_moves(self) -> tuple[Move, ...]:
        """All moves of the player whose turn it is, without duplicates; empty when chance deals."""
        codes: list[int] = entry.legal_codes(self._record, self.edition.compiled).tolist()
        book = codes_of(self.edition)
        if self._phase == layout.TURN:
            moves: list[Move] = [book.advances[entry.advance_distance(self._record, self.edition.compiled)]]
            slot_size, circle = book.slot, self._circle_codes
            slot, base, end = -1, 1 - slot_size, 1
            table: Mapping[int, Move] = {}
            for code in codes[1:]:
                while code >= end and code < book.special:
                    slot, base, end = slot + 1, base + slot_size, end + slot_size
                    table = book.takes[circle[slot]]
                if code < book.special:
                    moves.append(table[code - base])
                else:
                    moves.append(book.bare_takes[circle[code - book.take]])
            return tuple(moves)
        if self._phase == layout.LAY and self.held is not None:
            lays = book.lays[self.held.code]
            return tuple([lays[code - 1] for code in codes])
        return tuple([book.specials[code - book.special] for code in codes])

    def move(self, text: str) -> Move:
        """The legal move that a text names.

        Raises NotationError if it names no move of this edition, IllegalMove if it is not legal here.
        """
        move = self.read(text)
        illegality = self.why_illegal(move)
        if illegality is not None:
            raise IllegalMove(text.strip(), illegality)
        return move

    def read(self, text: str) -> Move:
        """The move that a text names, legal or not; raises NotationError if it names no move of this edition."""
        if not isinstance(text, str):
            raise TypeError(f"expected the text of a move, found {type(text).__name__}")
        holding = self._phase == layout.LAY
        if len(text) <= _LONGEST_NAME and "+" not in text:
            return _named(text, self.edition, holding)
        over = self._phase == layout.OVER
        distance = 0 if over else entry.advance_distance(self._record, self.edition.compiled)
        return parse_move(text, self.edition, advance=distance, holding=holding)

    def _given(self, move: Move | str) -> Move:
        """The move itself, or the one that a text names."""
        if isinstance(move, str):
            return self.read(move)
        if not isinstance(move, Move):
            raise TypeError(f"expected a move, or its text, found {type(move).__name__}")
        return move

    def code(self, move: Move) -> int | None:
        """The kernel's code of a player's move; None for one that has none here, such as a patch out of reach.

        The codes are the actions of the environments.
        """
        book = codes_of(self.edition)
        match move:
            case Advance():
                return ADVANCE
            case TakePatch(patch, placement):
                slot = self._slot(patch)
                if slot is None:
                    return None
                if placement is None:
                    return book.take + slot if book.count > book.take else None
                return book.of_placement(slot, narration.canonical(self.edition, patch, placement))
            case LayPatch(patch, placement):
                return book.of_placement(0, narration.canonical(self.edition, patch, placement))
            case PlaceSpecialPatch(cell):
                return book.of_special(cell)
            case Replenish():
                return None

    def move_of_code(self, code: int) -> Move:
        """The legal move of a code; raises IllegalMove."""
        reason = entry.illegality(self._record, self.edition.compiled, code)
        if reason != legality.LEGAL:
            raise _illegal_code(code, reason)
        book = codes_of(self.edition)
        if code == ADVANCE:
            return book.advances[entry.advance_distance(self._record, self.edition.compiled)]
        if code < book.special:
            if self.held is not None:
                return book.lays[self.held.code][code - 1]
            slot, index = divmod(code - 1, book.slot)
            return book.takes[self._circle_codes[slot]][index]
        if code < book.take:
            return book.specials[code - book.special]
        return book.bare_takes[self._circle_codes[code - book.take]]

    def after_code(self, code: int) -> Position:
        """The position after the move of a code; raises IllegalMove."""
        record, reason = entry.after(self._record, self.edition.compiled, code)
        if reason != legality.LEGAL:
            raise _illegal_code(code, reason)
        return Position(self.edition, record)

    def _slot(self, patch: str) -> int | None:
        choices = self._circle_codes[: self.edition.choices]
        return choices.index(patch) if patch in choices else None

    def why_illegal(self, move: Move | str) -> Illegality | None:
        """Why a move is illegal here: the first reason in the order of `Reason`; None if it is legal."""
        move = self._given(move)
        if isinstance(move, Replenish):
            if self._phase != layout.DEAL:
                return narration.illegality(self.setup, move, Reason.PHASE)
            right = sorted(move.order) == list(reserve_of(self.edition, self._record))
            return None if right else narration.illegality(self.setup, move, Reason.CHOICE)
        if not self._phase_allows(move):
            return narration.illegality(self.setup, move, Reason.PHASE)
        cell = corner_of(move)
        beyond = cell is not None and not codes_of(self.edition).within(cell)
        code = self.code(at(move, Cell(0, 0)) if beyond else move)
        if code is None or not self._concerns(move):
            return narration.illegality(self.setup, move, Reason.CHOICE)
        reason = entry.illegality(self._record, self.edition.compiled, code)
        if beyond and reason not in (legality.CHOICE, legality.COST):
            reason = legality.BOARD
        return None if reason == legality.LEGAL else narration.illegality(self.setup, move, _REASONS[reason])

    def _phase_allows(self, move: Move) -> bool:
        match move:
            case Advance():
                return self._phase == layout.TURN
            case TakePatch(_, placement):
                if self._phase != layout.TURN:
                    return False
                return entry.reserve_enters(self._record, self.edition.compiled) == (placement is None)
            case LayPatch():
                return self._phase == layout.LAY
            case PlaceSpecialPatch():
                return self._phase == layout.SPECIAL
        return False

    def play(self, move: Move | str) -> Position:
        """The position after a move, or after the one that a text names; raises IllegalMove or NotationError."""
        move = self._given(move)
        if isinstance(move, Replenish):
            return self._after_deal(move)
        code = self.code(move) if self._concerns(move) else None
        if code is not None:
            record, reason = entry.after(self._record, self.edition.compiled, code)
            if reason == legality.LEGAL:
                return Position(self.edition, record)
        illegality = self.why_illegal(move)
        assert illegality is not None, f"{move} is legal but cannot be played"
        raise IllegalMove(str(move), illegality)

    def _concerns(self, move: Move) -> bool:
        """Whether what the code leaves out is right: that a patch is taken or laid, which one, and how far."""
        match move:
            case Advance(spaces):
                over = self._phase == layout.OVER
                return over or spaces == entry.advance_distance(self._record, self.edition.compiled)
            case TakePatch():
                return self._phase == layout.TURN
            case LayPatch(patch, _):
                return self.held is not None and self.held.code == patch
        return True

    def _after_deal(self, move: Replenish) -> Position:
        illegality = self.why_illegal(move)
        if illegality is not None:
            raise IllegalMove(str(move), illegality)
        return Position(self.edition, entry.after_deal(self._record, numbers_of(self.edition, move.order)))

    def deal(self, rng: Shuffler) -> Replenish:
        """The chance move, drawn from the given source; raises IllegalMove when no reserve is to be dealt."""
        order = list(reserve_of(self.edition, self._record))
        rng.shuffle(order)
        move = Replenish(tuple(order))
        illegality = self.why_illegal(move)
        if illegality is not None:
            raise IllegalMove("=", illegality)
        return move

    def explain(self, move: Move | str) -> tuple[Event, ...]:
        """What a move, or that of a text, does, as events in order; raises IllegalMove or NotationError."""
        move = self._given(move)
        after = self.play(move)
        return tuple(narration.events(self.edition, self._record, move, after._record, after.outcome()))

    # The end

    def score(self, player: Player | int) -> Score:
        """What player 1 or 2 would score now, with its parts; raises QuiltworkError for another number."""
        player = _player(player)
        index = player - 1
        empty = entry.empty_spaces(self._record, index)
        tile = self.edition.special_tile
        return Score(
            buttons=self.player(player).buttons,
            empty_spaces=empty,
            empty_points=empty * self.edition.points_per_empty_space,
            tile=tile.points if tile and self.tile is player else 0,
            total=entry.score(self._record, self.edition.compiled, index),
        )

    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if self._phase != layout.OVER:
            return None
        one, two = self.score(Player.ONE), self.score(Player.TWO)
        winner = Player(entry.winner(self._record, self.edition.compiled) + 1)
        return Outcome(winner, (one, two), one.total == two.total)

    # Value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.edition is other.edition and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Position.parse({self.text!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Position.parse, (self.text,)

    def __str__(self) -> str:
        from quiltwork.render.text import position_text
        from quiltwork.themes import theme_of

        return position_text(self.setup, theme_of(self.edition), winner=self._winner)

    @property
    def _winner(self) -> Player | None:
        outcome = self.outcome()
        return outcome.winner if outcome else None

    def _repr_svg_(self) -> str:
        return self.svg()

    def svg(
        self,
        *,
        size: float | None = None,
        last_move: Move | str | None = None,
        ghost: Move | str | None = None,
        marks: Iterable[Cell | str] = (),
        player: int | None = None,
        coordinates: bool = True,
        theme: str | None = None,
        dark: bool = False,
    ) -> str:
        """The position as a picture (SVG).

        `size` is its width in pixels. `last_move` is outlined where it lies; `ghost` is a move that is only
        considered, drawn translucent, be it legal or not; either may be given as text. `marks` are cells to ring
        (`"d4"` or `Cell`). Ghost and marks are on the quilt of `player`, or of who is to move. With `player`
        (1 or 2) only that quilt is drawn. Without `theme`, the edition's own is used.
        Raises QuiltworkError for a cell, move, player, theme or size that there is not.
        """
        from quiltwork.render.overlay import Overlay
        from quiltwork.render.svg import position_svg, seat_svg
        from quiltwork.themes import load_theme, theme_of

        check_size(size)
        if isinstance(marks, str):
            raise QuiltworkError(f"marks must be a list of cells, not the text {marks!r}")
        chosen = load_theme(theme) if theme else theme_of(self.edition)
        owner = (self.turn or Player.ONE) if player is None else _player(player)
        cells = tuple(self._cell(mark) for mark in marks)
        overlay = Overlay(self._canonical(last_move), self._canonical(ghost), cells, owner)
        if player is not None:
            return seat_svg(self.setup, owner, chosen, dark, size=size, overlay=overlay, coordinates=coordinates)
        return position_svg(
            self.setup,
            chosen,
            dark=dark,
            winner=self._winner,
            size=size,
            overlay=overlay,
            coordinates=coordinates,
        )

    def circle_svg(self, *, size: float | None = None, theme: str | None = None, dark: bool = False) -> str:
        """The choices and the rest of the circle around the time board (SVG); `size` is its width in pixels."""
        from quiltwork.render.svg import circle_svg
        from quiltwork.themes import load_theme, theme_of

        check_size(size)
        return circle_svg(self.setup, load_theme(theme) if theme else theme_of(self.edition), dark, size=size)

    def _cell(self, mark: Cell | str) -> Cell:
        if isinstance(mark, str):
            scanner = Scanner(mark.strip().lower(), "cell")
            mark = scanner.cell(self.edition)
            scanner.end()
        if not isinstance(mark, Cell):
            raise TypeError(f'marks: expected a cell such as "d4" or Cell(3, 3), found {mark!r}')
        if mark not in self.edition.spaces:
            raise QuiltworkError(f"marks: the board of {self.edition.name} has no cell {mark}")
        return mark

    def _canonical(self, move: Move | str | None) -> Move | None:
        """A move to draw, by the name that notation gives it."""
        if move is None:
            return None
        move = self._given(move)
        if isinstance(move, TakePatch | LayPatch) and move.patch not in self.edition.patches:
            raise QuiltworkError(f"{move}: {self.edition.name} has no patch {move.patch}")
        match move:
            case TakePatch(patch, Placement() as placement):
                return TakePatch(patch, narration.canonical(self.edition, patch, placement))
            case LayPatch(patch, placement):
                return LayPatch(patch, narration.canonical(self.edition, patch, placement))
            case _:
                return move
