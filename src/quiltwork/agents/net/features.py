"""The features of a position for the net, from the mover's side; the quilts are seen by their 3x3 windows.

Patches are shown by what they cost, bring and need, never by their numbers, so one net plays every edition. They
are shown in the order in which they can be reached; a patch in hand, or the special patch to be placed, is first.
The last features tell how the game ends if both sides play quick moves from here, always the same ones.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from quiltwork.agents.heuristics.economy import ContextRecord, worth_of_advance, worth_to
from quiltwork.agents.heuristics.playout import quick_playout
from quiltwork.agents.net.quilt_cache import QuiltCacheRecord, QuiltRecord, cached_quilt, places
from quiltwork.rules.bits import ALL, ONE, ZERO, count, lowest
from quiltwork.rules.chance import SourceRecord
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import LAY, NO_RESERVE, NOBODY, SPECIAL, TURN, PositionRecord
from quiltwork.rules.quilt import empty_spaces
from quiltwork.rules.record import WHOLE, Float32, Float32s, Records, record_type
from quiltwork.rules.steps import advance_distance, marks_crossed, score, winner

FEATURES_VERSION = 2
PATCHES_SHOWN = 8
"""patches of the circle that are shown"""


class GeneralFeatures:
    """Of the time board, the circle and the edition."""

    is_turn: Float32
    is_special: Float32
    is_lay: Float32
    special_patches_to_place: Float32
    spaces_behind_opponent: Float32
    advance_distance: Float32
    same_space: Float32
    special_patches_ahead: Float32
    last_space: Float32
    board_cells: Float32
    tile_points: Float32
    tile_to_win: Float32
    may_remove_special_patch: Float32
    patches_in_circle: Float32
    patches_in_reserve: Float32
    patches_until_reserve: Float32
    points_per_empty_space: Float32
    lead: Float32
    lead_clipped: Float32
    worth_of_advance: Float32
    advance_is_one_space: Float32
    choices: Float32
    income_marks_of_advance: Float32
    special_patches_of_advance: Float32


class PlayerFeatures:
    """Of one player."""

    buttons: Float32
    log_buttons: Float32
    buttons_up_to_10: Float32
    buttons_up_to_5: Float32
    income: Float32
    spaces_left: Float32
    arrived: Float32
    income_marks_left: Float32
    to_next_income_mark: Float32
    to_next_special_patch: Float32
    empty_spaces: Float32
    income_to_come: Float32
    score: Float32
    has_tile: Float32
    arrived_first: Float32
    nearly_full: Float32
    nearly_arrived: Float32
    tile_progress: Float32


class PatchFeatures:
    """Of a patch that can be reached."""

    price: Float32
    time: Float32
    income: Float32
    cells: Float32
    mover_can_pay: Float32
    opponent_can_pay: Float32
    worth_to_mover: Float32
    worth_to_opponent: Float32
    log_places: Float32
    log_places_of_opponent: Float32
    fits_nowhere: Float32
    keeps_turn: Float32
    income_marks: Float32
    special_patch: Float32
    buttons_left: Float32


class EndFeatures:
    """Of the end of a quick game."""

    lead: Float32
    lead_in_8: Float32
    lead_in_20: Float32
    wins: Float32
    score: Float32
    score_of_opponent: Float32
    empty_spaces: Float32
    empty_spaces_of_opponent: Float32
    income: Float32
    income_of_opponent: Float32
    has_tile: Float32
    opponent_has_tile: Float32


class FeaturesRecord:
    """All features by name, and the same memory as one row of numbers, `row`."""

    general: GeneralFeatures
    players: Annotated[Records[PlayerFeatures], 2]  # the mover first
    patches: Annotated[Records[PatchFeatures], PATCHES_SHOWN]
    end: EndFeatures
    row: Annotated[Float32s, WHOLE]


FEATURES = record_type(FeaturesRecord)
FEATURE_COUNT: int = FEATURES.itemsize // 4


class ObserverRecord:
    """The cache of quilts, and a workspace for the quick game."""

    cache: QuiltCacheRecord
    end: PositionRecord
    chance: SourceRecord


_LOGS = np.log1p(np.arange(1024.0))
"""of a number of buttons, or of places: to compute them anew takes a tenth of the time of all features"""


@compiled
def observe(
    position: PositionRecord, context: ContextRecord, observer: ObserverRecord, features: FeaturesRecord
) -> None:
    """Writes the features of a position that waits for a player's move; all are about 0 to 1."""
    for i in range(FEATURE_COUNT):
        features.row[i] = 0.0
    _observe_table(position, context, features.general)
    mover = position.turn
    _observe_player(position, context, mover, features.players[0])
    _observe_player(position, context, 1 - mover, features.players[1])
    mine = cached_quilt(observer.cache, position, mover)
    theirs = cached_quilt(observer.cache, position, 1 - mover)
    shown = 0
    if position.phase == SPECIAL:
        features.patches[0].cells = 0.125
        shown = 1
    elif position.phase == LAY:
        _observe_patch(position, context, mine, theirs, position.held, features.patches[0])
        shown = 1
    ahead = position.present & (ALL << np.uint64(position.token))
    behind = position.present ^ ahead
    while shown < PATCHES_SHOWN and (ahead | behind) != ZERO:
        if ahead == ZERO:
            ahead = behind
            behind = ZERO
        patch = position.ring[lowest(ahead)]
        ahead &= ahead - ONE
        _observe_patch(position, context, mine, theirs, patch, features.patches[shown])
        shown += 1
    _observe_end(position, context, observer, features.end)


@compiled_inline
def _observe_table(position: PositionRecord, context: ContextRecord, general: GeneralFeatures) -> None:
    edition = context.edition
    mover = position.turn
    other = 1 - mover
    foremost = max(position.space[0], position.space[1])
    turn = position.phase == TURN
    general.is_turn = 1.0 if turn else 0.0
    general.is_special = 1.0 if position.phase == SPECIAL else 0.0
    general.is_lay = 1.0 if position.phase == LAY else 0.0
    general.special_patches_to_place = position.pending / 3.0
    general.spaces_behind_opponent = (position.space[other] - position.space[mover]) / 10.0
    general.advance_distance = advance_distance(position, edition) / 10.0 if turn else 0.0
    general.same_space = 1.0 if position.space[mover] == position.space[other] else 0.0
    ahead = marks_crossed(edition.special_patch_marks, foremost, edition.last_space)
    general.special_patches_ahead = count(ahead) / 5.0
    general.last_space = edition.last_space / 60.0
    general.board_cells = (count(edition.board[0]) + count(edition.board[1])) / 81.0
    general.tile_points = edition.tile_points / 10.0
    general.tile_to_win = 1.0 if edition.square_count > 0 and position.tile == NOBODY else 0.0
    general.may_remove_special_patch = 1.0 if edition.may_remove_special_patch else 0.0
    general.patches_in_circle = count(position.present) / 33.0
    general.patches_in_reserve = count(position.reserve) / 10.0
    if edition.reserve_enters_when_left != NO_RESERVE and position.reserve != ZERO:
        general.patches_until_reserve = (count(position.present) - edition.reserve_enters_when_left) / 10.0
    general.points_per_empty_space = edition.points_per_empty_space / -2.0
    lead = score(position, edition, mover) - score(position, edition, other)
    general.lead = lead / 40.0
    general.lead_clipped = _within_one(lead / 8.0)
    general.worth_of_advance = worth_of_advance(position, context) / 256.0 if turn else 0.0
    general.advance_is_one_space = 1.0 if turn and advance_distance(position, edition) == 1 else 0.0
    general.choices = edition.choices / 3.0
    end = position.space[mover] + advance_distance(position, edition) if turn else position.space[mover]
    general.income_marks_of_advance = count(marks_crossed(edition.income_marks, position.space[mover], end)) / 2.0
    crossed = marks_crossed(edition.special_patch_marks, foremost, max(foremost, end))
    general.special_patches_of_advance = count(crossed)


@compiled_inline
def _log(number: int) -> float:
    return _LOGS[min(number, len(_LOGS) - 1)]


@compiled_inline
def _within_one(number: float) -> float:
    return min(max(number, -1.0), 1.0)


@compiled_inline
def _to_next(marks: Any, start: int, end: int) -> float:
    """The distance to the next mark, in eighths; 2 if there is none."""
    left = marks_crossed(marks, start, end)
    if left == ZERO:
        return 2.0
    return (lowest(left) - start) / 8.0


@compiled_inline
def _observe_player(
    position: PositionRecord, context: ContextRecord, player: int, features: PlayerFeatures
) -> None:
    edition = context.edition
    last = edition.last_space
    foremost = max(position.space[0], position.space[1])
    buttons = position.buttons[player]
    space = position.space[player]
    marks = context.tables.income_marks_after[space]
    empty = empty_spaces(position, player)
    features.buttons = min(buttons / 20.0, 3.0)
    features.log_buttons = _log(buttons) / 3.0
    features.buttons_up_to_10 = min(buttons, 10) / 10.0
    features.buttons_up_to_5 = min(buttons, 5) / 5.0
    features.income = position.income[player] / 10.0
    features.spaces_left = (last - space) / 30.0
    features.arrived = 1.0 if space == last else 0.0
    features.income_marks_left = marks / 9.0
    features.to_next_income_mark = _to_next(edition.income_marks, space, last)
    features.to_next_special_patch = _to_next(edition.special_patch_marks, foremost, last)
    features.empty_spaces = empty / 81.0
    features.income_to_come = position.income[player] * marks / 30.0
    features.score = score(position, edition, player) / 60.0
    features.has_tile = 1.0 if position.tile == player else 0.0
    features.arrived_first = 1.0 if position.first == player else 0.0
    features.nearly_full = max(0.0, (20 - empty) / 20.0)
    features.nearly_arrived = max(0.0, (8 - (last - space)) / 8.0)
    if position.tile == NOBODY and edition.square_count > 0:
        missing = edition.cells
        for square in range(edition.square_count):
            left = count(position.free[player, 0] & edition.squares[square, 0])
            left += count(position.free[player, 1] & edition.squares[square, 1])
            missing = min(missing, left)
        features.tile_progress = max(0.0, (16 - missing) / 16.0)


@compiled_inline
def _observe_patch(
    position: PositionRecord,
    context: ContextRecord,
    mine: QuiltRecord,
    theirs: QuiltRecord,
    patch: int,
    features: PatchFeatures,
) -> None:
    edition = context.edition
    mover = position.turn
    other = 1 - mover
    price = edition.price[patch]
    start = position.space[mover]
    end = min(start + edition.time[patch], edition.last_space)
    foremost = max(start, position.space[other])
    ways = places(mine, edition, patch)
    features.price = price / 10.0
    features.time = edition.time[patch] / 6.0
    features.income = edition.income[patch] / 3.0
    features.cells = edition.patch_cells[patch] / 8.0
    features.mover_can_pay = 1.0 if price <= position.buttons[mover] else 0.0
    features.opponent_can_pay = 1.0 if price <= position.buttons[other] else 0.0
    features.worth_to_mover = worth_to(position, context, mover, patch) / 256.0
    features.worth_to_opponent = worth_to(position, context, other, patch) / 256.0
    features.log_places = _log(ways) / 5.0
    features.log_places_of_opponent = _log(places(theirs, edition, patch)) / 5.0
    features.fits_nowhere = 1.0 if ways == 0 else 0.0
    features.keeps_turn = 1.0 if end <= position.space[other] else 0.0
    features.income_marks = count(marks_crossed(edition.income_marks, start, end)) / 2.0
    crossed = marks_crossed(edition.special_patch_marks, foremost, end)
    features.special_patch = 1.0 if crossed != ZERO else 0.0
    features.buttons_left = _within_one((position.buttons[mover] - price) / 8.0)


@compiled_inline
def _observe_end(
    position: PositionRecord, context: ContextRecord, observer: ObserverRecord, features: EndFeatures
) -> None:
    edition = context.edition
    mover = position.turn
    other = 1 - mover
    end = observer.end
    observer.end = position
    # A reserve is dealt in the same order each time, so that a position always has the same features.
    observer.chance.state = ONE
    quick_playout(end, context, 0, observer.chance)
    mine, theirs = score(end, edition, mover), score(end, edition, other)
    lead = mine - theirs
    features.lead = lead / 40.0
    features.lead_in_8 = _within_one(lead / 8.0)
    features.lead_in_20 = _within_one(lead / 20.0)
    features.wins = 1.0 if winner(end, edition) == mover else 0.0
    features.score = mine / 40.0
    features.score_of_opponent = theirs / 40.0
    features.empty_spaces = empty_spaces(end, mover) / 20.0
    features.empty_spaces_of_opponent = empty_spaces(end, other) / 20.0
    features.income = end.income[mover] / 20.0
    features.income_of_opponent = end.income[other] / 20.0
    features.has_tile = 1.0 if end.tile == mover else 0.0
    features.opponent_has_tile = 1.0 if end.tile == other else 0.0
