"""The end of a game searched out: alpha-beta over all that can still matter, with a table of positions.

The value is four times player 0's lead in points, and one more or less for who arrived first: its sign tells the
winner and no value is 0. A search is exact because only what cannot matter is left out: an empty space on
which no patch within reach can lie any more is *dead*, and of two ways to lay a patch that differ in dead spaces
only, or where one keeps alive all that the other does and more, one is enough.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from quiltwork.agents.engine.tables import signed
from quiltwork.rules.bits import ALL, ONE, ZERO, bit, count, lowest
from quiltwork.rules.chance import GAMMA, mix
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import (
    DEAL,
    LAY,
    NOBODY,
    NOTHING,
    OVER,
    POSITION,
    SPECIAL,
    TURN,
    EditionRecord,
    PositionRecord,
    record_type,
)
from quiltwork.rules.moves import ADVANCE, code_of_patch, code_of_removal, code_of_special_patch, play
from quiltwork.rules.quilt import cells_of_shape, empty_spaces, fits, single_cell
from quiltwork.rules.steps import can_pay, choice_count, marks_crossed, reserve_enters, ring_place, score

MAX_DEPTH = 160
MAX_MOVES = 512
MAX_MASKS = 4096
HIGHEST = 30_000
TRIED = -HIGHEST
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
RUNNING, OUT_OF_NODES, CHANCE_AHEAD, STOPPED = 0, 1, 2, 3

LEVEL = record_type(
    [
        ("useful", np.uint64, (2, 2)),  # [player, word] the empty spaces that are not dead
        ("alpha", np.int64),  # what player 0 has for sure, and
        ("beta", np.int64),  # what player 1 can hold it to, elsewhere
        ("low_window", np.int64),
        ("high_window", np.int64),
        ("best", np.int64),
        ("best_code", np.int64),
        ("trying", np.int64),
        ("key", np.uint64),
        ("count", np.int64),
        ("code", np.int32, (MAX_MOVES,)),
        ("order", np.int32, (MAX_MOVES,)),  # what looks better is tried first
        ("won", np.int32, (MAX_MOVES,)),  # whether it wins the special tile
        ("full", np.int64),  # there were more
        ("low", np.uint64, (MAX_MOVES,)),  # the mover's useful spaces after each move
        ("high", np.uint64, (MAX_MOVES,)),
    ]
)
ENTRY = record_type([("key", np.uint64), ("value", np.int32), ("bound", np.int32), ("code", np.int32)])
MASKS = record_type(
    [
        ("count", np.int64),
        ("low", np.uint64, (MAX_MASKS,)),
        ("high", np.uint64, (MAX_MASKS,)),
        ("patch", np.uint64, (MAX_MASKS,)),  # the bit of the patch
    ]
)
BOUNDS = record_type([("best", np.int64, (64,)), ("last", np.int64, (64,))])
STATUS = record_type([("nodes", np.int64), ("limit", np.int64), ("ended", np.int64)])
LevelRecord: TypeAlias = Any
BoundsRecord: TypeAlias = Any
StatusRecord: TypeAlias = Any
MasksRecord: TypeAlias = Any


@compiled_inline
def _within_reach(position: PositionRecord, edition: EditionRecord, player: int) -> Any:
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
    marks = count(marks_crossed(edition.income_marks, position.space[player], edition.last_space))
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
def _special_patches_ahead(position: PositionRecord, edition: EditionRecord, player: int) -> int:
    """How many special patches a player may still get."""
    foremost = max(position.space[0], position.space[1])
    ahead = count(marks_crossed(edition.special_patch_marks, foremost, edition.last_space))
    if position.space[player] >= edition.last_space:
        ahead = 0
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
                if low != ZERO:
                    cell = lowest(low)
                    low &= low - ONE
                else:
                    cell = 64 + lowest(high)
                    high &= high - ONE
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
def _keep_useful(position: PositionRecord, edition: EditionRecord, player: int) -> Any:
    """The spaces of a quilt that can still matter: all of them while its owner may win the special tile."""
    low, high = position.free[player, 0], position.free[player, 1]
    useful_low, useful_high = _useful(low, high, edition, _within_reach(position, edition, player))
    if position.tile == NOBODY:
        special = _special_patches_ahead(position, edition, player)
        alive = (useful_low | useful_high) != ZERO or special > 0
        if alive and _tile_within_reach(low, high, useful_low, useful_high, special, edition):
            return low, high
    return useful_low, useful_high


@compiled
def _list_masks(low_all: Any, high_all: Any, edition: EditionRecord, patches: Any, masks: MasksRecord) -> None:
    """Lists every way to lay one of the patches on the spaces; too many count as MAX_MASKS."""
    masks.count = 0
    while patches != ZERO:
        patch = lowest(patches)
        patches &= patches - ONE
        size = edition.patch_cells[patch]
        for shape in range(signed(edition.first_shape[patch]), signed(edition.first_shape[patch + 1])):
            low, high = fits(edition, shape, size, low_all, high_all)
            while (low | high) != ZERO:
                if low != ZERO:
                    cell = lowest(low)
                    low &= low - ONE
                else:
                    cell = 64 + lowest(high)
                    high &= high - ONE
                if masks.count == MAX_MASKS:
                    return
                covered_low, covered_high = cells_of_shape(edition, shape, cell)
                masks.low[masks.count] = covered_low
                masks.high[masks.count] = covered_high
                masks.patch[masks.count] = bit(patch)
                masks.count += 1


@compiled_inline
def _useful_after(
    position: PositionRecord,
    edition: EditionRecord,
    masks: MasksRecord,
    patches: Any,
    special: int,
    tile: int,
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
    alive = tile == NOBODY and ((low | high) != ZERO or special > 0)
    if alive and _tile_within_reach(free_low, free_high, low, high, special, edition):
        return free_low, free_high
    return low, high


@compiled_inline
def _add(level: LevelRecord, since: int, code: int, order: int, won: int, low: Any, high: Any) -> None:
    """Adds a move unless one since `since` keeps at least as much alive; drops those that keep less.

    A move that wins the special tile (`won`) is never the equal of one that does not.
    """
    i = since
    while i < level.count:
        if level.won[i] == won:
            if (low & ~level.low[i]) | (high & ~level.high[i]) == ZERO:
                return
            if (level.low[i] & ~low) | (level.high[i] & ~high) == ZERO:
                level.count -= 1
                last = level.count
                level.code[i] = level.code[last]
                level.order[i] = level.order[last]
                level.won[i] = level.won[last]
                level.low[i] = level.low[last]
                level.high[i] = level.high[last]
                continue
        i += 1
    if level.count == MAX_MOVES:
        level.full = 1
        return
    i = level.count
    level.code[i] = code
    level.order[i] = order + 14 * won
    level.won[i] = won
    level.low[i] = low
    level.high[i] = high
    level.count = i + 1


@compiled
def _list_placements(
    position: PositionRecord,
    after: PositionRecord,
    edition: EditionRecord,
    level: LevelRecord,
    masks: MasksRecord,
    patch: int,
    slot: int,
) -> None:
    """Lists the ways to lay a patch; `after` is the position then, but for the quilt."""
    mover = position.turn
    low_all, high_all = level.useful[mover, 0], level.useful[mover, 1]
    size = edition.patch_cells[patch]
    marks = count(marks_crossed(edition.income_marks, position.space[mover], edition.last_space))
    order = 2 * size + edition.income[patch] * marks - edition.price[patch]
    patches = _within_reach(after, edition, mover)
    special = _special_patches_ahead(after, edition, mover)
    since = level.count
    for shape in range(signed(edition.first_shape[patch]), signed(edition.first_shape[patch + 1])):
        low, high = fits(edition, shape, size, low_all, high_all)
        base = code_of_patch(edition, slot, signed(edition.orientation[shape]), -signed(edition.indent[shape]))
        while (low | high) != ZERO:
            if low != ZERO:
                cell = lowest(low)
                low &= low - ONE
            else:
                cell = 64 + lowest(high)
                high &= high - ONE
            covered_low, covered_high = cells_of_shape(edition, shape, cell)
            tile = _tile_after(position, edition, covered_low, covered_high)
            useful_low, useful_high = _useful_after(
                position, edition, masks, patches, special, tile, covered_low, covered_high
            )
            won = 1 if tile != position.tile else 0
            _add(level, since, base + cell, order, won, useful_low, useful_high)


@compiled_inline
def _tile_after(position: PositionRecord, edition: EditionRecord, covered_low: Any, covered_high: Any) -> int:
    """Who has the special tile when the mover covers some spaces."""
    mover = position.turn
    tile = signed(position.tile)
    if tile == NOBODY:
        low, high = position.free[mover, 0] & ~covered_low, position.free[mover, 1] & ~covered_high
        for square in range(edition.square_count):
            if (low & edition.squares[square, 0]) | (high & edition.squares[square, 1]) == ZERO:
                tile = signed(mover)
    return tile


@compiled
def _list_special(
    position: PositionRecord,
    after: PositionRecord,
    edition: EditionRecord,
    level: LevelRecord,
    masks: MasksRecord,
) -> None:
    """Lists the ways to place a special patch; `after` is the position then, but for the quilt."""
    mover = position.turn
    base = code_of_special_patch(edition, 0)
    patches = _within_reach(after, edition, mover)
    special = _special_patches_ahead(after, edition, mover)
    since = level.count
    low, high = position.free[mover, 0], position.free[mover, 1]
    while (low | high) != ZERO:
        if low != ZERO:
            cell = lowest(low)
            low &= low - ONE
        else:
            cell = 64 + lowest(high)
            high &= high - ONE
        covered_low, covered_high = single_cell(cell)
        tile = _tile_after(position, edition, covered_low, covered_high)
        useful_low, useful_high = _useful_after(
            position, edition, masks, patches, special, tile, covered_low, covered_high
        )
        won = 1 if tile != position.tile else 0
        _add(level, since, base + cell, 2, won, useful_low, useful_high)
    if empty_spaces(position, mover) == 0 or edition.may_remove_special_patch:
        # Removing keeps everything alive but costs a space: never the equal of placing.
        low, high = level.useful[mover, 0], level.useful[mover, 1]
        _add(level, level.count, code_of_removal(edition), 0, 0, low, high)


@compiled_inline
def _move_on(position: PositionRecord, after: PositionRecord, edition: EditionRecord, patch: int) -> None:
    """Changes a copy of the position as laying a patch does, but for the quilt and the turn."""
    mover = position.turn
    start = position.space[mover]
    end = min(edition.last_space, start + edition.time[patch])
    after.space[mover] = end
    after.phase = TURN
    after.income[mover] += edition.income[patch]
    after.buttons[mover] += count(marks_crossed(edition.income_marks, start, end)) * after.income[mover]
    foremost = max(start, position.space[1 - mover])
    if end > foremost:
        crossed = count(marks_crossed(edition.special_patch_marks, foremost, end))
        if crossed > 0:
            after.phase = SPECIAL
            after.pending = crossed


@compiled
def _list_moves(
    position: PositionRecord, edition: EditionRecord, level: LevelRecord, works: Any, masks: MasksRecord
) -> None:
    """Lists the moves that can matter."""
    mover = position.turn
    level.count = 0
    level.full = 0
    works[0] = position
    after = works[0]
    low, high = level.useful[mover, 0], level.useful[mover, 1]
    _list_masks(low, high, edition, _within_reach(position, edition, mover), masks)
    if position.phase == TURN:
        _add(level, 0, ADVANCE, 0, 0, low, high)
        for slot in range(choice_count(position, edition)):
            place = ring_place(position, slot)
            patch = signed(position.ring[place])
            if not can_pay(position, edition, patch):
                continue
            works[0] = position
            after.buttons[mover] -= edition.price[patch]
            after.present ^= bit(place)
            after.token = place
            _move_on(position, after, edition, patch)
            _list_placements(position, after, edition, level, masks, patch, slot)
    elif position.phase == LAY:
        _move_on(position, after, edition, position.held)
        _list_placements(position, after, edition, level, masks, signed(position.held), 0)
    elif position.phase == SPECIAL:
        after.pending -= 1
        _list_special(position, after, edition, level, masks)


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
    special = _special_patches_ahead(position, edition, player)
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
    patches = _within_reach(position, edition, player)
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
) -> bool:
    """Begins with a position: whether its value is known at once; if not, its moves are listed."""
    if position.phase == OVER:
        level.best = _value(position, edition)
        return True
    status.nodes += 1
    if status.nodes > status.limit:
        status.ended = OUT_OF_NODES
        return True
    if position.phase == DEAL or (position.phase == TURN and reserve_enters(position, edition)):
        status.ended = CHANCE_AHEAD
        return True
    level.key = _key(position, level)
    known = signed(NOTHING)
    entry = table[signed(level.key & np.uint64(len(table) - 1))]
    if entry.key == level.key and entry.bound != 0:
        known = signed(entry.code)
        level.best = entry.value
        if (
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
    _list_moves(position, edition, level, works, masks)
    if level.full:
        status.ended = OUT_OF_NODES
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


@compiled
def solve(root: Any, edition: Any, table: Any, status: Any, stop: Any, low: int, high: int) -> int:
    """The value of `root[0]`, exact between `low` and `high`, else a bound on that side.

    It means nothing when `status[0].ended` says why it was given up. `table` has a power of two of entries;
    `stop[0]` may be set from another thread.
    """
    positions = np.empty(MAX_DEPTH, POSITION)
    levels = np.empty(MAX_DEPTH, LEVEL)
    works = np.empty(1, POSITION)
    masks = np.empty(1, MASKS)
    bounds = np.empty(1, BOUNDS)
    positions[0] = root[0]
    _set_useful(root[0], edition[0], levels[0])
    levels[0].alpha, levels[0].beta = low, high
    depth = 0
    entering = True
    while True:
        level = levels[depth]
        done = False
        if entering:
            if stop[0] != 0:
                status[0].ended = STOPPED
            done = _enter(positions[depth], level, edition[0], works, masks[0], bounds[0], table, status[0])
            if depth + 2 >= MAX_DEPTH:
                status[0].ended = OUT_OF_NODES
            if status[0].ended != RUNNING:
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
            # Read before the return: a record does not keep its array alive.
            value = level.best
            if depth == 0:
                return value
            depth -= 1
            _learn(positions[depth], levels[depth], levels[depth].trying, value)
            entering = False


@compiled_inline
def _set_useful(position: PositionRecord, edition: EditionRecord, level: LevelRecord) -> None:
    for player in range(2):
        useful_low, useful_high = _keep_useful(position, edition, player)
        level.useful[player, 0] = useful_low
        level.useful[player, 1] = useful_high


@compiled
def root_key(root: Any, edition: Any, levels: Any) -> Any:
    """A key that is equal for positions that play alike to the end; `levels` is room for one."""
    _set_useful(root[0], edition[0], levels[0])
    return _key(root[0], levels[0])
