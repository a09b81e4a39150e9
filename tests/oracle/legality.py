"""Why a move is illegal, read from the design's list: phase, choice, cost, board, overlap, in this order."""

from __future__ import annotations

from oracle.edition import split_codes
from oracle.notation import parse_placement
from oracle.rules import (
    State,
    choices,
    empty_cells,
    mover_and_opponent,
    placements_that_fit,
    spaces_to_advance,
    special_patch_moves,
    taking_lets_the_reserve_in,
)


def why_illegal(state: State, move: str) -> str | None:
    """The first reason against a move in canonical notation that names patches and cells of the edition."""
    if kind_of(move) != awaited(state, move):
        return "phase"
    if not is_a_choice(state, move):
        return "choice"
    if move[0] in "+=" or move == "s@-":
        return None
    me, _ = mover_and_opponent(state)
    code, _, where = move.partition("@")
    if state.held is None and state.edition.patches[code].buttons > me.buttons:
        return "cost"
    if not where:
        return None if placements_that_fit(state, code) else "overlap"
    _, cells = parse_placement(state.edition, move)
    if not cells <= state.edition.board:
        return "board"
    return None if cells <= empty_cells(state.edition, me) else "overlap"


def kind_of(move: str) -> str:
    """advance, deal, special, patch (with its place) or take (without)."""
    kinds = {"+": "advance", "=": "deal", "s": "special"}
    return kinds.get(move[0], "patch" if "@" in move else "take")


def awaited(state: State, move: str) -> str | None:
    """The kind of move that the position waits for; at a turn, advancing or taking, as the move has it."""
    if state.mover is None:
        return None
    if state.reserve_is_to_be_dealt:
        return "deal"
    if state.held is not None:
        return "patch"
    if state.special_patches_to_place:
        return "special"
    if kind_of(move) == "advance":
        return "advance"
    return "take" if taking_lets_the_reserve_in(state) else "patch"


def is_a_choice(state: State, move: str) -> bool:
    """Whether the position offers what the move names."""
    if move.startswith("+"):
        return move == f"+{spaces_to_advance(state)}"
    if move.startswith("="):
        return sorted(split_codes(move[1:])) == sorted(state.reserve)
    if move.startswith("s"):
        return move != "s@-" or move in special_patch_moves(state)
    code = move.partition("@")[0]
    return code == state.held if state.held is not None else code in choices(state)
