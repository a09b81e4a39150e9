"""What the small net sees of a position, from the mover's side, as numbers; the quilts are seen by `windows`.

Patches are shown by what they cost, bring and need, never by their numbers, so one net plays every edition. They
are shown in the order in which they can be reached; a patch in hand, or the special patch to be placed, is first.
The last numbers tell how the game ends if both sides play quick moves from here, always the same ones.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from quiltwork.agents.engine.memory import MEMORY, QuiltRecord, places, recall
from quiltwork.agents.engine.policy import PolicyRecord, quick_playout, worth_of_advance, worth_to
from quiltwork.agents.engine.tables import TablesRecord
from quiltwork.rules.bits import ALL, ONE, ZERO, count, lowest
from quiltwork.rules.chance import SOURCE
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import (
    LAY,
    NO_RESERVE,
    NOBODY,
    POSITION,
    SPECIAL,
    TURN,
    EditionRecord,
    PositionRecord,
    record_type,
)
from quiltwork.rules.quilt import empty_spaces
from quiltwork.rules.steps import advance_distance, marks_crossed, score, winner

SIGHT_VERSION = 2
SHOWN = 8
"""patches of the circle that are shown"""
GENERAL = 24
OF_PLAYER = 18
OF_PATCH = 15
OF_END = 12
PATCHES = GENERAL + 2 * OF_PLAYER
END = PATCHES + SHOWN * OF_PATCH
NUMBERS = END + OF_END

_LOGS = np.log1p(np.arange(1024.0))
"""of a number of buttons, or of places: to reckon them anew takes a tenth of the time of a look"""

NOTES = record_type([("memory", MEMORY), ("end", POSITION), ("chance", SOURCE)])
"""what is remembered from look to look, and room to play a position out"""
NotesRecord: TypeAlias = Any


@compiled
def look(
    position: PositionRecord,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    notes: NotesRecord,
    numbers: Any,
) -> None:
    """Writes the numbers of a position that waits for a player's move; all are about 0 to 1."""
    for i in range(END):
        numbers[i] = 0.0
    _look_around(position, edition, tables, policy, numbers)
    for side in range(2):
        player = position.turn if side == 0 else 1 - position.turn
        _look_at_player(position, edition, tables, player, GENERAL + side * OF_PLAYER, numbers)
    mine, theirs = recall(notes.memory, position, position.turn), recall(notes.memory, position, 1 - position.turn)
    shown = 0
    if position.phase == SPECIAL:
        numbers[PATCHES + 3] = 0.125
        shown = 1
    elif position.phase == LAY:
        _look_at_patch(position, edition, tables, policy, mine, theirs, position.held, 0, numbers)
        shown = 1
    ahead = position.present & (ALL << np.uint64(position.token))
    behind = position.present ^ ahead
    while shown < SHOWN and (ahead | behind) != ZERO:
        if ahead == ZERO:
            ahead = behind
            behind = ZERO
        patch = position.ring[lowest(ahead)]
        ahead &= ahead - ONE
        _look_at_patch(position, edition, tables, policy, mine, theirs, patch, shown, numbers)
        shown += 1
    _look_at_end(position, edition, tables, policy, notes, numbers)


@compiled_inline
def _look_around(
    position: PositionRecord, edition: EditionRecord, tables: TablesRecord, policy: PolicyRecord, numbers: Any
) -> None:
    mover = position.turn
    other = 1 - mover
    foremost = max(position.space[0], position.space[1])
    turn = position.phase == TURN
    numbers[0] = 1.0 if turn else 0.0
    numbers[1] = 1.0 if position.phase == SPECIAL else 0.0
    numbers[2] = 1.0 if position.phase == LAY else 0.0
    numbers[3] = position.pending / 3.0
    numbers[4] = (position.space[other] - position.space[mover]) / 10.0
    numbers[5] = advance_distance(position, edition) / 10.0 if turn else 0.0
    numbers[6] = 1.0 if position.space[mover] == position.space[other] else 0.0
    numbers[7] = count(marks_crossed(edition.special_patch_marks, foremost, edition.last_space)) / 5.0
    numbers[8] = edition.last_space / 60.0
    numbers[9] = (count(edition.board[0]) + count(edition.board[1])) / 81.0
    numbers[10] = edition.tile_points / 10.0
    numbers[11] = 1.0 if edition.square_count > 0 and position.tile == NOBODY else 0.0
    numbers[12] = 1.0 if edition.may_remove_special_patch else 0.0
    numbers[13] = count(position.present) / 33.0
    numbers[14] = count(position.reserve) / 10.0
    if edition.reserve_enters_when_left != NO_RESERVE and position.reserve != ZERO:
        numbers[15] = (count(position.present) - edition.reserve_enters_when_left) / 10.0
    numbers[16] = edition.points_per_empty_space / -2.0
    lead = score(position, edition, mover) - score(position, edition, other)
    numbers[17] = lead / 40.0
    numbers[18] = _within_one(lead / 8.0)
    numbers[19] = worth_of_advance(position, edition, tables, policy) / 256.0 if turn else 0.0
    numbers[20] = 1.0 if turn and advance_distance(position, edition) == 1 else 0.0
    numbers[21] = edition.choices / 3.0
    end = position.space[mover] + advance_distance(position, edition) if turn else position.space[mover]
    numbers[22] = count(marks_crossed(edition.income_marks, position.space[mover], end)) / 2.0
    numbers[23] = count(marks_crossed(edition.special_patch_marks, foremost, max(foremost, end)))


@compiled_inline
def _log(number: int) -> float:
    return _LOGS[min(number, len(_LOGS) - 1)]


@compiled_inline
def _within_one(number: float) -> float:
    return min(max(number, -1.0), 1.0)


@compiled_inline
def _crosses(marks: Any, start: int, end: int) -> float:
    """1 if there is a mark on the way, else 0."""
    return 1.0 if marks_crossed(marks, start, end) != ZERO else 0.0


@compiled_inline
def _to_next(marks: Any, start: int, end: int) -> float:
    """The distance to the next mark, in eighths; 2 if there is none."""
    left = marks_crossed(marks, start, end)
    if left == ZERO:
        return 2.0
    return (lowest(left) - start) / 8.0


@compiled_inline
def _look_at_player(
    position: PositionRecord, edition: EditionRecord, tables: TablesRecord, player: int, at: int, numbers: Any
) -> None:
    last = edition.last_space
    foremost = max(position.space[0], position.space[1])
    buttons = position.buttons[player]
    space = position.space[player]
    marks = tables.income_marks_after[space]
    empty = empty_spaces(position, player)
    numbers[at] = min(buttons / 20.0, 3.0)
    numbers[at + 1] = _log(buttons) / 3.0
    numbers[at + 2] = min(buttons, 10) / 10.0
    numbers[at + 3] = min(buttons, 5) / 5.0
    numbers[at + 4] = position.income[player] / 10.0
    numbers[at + 5] = (last - space) / 30.0
    numbers[at + 6] = 1.0 if space == last else 0.0
    numbers[at + 7] = marks / 9.0
    numbers[at + 8] = _to_next(edition.income_marks, space, last)
    numbers[at + 9] = _to_next(edition.special_patch_marks, foremost, last)
    numbers[at + 10] = empty / 81.0
    numbers[at + 11] = position.income[player] * marks / 30.0
    numbers[at + 12] = score(position, edition, player) / 60.0
    numbers[at + 13] = 1.0 if position.tile == player else 0.0
    numbers[at + 14] = 1.0 if position.first == player else 0.0
    numbers[at + 15] = max(0.0, (20 - empty) / 20.0)
    numbers[at + 16] = max(0.0, (8 - (last - space)) / 8.0)
    if position.tile == NOBODY and edition.square_count > 0:
        missing = edition.cells
        for square in range(edition.square_count):
            left = count(position.free[player, 0] & edition.squares[square, 0])
            left += count(position.free[player, 1] & edition.squares[square, 1])
            missing = min(missing, left)
        numbers[at + 17] = max(0.0, (16 - missing) / 16.0)


@compiled_inline
def _look_at_patch(
    position: PositionRecord,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    mine: QuiltRecord,
    theirs: QuiltRecord,
    patch: int,
    shown: int,
    numbers: Any,
) -> None:
    mover = position.turn
    other = 1 - mover
    price = edition.price[patch]
    start = position.space[mover]
    end = min(start + edition.time[patch], edition.last_space)
    foremost = max(start, position.space[other])
    ways = places(mine, edition, patch)
    at = PATCHES + shown * OF_PATCH
    numbers[at] = price / 10.0
    numbers[at + 1] = edition.time[patch] / 6.0
    numbers[at + 2] = edition.income[patch] / 3.0
    numbers[at + 3] = edition.patch_cells[patch] / 8.0
    numbers[at + 4] = 1.0 if price <= position.buttons[mover] else 0.0
    numbers[at + 5] = 1.0 if price <= position.buttons[other] else 0.0
    numbers[at + 6] = worth_to(position, edition, tables, policy, mover, patch) / 256.0
    numbers[at + 7] = worth_to(position, edition, tables, policy, other, patch) / 256.0
    numbers[at + 8] = _log(ways) / 5.0
    numbers[at + 9] = _log(places(theirs, edition, patch)) / 5.0
    numbers[at + 10] = 1.0 if ways == 0 else 0.0
    numbers[at + 11] = 1.0 if end <= position.space[other] else 0.0
    numbers[at + 12] = count(marks_crossed(edition.income_marks, start, end)) / 2.0
    numbers[at + 13] = _crosses(edition.special_patch_marks, foremost, end)
    numbers[at + 14] = _within_one((position.buttons[mover] - price) / 8.0)


@compiled_inline
def _look_at_end(
    position: PositionRecord,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    notes: NotesRecord,
    numbers: Any,
) -> None:
    mover = position.turn
    other = 1 - mover
    end = notes.end
    notes.end = position
    # A reserve is dealt in the same order each time, so that a position always looks the same.
    notes.chance.state = ONE
    quick_playout(end, edition, tables, policy, 0, notes.chance)
    mine, theirs = score(end, edition, mover), score(end, edition, other)
    lead = mine - theirs
    numbers[END] = lead / 40.0
    numbers[END + 1] = _within_one(lead / 8.0)
    numbers[END + 2] = _within_one(lead / 20.0)
    numbers[END + 3] = 1.0 if winner(end, edition) == mover else 0.0
    numbers[END + 4] = mine / 40.0
    numbers[END + 5] = theirs / 40.0
    numbers[END + 6] = empty_spaces(end, mover) / 20.0
    numbers[END + 7] = empty_spaces(end, other) / 20.0
    numbers[END + 8] = end.income[mover] / 20.0
    numbers[END + 9] = end.income[other] / 20.0
    numbers[END + 10] = 1.0 if end.tile == mover else 0.0
    numbers[END + 11] = 1.0 if end.tile == other else 0.0
