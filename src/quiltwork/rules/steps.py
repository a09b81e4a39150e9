"""The rules, one function a step, in the order of the rulebooks; the only statement of them.

Functions here change the position in place and trust that the move is legal; `rules.legality` tells whether it is.
The two actions of a turn are `advance` (A) and, in five steps, take and place a patch (B):
`take_patch` is steps 1 to 3, `lay_patch` steps 4 and 5, with the reserve dealt between them where it enters.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.rules.bits import ALL, ONE, ZERO, bit, count, lowest
from quiltwork.rules.compiler import compiled_inline
from quiltwork.rules.layout import DEAL, LAY, NOBODY, NOTHING, OVER, SPECIAL, TURN, EditionRecord, PositionRecord
from quiltwork.rules.quilt import cells_of_shape, cover, empty_spaces, is_square_full, single_cell, whereabouts


@compiled_inline
def opponent(player: int) -> int:
    """The other player."""
    return player ^ 1


# The circle


@compiled_inline
def choice_count(position: PositionRecord, edition: EditionRecord) -> int:
    """How many patches can be chosen from: three, or as many as are left."""
    return min(count(position.present), edition.choices)


@compiled_inline
def ring_place(position: PositionRecord, slot: int) -> int:
    """The ring place of the patch that is `slot` patches further clockwise from the neutral token."""
    present = position.present
    ahead = present & (ALL << np.uint64(position.token))
    behind = present ^ ahead
    place = 0
    for _ in range(slot + 1):
        if ahead == ZERO:
            ahead = behind
        place = lowest(ahead)
        ahead &= ahead - ONE
    return place


@compiled_inline
def reserve_enters(position: PositionRecord, edition: EditionRecord) -> bool:
    """Whether taking a patch now leaves so few that the reserve enters before it is laid (B, step 3)."""
    return position.reserve != ZERO and count(position.present) - 1 <= edition.reserve_enters_when_left


@compiled_inline
def can_pay(position: PositionRecord, edition: EditionRecord, patch: int) -> bool:
    """Whether the player to move has the buttons for a patch."""
    return edition.price[patch] <= position.buttons[position.turn]


# Action A


@compiled_inline
def advance_distance(position: PositionRecord, edition: EditionRecord) -> int:
    """The spaces to the one in front of the opponent's token, but not past the last space."""
    mover = position.turn
    return min(position.space[opponent(mover)] + 1, edition.last_space) - position.space[mover]


@compiled_inline
def advance(position: PositionRecord, edition: EditionRecord) -> None:
    """Action A: move in front of the opponent and receive a button for each space really moved."""
    distance = advance_distance(position, edition)
    position.buttons[position.turn] += distance
    move_time_token(position, edition, distance)


# Action B


@compiled_inline
def take_patch(position: PositionRecord, edition: EditionRecord, slot: int) -> int:
    """Action B, steps 1 to 3: choose a patch, move the neutral token to its place, pay; returns the patch."""
    place = ring_place(position, slot)
    patch = position.ring[place]
    enters = reserve_enters(position, edition)
    position.present ^= bit(place)
    position.token = place
    position.buttons[position.turn] -= edition.price[patch]
    if enters:
        position.held = patch
        position.phase = DEAL
    return patch


@compiled_inline
def deal_reserve(position: PositionRecord, order: Any) -> None:
    """Chance: the reserve joins the circle in the given order, behind the neutral token, so it is reached last."""
    left = count(position.present)
    ring = position.ring.copy()
    for slot in range(left):
        position.ring[slot] = ring[ring_place(position, slot)]
    for slot in range(len(order)):
        position.ring[left + slot] = order[slot]
    position.token = 0
    position.present = ALL >> np.uint64(64 - left - len(order))
    position.reserve = ZERO
    position.phase = LAY


@compiled_inline
def lay_patch(position: PositionRecord, edition: EditionRecord, patch: int, shape: int, first_cell: int) -> None:
    """Action B, steps 4 and 5: place the patch on the quilt board, then move the time token."""
    mover = position.turn
    low, high = cells_of_shape(edition, shape, first_cell)
    cover(position, mover, low, high)
    corner = first_cell - edition.indent[shape]
    position.placed[patch] = whereabouts(mover, edition.orientation[shape], corner)
    award_special_tile(position, edition)
    spend_time(position, edition, patch)


@compiled_inline
def spend_time(position: PositionRecord, edition: EditionRecord, patch: int) -> None:
    """Action B, step 5: with the buttons on the patch as income, move the time token by its time."""
    position.held = NOTHING
    position.income[position.turn] += edition.income[patch]
    move_time_token(position, edition, edition.time[patch])


# The time board


@compiled_inline
def marks_crossed(marks: Any, start: int, end: int) -> Any:
    """The marks that a token crosses from space `start` to space `end`: it lies on the border before its space."""
    return marks & (ALL << np.uint64(start) << ONE) & (ALL >> np.uint64(63 - end))


@compiled_inline
def income_marks_to(position: PositionRecord, edition: EditionRecord, player: int, end: int) -> Any:
    """The income marks that a player's token crosses on its way to a space."""
    return marks_crossed(edition.income_marks, position.space[player], end)


@compiled_inline
def special_patch_marks_to(position: PositionRecord, edition: EditionRecord, end: int) -> Any:
    """The special patches that a token receives on its way to a space: those up to the foremost token are gone."""
    return marks_crossed(edition.special_patch_marks, max(position.space[0], position.space[1]), end)


@compiled_inline
def move_time_token(position: PositionRecord, edition: EditionRecord, distance: int) -> None:
    """Moves the mover's token, never past the last space, and resolves what it crosses."""
    mover = position.turn
    end = min(position.space[mover] + distance, edition.last_space)
    # Income is paid for every mark crossed, and only to the active player.
    position.buttons[mover] += position.income[mover] * count(income_marks_to(position, edition, mover, end))
    position.pending = count(special_patch_marks_to(position, edition, end))
    position.space[mover] = end
    if end == edition.last_space and position.first == NOBODY:
        position.first = mover
    if position.pending > 0:
        position.phase = SPECIAL
    else:
        end_turn(position, edition)


@compiled_inline
def place_special_patch(position: PositionRecord, edition: EditionRecord, cell: int) -> None:
    """Places one special patch on a cell, or removes it from play (NOTHING)."""
    mover = position.turn
    if cell != NOTHING:
        low, high = single_cell(cell)
        cover(position, mover, low, high)
        position.special[mover, 0] |= low
        position.special[mover, 1] |= high
        award_special_tile(position, edition)
    position.pending -= 1
    if position.pending == 0:
        end_turn(position, edition)


@compiled_inline
def award_special_tile(position: PositionRecord, edition: EditionRecord) -> None:
    """The first player to fill a square of the tile's size receives it; it is never lost."""
    if wins_special_tile(position, edition, ZERO, ZERO):
        position.tile = position.turn


@compiled_inline
def wins_special_tile(position: PositionRecord, edition: EditionRecord, low: Any, high: Any) -> bool:
    """Whether the mover receives the special tile once these cells are covered, too."""
    free = position.free[position.turn]
    return position.tile == NOBODY and is_square_full(edition, free[0] & ~low, free[1] & ~high)


@compiled_inline
def end_turn(position: PositionRecord, edition: EditionRecord) -> None:
    """The player furthest behind is next; on a shared space the mover's token lies on top, so it goes on."""
    mover = position.turn
    own = position.space[mover]
    other = position.space[opponent(mover)]
    if own == edition.last_space and other == edition.last_space:
        position.phase = OVER
    else:
        position.phase = TURN
        if own > other:
            position.turn = opponent(mover)


# The end of the game


@compiled_inline
def score(position: PositionRecord, edition: EditionRecord, player: int) -> int:
    """Buttons, the special tile, and points (less than 0) for each empty space."""
    points = position.buttons[player] + edition.points_per_empty_space * empty_spaces(position, player)
    if position.tile == player:
        points += edition.tile_points
    return points


@compiled_inline
def winner(position: PositionRecord, edition: EditionRecord) -> int:
    """The player with the higher score; in a tie, who reached the last space first."""
    lead = score(position, edition, 0) - score(position, edition, 1)
    if lead > 0:
        return 0
    if lead < 0:
        return 1
    return position.first
