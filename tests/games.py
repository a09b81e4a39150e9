"""Players that choose at random, for games that the oracle follows."""

from __future__ import annotations

from random import Random

from oracle import Edition, State, empty_cells, legal_moves, play, read_edition
from oracle.record import initial


def random_circle(edition: Edition, rng: Random) -> str:
    """The patches of the circle in a random order, the start patch last."""
    codes = [code for code in edition.circle if code != edition.start_patch]
    rng.shuffle(codes)
    return "".join([*codes, edition.start_patch])


def random_game(edition_name: str, rng: Random) -> list[tuple[State, str]]:
    """Every position of a random game with the move played in it; half of the games are sewn tightly."""
    state = initial(edition_name, random_circle(read_edition(edition_name), rng))
    tight = rng.random() < 0.5
    game = []
    while state.mover is not None:
        move = random_move(state, rng, tight=tight)
        game.append((state, move))
        state = play(state, move)
    return [*game, (state, "")]


def random_move(state: State, rng: Random, *, tight: bool) -> str:
    """A random kind of move first, then one of that kind: placements would crowd out the rest."""
    if state.reserve_is_to_be_dealt:
        order = sorted(state.reserve)
        rng.shuffle(order)
        return "=" + "".join(order)
    moves = legal_moves(state)
    kinds = sorted({kind_of(move) for move in moves})
    if tight and len(kinds) > 1 and kinds[0] == "+" and rng.random() < 0.7:
        kinds = kinds[1:]
    kind = rng.choice(kinds)
    candidates = [move for move in moves if kind_of(move) == kind]
    if tight and kind not in "+=":
        candidates = rng.sample(candidates, min(40, len(candidates)))
        return min(candidates, key=lambda move: open_edges(state, move))
    return rng.choice(candidates)


def kind_of(move: str) -> str:
    return "+" if move.startswith("+") else "s@-" if move == "s@-" else move.partition("@")[0]


def open_edges(state: State, move: str) -> int:
    """How many edges between covered and empty cells the mover's quilt has after a move: few is tight."""
    assert state.mover is not None
    code, _, where = move.partition("@")
    if where in ("", "-"):
        return 99
    empty = empty_cells(state.edition, state.seats[state.mover]) - state.edition.placements(code)[where]
    border = [(r + dr, c + dc) for r, c in empty for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    return sum(cell not in empty for cell in border)
