"""A set-up as the kernel's record, and back."""

from __future__ import annotations

import numpy as np

from quiltwork.editions import Edition
from quiltwork.geometry import Cell, Orientation
from quiltwork.move import Placement, Player
from quiltwork.position_setup import Phase, Quilt, Seat, Setup
from quiltwork.rules import entry, layout
from quiltwork.rules.quilt import placement_of, whereabouts
from quiltwork.rules.record import Words
from quiltwork.rules.start import set_up

_WORD = 0xFFFF_FFFF_FFFF_FFFF


def numbers_of(edition: Edition, codes: tuple[str, ...]) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    """The kernel's numbers of patches."""
    return np.array([edition.numbers[code] for code in codes], np.int8)


def record_of(setup: Setup) -> layout.PositionArray:
    """The record of a set-up that has been checked."""
    edition = setup.edition
    array = np.zeros(1, layout.POSITION)
    record = array[0]
    set_up(record, edition.compiled[0], numbers_of(edition, setup.circle), numbers_of(edition, setup.reserve))
    for index, seat in enumerate(setup.players):
        record["space"][index] = seat.space
        record["buttons"][index] = seat.buttons
        covered = 0
        special = sum(1 << bit_of(edition, cell) for cell in seat.quilt.special)
        for code, placement in seat.quilt.patches:
            patch = edition.patches[code]
            covered |= sum(1 << bit_of(edition, cell) for cell in placement.covers(patch))
            record["income"][index] += patch.income
            orientation = patch.canonical(placement.orientation)
            where = whereabouts(index, int(orientation), bit_of(edition, placement.cell))
            record["placed"][edition.numbers[code]] = where
        _set_words(record["special"][index], special)
        _clear_words(record["free"][index], covered | special)
        if seat.first:
            record["first"] = index
    record["phase"] = setup.phase
    # When the game is over nobody is on turn; the kernel then keeps who arrived last.
    record["turn"] = int(setup.turn) - 1 if setup.turn else 1 - record["first"]
    record["tile"] = int(setup.tile) - 1 if setup.tile else layout.NOBODY
    record["held"] = edition.numbers[setup.held] if setup.held else layout.NOTHING
    record["pending"] = setup.pending
    array.flags.writeable = False
    return array


def setup_of(edition: Edition, array: layout.PositionArray) -> Setup:
    """The set-up of a record."""
    record = array[0]
    codes = edition.codes
    phase = Phase(record["phase"])
    quilts = quilts_of(edition, array)
    first = int(record["first"])
    seats = tuple(
        Seat(
            space=int(record["space"][index]),
            buttons=int(record["buttons"][index]),
            quilt=quilts[index],
            first=first == index,
        )
        for index in range(2)
    )
    tile, held = int(record["tile"]), int(record["held"])
    return Setup(
        edition=edition,
        phase=phase,
        turn=None if phase is Phase.OVER else Player(int(record["turn"]) + 1),
        players=(seats[0], seats[1]),
        tile=None if tile == layout.NOBODY else Player(tile + 1),
        circle=tuple(codes[number] for number in entry.circle(array).tolist()),
        reserve=reserve_of(edition, array),
        held=None if held == layout.NOTHING else codes[held],
        pending=int(record["pending"]),
    )


def reserve_of(edition: Edition, array: layout.PositionArray) -> tuple[str, ...]:
    """The codes of the patches that wait in the reserve of a record, sorted."""
    reserve = int(array["reserve"][0])
    return tuple(sorted([code for number, code in enumerate(edition.codes) if reserve >> number & 1]))


def quilts_of(edition: Edition, array: layout.PositionArray) -> tuple[Quilt, Quilt]:
    """What lies on the two quilts of a record."""
    placed: tuple[list[tuple[str, Placement]], list[tuple[str, Placement]]] = ([], [])
    for code, where in zip(edition.codes, array["placed"][0].tolist(), strict=False):
        found = placement_of(where)
        if found is not None:
            player, orientation, corner = found
            cell = Cell(*divmod(corner, edition.columns))
            placed[player].append((code, Placement(cell, Orientation(orientation))))
    one, two = (
        Quilt(tuple(sorted(laid)), cells_of_words(edition, words))
        for laid, words in zip(placed, array["special"][0], strict=True)
    )
    return one, two


def bit_of(edition: Edition, cell: Cell) -> int:
    """The bit of a cell in the kernel's words."""
    return cell.row * edition.columns + cell.column


def cells_of_words(edition: Edition, words: Words) -> tuple[Cell, ...]:
    """The cells of two words of the kernel, in reading order."""
    return cells_of_bits(edition, int(words[0]) | int(words[1]) << 64)


def cells_of_bits(edition: Edition, bits: int) -> tuple[Cell, ...]:
    """The cells of both words as one number, in reading order."""
    return tuple(Cell(*divmod(i, edition.columns)) for i in range(bits.bit_length()) if bits >> i & 1)


def _set_words(words: Words, bits: int) -> None:
    words[0], words[1] = bits & _WORD, bits >> 64


def _clear_words(words: Words, bits: int) -> None:
    _set_words(words, (int(words[0]) | int(words[1]) << 64) & ~bits)
