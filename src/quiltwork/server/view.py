"""Views: what each seat is told about a game. The order of the undealt reserve is in none of them."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quiltwork import (
    Advance,
    Edition,
    Move,
    Orientation,
    Phase,
    Player,
    Position,
    narration,
)
from quiltwork.codes import ADVANCE, codes_of
from quiltwork.events import Event, gains
from quiltwork.kernel_record import bit_of
from quiltwork.move import Replenish
from quiltwork.rules import entry
from quiltwork.telling import why_turn

Json = dict[str, Any]
Codes = NDArray[np.integer[Any]]


class Told:
    """What is told of one position, worked out once for everyone at the table."""

    def __init__(self, position: Position) -> None:
        self.position = position

    @cached_property
    def snapshot(self) -> Json:
        return snapshot(self.position)

    @cached_property
    def options(self) -> Json:
        return options(self.position)

    def lighten(self) -> None:
        """Forgets the options, which are large."""
        self.__dict__.pop("options", None)


def snapshot(position: Position) -> Json:
    """A position as it lies on the table, for anyone to see."""
    foremost = max(position.player(player).space for player in Player)
    return {
        "position": position.text,
        "turn": None if position.turn is None else int(position.turn),
        "phase": position.phase.name.lower(),
        "why": why_turn(position),
        "players": [_player(position, player) for player in Player],
        "tile": None if position.tile is None else int(position.tile),
        "circle": [patch.code for patch in position.circle],
        "reserve": [patch.code for patch in position.reserve],
        "held": position.held.code if position.held else None,
        "pending": position.pending,
        "special_patch_spaces": [s for s in position.edition.special_patch_spaces if s > foremost],
        "choices": choices(position),
    }


def _player(position: Position, player: Player) -> Json:
    # The notation lists a quilt as the page wants it.
    laid = position.text.split(" ")[1 + player].split("/")[2]
    quilt = laid.split(",") if laid != "-" else []
    state, score = position.player(player), position.score(player)
    return {
        "space": state.space,
        "buttons": score.buttons,
        "income": state.income,
        "empty": score.empty_spaces,
        "quilt": quilt,
        "score": {
            "buttons": score.buttons,
            "empty_spaces": score.empty_points,
            "tile": score.tile,
            "total": score.total,
        },
        "square": nearest_square(position, player),
        "ahead": ahead(position, player),
    }


def ahead(position: Position, player: Player) -> Json:
    """How many spaces it is to the next income, the next special patch, and until the other player moves."""
    space, other = (position.player(each).space for each in (player, player.opponent))
    edition = position.edition
    foremost = max(space, other)
    income = next((mark - space for mark in edition.income_spaces if mark > space), None)
    special = next((mark - space for mark in edition.special_patch_spaces if mark > foremost), None)
    moving = position.turn is player and other < edition.last_space
    return {"income": income, "special": special, "other": other - space + 1 if moving else None}


def choices(position: Position, listed: _Listed | None = None) -> list[Json]:
    """The patches to choose from, with what the player lacks; `legal` where it can be taken now."""
    turn = position.turn
    if turn is None:
        return []
    buttons = position.player(turn).buttons
    takable = (listed or _Listed(position)).slots if position.phase is Phase.TURN else ()
    return [
        {
            "code": patch.code,
            "missing": max(0, patch.buttons - buttons),
            "fits": slot in takable or patch.buttons > buttons,
            "legal": slot in takable,
        }
        for slot, patch in enumerate(position.choices())
    ]


class _Listed:
    """The legal moves as the kernel's codes, which come in order and are much quicker to sort out than moves."""

    def __init__(self, position: Position) -> None:
        self.book = codes_of(position.edition)
        self.codes: Codes = entry.legal_codes(position.record, position.edition.compiled)
        self._ends: list[int] = self.codes.searchsorted(_bounds(position.edition)).tolist()
        self.bare = [code - self.book.take for code in self.codes[self._ends[-1] :].tolist()]
        self.special = self.codes[self._ends[-2] : self._ends[-1]]

    def of_slot(self, slot: int) -> Codes:
        """The ways to take one of the choices and lay it."""
        return self.codes[self._ends[slot] : self._ends[slot + 1]]

    @property
    def slots(self) -> set[int]:
        """The choices that can be taken."""
        laid = {slot for slot in range(len(self._ends) - 2) if self._ends[slot] < self._ends[slot + 1]}
        return {*laid, *self.bare}

    def places(self, codes: Codes) -> dict[str, list[int]]:
        """The cells of the top left corner by form."""
        within = (codes - 1) % self.book.slot
        forms, corners = within // self.book.cells, within % self.book.cells
        return {str(Orientation(form)): corners[forms == form].tolist() for form in np.unique(forms).tolist()}


@lru_cache(maxsize=64)
def _bounds(edition: Edition) -> NDArray[np.int64]:
    """Where the codes of each choice, of the special patch and of taking without laying begin."""
    book = codes_of(edition)
    return np.array([*range(1, book.special + 1, book.slot), book.take])


def options(position: Position) -> Json:
    """Every legal move of the player to move, by patch and form, and what each would do.

    What a move does depends on the patch and not on its place, but for the special tile: the places that win it
    are listed apart.
    """
    listed = _Listed(position)
    answer: Json = {"advance": None, "patches": {}, "special": None}
    if position.phase is Phase.LAY and position.held is not None:
        held = {"code": position.held.code, "missing": 0, "fits": True, "legal": True}
        answer["patches"][position.held.code] = {**held, **_patch_option(position, listed, listed.of_slot(0))}
    elif position.phase is Phase.TURN:
        advance = position.move_of_code(ADVANCE)
        assert isinstance(advance, Advance)
        answer["advance"] = {"move": str(advance), "spaces": advance.spaces, "preview": preview(position, advance)}
        for slot, choice in enumerate(choices(position, listed)):
            answer["patches"][choice["code"]] = choice
            laid = listed.of_slot(slot)
            if len(laid):
                choice.update(_patch_option(position, listed, laid))
            elif slot in listed.bare:
                taking = position.move_of_code(listed.book.take + slot)
                choice.update(take=True, places={}, tile={}, preview=preview(position, taking), tile_preview=None)
    elif position.phase is Phase.SPECIAL:
        answer["special"] = _special_option(position, listed)
    return answer


def _patch_option(position: Position, listed: _Listed, codes: Codes) -> Json:
    """Where a patch can be laid, and what that does."""
    winning = _tile_winners(position, codes)
    plain = codes[~np.isin(codes, winning)]
    ordinary = position.move_of_code(int(plain[0] if len(plain) else codes[0]))
    return {
        "take": False,
        "places": listed.places(codes),
        "tile": listed.places(winning),
        "preview": preview(position, ordinary),
        "tile_preview": preview(position, position.move_of_code(int(winning[0]))) if len(winning) else None,
    }


def _special_option(position: Position, listed: _Listed) -> Json:
    """Where a special patch can be placed, and whether it may be removed."""
    book = listed.book
    placed = listed.special[listed.special < book.removal]
    winning = _tile_winners(position, placed)
    plain = placed[~np.isin(placed, winning)]
    ordinary = plain if len(plain) else placed
    removal = len(listed.special) > len(placed)
    return {
        "code": "s",
        "missing": 0,
        "fits": len(placed) > 0,
        "legal": True,
        "take": False,
        "places": {"": (placed - book.special).tolist()},
        "tile": {"": (winning - book.special).tolist()},
        "preview": preview(position, position.move_of_code(int(ordinary[0]))) if len(placed) else None,
        "tile_preview": preview(position, position.move_of_code(int(winning[0]))) if len(winning) else None,
        "remove": preview(position, position.move_of_code(book.removal)) if removal else None,
    }


def _tile_winners(position: Position, codes: Codes) -> Codes:
    """Those of the placements that win the special tile."""
    tile = position.edition.special_tile
    none = codes[:0]
    if tile is None or position.tile is not None or position.turn is None or len(codes) == 0:
        return none
    covered = len(position.edition.spaces) - position.score(position.turn).empty_spaces
    largest = max(len(patch.cells) for patch in position.edition.patches.values())
    if covered + largest < tile.square**2:
        return none
    won = [position.play(position.move_of_code(int(code))).tile is position.turn for code in codes]
    winners: Codes = codes[np.array(won)]
    return winners


def preview(position: Position, move: Move) -> Json:
    """All that a move will do, told before it is made."""
    mover = position.turn
    assert mover is not None
    after, story = _played(position, move)
    reserve = after.phase is Phase.DEAL
    if reserve:
        # The landing follows from the patch alone. Any order serves to find it; none of it is told.
        after = after.play(Replenish(tuple(patch.code for patch in after.reserve)))
        lay = after.legal_moves()[0]
        after, more = _played(after, lay)
        story += more
    brought = gains(story)
    tile = position.edition.special_tile
    hidden = {patch.code for patch in position.reserve}
    then = after.turn
    return {
        "buttons": after.player(mover).buttons,
        "space": after.player(mover).space,
        "score": after.score(mover).total,
        "income": brought.income,
        "specials": brought.specials,
        "tile": tile.points if tile and brought.tile else 0,
        "reserve": reserve,
        "ends": then is None,
        "next": None if then is None else int(then),
        "next_why": why_turn(after),
        "choices": [choice for choice in choices(after) if choice["code"] not in hidden],
    }


def _played(position: Position, move: Move) -> tuple[Position, list[Event]]:
    """The position after a move, and what the move does."""
    after = position.play(move)
    return after, list(narration.events(position.edition, position.record, move, after.record, after.outcome()))


_CLOSE = 12


def nearest_square(position: Position, player: Player) -> list[int] | None:
    """The top left cell of the square nearest to the special tile, when few cells are missing."""
    tile = position.edition.special_tile
    if tile is None or position.tile is not None:
        return None
    edition = position.edition
    if len(edition.spaces) - position.score(player).empty_spaces < tile.square**2 - _CLOSE:
        return None
    low, high = position.record["free"][0, player - 1].tolist()
    # Holes of the quilt board are not free, but not covered either.
    open_cells = (low | high << 64) | _holes(edition)
    best: tuple[int, list[int]] | None = None
    for corner, square in _squares(edition, tile.square):
        missing = (open_cells & square).bit_count()
        if missing <= _CLOSE and (best is None or missing < best[0]):
            best = (missing, corner)
    return best[1] if best else None


@lru_cache(maxsize=64)
def _holes(edition: Edition) -> int:
    """The cells that are no spaces of the quilt board, as bits."""
    spaces = sum(1 << bit_of(edition, cell) for cell in edition.spaces)
    return ~spaces & ((1 << edition.rows * edition.columns) - 1)


@lru_cache(maxsize=64)
def _squares(edition: Edition, size: int) -> list[tuple[list[int], int]]:
    """Every square of that size on the quilt board: its top left cell, and its cells as bits."""
    line = (1 << size) - 1
    block = sum(line << row * edition.columns for row in range(size))
    return [
        ([row, column], block << row * edition.columns + column)
        for row in range(edition.rows - size + 1)
        for column in range(edition.columns - size + 1)
    ]
