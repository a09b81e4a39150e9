"""The compiled part of the environments: ranges of an array of games, without a Python object per game.

Every function works on the games `first` to `last - 1`, so that threads can share a batch; the interpreter lock
is not held. Inner functions take records and scalars, never arrays: Numba counts references to arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.envs.observation import BUTTONS_SCALE, INCOME_SCALE, LOOKAHEAD
from quiltwork.rules.bits import ALL, ONE, ZERO, count, lowest
from quiltwork.rules.chance import GAMMA, SourceRecord, below, deal_at_random, draw, mix
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import DEAL, LAY, NOTHING, OVER, SPECIAL, TURN, EditionRecord, PositionRecord
from quiltwork.rules.legality import LEGAL, illegality
from quiltwork.rules.moves import code_count, legal_moves, play
from quiltwork.rules.playout import SCRATCH, ScratchRecord, play_at_random
from quiltwork.rules.quilt import empty_spaces
from quiltwork.rules.steps import advance_distance, marks_crossed, ring_place, score, winner

# Kinds of reward
WIN = 0
POINTS = 1


# One game


@compiled_inline
def shuffle_circle(position: PositionRecord, deal: Any) -> None:
    """Orders the circle of a new game by a deal number, exactly as `quiltwork.deal.circle_of_deal` does."""
    state = deal
    for place in range(count(position.present) - 2, 0, -1):
        state += GAMMA
        other = np.int64(mix(state) % np.uint64(place + 1))
        patch = position.ring[place]
        position.ring[place] = position.ring[other]
        position.ring[other] = patch


@compiled_inline
def settle(position: PositionRecord, source: SourceRecord) -> None:
    """Deals the reserve if the game waits for it: chance is no action of the environments."""
    if position.phase == DEAL:
        deal_at_random(position, source)


@compiled_inline
def reward_of_player_1(position: PositionRecord, edition: EditionRecord, kind: int) -> Any:
    """What player 1 receives at the end of a game; player 2 receives the negative."""
    if kind == POINTS:
        return np.float32(score(position, edition, 0) - score(position, edition, 1))
    return np.float32(1.0) if winner(position, edition) == 0 else np.float32(-1.0)


@compiled
def _random_ply(
    position: PositionRecord, edition: EditionRecord, source: SourceRecord, scratch: ScratchRecord
) -> None:
    play_at_random(position, edition, source, scratch)
    settle(position, source)


# Ranges of games


@compiled
def reset(positions: Any, start: Any, sources: Any, deals: Any, where: Any, first: int, last: int) -> None:
    """Starts the games for which `where` holds anew, each with a deal number from its own source."""
    for game in range(first, last):
        if where[game]:
            positions[game] = start[0]
            deals[game] = draw(sources[game])
            shuffle_circle(positions[game], deals[game])


@compiled
def first_illegal(positions: Any, edition: Any, actions: Any, where: Any, first: int, last: int) -> int:
    """The first game whose action is illegal, or -1; finished games are not looked at."""
    for game in range(first, last):
        looked_at = where[game] and positions[game].phase != OVER
        if looked_at and illegality(positions[game], edition[0], actions[game]) != LEGAL:
            return game
    return -1


@compiled
def step(
    positions: Any, edition: Any, sources: Any, actions: Any, where: Any, mistakes: Any, first: int, last: int
) -> None:
    """Plays an action in each game for which `where` holds; an illegal one is counted and a random one played."""
    scratch = np.empty(1, SCRATCH)
    for game in range(first, last):
        if not where[game] or positions[game].phase == OVER:
            continue
        if illegality(positions[game], edition[0], actions[game]) == LEGAL:
            play(positions[game], edition[0], actions[game])
            settle(positions[game], sources[game])
        else:
            mistakes[game] += 1
            _random_ply(positions[game], edition[0], sources[game], scratch[0])


@compiled
def judge(
    positions: Any,
    edition: Any,
    start: Any,
    sources: Any,
    deals: Any,
    rewards: Any,
    done: Any,
    scores: Any,
    kind: int,
    auto_reset: bool,
    first: int,
    last: int,
) -> None:
    """Writes rewards, ends and final scores, and starts finished games anew where that is wanted."""
    for game in range(first, last):
        over = positions[game].phase == OVER
        done[game] = over
        rewards[game, 0] = 0.0
        rewards[game, 1] = 0.0
        if over:
            reward = reward_of_player_1(positions[game], edition[0], kind)
            rewards[game, 0] = reward
            rewards[game, 1] = -reward
            scores[game, 0] = score(positions[game], edition[0], 0)
            scores[game, 1] = score(positions[game], edition[0], 1)
            if auto_reset:
                positions[game] = start[0]
                deals[game] = draw(sources[game])
                shuffle_circle(positions[game], deals[game])


@compiled
def scores(positions: Any, edition: Any, points: Any, first: int, last: int) -> None:
    """Writes what both players would score now."""
    for game in range(first, last):
        points[game, 0] = score(positions[game], edition[0], 0)
        points[game, 1] = score(positions[game], edition[0], 1)


@compiled
def random_plies(
    positions: Any, edition: Any, start: Any, sources: Any, deals: Any, plies: int, first: int, last: int
) -> int:
    """Plays random legal actions in every game, starting finished games anew; returns how many games ended."""
    scratch = np.empty(1, SCRATCH)
    ended = 0
    for game in range(first, last):
        for _ in range(plies):
            _random_ply(positions[game], edition[0], sources[game], scratch[0])
            if positions[game].phase == OVER:
                ended += 1
                positions[game] = start[0]
                deals[game] = draw(sources[game])
                shuffle_circle(positions[game], deals[game])
    return ended


@compiled
def answer_at_random(positions: Any, edition: Any, sources: Any, seats: Any, first: int, last: int) -> None:
    """Plays random legal actions for the opponent of `seats[game]` until that seat is to move."""
    scratch = np.empty(1, SCRATCH)
    for game in range(first, last):
        while positions[game].phase != OVER and positions[game].turn != seats[game]:
            _random_ply(positions[game], edition[0], sources[game], scratch[0])


@compiled
def sample(positions: Any, edition: Any, sources: Any, actions: Any, first: int, last: int) -> None:
    """Draws a random legal action for each game, 0 for a finished one."""
    codes = np.empty(code_count(edition[0]), np.int32)
    for game in range(first, last):
        found = legal_moves(positions[game], edition[0], codes)
        actions[game] = codes[below(sources[game], found)] if found > 0 else 0


@compiled
def legal_mask(positions: Any, edition: Any, mask: Any, first: int, last: int) -> None:
    """Writes which actions are legal: a row of `code_count` booleans a game."""
    codes = np.empty(code_count(edition[0]), np.int32)
    for game in range(first, last):
        mask[game, :] = False
        for i in range(legal_moves(positions[game], edition[0], codes)):
            mask[game, codes[i]] = True


# One game, for adapters that call from Python at every move: as few calls as can be


@compiled
def play_one(positions: Any, edition: Any, sources: Any, action: int, mask_illegal: bool) -> int:
    """Plays an action in the first game and returns LEGAL, or the reason why it is illegal.

    If illegal actions are masked, a random legal one is played instead.
    """
    reason = illegality(positions[0], edition[0], action)
    if reason == LEGAL:
        play(positions[0], edition[0], action)
        settle(positions[0], sources[0])
    elif mask_illegal and positions[0].phase != OVER:
        scratch = np.empty(1, SCRATCH)
        _random_ply(positions[0], edition[0], sources[0], scratch[0])
    return reason


@compiled
def look_one(positions: Any, edition: Any, seat: int, planes: Any, scalars: Any, mask: Any) -> None:
    """Writes the observation of a seat and its legal actions, none if it is not to move; all zero before."""
    _write_planes(positions[0], edition[0], seat, planes, 0)
    _write_scalars(positions[0], edition[0], seat, scalars, 0)
    if positions[0].turn == seat:
        codes = np.empty(code_count(edition[0]), np.int32)
        for i in range(legal_moves(positions[0], edition[0], codes)):
            mask[codes[i]] = 1


# Observations, in the order of `envs.observation`


@compiled
def observe(positions: Any, edition: Any, seats: Any, planes: Any, scalars: Any, first: int, last: int) -> None:
    """Writes the observation of each game as `seats[game]` sees it; `planes` is [games, planes, cells]."""
    for game in range(first, last):
        planes[game, :, :] = 0
        scalars[game, :] = 0.0
        _write_planes(positions[game], edition[0], seats[game], planes, game)
        _write_scalars(positions[game], edition[0], seats[game], scalars, game)


@compiled_inline
def _write_cells(low: Any, high: Any, planes: Any, game: int, plane: int) -> None:
    while low != ZERO:
        planes[game, plane, lowest(low)] = 1
        low &= low - ONE
    while high != ZERO:
        planes[game, plane, 64 + lowest(high)] = 1
        high &= high - ONE


@compiled_inline
def _write_shape(edition: EditionRecord, patch: int, planes: Any, game: int, plane: int) -> None:
    shape = edition.shape_at[patch, 0]
    if shape == NOTHING:
        # As drawn it is too large for the board; a turned one may not be.
        shape = edition.first_shape[patch]
        if shape == edition.first_shape[patch + 1]:
            return
    # The first row of a patch has a cell in its bounding box's column `indent`, which the mask leaves out.
    low, high = edition.mask[shape, 0], edition.mask[shape, 1]
    indent = np.uint64(edition.indent[shape])
    if indent != ZERO:
        high = (high << indent) | (low >> (np.uint64(64) - indent))
        low = low << indent
    _write_cells(low, high, planes, game, plane)


@compiled
def _write_planes(position: PositionRecord, edition: EditionRecord, seat: int, planes: Any, game: int) -> None:
    _write_cells(position.free[seat, 0], position.free[seat, 1], planes, game, 0)
    _write_cells(position.free[1 - seat, 0], position.free[1 - seat, 1], planes, game, 1)
    _write_cells(edition.board[0], edition.board[1], planes, game, 2)
    shown = min(count(position.present), edition.choices + LOOKAHEAD)
    for slot in range(shown):
        _write_shape(edition, position.ring[ring_place(position, slot)], planes, game, 3 + slot)
    if position.held != NOTHING:
        _write_shape(edition, position.held, planes, game, 3 + edition.choices + LOOKAHEAD)


@compiled_inline
def _distance(marks: Any, space: int, edition: EditionRecord) -> Any:
    """The spaces to the first mark as a part of the time board, 1 if there is none."""
    if marks == ZERO:
        return 1.0
    return (lowest(marks) - space) / edition.last_space


@compiled
def _write_scalars(position: PositionRecord, edition: EditionRecord, seat: int, scalars: Any, game: int) -> None:
    end = edition.last_space
    foremost = max(position.space[0], position.space[1])
    special = marks_crossed(edition.special_patch_marks, foremost, end)
    spaces = max(1, count(edition.board[0]) + count(edition.board[1]))
    all_marks = max(1, count(edition.income_marks))
    at = 0
    for i in range(2):
        player = seat if i == 0 else 1 - seat
        space = position.space[player]
        income = marks_crossed(edition.income_marks, space, end)
        scalars[game, at] = space / end
        scalars[game, at + 1] = position.buttons[player] / BUTTONS_SCALE
        scalars[game, at + 2] = position.income[player] / INCOME_SCALE
        scalars[game, at + 3] = empty_spaces(position, player) / spaces
        scalars[game, at + 4] = position.tile == player
        scalars[game, at + 5] = position.first == player
        scalars[game, at + 6] = count(income) / all_marks
        scalars[game, at + 7] = _distance(income, space, edition)
        scalars[game, at + 8] = _distance(special, space, edition)
        at += 9
    circle = count(position.present)
    scalars[game, at] = position.phase != OVER and position.turn == seat
    scalars[game, at + 1] = seat == 0
    scalars[game, at + 2] = position.phase == TURN
    scalars[game, at + 3] = position.phase == SPECIAL
    scalars[game, at + 4] = position.phase == LAY
    scalars[game, at + 5] = position.pending / 2.0
    if position.phase == TURN:
        scalars[game, at + 6] = advance_distance(position, edition) / end
    scalars[game, at + 7] = count(special) / max(1, count(edition.special_patch_marks))
    scalars[game, at + 8] = circle / edition.patch_count
    scalars[game, at + 9] = count(position.reserve) / edition.patch_count
    if position.held != NOTHING:
        scalars[game, at + 10] = edition.time[position.held] / 6.0
        scalars[game, at + 11] = edition.income[position.held] / 3.0
        scalars[game, at + 12] = edition.patch_cells[position.held] / 8.0
    at += 13
    ahead = position.present & (ALL << np.uint64(position.token))
    behind = position.present ^ ahead
    for _ in range(circle):
        if ahead == ZERO:
            ahead = behind
        patch = position.ring[lowest(ahead)]
        ahead &= ahead - ONE
        scalars[game, at] = (patch + 1) / edition.patch_count
        scalars[game, at + 1] = edition.price[patch] / 10.0
        scalars[game, at + 2] = edition.time[patch] / 6.0
        scalars[game, at + 3] = edition.income[patch] / 3.0
        scalars[game, at + 4] = edition.patch_cells[patch] / 8.0
        at += 5
