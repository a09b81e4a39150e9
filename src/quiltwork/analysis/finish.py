"""One quilt alone: can it still be finished, with which patches, and how."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quiltwork.analysis import exact_cover
from quiltwork.geometry import Cell, Orientation
from quiltwork.move import LayPatch, Placement, PlaceSpecialPatch, Player
from quiltwork.position import Position

STEPS = 20_000_000


@dataclass(frozen=True)
class Finish:
    """Whether a quilt can be finished, as far as space and time go; the price is reported, not checked."""

    possible: bool | None
    """None: not found and not ruled out within the steps"""
    pieces: tuple[LayPatch | PlaceSpecialPatch, ...] = ()
    buttons: int = 0
    time: int = 0


def finish_of(position: Position, player: Player, steps: int = STEPS) -> Finish:
    """How a player could fill every empty space with patches that are still to be had.

    Only what can be taken before the last space counts, and no more special patches than still lie there.
    The order of the circle, the buttons and the opponent are left out of account.
    """
    edition = position.edition
    seat = position.player(player)
    foremost = max(state.space for state in position.players)
    mine = position.turn is player
    special = position.pending if mine else 0
    if seat.space < edition.last_space:
        special += sum(space > foremost for space in edition.special_patch_spaces)
    available = [patch.code for patch in (*position.circle, *position.reserve)]
    if position.held is not None and mine:
        available.append(position.held.code)
    free = np.asarray(position.record["free"][0, player - 1])
    laid = np.zeros((exact_cover.MAX_LAID, 2), np.int64)
    patches = np.uint64(sum(1 << edition.numbers[code] for code in available))
    status, count = exact_cover.cover_exactly(
        free.copy(), edition.compiled, patches, special, edition.last_space - seat.space, steps, laid
    )
    if status == exact_cover.FOUND:
        return _found(position, laid[:count])
    return Finish(False if status == exact_cover.IMPOSSIBLE else None)


def _found(position: Position, laid: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> Finish:
    edition, record = position.edition, position.edition.compiled[0]
    pieces: list[LayPatch | PlaceSpecialPatch] = []
    held = position.held.code if position.held else None
    buttons = time = 0
    for shape, cell in laid.tolist():
        if shape == exact_cover.SPECIAL:
            pieces.append(PlaceSpecialPatch(Cell(*divmod(cell, edition.columns))))
            continue
        number = int(np.searchsorted(record["first_shape"][: len(edition.codes) + 1], shape, side="right")) - 1
        patch = edition.patches[edition.codes[number]]
        corner = Cell(*divmod(cell - int(record["indent"][shape]), edition.columns))
        pieces.append(LayPatch(patch.code, Placement(corner, Orientation(int(record["orientation"][shape])))))
        buttons += 0 if patch.code == held else patch.buttons
        time += patch.time
    return Finish(True, tuple(pieces), buttons, time)


def finish_sentence(finish: Finish) -> str:
    """The answer in a sentence."""
    if finish.possible is None:
        return "Whether this quilt can still be finished was not found out."
    if not finish.possible:
        return "This quilt cannot be finished any more."
    if not finish.pieces:
        return "This quilt is finished."
    pieces = " ".join(map(str, finish.pieces))
    return f"This quilt can be finished with {pieces}, for {finish.buttons} buttons and {finish.time} time."
