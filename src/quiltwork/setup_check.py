"""What is wrong with a set-up: all its problems at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from quiltwork.errors import SetupError
from quiltwork.geometry import Cell
from quiltwork.move import Player
from quiltwork.record import covered_cells, record_of
from quiltwork.rules import entry, layout
from quiltwork.setup import Phase, Setup


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


def _problems(setup: Setup) -> Iterator[str]:
    bad_codes = tuple(_code_problems(setup))
    bad_quilts = tuple(_quilt_problems(setup))
    bad_numbers = tuple(_number_problems(setup))
    yield from (*bad_codes, *bad_quilts, *bad_numbers)
    if not bad_numbers:
        yield from _order_problems(setup)
    if not (bad_codes or bad_quilts or bad_numbers):
        yield from _kernel_problems(setup)


def _code_problems(setup: Setup) -> Iterator[str]:
    edition = setup.edition
    used = [code for seat in setup.players for code, _ in seat.quilt.patches]
    used += [*setup.circle, *setup.reserve, *([setup.held] if setup.held else [])]
    for code, times in Counter(used).items():
        if code not in edition.patches:
            yield f"{edition.name} has no patch {code}"
        elif times > 1:
            yield f"{code} is there {'twice' if times == 2 else f'{times} times'}"
    for code in setup.reserve:
        if code in edition.patches and not edition.patches[code].reserve:
            yield f"{code} is not a patch of the reserve"
    holds = setup.phase in (Phase.DEAL, Phase.LAY)
    if holds and setup.held is None:
        yield "nothing is held"
    if setup.phase is Phase.DEAL and not setup.reserve:
        yield "there is no reserve to be dealt"
    if setup.phase is Phase.LAY and edition.reserve_enters_when_left is None:
        yield f"a patch is held, but {edition.name} has no reserve"
    if setup.phase is Phase.LAY and setup.reserve:
        yield "a patch is to be laid while the reserve is still to be dealt"


def _quilt_problems(setup: Setup) -> Iterator[str]:
    edition = setup.edition
    spaces = set(edition.spaces)
    for player, seat in zip(Player, setup.players, strict=True):
        covered: dict[Cell, str] = {}
        laid = [
            (f"{code}@{placement}", covered_cells(edition, code, placement))
            for code, placement in seat.quilt.patches
            if code in edition.patches
        ]
        laid += [(f"s@{cell}", (cell,)) for cell in seat.quilt.special]
        for name, cells in laid:
            if not spaces.issuperset(cells):
                yield f"player {player}: {name} lies off the board"
            others = sorted({covered[cell] for cell in cells if cell in covered})
            if others:
                yield f"player {player}: {name} overlaps {', '.join(others)}"
            covered.update((cell, name) for cell in cells)


def _number_problems(setup: Setup) -> Iterator[str]:
    last = setup.edition.last_space
    for player, seat in zip(Player, setup.players, strict=True):
        if not 0 <= seat.space <= last:
            yield f"player {player}: space {seat.space} is not on the time board (0 to {last})"
        if not 0 <= seat.buttons <= layout.MAX_BUTTONS:
            yield f"player {player}: {seat.buttons} buttons (0 to {layout.MAX_BUTTONS} are possible)"


def _order_problems(setup: Setup) -> Iterator[str]:
    edition, last = setup.edition, setup.edition.last_space
    spaces = [seat.space for seat in setup.players]
    marks = [seat.first for seat in setup.players]
    over = spaces == [last, last]
    for player, seat in zip(Player, setup.players, strict=True):
        if seat.first and seat.space != last:
            yield f"player {player} is marked as first on the last space but stands on {seat.space}"
    if marks == [True, True]:
        yield "both players are marked as first on the last space"
    if over and marks == [False, False]:
        yield "both players are on the last space, and no mark (!) says who was first"
    if setup.phase is Phase.OVER or setup.turn is None:
        if not over:
            yield f"the game is not over: the tokens are on spaces {spaces[0]} and {spaces[1]} of {last}"
        return
    own, other = setup.players[setup.turn - 1].space, setup.players[setup.turn.opponent - 1].space
    if setup.phase is Phase.SPECIAL:
        crossed = entry.special_patch_marks_crossed(edition.compiled, other, own) if own > other else 0
        passed = int(crossed).bit_count()
        if not 1 <= setup.pending <= passed:
            yield (
                f"player {setup.turn} has {setup.pending} special patches to place, "
                f"but passed {passed} that the opponent had not"
            )
    elif over:
        yield "the game is over: both tokens are on the last space"
    elif own > other:
        yield f"it is player {setup.turn}'s turn, but its token is ahead ({own} to {other})"


def _kernel_problems(setup: Setup) -> Iterator[str]:
    edition = setup.edition
    record = record_of(setup)
    if setup.held and setup.turn:
        held = edition.numbers[setup.held]
        if not entry.fits_somewhere(record, edition.compiled, setup.turn - 1, held):
            yield f"{setup.held} is held but fits nowhere on player {setup.turn}'s quilt"
    if edition.special_tile is None:
        if setup.tile:
            yield f"{edition.name} has no special tile"
        return
    size = edition.special_tile.square
    full = [player for player in Player if entry.has_full_square(record, edition.compiled, player - 1)]
    if setup.tile and setup.tile not in full:
        yield f"player {setup.tile} has the special tile without a full {size}x{size} square"
    if not setup.tile and full:
        yield f"player {full[0]} has a full {size}x{size} square, but nobody has the special tile"
