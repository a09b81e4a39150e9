"""What can still matter near the end of a game: patches within reach, and the spaces that are not dead.

An empty space on which no patch within reach can lie is *dead*.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from quiltwork.agents.heuristics.tables import signed
from quiltwork.rules.bits import ALL, ONE, ZERO, bit, count, lowest, take_first
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import LAY, NOBODY, SPECIAL, EditionRecord, PositionRecord
from quiltwork.rules.quilt import cells_of_shape, fits
from quiltwork.rules.record import Int64, Words
from quiltwork.rules.steps import income_marks_to, special_patch_marks_to

MAX_MASKS = 4096


class MasksRecord:
    """Every way to lay the patches within reach."""

    count: Int64
    low: Annotated[Words, MAX_MASKS]
    high: Annotated[Words, MAX_MASKS]
    patch: Annotated[Words, MAX_MASKS]  # the bit of the patch


@compiled_inline
def within_reach(position: PositionRecord, edition: EditionRecord, player: int) -> Any:
    """The patches that a player may still take, by a bound on buttons that is never too low."""
    left = edition.last_space - position.space[player]
    if left <= 0:
        return ZERO
    other = max(0, edition.last_space - position.space[1 - player])
    # Each take brings the neutral token at most as far as there are choices, and costs time.
    reach = edition.choices * (left + other)
    behind = position.present
    ahead = behind & (ALL << np.uint64(position.token))
    behind ^= ahead
    patches = ZERO
    richest = signed(0)
    while reach > 0 and (ahead | behind) != ZERO:
        if ahead == ZERO:
            ahead = behind
            behind = ZERO
        patch = position.ring[lowest(ahead)]
        ahead &= ahead - ONE
        reach -= 1
        patches |= bit(patch)
        richest = max(richest, signed(edition.income[patch]))
    marks = count(income_marks_to(position, edition, player, edition.last_space))
    most = position.buttons[player] + left + marks * (position.income[player] + richest * left)
    affordable = ZERO
    while patches != ZERO:
        patch = lowest(patches)
        patches &= patches - ONE
        if edition.price[patch] <= most:
            affordable |= bit(patch)
    if position.phase == LAY and position.turn == player:
        affordable |= bit(position.held)
    return affordable


@compiled_inline
def special_patches_ahead(position: PositionRecord, edition: EditionRecord, player: int) -> int:
    """How many special patches a player may still get."""
    ahead = 0
    if position.space[player] < edition.last_space:
        ahead = count(special_patch_marks_to(position, edition, edition.last_space))
    if position.phase == SPECIAL and position.turn == player:
        ahead += position.pending
    return ahead


@compiled
def _useful(free_low: Any, free_high: Any, edition: EditionRecord, patches: Any) -> Any:
    """The empty spaces on which one of the patches can lie."""
    useful_low, useful_high = ZERO, ZERO
    while patches != ZERO:
        patch = lowest(patches)
        patches &= patches - ONE
        size = edition.patch_cells[patch]
        for shape in range(signed(edition.first_shape[patch]), signed(edition.first_shape[patch + 1])):
            low, high = fits(edition, shape, size, free_low, free_high)
            while (low | high) != ZERO:
                cell, low, high = take_first(low, high)
                covered_low, covered_high = cells_of_shape(edition, shape, cell)
                useful_low |= covered_low
                useful_high |= covered_high
            if useful_low == free_low and useful_high == free_high:
                return useful_low, useful_high
    return useful_low, useful_high


@compiled_inline
def _tile_within_reach(
    low: Any, high: Any, useful_low: Any, useful_high: Any, special: int, edition: EditionRecord
) -> bool:
    """Whether a square can still be filled: with patches on useful spaces, special patches on others."""
    for square in range(edition.square_count):
        missing_low = low & edition.squares[square, 0] & ~useful_low
        missing_high = high & edition.squares[square, 1] & ~useful_high
        if count(missing_low) + count(missing_high) <= special:
            return True
    return False


@compiled
def keep_useful(position: PositionRecord, edition: EditionRecord, player: int) -> Any:
    """The spaces of a quilt that can still matter: all of them while its owner may win the special tile."""
    low, high = position.free[player, 0], position.free[player, 1]
    useful_low, useful_high = _useful(low, high, edition, within_reach(position, edition, player))
    if position.tile == NOBODY:
        special = special_patches_ahead(position, edition, player)
        alive = (useful_low | useful_high) != ZERO or special > 0
        if alive and _tile_within_reach(low, high, useful_low, useful_high, special, edition):
            return low, high
    return useful_low, useful_high


@compiled
def list_masks(low_all: Any, high_all: Any, edition: EditionRecord, patches: Any, masks: MasksRecord) -> None:
    """Lists every way to lay one of the patches on the spaces; too many count as MAX_MASKS."""
    masks.count = 0
    while patches != ZERO:
        patch = lowest(patches)
        patches &= patches - ONE
        size = edition.patch_cells[patch]
        for shape in range(signed(edition.first_shape[patch]), signed(edition.first_shape[patch + 1])):
            low, high = fits(edition, shape, size, low_all, high_all)
            while (low | high) != ZERO:
                cell, low, high = take_first(low, high)
                if masks.count == MAX_MASKS:
                    return
                covered_low, covered_high = cells_of_shape(edition, shape, cell)
                masks.low[masks.count] = covered_low
                masks.high[masks.count] = covered_high
                masks.patch[masks.count] = bit(patch)
                masks.count += 1


@compiled_inline
def useful_after(
    position: PositionRecord,
    edition: EditionRecord,
    masks: MasksRecord,
    patches: Any,
    special: int,
    won: int,
    covered_low: Any,
    covered_high: Any,
) -> Any:
    """The spaces of the mover's quilt that still matter when some are covered; `patches` are then in reach."""
    mover = position.turn
    free_low = position.free[mover, 0] & ~covered_low
    free_high = position.free[mover, 1] & ~covered_high
    if masks.count == MAX_MASKS:
        return free_low, free_high
    low, high = ZERO, ZERO
    if patches != ZERO:
        for i in range(masks.count):
            if (
                masks.patch[i] & patches != ZERO
                and (masks.low[i] & covered_low) | (masks.high[i] & covered_high) == ZERO
            ):
                low |= masks.low[i]
                high |= masks.high[i]
                if low == free_low and high == free_high:
                    break
    alive = position.tile == NOBODY and not won and ((low | high) != ZERO or special > 0)
    if alive and _tile_within_reach(free_low, free_high, low, high, special, edition):
        return free_low, free_high
    return low, high
