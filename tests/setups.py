"""Hypothesis strategies for set-ups that play seldom reaches."""

from __future__ import annotations

from pathlib import Path
from random import Random
from urllib.parse import quote

from hypothesis import assume
from hypothesis import strategies as st

from oracle import Edition, Seat, State, empty_cells, legal_moves, read_edition
from oracle.edition import Cells
from oracle.rules import placements_that_fit, square

TOYS = Path(__file__).parent / "editions"
EDITIONS = (
    "patchwork",
    "patchwork-2014",
    "halloween",
    "express",
    "stack-and-stuff",
    quote(str(TOYS / "toy.toml")),
    quote(str(TOYS / "toy-reserve.toml")),
)

WITH_RESERVE = tuple(name for name in EDITIONS if read_edition(name).reserve)

chance = st.randoms(use_true_random=False)
Quilt = tuple[tuple[str, Cells], ...]


def quilt(edition: Edition, codes: list[str], rng: Random, *, empty: int) -> Quilt:
    """Patches in random places as long as they fit, then special patches until only `empty` cells are left."""
    laid: list[tuple[str, Cells]] = []
    free = edition.board
    for code in codes:
        fitting = [cells for cells in edition.placements(code).values() if cells <= free]
        if fitting and len(free) - len(fitting[0]) >= empty:
            laid.append((code, rng.choice(fitting)))
            free -= laid[-1][1]
    filled_up = empty < len(edition.board) // 2
    special = [("s", frozenset({cell})) for cell in sorted(free)[empty:]] if filled_up else []
    return (*laid, *special)


def tile_for(edition: Edition, seats: tuple[Seat, Seat], rng: Random) -> int | None:
    """A holder of the special tile that agrees with the quilts."""
    size = edition.tile_square
    if size is None:
        return None
    covered = [edition.board - empty_cells(edition, seat) for seat in seats]
    holders = [i for i in (0, 1) if any(square(corner, size) <= covered[i] for corner in covered[i])]
    return rng.choice(holders) if holders else None


@st.composite
def tables(
    draw: st.DrawFn, *, names: tuple[str, ...] = EDITIONS, nearly_full: bool = False, most_patches: int = 99
) -> State:
    """A turn of player 1 or 2 with any quilts, buttons and circle, tokens anywhere in the right order."""
    edition, rng = read_edition(draw(st.sampled_from(names))), draw(chance)
    codes = [*edition.circle, *edition.reserve]
    rng.shuffle(codes)
    half = draw(st.integers(0, len(codes)))
    most_empty = 3 if nearly_full else len(edition.board)
    quilts = [
        quilt(edition, part, rng, empty=draw(st.integers(0, most_empty))) for part in (codes[:half], codes[half:])
    ]
    behind = draw(st.integers(0, edition.last_space - 1))
    ahead = draw(st.integers(behind, edition.last_space))
    mover = draw(st.integers(0, 1))
    spaces = (behind, ahead) if mover == 0 else (ahead, behind)
    seats = [
        Seat(space, draw(st.integers(0, 12)), laid, space == edition.last_space)
        for space, laid in zip(spaces, quilts, strict=True)
    ]
    used = {code for laid in quilts for code, _ in laid}
    left = [code for code in edition.circle if code not in used][:most_patches]
    waiting = draw(st.booleans())
    reserve = frozenset(code for code in edition.reserve if code not in used) if waiting else frozenset()
    pair = (seats[0], seats[1])
    return State(edition, mover, pair, tile_for(edition, pair, rng), tuple(left), reserve)


@st.composite
def pending_special_patches(draw: st.DrawFn, *, empty: int | None = None) -> State:
    """A player who has just passed special patches and has still to place some, on a nearly full quilt."""
    state = draw(tables(nearly_full=True))
    edition, rng = state.edition, draw(chance)
    mark = draw(st.sampled_from(edition.special_patch_spaces))
    behind = draw(st.integers(0, mark - 1))
    ahead = draw(st.integers(mark, edition.last_space))
    passed = sum(behind < space <= ahead for space in edition.special_patch_spaces)
    codes = [code for code in edition.circle if code not in state.circle]
    mover = draw(st.integers(0, 1))
    own = state.seats[mover].quilt if empty is None else quilt(edition, codes, rng, empty=empty)
    me = Seat(ahead, draw(st.integers(0, 9)), own, ahead == edition.last_space)
    used = {code for code, _ in own}
    other = Seat(
        behind, 3, tuple((code, cells) for code, cells in state.seats[1 - mover].quilt if code not in used)
    )
    seats = (me, other) if mover == 0 else (other, me)
    circle = tuple(code for code in state.circle if code not in used)
    tile = tile_for(edition, seats, rng)
    return State(edition, mover, seats, tile, circle, special_patches_to_place=draw(st.integers(1, passed)))


@st.composite
def held_patches(draw: st.DrawFn) -> State:
    """A player who holds a paid patch, before or after the reserve is dealt."""
    state = draw(tables(names=WITH_RESERVE))
    fitting = [code for code in state.circle if placements_that_fit(state, code)]
    assume(fitting)
    code = draw(st.sampled_from(fitting))
    circle = tuple(other for other in state.circle if other != code)
    deal = bool(state.reserve) and draw(st.booleans())
    reserve = state.reserve if deal else frozenset()
    return State(state.edition, state.mover, state.seats, state.tile, circle, reserve, 0, code, deal)


def can_only_advance(state: State) -> bool:
    return [move[0] for move in legal_moves(state)] == ["+"]
