"""Positions as text: `edition turn player1 player2 tile circle`, as the notation's page has it."""

from __future__ import annotations

import re

from oracle.edition import Edition, read_edition, split_codes, turned
from oracle.rules import Seat, State


def parse(line: str) -> State:
    """Read a position text that is known to be right; keys after the six fields are left aside."""
    name, turn, player1, player2, tile, patches = line.split()[:6]
    edition = read_edition(name)
    circle, _, reserve = patches.partition("+")
    return State(
        edition=edition,
        mover=None if turn == "-" else int(turn[0]) - 1,
        seats=(parse_seat(edition, player1), parse_seat(edition, player2)),
        tile=None if tile == "-" else int(tile) - 1,
        circle=split_codes(circle.removeprefix("-")),
        reserve=frozenset(split_codes(reserve)),
        special_patches_to_place=turn.count("s"),
        held=turn[2:] if "=" in turn or "@" in turn else None,
        reserve_is_to_be_dealt="=" in turn,
    )


def parse_seat(edition: Edition, field: str) -> Seat:
    space, buttons, quilt = field.split("/")
    placements = [] if quilt == "-" else quilt.split(",")
    return Seat(
        space=int(space.rstrip("!")),
        buttons=int(buttons),
        quilt=tuple(parse_placement(edition, placement) for placement in placements),
        reached_last_space_first=space.endswith("!"),
    )


def parse_placement(edition: Edition, placement: str) -> tuple[str, frozenset[tuple[int, int]]]:
    match = re.fullmatch("([0-9]*[a-z])@([a-i])([1-9])(f?(?:r[123])?)", placement)
    assert match, placement
    code, column, row, orientation = match.groups()
    shape = turned(edition.patches[code].cells, orientation)
    return code, frozenset((int(row) - 1 + r, "abcdefghi".index(column) + c) for r, c in shape)


def text(state: State) -> str:
    """The one canonical text of a position."""
    tile = "-" if state.tile is None else str(state.tile + 1)
    player1, player2 = (seat_text(state.edition, seat) for seat in state.seats)
    circle = "".join(state.circle) or "-"
    reserve = "+" + "".join(sorted(state.reserve)) if state.reserve else ""
    return f"{state.edition.name} {turn_text(state)} {player1} {player2} {tile} {circle}{reserve}"


def turn_text(state: State) -> str:
    if state.mover is None:
        return "-"
    held = "" if state.held is None else ("=" if state.reserve_is_to_be_dealt else "@") + state.held
    return f"{state.mover + 1}{'s' * state.special_patches_to_place}{held}"


def seat_text(edition: Edition, seat: Seat) -> str:
    mark = "!" if seat.reached_last_space_first else ""
    quilt = ",".join(sorted(f"{code}@{edition.names(code)[cells]}" for code, cells in seat.quilt))
    return f"{seat.space}{mark}/{seat.buttons}/{quilt or '-'}"
