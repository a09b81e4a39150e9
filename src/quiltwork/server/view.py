"""Views: what each seat sees of a game. The order of the undealt reserve is in none of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quiltwork import Edition, Orientation, Phase, Position
from quiltwork.codes import ADVANCE, codes_of
from quiltwork.figures import Figures
from quiltwork.kernel_record import bit_of, numbers_of
from quiltwork.rules import entry, layout

Json = dict[str, Any]
_PHASES = [phase.name.lower() for phase in Phase]
_FORMS = [str(orientation) for orientation in Orientation]


class Told:
    """The view of one position, worked out once for all connections."""

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
    figures = Figures(position.edition, position.record)
    edition = position.edition
    foremost = max(figures.space)
    quilts, circle, reserve = figures.quilts(), figures.circle, figures.reserve
    return {
        "position": figures.text(quilts, circle, reserve),
        "turn": None if figures.mover is None else figures.mover + 1,
        "phase": _PHASES[figures.phase],
        "why": figures.why,
        "players": [_player(figures, player, quilts[player]) for player in (0, 1)],
        "tile": None if figures.tile == layout.NOBODY else figures.tile + 1,
        "circle": circle,
        "reserve": list(reserve),
        "held": None if figures.held == layout.NOTHING else edition.codes[figures.held],
        "pending": figures.pending,
        "special_patch_spaces": [space for space in edition.special_patch_spaces if space > foremost],
        "choices": _choices(figures, circle),
    }


def _player(figures: Figures, player: int, quilt: list[str]) -> Json:
    empty, buttons = figures.empty(player), figures.buttons[player]
    return {
        "space": figures.space[player],
        "buttons": buttons,
        "income": figures.income[player],
        "empty": empty,
        "quilt": quilt,
        "score": {
            "buttons": buttons,
            "empty_spaces": empty * figures.edition.points_per_empty_space,
            "tile": figures.tile_points(player),
            "total": figures.score(player),
        },
        "square": _nearest_square(figures, player),
        "ahead": _ahead(figures, player),
    }


def _ahead(figures: Figures, player: int) -> Json:
    """How many spaces it is to the next income, the next special patch, and until the other player moves."""
    space, other = figures.space[player], figures.space[1 - player]
    edition = figures.edition
    foremost = max(space, other)
    income = next((mark - space for mark in edition.income_spaces if mark > space), None)
    special = next((mark - space for mark in edition.special_patch_spaces if mark > foremost), None)
    moving = figures.mover == player and other < edition.last_space
    return {"income": income, "special": special, "other": other - space + 1 if moving else None}


def _choices(figures: Figures, circle: Sequence[str], listed: _Listed | None = None) -> list[Json]:
    """The patches to choose from, with what the player lacks; `legal` where it can be taken now."""
    if figures.mover is None:
        return []
    edition, buttons = figures.edition, figures.buttons[figures.mover]
    takable = (listed or _Listed(figures)).slots if figures.phase == layout.TURN else ()
    prices = [edition.patches[code].buttons for code in circle[: edition.choices]]
    return [
        {
            "code": circle[slot],
            "missing": max(0, price - buttons),
            "fits": slot in takable or price > buttons,
            "legal": slot in takable,
        }
        for slot, price in enumerate(prices)
    ]


class _Listed:
    """The legal moves as the kernel's codes, which come in order and are much quicker to sort out than moves."""

    def __init__(self, figures: Figures) -> None:
        edition = figures.edition
        self.book = codes_of(edition)
        self.codes: NDArray[np.integer[Any]] = entry.legal_codes(figures.record, edition.compiled)
        self._ends: list[int] = self.codes.searchsorted(_bounds(edition)).tolist()

    @property
    def bare(self) -> list[int]:
        """The choices that can be taken before the reserve is dealt."""
        return [code - self.book.take for code in self.codes[self._ends[-1] :].tolist()]

    @property
    def special(self) -> list[int]:
        """The ways to place a special patch, or to remove it."""
        codes: list[int] = self.codes[self._ends[-2] : self._ends[-1]].tolist()
        return codes

    def of_slot(self, slot: int) -> list[int]:
        """The ways to take one of the choices and lay it."""
        forms = len(_FORMS)
        codes: list[int] = self.codes[self._ends[slot * forms] : self._ends[(slot + 1) * forms]].tolist()
        return codes

    @property
    def slots(self) -> set[int]:
        """The choices that can be taken."""
        ends = self._ends[:: len(_FORMS)]
        laid = {slot for slot in range(len(ends) - 1) if ends[slot] < ends[slot + 1]}
        return {*laid, *self.bare}

    @cached_property
    def _corners(self) -> list[int]:
        corners: list[int] = ((self.codes - 1) % self.book.cells).tolist()
        return corners

    def places(self, slot: int) -> dict[str, list[int]]:
        """The cells of the top left corner by form, for one of the choices."""
        first = slot * len(_FORMS)
        ends = self._ends[first : first + len(_FORMS) + 1]
        return {
            form: self._corners[begin:end]
            for form, begin, end in zip(_FORMS, ends, ends[1:], strict=False)
            if begin < end
        }


@lru_cache(maxsize=64)
def _bounds(edition: Edition) -> NDArray[np.int64]:
    """Where the codes of each form of each choice, of the special patch and of taking without laying begin."""
    book = codes_of(edition)
    return np.array([*range(1, book.special + 1, book.cells), book.take])


def options(position: Position) -> Json:
    """Every legal move of the player to move, by patch and form, and what each would do.

    What a move does depends on the patch and not on its place, but for the special tile: the places that win it
    are listed apart.
    """
    figures = Figures(position.edition, position.record)
    listed = _Listed(figures)
    answer: Json = {"advance": None, "patches": {}, "special": None}
    if figures.phase == layout.LAY:
        code = figures.edition.codes[figures.held]
        held = {"code": code, "missing": 0, "fits": True, "legal": True}
        answer["patches"][code] = {**held, **_patch_option(figures, listed, 0, listed.of_slot(0))}
    elif figures.phase == layout.TURN:
        spaces = int(entry.advance_distance(figures.record, figures.edition.compiled))
        advance = str(listed.book.advances[spaces])
        answer["advance"] = {"move": advance, "spaces": spaces, "preview": _preview(figures, ADVANCE)}
        for slot, choice in enumerate(_choices(figures, figures.circle, listed)):
            answer["patches"][choice["code"]] = choice
            if laid := listed.of_slot(slot):
                choice.update(_patch_option(figures, listed, slot, laid))
            elif choice["legal"]:
                taking = _preview(figures, listed.book.take + slot)
                choice.update(take=True, places={}, tile={}, preview=taking, tile_preview=None)
    elif figures.phase == layout.SPECIAL:
        answer["special"] = _special_option(figures, listed)
    return answer


def _patch_option(figures: Figures, listed: _Listed, slot: int, codes: list[int]) -> Json:
    """Where a patch can be laid, and what that does."""
    winning = _tile_winners(figures, codes)
    cells = listed.book.cells
    tile: dict[str, list[int]] = {}
    for code in winning:
        form, corner = divmod((code - 1) % listed.book.slot, cells)
        tile.setdefault(_FORMS[form], []).append(corner)
    return {
        "take": False,
        "places": listed.places(slot),
        "tile": tile,
        "preview": _preview(figures, _ordinary(codes, winning)),
        "tile_preview": _preview(figures, winning[0]) if winning else None,
    }


def _special_option(figures: Figures, listed: _Listed) -> Json:
    """Where a special patch can be placed, and whether it may be removed."""
    book = listed.book
    placed = [code for code in listed.special if code != book.removal]
    winning = _tile_winners(figures, placed)
    removal = len(listed.special) > len(placed)
    return {
        "code": "s",
        "missing": 0,
        "fits": len(placed) > 0,
        "legal": True,
        "take": False,
        "places": {"": [code - book.special for code in placed]},
        "tile": {"": [code - book.special for code in winning]},
        "preview": _preview(figures, _ordinary(placed, winning)) if placed else None,
        "tile_preview": _preview(figures, winning[0]) if winning else None,
        "remove": _preview(figures, book.removal) if removal else None,
    }


def _ordinary(codes: list[int], winning: list[int]) -> int:
    """A placement that does not win the special tile, where there is one."""
    won = set(winning)
    return next((code for code in codes if code not in won), codes[0])


def _tile_winners(figures: Figures, codes: list[int]) -> list[int]:
    """Those of the placements that win the special tile."""
    edition, mover = figures.edition, figures.mover
    tile = edition.special_tile
    if tile is None or figures.tile != layout.NOBODY or mover is None:
        return []
    if len(edition.spaces) - figures.empty(mover) + _largest(edition) < tile.square**2:
        return []
    won = [entry.after(figures.record, edition.compiled, code)[0]["tile"][0] == mover for code in codes]
    return [code for code, wins in zip(codes, won, strict=True) if wins]


@lru_cache(maxsize=64)
def _largest(edition: Edition) -> int:
    """The cells of the largest patch."""
    return max(len(patch.cells) for patch in edition.patches.values())


def _preview(before: Figures, code: int) -> Json:
    """All that a legal move will do, told before it is made."""
    edition, mover = before.edition, before.mover
    assert mover is not None
    after = _after(before, code)
    brought = before.gains_to(after)
    reserve = after.phase == layout.DEAL
    if reserve:
        # The landing follows from the patch alone. Any order serves to find it; none of it is told.
        dealt = Figures(edition, entry.after_deal(after.record, numbers_of(edition, after.reserve)))
        lay = int(entry.legal_codes(dealt.record, edition.compiled)[0])
        after = _after(dealt, lay)
        brought = dealt.gains_to(after)
    tile = edition.special_tile
    hidden = before.reserve
    then = after.mover
    return {
        "buttons": after.buttons[mover],
        "space": after.space[mover],
        "score": after.score(mover),
        "income": brought.income,
        "specials": brought.specials,
        "tile": tile.points if tile and brought.tile else 0,
        "reserve": reserve,
        "ends": then is None,
        "next": None if then is None else then + 1,
        "next_why": after.why,
        "choices": [choice for choice in _choices(after, after.circle) if choice["code"] not in hidden],
    }


def _after(before: Figures, code: int) -> Figures:
    """The figures after a legal move."""
    record, _ = entry.after(before.record, before.edition.compiled, code)
    return Figures(before.edition, record)


_CLOSE = 12


def _nearest_square(figures: Figures, player: int) -> list[int] | None:
    """The top left cell of the square nearest to the special tile, when few cells are missing."""
    edition = figures.edition
    tile = edition.special_tile
    if tile is None or figures.tile != layout.NOBODY:
        return None
    if len(edition.spaces) - figures.empty(player) < tile.square**2 - _CLOSE:
        return None
    # Holes of the quilt board are not free, but not covered either.
    open_cells = figures.free[player] | _holes(edition)
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
