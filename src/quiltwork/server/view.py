"""Views: what each seat is told about a game. The order of the undealt reserve is in none of them."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quiltwork import (
    Advance,
    Edition,
    LayPatch,
    Move,
    Orientation,
    Patch,
    Phase,
    PlaceSpecialPatch,
    Player,
    Position,
)
from quiltwork.codes import ADVANCE, codes_of
from quiltwork.move import Replenish
from quiltwork.rules import entry
from quiltwork.server.gains import figure, gains

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


def snapshot(position: Position) -> Json:
    """A position as it lies on the table, for anyone to see."""
    foremost = max(figure(position, "space", player) for player in Player)
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
        "pending": position.setup.pending,
        "special_patch_spaces": [s for s in position.edition.special_patch_spaces if s > foremost],
        "choices": choices(position),
    }


def _player(position: Position, player: Player) -> Json:
    quilt = position.setup.players[player - 1].quilt
    laid = [str(LayPatch(code, where)) for code, where in quilt.patches]
    score = position.score(player)
    return {
        "space": figure(position, "space", player),
        "buttons": score.buttons,
        "income": figure(position, "income", player),
        "empty": score.empty_spaces,
        "quilt": sorted([*laid, *(str(PlaceSpecialPatch(cell)) for cell in quilt.special)]),
        "score": {
            "buttons": score.buttons,
            "empty_spaces": score.empty_points,
            "tile": score.tile,
            "total": score.total,
        },
        "square": nearest_square(position, player),
    }


def why_turn(position: Position) -> str:
    """Why it is this player's turn, as the key of a message."""
    turn = position.turn
    if turn is None:
        return "over"
    if position.phase is Phase.SPECIAL:
        return "special"
    if position.phase in (Phase.LAY, Phase.DEAL):
        return "lay"
    mine = figure(position, "space", turn)
    other = figure(position, "space", turn.opponent)
    if other == position.edition.last_space:
        return "alone"
    if mine == other:
        return "start" if mine == 0 else "top"
    return "behind"


def choices(position: Position, listed: _Listed | None = None) -> list[Json]:
    """The patches to choose from, with what the player lacks; `legal` where it can be taken now."""
    turn = position.turn
    if turn is None:
        return []
    buttons = figure(position, "buttons", turn)
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
    after = position.play(move)
    reserve = after.phase is Phase.DEAL
    if reserve:
        # The landing follows from the patch alone. Any order serves to find it; none of it is told.
        after = after.play(Replenish(tuple(patch.code for patch in after.reserve)))
        after = after.play(after.legal_moves()[0])
    brought = gains(position, move, after)
    tile = position.edition.special_tile
    hidden = {patch.code for patch in position.reserve}
    then = after.turn
    return {
        "buttons": figure(after, "buttons", mover),
        "space": figure(after, "space", mover),
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


_CLOSE = 12


def nearest_square(position: Position, player: Player) -> list[int] | None:
    """The top left cell of the square nearest to the special tile, when few cells are missing."""
    tile = position.edition.special_tile
    if tile is None or position.tile is not None:
        return None
    edition = position.edition
    if len(edition.spaces) - position.score(player).empty_spaces < tile.square**2 - _CLOSE:
        return None
    covered = covered_cells(position, player)
    best: tuple[int, list[int]] | None = None
    for row in range(edition.rows - tile.square + 1):
        for column in range(edition.columns - tile.square + 1):
            missing = sum(
                (r, c) not in covered
                for r in range(row, row + tile.square)
                for c in range(column, column + tile.square)
            )
            if missing <= _CLOSE and (best is None or missing < best[0]):
                best = (missing, [row, column])
    return best[1] if best else None


@lru_cache(maxsize=2048)
def _form(patch: Patch, orientation: Orientation) -> tuple[tuple[int, int], ...]:
    return tuple((cell.row, cell.column) for cell in patch.oriented(orientation))


def covered_cells(position: Position, player: Player) -> set[tuple[int, int]]:
    """The cells of a player's quilt board on which something lies."""
    quilt = position.setup.players[player - 1].quilt
    found = {(cell.row, cell.column) for cell in quilt.special}
    for code, where in quilt.patches:
        row, column = where.cell
        found.update((row + r, column + c) for r, c in _form(position.edition.patches[code], where.orientation))
    return found
