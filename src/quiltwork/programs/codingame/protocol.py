"""Turns and commands of the arena as text, both ways."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TextIO

from quiltwork.editions import Edition, load_edition
from quiltwork.errors import QuiltworkError
from quiltwork.geometry import Cell, Orientation, orient
from quiltwork.move import Advance, Move, Placement, PlaceSpecialPatch, Player, TakePatch
from quiltwork.position import Position
from quiltwork.position_setup import Phase

EDITION = "patchwork-2014"
SIDE = 9
LAST_SPACE = 53
TURN_SECONDS = 0.1

# The arena's patches by its ids 0 to 32: our code, and how our patch is turned to give the arena's drawing.
_ARENA = """
    4d 6i 5h 5f 6h 6jfr1 7a 4c 6f 4a 6g 5c 5i 5e 5b 6d 5d
    4e 3a 4f 7br1 8a 6a 6e 5a 6c 4b 5g 6br2 4gr2 3br1 3cr3 2a
"""
_ARENA_PATCHES = tuple(_ARENA.split())
_TURNS = {str(orientation): orientation for orientation in Orientation}
DRAWN = MappingProxyType({text[:2]: _TURNS[text[2:]] for text in _ARENA_PATCHES})
ID_OF_CODE = MappingProxyType({text[:2]: number for number, text in enumerate(_ARENA_PATCHES)})
CODE_OF_ID = MappingProxyType({number: text[:2] for number, text in enumerate(_ARENA_PATCHES)})


class ArenaError(QuiltworkError):
    """Text that does not keep to the arena's protocol."""


@dataclass(frozen=True)
class Side:
    """What the arena says of one player."""

    buttons: int
    time: int
    income: int
    rows: tuple[str, ...]
    """nine rows, `O` covered, `.` empty"""


@dataclass(frozen=True)
class Turn:
    """What the arena says each turn, from the mover's view."""

    mine: Side
    theirs: Side
    circle: tuple[str, ...]
    """our codes of the patches left, in order from the neutral token"""
    special: int
    """the id of a special patch to place now, which is less than 0; 0 if there is none"""
    opponent_moves: tuple[str, ...]


def check_edition(edition: Edition) -> None:
    """Raises QuiltworkError for an edition that the arena's protocol cannot express."""
    fits = (
        edition.rows == edition.columns == SIDE
        and edition.last_space == LAST_SPACE
        and not edition.reserve
        and edition.patches == load_edition(EDITION).patches
    )
    if not fits:
        raise QuiltworkError(
            f"edition {edition.name}: the CodinGame protocol has a 9x9 board, 53 spaces and the 33 patches "
            f"of {EDITION}; its bots play {EDITION}, patchwork and halloween"
        )


# Writing what the arena writes


def start_lines(edition: Edition) -> list[str]:
    """What a bot reads before its first turn: the marks of the time board."""
    lines = []
    for spaces in (edition.income_spaces, edition.special_patch_spaces):
        lines += [str(len(spaces)), " ".join(map(str, spaces))]
    return lines


def turn_lines(position: Position, opponent_moves: Sequence[str]) -> list[str]:
    """What a bot reads at each of its turns."""
    assert position.turn is not None
    lines = []
    for player in (position.turn, position.turn.opponent):
        state = position.player(player)
        lines += [f"{state.buttons} {state.space} {state.income}", *quilt_rows(position, player)]
    lines.append(str(len(position.circle)))
    lines += [patch_line(position.edition, patch.code) for patch in position.circle]
    lines += [str(special_id(position)), str(len(opponent_moves)), *opponent_moves]
    return lines


def quilt_rows(position: Position, player: Player) -> list[str]:
    """A quilt as nine rows of `O` and `.`."""
    covered = position.player(player).covered
    return ["".join("O" if Cell(r, c) in covered else "." for c in range(SIDE)) for r in range(SIDE)]


def special_id(position: Position) -> int:
    """The arena's id of the special patch to place now: minus its space on the time board; 0 if none."""
    if position.phase is not Phase.SPECIAL:
        return 0
    foremost = max(state.space for state in position.players)
    passed = [space for space in position.edition.special_patch_spaces if space <= foremost]
    return -passed[len(passed) - position.pending]


@lru_cache(maxsize=256)
def patch_line(edition: Edition, code: str) -> str:
    """A patch as the arena describes it: id, income, buttons, time and shape."""
    patch = edition.patches[code]
    cells = set(patch.oriented(DRAWN[code]))
    height, width = 1 + max(r for r, _ in cells), 1 + max(c for _, c in cells)
    shape = "|".join("".join("O" if (r, c) in cells else "." for c in range(width)) for r in range(height))
    return f"{ID_OF_CODE[code]} {patch.income} {patch.buttons} {patch.time} {shape}"


# Commands


def command_of(position: Position, move: Move) -> str:
    """The command of a move; `SKIP` also for a special patch that has to be removed, which the arena lacks."""
    match move:
        case TakePatch(code, Placement() as placement):
            patch = position.edition.patches[code]
            wanted = patch.oriented(placement.orientation)
            drawn = patch.oriented(DRAWN[code])
            turned = next(o for o in Orientation if orient(drawn, o) == wanted)
            flip, turns = divmod(int(turned), 4)
            row, column = placement.cell
            return f"PLAY {ID_OF_CODE[code]} {column} {row} {flip} {turns}"
        case PlaceSpecialPatch(Cell() as cell):
            return f"PLAY {special_id(position)} {cell.column} {cell.row} 0 0"
        case _:
            return "SKIP"


def move_of(position: Position, command: str) -> Move:
    """The move that the arena makes of a command.

    A `PLAY` that is not legal counts as `SKIP`, and `SKIP` with a special patch to place uses the first free
    cell, as there. Raises ArenaError for anything else, which loses there.
    """
    words = command.split()
    if words and words[0] == "PLAY":
        numbers = _leading_integers(words[1:6])
        if len(numbers) < 3:
            raise ArenaError(f"expected PLAY id x y flip turns, found {command[:60]!r}")
        move = _played(position, *[*numbers, 0, 0][:5])
        return _skip(position) if move is None else move
    if words and words[0] == "SKIP":
        return _skip(position)
    raise ArenaError(f"expected SKIP or PLAY, found {command[:60]!r}")


def _leading_integers(words: list[str]) -> list[int]:
    numbers = []
    for word in words:
        try:
            numbers.append(int(word))
        except ValueError:
            break
    return numbers


def _played(position: Position, number: int, x: int, y: int, flip: int, turns: int) -> Move | None:
    cell = Cell(y, x)
    if not (0 <= x < SIDE and 0 <= y < SIDE):
        return None
    move: Move
    if position.phase is Phase.SPECIAL:
        if number != special_id(position):
            return None
        move = PlaceSpecialPatch(cell)
    else:
        code = CODE_OF_ID.get(number)
        if code is None or position.phase is not Phase.TURN:
            return None
        patch = position.edition.patches[code]
        cells = orient(patch.oriented(DRAWN[code]), Orientation((4 if flip == 1 else 0) + turns % 4))
        turned = next(o for o in patch.orientations if patch.oriented(o) == cells)
        move = TakePatch(code, Placement(cell, turned))
    return move if position.why_illegal(move) is None else None


def _skip(position: Position) -> Move:
    moves = position.legal_moves()
    # Advance comes first in a turn, the first free cell (or the removal) with a special patch.
    assert isinstance(moves[0], Advance | PlaceSpecialPatch)
    return moves[0]


# Reading what the arena writes


def reader_of(stream: TextIO) -> Callable[[], str]:
    """A function that gives the next line of a stream, and raises EOFError at its end."""

    def read() -> str:
        line = stream.readline()
        if not line:
            raise EOFError
        return line.strip()

    return read


def read_marks(read: Callable[[], str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The income marks and the special patches of the time board."""
    marks = []
    for name in ("income marks", "special patches"):
        count = _integers(read(), 1, f"the number of {name}")[0]
        marks.append(_integers(read(), count, f"the spaces of the {name}"))
    return marks[0], marks[1]


def read_turn(read: Callable[[], str], edition: Edition) -> Turn:
    """One turn."""
    mine, theirs = _read_side(read, "my"), _read_side(read, "the opponent's")
    count = _integers(read(), 1, "the number of patches")[0]
    circle = tuple(_code_of_line(read(), edition) for _ in range(count))
    special = _integers(read(), 1, "the id of a special patch")[0]
    moves = _integers(read(), 1, "the number of the opponent's moves")[0]
    return Turn(mine, theirs, circle, special, tuple(read() for _ in range(moves)))


def _read_side(read: Callable[[], str], whose: str) -> Side:
    buttons, time, income = _integers(read(), 3, f"{whose} buttons, time and income")
    rows = tuple(read() for _ in range(SIDE))
    for row in rows:
        if len(row) != SIDE or set(row) - {"O", "."}:
            raise ArenaError(f"expected a row of nine O and . for {whose} quilt, found {row[:60]!r}")
    return Side(buttons, time, income, rows)


def _code_of_line(line: str, edition: Edition) -> str:
    numbers = _leading_integers(line.split()[:1])
    if not numbers:
        raise ArenaError(f"expected id, income, buttons, time and shape of a patch, found {line[:60]!r}")
    number = numbers[0]
    code = CODE_OF_ID.get(number)
    if code is None:
        raise ArenaError(f"patch {number}: expected an id from 0 to {len(CODE_OF_ID) - 1}")
    if line.split() != patch_line(edition, code).split():
        raise ArenaError(f"patch {number}: expected {patch_line(edition, code)!r}, found {line[:60]!r}")
    return code


def _integers(line: str, count: int, what: str) -> tuple[int, ...]:
    try:
        numbers = tuple(int(word) for word in line.split())
    except ValueError:
        numbers = ()
    if len(numbers) != count:
        raise ArenaError(f"expected {what} as {count} whole number{'s' * (count != 1)}, found {line[:60]!r}")
    return numbers
