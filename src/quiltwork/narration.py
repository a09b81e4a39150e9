"""Sentences and events: what a move does, or why it cannot be made.

Nothing is decided here: the kernel has found the reason or played the move, and this tells it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import SupportsInt

from quiltwork.edition import Edition
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
from quiltwork.geometry import Cell
from quiltwork.move import Advance, LayPatch, Move, Placement, PlaceSpecialPatch, Replenish, TakePatch
from quiltwork.record import covered_cells, record_of
from quiltwork.rules import entry
from quiltwork.setup import Phase, Setup


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
    cells = covered_cells(edition, move.patch, move.placement)
    if reason is Reason.BOARD:
        off = [cell for cell in cells if cell not in set(edition.spaces)]
        if any(cell.row >= edition.rows or cell.column >= edition.columns for cell in off):
            return f"{move.patch} lies off the board there"
        return f"{move.patch} covers {' '.join(map(str, off))}, which is not a space of the quilt board"
    covered = _covered(setup)
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


def _covered(setup: Setup) -> set[Cell]:
    assert setup.turn is not None
    quilt = setup.players[setup.turn - 1].quilt
    covered = set(quilt.special)
    for code, placement in quilt.patches:
        covered.update(covered_cells(setup.edition, code, placement))
    return covered


def events(
    before: Setup, move: Move, after: Setup, outcome: Outcome | None, incomes: tuple[int, int]
) -> Iterator[Event]:
    """What happened between two positions; `incomes` are the players' incomes after the move."""
    edition = before.edition
    player = before.turn
    assert player is not None
    if isinstance(move, Replenish):
        yield Dealt(move.order)
        return
    own_before, own_after = before.players[player - 1], after.players[player - 1]
    if isinstance(move, TakePatch):
        yield Paid(player, move.patch, edition.patches[move.patch].buttons)
        if move.placement is None:
            yield ReserveEntered(player, len(before.reserve))
    if isinstance(move, TakePatch | LayPatch) and move.placement is not None:
        yield Laid(player, move.patch, covered_cells(edition, move.patch, move.placement))
    if isinstance(move, PlaceSpecialPatch):
        yield Removed(player) if move.cell is None else Laid(player, "s", (move.cell,))
    if after.tile is not before.tile and edition.special_tile:
        yield WonSpecialTile(player, edition.special_tile.points)
    if isinstance(move, Advance):
        yield Advanced(player, move.spaces)
    start, end = own_before.space, own_after.space
    if end > start:
        yield MovedToken(player, start, end)
        for space in _marks(entry.income_marks_crossed(edition.compiled, start, end)):
            yield ReceivedIncome(player, space, incomes[player - 1])
        other = after.players[player.opponent - 1].space
        if after.phase is Phase.SPECIAL:
            for space in _marks(entry.special_patch_marks_crossed(edition.compiled, max(start, other), end)):
                yield TookSpecialPatch(player, space)
        if end == edition.last_space:
            yield ReachedLastSpace(player, own_after.first)
    if outcome is not None:
        yield GameEnded(outcome)
    elif after.phase is Phase.TURN and after.turn is not None:
        yield Next(after.turn, after.turn is player)


def _marks(bits: SupportsInt) -> list[int]:
    word = int(bits)
    return [space for space in range(64) if word >> space & 1]
