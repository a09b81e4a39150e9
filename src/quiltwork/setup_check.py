"""What is wrong with a set-up: all its problems at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from quiltwork.errors import SetupError
from quiltwork.geometry import Cell
from quiltwork.kernel_record import record_of
from quiltwork.move import Player
from quiltwork.position_setup import Phase, Setup
from quiltwork.rules import entry, layout

ENGLISH: Mapping[str, str] = {
    "no_patch": "{edition} has no patch {code}",
    "twice": "{code} is there twice",
    "often": "{code} is there {count} times",
    "not_reserve": "{code} is not a patch of the reserve",
    "nothing_held": "nothing is held",
    "no_deal": "there is no reserve to be dealt",
    "held_without_reserve": "a patch is held, but {edition} has no reserve",
    "lay_before_deal": "a patch is to be laid while the reserve is still to be dealt",
    "off_board": "player {player}: {code} lies off the board",
    "overlap": "player {player}: {code} overlaps {others}",
    "space": "player {player}: space {space} is not on the time board (0 to {last})",
    "buttons": "player {player}: {count} buttons (0 to {most} are possible)",
    "first_elsewhere": "player {player} is marked as first on the last space but stands on {space}",
    "both_first": "both players are marked as first on the last space",
    "nobody_first": "both players are on the last space, and no mark (!) says who was first",
    "not_over": "the game is not over: the tokens are on spaces {one} and {two} of {last}",
    "pending": "player {player} has {count} special patches to place, "
    "but passed {passed} that the opponent had not",
    "over": "the game is over: both tokens are on the last space",
    "ahead": "it is player {player}'s turn, but its token is ahead ({own} to {other})",
    "held_fits_nowhere": "{code} is held but fits nowhere on player {player}'s quilt",
    "no_tile": "{edition} has no special tile",
    "tile_without_square": "player {player} has the special tile without a full {size}x{size} square",
    "square_without_tile": "player {player} has a full {size}x{size} square, but nobody has the special tile",
}


class Problem(str):
    """Something wrong with a set-up: an English sentence, with its key in the message catalogs and its figures."""

    key: str
    figures: Mapping[str, int | str]

    def __new__(cls, key: str, **figures: int | str) -> Problem:
        problem = super().__new__(cls, ENGLISH[key].format(**figures))
        problem.key, problem.figures = key, figures
        return problem


def checked(setup: Setup) -> Setup:
    """The same set-up with what follows from the rest filled in; raises SetupError with all its problems.

    A player alone on the last space is marked as the first there.
    """
    completed = _with_first_mark(setup)
    problems = tuple(_problems(completed))
    if problems:
        raise SetupError("set-up", problems)
    return completed


def _with_first_mark(setup: Setup) -> Setup:
    one, two = setup.players
    arrived = [seat.space == setup.edition.last_space for seat in setup.players]
    if one.first or two.first or arrived[0] == arrived[1]:
        return setup
    return replace(setup, players=(replace(one, first=arrived[0]), replace(two, first=arrived[1])))


def _problems(setup: Setup) -> Iterator[Problem]:
    bad_codes = tuple(_code_problems(setup))
    bad_quilts = tuple(_quilt_problems(setup))
    bad_numbers = tuple(_number_problems(setup))
    yield from (*bad_codes, *bad_quilts, *bad_numbers)
    if not bad_numbers:
        yield from _order_problems(setup)
    if not (bad_codes or bad_quilts or bad_numbers):
        yield from _kernel_problems(setup)


def _code_problems(setup: Setup) -> Iterator[Problem]:
    edition = setup.edition
    used = [code for seat in setup.players for code, _ in seat.quilt.patches]
    used += [*setup.circle, *setup.reserve, *([setup.held] if setup.held else [])]
    for code, times in Counter(used).items():
        if code not in edition.patches:
            yield Problem("no_patch", edition=edition.name, code=code)
        elif times > 1:
            yield Problem("twice" if times == 2 else "often", code=code, count=times)
    for code in setup.reserve:
        if code in edition.patches and not edition.patches[code].reserve:
            yield Problem("not_reserve", code=code)
    holds = setup.phase in (Phase.DEAL, Phase.LAY)
    if holds and setup.held is None:
        yield Problem("nothing_held")
    if setup.phase is Phase.DEAL and not setup.reserve:
        yield Problem("no_deal")
    if setup.phase is Phase.LAY and edition.reserve_enters_when_left is None:
        yield Problem("held_without_reserve", edition=edition.name)
    if setup.phase is Phase.LAY and setup.reserve:
        yield Problem("lay_before_deal")


def _quilt_problems(setup: Setup) -> Iterator[Problem]:
    edition = setup.edition
    spaces = set(edition.spaces)
    for player, seat in zip(Player, setup.players, strict=True):
        covered: dict[Cell, str] = {}
        laid = [
            (f"{code}@{placement}", placement.covers(edition.patches[code]))
            for code, placement in seat.quilt.patches
            if code in edition.patches
        ]
        laid += [(f"s@{cell}", (cell,)) for cell in seat.quilt.special]
        for name, cells in laid:
            if not spaces.issuperset(cells):
                yield Problem("off_board", player=int(player), code=name)
            others = sorted({covered[cell] for cell in cells if cell in covered})
            if others:
                yield Problem("overlap", player=int(player), code=name, others=", ".join(others))
            covered.update((cell, name) for cell in cells)


def _number_problems(setup: Setup) -> Iterator[Problem]:
    last = setup.edition.last_space
    for player, seat in zip(Player, setup.players, strict=True):
        if not 0 <= seat.space <= last:
            yield Problem("space", player=int(player), space=seat.space, last=last)
        if not 0 <= seat.buttons <= layout.MAX_BUTTONS:
            yield Problem("buttons", player=int(player), count=seat.buttons, most=layout.MAX_BUTTONS)


def _order_problems(setup: Setup) -> Iterator[Problem]:
    edition, last = setup.edition, setup.edition.last_space
    spaces = [seat.space for seat in setup.players]
    marks = [seat.first for seat in setup.players]
    over = spaces == [last, last]
    for player, seat in zip(Player, setup.players, strict=True):
        if seat.first and seat.space != last:
            yield Problem("first_elsewhere", player=int(player), space=seat.space)
    if marks == [True, True]:
        yield Problem("both_first")
    if over and marks == [False, False]:
        yield Problem("nobody_first")
    if setup.phase is Phase.OVER or setup.turn is None:
        if not over:
            yield Problem("not_over", one=spaces[0], two=spaces[1], last=last)
        return
    own, other = setup.players[setup.turn - 1].space, setup.players[setup.turn.opponent - 1].space
    if setup.phase is Phase.SPECIAL:
        crossed = entry.special_patch_marks_crossed(edition.compiled, other, own) if own > other else 0
        passed = int(crossed).bit_count()
        if not 1 <= setup.pending <= passed:
            yield Problem("pending", player=int(setup.turn), count=setup.pending, passed=passed)
    elif over:
        yield Problem("over")
    elif own > other:
        yield Problem("ahead", player=int(setup.turn), own=own, other=other)


def _kernel_problems(setup: Setup) -> Iterator[Problem]:
    edition = setup.edition
    record = record_of(setup)
    if setup.held and setup.turn:
        held = edition.numbers[setup.held]
        if not entry.fits_somewhere(record, edition.compiled, setup.turn - 1, held):
            yield Problem("held_fits_nowhere", code=setup.held, player=int(setup.turn))
    if edition.special_tile is None:
        if setup.tile:
            yield Problem("no_tile", edition=edition.name)
        return
    size = edition.special_tile.square
    full = [player for player in Player if entry.has_full_square(record, edition.compiled, player - 1)]
    if setup.tile and setup.tile not in full:
        yield Problem("tile_without_square", player=int(setup.tile), size=size)
    if not setup.tile and full:
        yield Problem("square_without_tile", player=int(full[0]), size=size)
