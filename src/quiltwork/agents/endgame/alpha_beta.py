"""The end of a game searched out: alpha-beta over all that can still matter, with a table of positions.

The value is four times player 0's lead in points, and one more or less for who arrived first: its sign tells the
winner and no value is 0. A search is exact because only what cannot matter is left out (`moves.py`).
It can be interrupted at any node and go on later: all it knows is in its record and its table.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from quiltwork.agents.endgame.moves import LevelRecord, WorkRecord, list_moves, set_useful
from quiltwork.agents.endgame.reach import special_patches_ahead, within_reach
from quiltwork.agents.heuristics.tables import signed
from quiltwork.rules.bits import ONE, ZERO, count, lowest
from quiltwork.rules.chance import GAMMA, mix
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import (
    DEAL,
    LAY,
    MAX_LAST_SPACE,
    NOBODY,
    NOTHING,
    OVER,
    TURN,
    EditionRecord,
    PositionRecord,
)
from quiltwork.rules.moves import play
from quiltwork.rules.quilt import empty_spaces
from quiltwork.rules.record import Int32, Int64, Int64s, Records, Word, record_type
from quiltwork.rules.steps import income_marks_to, reserve_enters, score

MAX_DEPTH = 160
HIGHEST = 30_000
TRIED = -HIGHEST
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
RUNNING, OUT_OF_NODES, CHANCE_AHEAD, TOO_LARGE = 0, 1, 2, 3
SLICE = 1000
"""nodes between two looks at the clock"""


class EntryRecord:
    """A position in the table."""

    key: Word
    value: Int32
    bound: Int32
    code: Int32


ENTRY = record_type(EntryRecord)


class SolverRecord:
    """A search and where it stands."""

    positions: Annotated[Records[PositionRecord], MAX_DEPTH]
    levels: Annotated[Records[LevelRecord], MAX_DEPTH]
    depth: Int64
    entering: Int64
    nodes: Int64
    limit: Int64  # of nodes
    ended: Int64
    # workspace
    work: WorkRecord
    best: Annotated[Int64s, MAX_LAST_SPACE + 1]
    last: Annotated[Int64s, MAX_LAST_SPACE + 1]


SOLVER = record_type(SolverRecord)


@compiled_inline
def _value(position: PositionRecord, edition: EditionRecord) -> int:
    lead = score(position, edition, 0) - score(position, edition, 1)
    return 4 * lead + (1 if position.first == 0 else -1)


@compiled
def _least(position: PositionRecord, edition: EditionRecord, player: int) -> int:
    """What a player scores at least: by advancing to the end."""
    left = edition.last_space - position.space[player]
    marks = count(income_marks_to(position, edition, player, edition.last_space))
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
    marks = count(income_marks_to(position, edition, player, edition.last_space))
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
    solver: SolverRecord,
    table: Records[EntryRecord],
    is_root: bool,
) -> bool:
    """Begins with a position: whether its value is known at once; if not, its moves are listed.

    The root is always expanded: the table has a value for it, but not a move for this very quilt.
    """
    if position.phase == OVER:
        level.best = _value(position, edition)
        return True
    if solver.nodes >= solver.limit:
        solver.ended = OUT_OF_NODES
        return True
    solver.nodes += 1
    if position.phase == DEAL or (position.phase == TURN and reserve_enters(position, edition)):
        solver.ended = CHANCE_AHEAD
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
    level.best = 4 * (least_0 + _gain(position, edition, 0, useful_0, solver.best, solver.last) - least_1) + 1
    if level.best <= level.alpha:
        return True
    useful_1 = count(level.useful[1, 0]) + count(level.useful[1, 1])
    level.best = 4 * (least_0 - least_1 - _gain(position, edition, 1, useful_1, solver.best, solver.last)) - 1
    if level.best >= level.beta:
        return True
    list_moves(position, edition, level, solver.work)
    if level.full:
        solver.ended = TOO_LARGE
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
def _remember(level: LevelRecord, table: Records[EntryRecord]) -> None:
    entry = table[signed(level.key & np.uint64(len(table) - 1))]
    entry.key = level.key
    entry.value = level.best
    entry.code = level.best_code
    entry.bound = EXACT
    if level.best <= level.low_window:
        entry.bound = AT_MOST
    elif level.best >= level.high_window:
        entry.bound = AT_LEAST


@compiled_inline
def begin(solver: SolverRecord, position: PositionRecord, edition: EditionRecord, low: int, high: int) -> None:
    """Begins a search for the value of a position, exact between `low` and `high`, else a bound on that side."""
    solver.positions[0] = position
    set_useful(position, edition, solver.levels[0])
    solver.levels[0].alpha, solver.levels[0].beta = low, high
    solver.depth = 0
    solver.entering = 1


@compiled
def go_on(solver: SolverRecord, edition: EditionRecord, table: Records[EntryRecord]) -> int:
    """Searches on until the value is known, then returns it; `solver.ended` says why it has none yet.

    Out of nodes, it can go on after `solver.limit` was raised. `table` has a power of two of entries.
    """
    positions, levels = solver.positions, solver.levels
    depth = solver.depth
    entering = solver.entering != 0
    solver.ended = RUNNING
    while True:
        level = levels[depth]
        done = False
        if entering:
            done = _enter(positions[depth], level, edition, solver, table, depth == 0)
            if depth + 2 >= MAX_DEPTH:
                solver.ended = TOO_LARGE
            if solver.ended != RUNNING:
                solver.depth = depth
                solver.entering = 1
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
                play(positions[depth + 1], edition, level.trying)
                depth += 1
                entering = True
        if done:
            if depth == 0:
                return level.best
            value = level.best
            depth -= 1
            _learn(positions[depth], levels[depth], levels[depth].trying, value)
            entering = False


@compiled_inline
def lead_of(value: int) -> int:
    """Player 0's lead in points in a position of this value."""
    return (value + 2) // 4


# For Python: arrays of one record, which Numba recognises faster than a record.


@compiled
def begin_at(solvers: Any, positions: Any, editions: Any, low: int, high: int) -> None:
    begin(solvers[0], positions[0], editions[0], low, high)


@compiled
def search_on(solvers: Any, editions: Any, table: Any) -> int:
    return go_on(solvers[0], editions[0], table)


@compiled
def look_ahead(solvers: Any, positions: Any, editions: Any, codes: Any, keys: Any, points: Any) -> None:
    """Writes for each move a key, equal for moves that play alike to the end, and the mover's score after it."""
    work, level, edition = solvers[0].positions[0], solvers[0].levels[0], editions[0]
    for i in range(len(codes)):
        solvers[0].positions[0] = positions[0]
        play(work, edition, codes[i])
        set_useful(work, edition, level)
        keys[i] = _key(work, level)
        points[i] = score(work, edition, positions[0].turn)
