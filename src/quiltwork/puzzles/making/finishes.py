"""FINISH: a quilt of a real game with a few patches left in the circle, all of which can be paid.

The opponent has reached the last space, so that only space and shape count. Whether the quilt can be finished is
proved by an exact cover.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random

from quiltwork.analysis.finish import finish_of
from quiltwork.analysis.room import room_of
from quiltwork.errors import SetupError
from quiltwork.geometry import Orientation
from quiltwork.move import LayPatch, Player
from quiltwork.position import Position
from quiltwork.position_setup import Phase, Seat, Setup
from quiltwork.puzzles.puzzle import IMPOSSIBLE, Kind, Puzzle, puzzle_id

LEAST_EMPTY, MOST_EMPTY = 9, 30
LEAST_PIECES, MOST_PIECES = 3, 7
DECOYS = 2
"""patches that are not needed; with three choices in the circle two can never lock out a needed one"""
BUTTONS = 60
STEPS = 3_000_000
UNSOLVABLE = 5
"""one of this many puzzles cannot be solved"""


def find(position: Position, chance: Random) -> Puzzle | None:
    """A puzzle of one of the quilts of a position, if there is one."""
    for player in chance.sample(list(Player), 2):
        quilt = position.setup.players[player - 1].quilt
        empty = position.player(player).empty_spaces
        if LEAST_EMPTY <= empty <= MOST_EMPTY and position.edition.choices == DECOYS + 1:
            pool = [*position.setup.circle, *position.setup.reserve]
            free = _alone(position, Seat(buttons=BUTTONS, quilt=quilt), tuple(pool))
            if free is not None and not room_of(free, Player.ONE).dead:
                return _puzzle(free, chance)
    return None


def _alone(position: Position, seat: Seat, circle: tuple[str, ...]) -> Position | None:
    """The seat with all of the time board before it, and an opponent who has finished."""
    edition = position.edition
    done = Seat(space=edition.last_space, first=True)
    setup = Setup(edition, Phase.TURN, Player.ONE, (seat, done), None, circle)
    for tile in (None, Player.ONE):
        try:
            return Position.from_setup(replace(setup, tile=tile))
        except SetupError:
            continue
    return None


def _puzzle(free: Position, chance: Random) -> Puzzle | None:
    if chance.randrange(UNSOLVABLE) == 0:
        return _unsolvable(free, chance)
    found = finish_of(free, Player.ONE, STEPS)
    needed = [piece.patch for piece in found.pieces if isinstance(piece, LayPatch)]
    if not found.possible or not LEAST_PIECES <= len(needed) <= MOST_PIECES:
        return None
    others = [code for code in free.setup.circle if code not in needed]
    circle = needed + chance.sample(others, min(DECOYS, len(others)))
    return _with_circle(free, circle, chance, tuple(map(str, found.pieces)))


def _unsolvable(free: Position, chance: Random) -> Puzzle | None:
    """Patches whose sizes would add up, which cannot cover the quilt all the same."""
    empty = free.player(Player.ONE).empty_spaces
    cells = {code: len(free.edition.patches[code].oriented(Orientation.PLAIN)) for code in free.setup.circle}
    codes = chance.sample(list(cells), len(cells))
    for count in range(LEAST_PIECES, MOST_PIECES):
        for circle in combinations(codes[:12], count):
            if sum(cells[code] for code in circle) == empty:
                puzzle = _with_circle(free, list(circle), chance, (IMPOSSIBLE,))
                if puzzle is not None:
                    return puzzle
    return None


def _with_circle(free: Position, circle: list[str], chance: Random, solution: tuple[str, ...]) -> Puzzle | None:
    chance.shuffle(circle)
    position = _alone(free, free.setup.players[0], tuple(circle))
    if position is None or room_of(position, Player.ONE).dead:
        return None
    possible = finish_of(position, Player.ONE, STEPS).possible
    if possible is not (solution != (IMPOSSIBLE,)):
        return None
    text = position.text
    unsolvable = solution == (IMPOSSIBLE,)
    return Puzzle(
        id=puzzle_id(text, Kind.FINISH.value),
        kind=Kind.FINISH,
        text=text,
        best=solution,
        line_text=() if unsolvable else solution,
    )
