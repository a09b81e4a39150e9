"""Sentences and events: what a move does, or why it cannot be made.

Nothing is decided here: the kernel has found the reason or played the move, and this tells it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import SupportsInt

from quiltwork.editions import Edition
from quiltwork.errors import Illegality, Reason
from quiltwork.events import (
    Advanced,
    Dealt,
    Event,
    GameEnded,
    Laid,
    MovedToken,
    Next,
    Outcome,
    Paid,
    ReachedLastSpace,
    ReceivedIncome,
    Removed,
    ReserveEntered,
    TookSpecialPatch,
    WonSpecialTile,
)
from quiltwork.kernel_record import record_of
from quiltwork.move import (
    Advance,
    LayPatch,
    Move,
    Placement,
    PlaceSpecialPatch,
    Player,
    Replenish,
    TakePatch,
    cells_of,
)
from quiltwork.position_setup import Phase, Setup
from quiltwork.rules import entry, layout


def canonical(edition: Edition, patch: str, placement: Placement) -> Placement:
    """The placement under its first name."""
    orientation = edition.patches[patch].canonical(placement.orientation)
    return placement if orientation is placement.orientation else Placement(placement.cell, orientation)


def illegality(setup: Setup, move: Move, reason: Reason) -> Illegality:
    """The reason, with a sentence for this move in this position."""
    return Illegality(reason, _sentence(setup, move, reason))


def _sentence(setup: Setup, move: Move, reason: Reason) -> str:
    edition = setup.edition
    if reason is Reason.PHASE:
        return _wrong_phase(setup, move)
    if isinstance(move, Replenish):
        return f"the reserve is {''.join(setup.reserve)} in some order"
    if isinstance(move, Advance):
        right = entry.advance_distance(record_of(setup), edition.compiled)
        return f"an advance moves {right} space{'' if right == 1 else 's'} here, not {move.spaces}"
    if isinstance(move, PlaceSpecialPatch):
        if move.cell is None:
            return "a special patch must be placed while an empty space is left"
        if reason is Reason.BOARD:
            return f"{move.cell} is not a space of the quilt board"
        return f"{move.cell} is already covered on player {setup.turn}'s quilt"
    patch = edition.patches.get(move.patch)
    if patch is None:
        return f"{edition.name} has no patch {move.patch}"
    if reason is Reason.CHOICE:
        if setup.held:
            return f"player {setup.turn} holds {setup.held}, not {move.patch}"
        choices = setup.circle[: edition.choices]
        return f"{move.patch} is not among the choices ({' '.join(choices) or 'none left'})"
    if reason is Reason.COST:
        assert setup.turn is not None
        buttons = setup.players[setup.turn - 1].buttons
        return f"{move.patch} costs {patch.buttons} buttons, player {setup.turn} has {buttons}"
    if move.placement is None:
        return f"{move.patch} fits nowhere on player {setup.turn}'s quilt"
    cells = cells_of(move, edition)
    if reason is Reason.BOARD:
        off = [cell for cell in cells if cell not in set(edition.spaces)]
        if any(not (0 <= cell.row < edition.rows and 0 <= cell.column < edition.columns) for cell in off):
            return f"{move.patch} lies off the board there"
        return f"{move.patch} covers {' '.join(map(str, off))}, which is not a space of the quilt board"
    assert setup.turn is not None
    covered = setup.players[setup.turn - 1].quilt.covered(edition)
    taken = [str(cell) for cell in cells if cell in covered]
    return f"{' '.join(taken)} {'is' if len(taken) == 1 else 'are'} already covered on player {setup.turn}'s quilt"


def _wrong_phase(setup: Setup, move: Move) -> str:
    if setup.phase is Phase.OVER:
        return "the game is over"
    if setup.phase is Phase.DEAL:
        return f"the reserve is to be dealt first (={''.join(setup.reserve)} in some order)"
    if setup.phase is Phase.SPECIAL:
        return f"player {setup.turn} has to place a special patch first"
    if setup.phase is Phase.LAY:
        return f"player {setup.turn} has to lay {setup.held} first"
    if isinstance(move, PlaceSpecialPatch):
        return f"player {setup.turn} has no special patch to place"
    if isinstance(move, Replenish):
        return "no reserve is to be dealt now"
    if isinstance(move, LayPatch):
        return f"player {setup.turn} holds no patch"
    if isinstance(move, TakePatch) and move.placement is None:
        return f"{move.patch} is laid at once: name its place, such as {move.patch}@a1"
    return "the reserve is dealt before the patch is laid: take it first, without a place"


def events(
    edition: Edition,
    before: layout.PositionArray,
    move: Move,
    after: layout.PositionArray,
    outcome: Outcome | None,
) -> Iterator[Event]:
    """What happened between two records."""
    if isinstance(move, Replenish):
        yield Dealt(move.order)
        return
    mover = int(before["turn"][0])
    player = Player(mover + 1)
    if isinstance(move, TakePatch):
        yield Paid(player, move.patch, edition.patches[move.patch].buttons)
        if move.placement is None:
            yield ReserveEntered(player, int(before["reserve"][0]).bit_count())
    if isinstance(move, PlaceSpecialPatch):
        yield Removed(player) if move.cell is None else Laid(player, "s", (move.cell,))
    elif cells := cells_of(move, edition):
        assert isinstance(move, TakePatch | LayPatch)
        yield Laid(player, move.patch, cells)
    if edition.special_tile and after["tile"][0] != before["tile"][0]:
        yield WonSpecialTile(player, edition.special_tile.points)
    if isinstance(move, Advance):
        yield Advanced(player, move.spaces)
    start, end = int(before["space"][0, mover]), int(after["space"][0, mover])
    phase = int(after["phase"][0])
    if end > start:
        yield MovedToken(player, start, end)
        income = int(after["income"][0, mover])
        incomes, specials = crossed(edition, start, end, int(after["space"][0, 1 - mover]), phase)
        for space in incomes:
            yield ReceivedIncome(player, space, income)
        for space in specials:
            yield TookSpecialPatch(player, space)
        if end == edition.last_space:
            yield ReachedLastSpace(player, int(after["first"][0]) == mover)
    if outcome is not None:
        yield GameEnded(outcome)
    elif phase == layout.TURN:
        then = int(after["turn"][0])
        yield Next(Player(then + 1), then == mover)


def crossed(edition: Edition, start: int, end: int, other: int, phase: int) -> tuple[list[int], list[int]]:
    """The spaces of the income marks and of the special patches on a token's way.

    `other` is where the other token stands, `phase` what the game waits for at the end of the way.
    """
    if end <= start:
        return [], []
    incomes = _marks(entry.income_marks_crossed(edition.compiled, start, end))
    if phase != layout.SPECIAL:
        return incomes, []
    # What the other has passed is gone.
    return incomes, _marks(entry.special_patch_marks_crossed(edition.compiled, max(start, other), end))


def _marks(bits: SupportsInt) -> list[int]:
    word, spaces = int(bits), []
    while word:
        spaces.append((word & -word).bit_length() - 1)
        word &= word - 1
    return spaces
