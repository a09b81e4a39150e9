"""The end of a game searched out: alpha-beta over all that can still matter, with a table of positions.

The value is four times player 0's lead in points, and one more or less for who arrived first: its sign tells the
winner and no value is 0. A search is exact because only what cannot matter is left out (`endgame_moves.py`).
It can be interrupted at any node and go on later: all it knows is in its stack.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from quiltwork.agents.engine.endgame_moves import LEVEL, LevelRecord, list_moves, set_useful
from quiltwork.agents.engine.reach import MASKS, MasksRecord, special_patches_ahead, within_reach
from quiltwork.agents.engine.tables import signed
from quiltwork.rules.bits import ONE, ZERO, count, lowest
from quiltwork.rules.chance import GAMMA, mix
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import (
    DEAL,
    LAY,
    NOBODY,
    NOTHING,
    OVER,
    POSITION,
    TURN,
    EditionRecord,
    PositionRecord,
    record_type,
)
from quiltwork.rules.moves import play
from quiltwork.rules.quilt import empty_spaces
from quiltwork.rules.steps import marks_crossed, reserve_enters, score

MAX_DEPTH = 160
HIGHEST = 30_000
TRIED = -HIGHEST
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
RUNNING, OUT_OF_NODES, CHANCE_AHEAD, TOO_LARGE = 0, 1, 2, 3
SLICE = 1000
"""nodes between two looks at the clock"""

ENTRY = record_type([("key", np.uint64), ("value", np.int32), ("bound", np.int32), ("code", np.int32)])
BOUNDS = record_type([("best", np.int64, (64,)), ("last", np.int64, (64,))])
STATUS = record_type([("nodes", np.int64), ("limit", np.int64), ("ended", np.int64)])
PLACE = record_type([("depth", np.int64), ("entering", np.int64)])
BoundsRecord: TypeAlias = Any
StatusRecord: TypeAlias = Any


@compiled_inline
def _value(position: PositionRecord, edition: EditionRecord) -> int:
    lead = score(position, edition, 0) - score(position, edition, 1)
    return 4 * lead + (1 if position.first == 0 else -1)


@compiled
def _least(position: PositionRecord, edition: EditionRecord, player: int) -> int:
    """What a player scores at least: by advancing to the end."""
    left = edition.last_space - position.space[player]
    marks = count(marks_crossed(edition.income_marks, position.space[player], edition.last_space))
    return score(position, edition, player) + left + marks * position.income[player]


@compiled
def _gain(position: PositionRecord, edition: EditionRecord, player: int, useful: int, best: Any, last: Any) -> int:
    """How much more than that a player can gain at most: the best patches for the time that is left.

    Prices, the order of the circle and the opponent are left out of account. `best[t]` is the most within t
    spaces, `last[t]` the same with a patch that goes beyond the last space.
    """
    left = signed(edition.last_space - position.space[player])
    special = special_patches_ahead(position, edition, player)
    most = -edition.points_per_empty_space * special
    if position.tile == NOBODY:
        most += edition.tile_points
    held = signed(position.held) if position.phase == LAY and position.turn == player else signed(NOTHING)
    if left <= 0:
        return most
    for t in range(left + 1):
        best[t] = 0
        last[t] = -HIGHEST
    marks = count(marks_crossed(edition.income_marks, position.space[player], edition.last_space))
    patches = within_reach(position, edition, player)
    while patches != ZERO:
        patch = lowest(patches)
        patches &= patches - ONE
        if edition.patch_cells[patch] > useful:
            continue
        worth = edition.income[patch] * marks - edition.points_per_empty_space * edition.patch_cells[patch]
        if patch != held:
            worth -= edition.price[patch]
        time = signed(edition.time[patch])
        for t in range(left, -1, -1):
            last[t] = max(last[t], best[t] + worth)
            if t >= time:
                last[t] = max(last[t], last[t - time] + worth - time)
                best[t] = max(best[t], best[t - time] + worth - time)
    gain = best[left]
    for t in range(left):
        # The last patch gives up the buttons for all spaces that are left then.
        gain = max(gain, last[t] - (left - t))
    return most + gain


@compiled_inline
def _stir(key: Any, word: Any) -> Any:
    return mix(key ^ word) + GAMMA


@compiled_inline
def _key(position: PositionRecord, level: LevelRecord) -> Any:
    """The key of what matters in a position: dead spaces count by their number only."""
    key = GAMMA
    for player in range(2):
        empty = np.uint64(empty_spaces(position, player))
        state = (np.uint64(position.buttons[player]) << np.uint64(32)) | (empty << np.uint64(24))
        state |= (np.uint64(position.income[player]) << np.uint64(8)) | np.uint64(position.space[player])
        key = _stir(key, level.useful[player, 0])
        key = _stir(key, level.useful[player, 1])
        key = _stir(key, state)
    state = (np.uint64(position.phase) << np.uint64(40)) | (np.uint64(position.turn) << np.uint64(32))
    state |= (np.uint64(position.tile + 1) << np.uint64(24)) | (np.uint64(position.first + 1) << np.uint64(16))
    state |= (np.uint64(position.held + 1) << np.uint64(8)) | np.uint64(position.pending)
    key = _stir(key, state)
    # The circle is one ring, less what was taken: the places that are left tell its order.
    key = _stir(key, position.present)
    return _stir(key, np.uint64(position.token))


@compiled
def _enter(
    position: PositionRecord,
    level: LevelRecord,
    edition: EditionRecord,
    works: Any,
    masks: MasksRecord,
    bounds: BoundsRecord,
    table: Any,
    status: StatusRecord,
    is_root: bool,
) -> bool:
    """Begins with a position: whether its value is known at once; if not, its moves are listed.

    At the root the moves are always tried: a table tells the value, but not a move for this very quilt.
    """
    if position.phase == OVER:
        level.best = _value(position, edition)
        return True
    if status.nodes >= status.limit:
        status.ended = OUT_OF_NODES
        return True
    status.nodes += 1
    if position.phase == DEAL or (position.phase == TURN and reserve_enters(position, edition)):
        status.ended = CHANCE_AHEAD
        return True
    level.key = _key(position, level)
    known = signed(NOTHING)
    entry = table[signed(level.key & np.uint64(len(table) - 1))]
    if entry.key == level.key and entry.bound != 0:
        known = signed(entry.code)
        level.best = entry.value
        if not is_root and (
            entry.bound == EXACT
            or (entry.bound == AT_LEAST and entry.value >= level.beta)
            or (entry.bound == AT_MOST and entry.value <= level.alpha)
        ):
            return True
    # What both can reach at most and at least may already decide.
    least_0, least_1 = _least(position, edition, 0), _least(position, edition, 1)
    useful_0 = count(level.useful[0, 0]) + count(level.useful[0, 1])
    level.best = 4 * (least_0 + _gain(position, edition, 0, useful_0, bounds.best, bounds.last) - least_1) + 1
    if level.best <= level.alpha:
        return True
    useful_1 = count(level.useful[1, 0]) + count(level.useful[1, 1])
    level.best = 4 * (least_0 - least_1 - _gain(position, edition, 1, useful_1, bounds.best, bounds.last)) - 1
    if level.best >= level.beta:
        return True
    list_moves(position, edition, level, works, masks)
    if level.full:
        status.ended = TOO_LARGE
        return True
    for i in range(level.count):
        if level.code[i] == known:
            level.order[i] = HIGHEST
    level.low_window, level.high_window = level.alpha, level.beta
    level.best = -HIGHEST if position.turn == 0 else HIGHEST
    level.best_code = NOTHING
    return False


@compiled_inline
def _next_move(level: LevelRecord) -> int:
    """The best-looking move that was not tried, NOTHING if none is left or the rest cannot matter."""
    if level.alpha >= level.beta:
        return NOTHING
    best = signed(NOTHING)
    for i in range(level.count):
        if level.order[i] > TRIED and (best == NOTHING or level.order[i] > level.order[best]):
            best = signed(i)
    if best != NOTHING:
        level.order[best] = TRIED
    return best


@compiled_inline
def _learn(position: PositionRecord, level: LevelRecord, code: int, value: int) -> None:
    """Takes the value of a move into account."""
    if position.turn == 0:
        if value > level.best:
            level.best = value
            level.best_code = code
            level.alpha = max(level.alpha, value)
    elif value < level.best:
        level.best = value
        level.best_code = code
        level.beta = min(level.beta, value)


@compiled_inline
def _remember(level: LevelRecord, table: Any) -> None:
    entry = table[signed(level.key & np.uint64(len(table) - 1))]
    entry.key = level.key
    entry.value = level.best
    entry.code = level.best_code
    entry.bound = EXACT
    if level.best <= level.low_window:
        entry.bound = AT_MOST
    elif level.best >= level.high_window:
        entry.bound = AT_LEAST


def new_stack() -> tuple[Any, ...]:
    """Room for one search: positions and levels by depth, work space, and where it stands."""
    return (
        np.zeros(MAX_DEPTH, POSITION),
        np.zeros(MAX_DEPTH, LEVEL),
        np.zeros(1, POSITION),
        np.zeros(1, MASKS),
        np.zeros(1, BOUNDS),
        np.zeros(1, PLACE),
    )


@compiled
def begin(stack: Any, root: Any, edition: Any, low: int, high: int) -> None:
    """Begins a search for the value of `root[0]`, exact between `low` and `high`, else a bound on that side."""
    positions, levels, _, _, _, place = stack
    positions[0] = root[0]
    set_useful(root[0], edition[0], levels[0])
    levels[0].alpha, levels[0].beta = low, high
    place[0].depth = 0
    place[0].entering = 1


@compiled
def go_on(stack: Any, edition: Any, table: Any, status: Any) -> int:
    """Searches on until the value is known, then returns it; `status[0].ended` says why it has none yet.

    Out of nodes, it can go on after `status[0].limit` was raised. `table` has a power of two of entries.
    """
    positions, levels, works, masks, bounds, place = stack
    depth = place[0].depth
    entering = place[0].entering != 0
    status[0].ended = RUNNING
    while True:
        level = levels[depth]
        done = False
        if entering:
            done = _enter(
                positions[depth], level, edition[0], works, masks[0], bounds[0], table, status[0], depth == 0
            )
            if depth + 2 >= MAX_DEPTH:
                status[0].ended = TOO_LARGE
            if status[0].ended != RUNNING:
                place[0].depth = depth
                place[0].entering = 1
                return 0
        if not done:
            move = _next_move(level)
            if move == NOTHING:
                _remember(level, table)
                done = True
            else:
                level.trying = level.code[move]
                positions[depth + 1] = positions[depth]
                after = levels[depth + 1]
                mover = positions[depth].turn
                for word in range(2):
                    after.useful[1 - mover, word] = level.useful[1 - mover, word]
                after.useful[mover, 0] = level.low[move]
                after.useful[mover, 1] = level.high[move]
                after.alpha, after.beta = level.alpha, level.beta
                play(positions[depth + 1], edition[0], level.trying)
                depth += 1
                entering = True
        if done:
            if depth == 0:
                return level.best
            value = level.best
            depth -= 1
            _learn(positions[depth], levels[depth], levels[depth].trying, value)
            entering = False


@compiled
def look_ahead(root: Any, edition: Any, codes: Any, keys: Any, points: Any) -> None:
    """Writes for each move a key, equal for moves that play alike to the end, and the mover's score after it."""
    mover = root[0].turn
    work = root.copy()
    levels = np.empty(1, LEVEL)
    for i in range(len(codes)):
        work[0] = root[0]
        play(work[0], edition[0], codes[i])
        set_useful(work[0], edition[0], levels[0])
        keys[i] = _key(work[0], levels[0])
        points[i] = score(work[0], edition[0], mover)
