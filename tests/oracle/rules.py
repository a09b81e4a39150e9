"""The rules, step by step, each function citing the rulebook that it reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import permutations

from oracle.edition import Cell, Cells, Edition, split_codes


@dataclass(frozen=True)
class Seat:
    """One player's side of the table."""

    space: int
    buttons: int
    quilt: tuple[tuple[str, Cells], ...] = ()
    """code (`s` for a special patch) and cells covered"""
    reached_last_space_first: bool = False


@dataclass(frozen=True)
class State:
    """The whole table; players are 0 and 1."""

    edition: Edition
    mover: int | None
    """whose move it is, None when the game is over"""
    seats: tuple[Seat, Seat]
    tile: int | None
    circle: tuple[str, ...]
    """clockwise from the neutral token"""
    reserve: frozenset[str] = frozenset()
    special_patches_to_place: int = 0
    held: str | None = None
    """taken and paid, not laid yet"""
    reserve_is_to_be_dealt: bool = False


def legal_moves(state: State) -> list[str]:
    """The moves of the player to move, in canonical notation."""
    if state.mover is None or state.reserve_is_to_be_dealt:
        return []
    if state.held is not None:
        return placements_that_fit(state, state.held)
    if state.special_patches_to_place:
        return special_patch_moves(state)
    moves = [f"+{spaces_to_advance(state)}"]
    for code in choices(state):
        if can_be_taken(state, code):
            moves += [code] if taking_lets_the_reserve_in(state) else placements_that_fit(state, code)
    return moves


def play(state: State, move: str) -> State:
    """Carry out a legal move, or deal the reserve (`=...`)."""
    if move.startswith("+"):
        return advance(state)
    if move.startswith("="):
        return deal(state, split_codes(move[1:]))
    code, _, where = move.partition("@")
    if code == "s":
        return resolve_special_patch(state, None if where == "-" else state.edition.placements("s")[where])
    if state.held is None:
        state = move_neutral_token(state, code)
        state = pay(state, code)
        if taking_let_the_reserve_in(state):
            return replace(state, held=code, reserve_is_to_be_dealt=True)
    state = place(state, code, state.edition.placements(code)[where])
    return move_time_token(replace(state, held=None), state.edition.patches[code].time)


def spaces_to_advance(state: State) -> int:
    """Action A, all rulebooks: to the space in front of the opponent; End of the game: not past the last space."""
    me, opponent = mover_and_opponent(state)
    return min(opponent.space + 1, state.edition.last_space) - me.space


def advance(state: State) -> State:
    """Action A, all rulebooks: a button for each space moved."""
    spaces = spaces_to_advance(state)
    return move_time_token(give_buttons(state, spaces), spaces)


def choices(state: State) -> tuple[str, ...]:
    """B1, all rulebooks: the patches in front of the neutral token; of fewer, those that are left."""
    return state.circle[: state.edition.choices]


def can_be_taken(state: State, code: str) -> bool:
    """2014 (short rules), Take and Place: paid for and placed, or not taken; Express, B: all five steps."""
    me, _ = mover_and_opponent(state)
    return state.edition.patches[code].buttons <= me.buttons and bool(placements_that_fit(state, code))


def placements_that_fit(state: State, code: str) -> list[str]:
    """B4, all rulebooks: in the grid, turned any way, without overlap; Express: not necessarily adjacent."""
    me, _ = mover_and_opponent(state)
    empty = empty_cells(state.edition, me)
    return [f"{code}@{name}" for name, cells in state.edition.placements(code).items() if cells <= empty]


def move_neutral_token(state: State, code: str) -> State:
    """B2, all rulebooks: it stands where the patch lay, so the patches skipped become the last ones."""
    chosen = state.circle.index(code)
    return replace(state, circle=state.circle[chosen + 1 :] + state.circle[:chosen])


def pay(state: State, code: str) -> State:
    """B3, all rulebooks: the price goes to the supply."""
    return give_buttons(state, -state.edition.patches[code].buttons)


def taking_lets_the_reserve_in(state: State) -> bool:
    """Express and Stack & Stuff, B3: whether one patch fewer leaves so few that the reserve comes in."""
    return bool(state.reserve) and len(state.circle) - 1 <= state.edition.reserve_enters_when_left


def taking_let_the_reserve_in(state: State) -> bool:
    """Express and Stack & Stuff, B3: it comes in as soon as so few are left, before the patch is laid (B4)."""
    return bool(state.reserve) and len(state.circle) <= state.edition.reserve_enters_when_left


def deals(state: State) -> Iterable[str]:
    """Express and Stack & Stuff, B3: every order in which the reserve can come in."""
    if state.reserve_is_to_be_dealt:
        for order in permutations(sorted(state.reserve)):
            yield "=" + "".join(order)


def deal(state: State, order: tuple[str, ...]) -> State:
    """Express and Stack & Stuff, B3: behind the neutral token, so after all the patches that are left."""
    assert set(order) == state.reserve
    return replace(state, circle=state.circle + order, reserve=frozenset(), reserve_is_to_be_dealt=False)


def place(state: State, code: str, cells: Cells) -> State:
    """B4, all rulebooks: the patch covers spaces of the quilt board."""
    me, _ = mover_and_opponent(state)
    assert cells <= empty_cells(state.edition, me)
    return award_special_tile(with_mover(state, replace(me, quilt=(*me.quilt, (code, cells)))))


def move_time_token(state: State, spaces: int) -> State:
    """B5 and The Time Board, all rulebooks: move, at most to the last space; every mark passed is resolved."""
    me, opponent = mover_and_opponent(state)
    edition = state.edition
    old, new = me.space, min(me.space + spaces, edition.last_space)
    income = sum(edition.patches[code].income for code, _ in me.quilt)
    times = sum(old < mark <= new for mark in edition.income_spaces)
    # A special patch lies on the time board until the first token passes it.
    special_patches = sum(max(old, opponent.space) < mark <= new for mark in edition.special_patch_spaces)
    first = me.reached_last_space_first or new == edition.last_space > opponent.space
    state = with_mover(state, replace(me, space=new, reached_last_space_first=first))
    state = give_buttons(state, times * income)
    return next_turn(replace(state, special_patches_to_place=special_patches))


def special_patch_moves(state: State) -> list[str]:
    """The Time Board: 2014 must place it; Halloween, Express, Stack & Stuff: place it or remove it from play.

    With a full quilt the obligation of 2014 cannot be met, and the patch is removed.
    """
    moves = placements_that_fit(state, "s")
    if state.edition.special_patch_may_be_removed or not moves:
        moves.append("s@-")
    return moves


def resolve_special_patch(state: State, cell: Cells | None) -> State:
    """The Time Board, all rulebooks: at once, one after the other, before anybody's next turn."""
    if cell is not None:
        state = place(state, "s", cell)
    return next_turn(replace(state, special_patches_to_place=state.special_patches_to_place - 1))


def award_special_tile(state: State) -> State:
    """2014 and Halloween, The Special Tile: to the first player with a completely filled square."""
    assert state.mover is not None
    size = state.edition.tile_square
    if size is None or state.tile is not None:
        return state
    covered = state.edition.board - empty_cells(state.edition, state.seats[state.mover])
    filled = any(square(corner, size) <= covered for corner in covered)
    return replace(state, tile=state.mover) if filled else state


def square(corner: Cell, size: int) -> Cells:
    row, column = corner
    return frozenset((row + r, column + c) for r in range(size) for c in range(size))


def next_turn(state: State) -> State:
    """Playing the Game, all rulebooks: who is furthest behind; on one space, who arrived last and lies on top.

    End of the Game: over when both are at the last space; one may have to wait for the other.
    """
    me, opponent = mover_and_opponent(state)
    if state.special_patches_to_place:
        return state
    if me.space == opponent.space == state.edition.last_space:
        return replace(state, mover=None)
    assert state.mover is not None
    return state if me.space <= opponent.space else replace(state, mover=1 - state.mover)


def empty_cells(edition: Edition, seat: Seat) -> Cells:
    return edition.board.difference(*(cells for _, cells in seat.quilt))


def score(state: State, player: int) -> int:
    """Scoring, all rulebooks: buttons, special tile, empty spaces; it may be negative (Express)."""
    seat = state.seats[player]
    tile = state.edition.tile_points if state.tile == player else 0
    return seat.buttons + tile + state.edition.points_per_empty_space * len(empty_cells(state.edition, seat))


def winner(state: State) -> int | None:
    """Scoring, all rulebooks: the higher score; in a tie, who reached the last space first."""
    if state.mover is not None:
        return None
    if score(state, 0) == score(state, 1):
        return 0 if state.seats[0].reached_last_space_first else 1
    return 0 if score(state, 0) > score(state, 1) else 1


def perft(state: State, depth: int) -> int:
    """The number of sequences of exactly `depth` moves of players."""
    moves = legal_moves(state)
    return len(moves) if depth == 1 else sum(perft(play(state, move), depth - 1) for move in moves)


def mover_and_opponent(state: State) -> tuple[Seat, Seat]:
    assert state.mover is not None
    return state.seats[state.mover], state.seats[1 - state.mover]


def with_mover(state: State, seat: Seat) -> State:
    other = state.seats[1 - state.mover] if state.mover is not None else seat
    return replace(state, seats=(seat, other) if state.mover == 0 else (other, seat))


def give_buttons(state: State, buttons: int) -> State:
    me, _ = mover_and_opponent(state)
    return with_mover(state, replace(me, buttons=me.buttons + buttons))
