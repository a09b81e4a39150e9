"""A tree search over the economy alone, which believes that every patch fits while there is room and sees no tile.

This is how the best public programs search. It is kept as an opponent to measure against. It plays by the rules
of the kernel, only that a patch is laid on any spaces at all; the edition it is given has no special tile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.agents.engine.cells import first_cell
from quiltwork.agents.engine.policy import PolicyRecord, worth_of_advance, worth_of_patch
from quiltwork.agents.engine.tables import TablesRecord, signed
from quiltwork.agents.engine.tree import MAX_DEPTH, UNEXPANDED, SettingsRecord, clear, select_child
from quiltwork.rules.bits import ONE, ZERO
from quiltwork.rules.chance import SourceRecord, deal_at_random, draw
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import (
    DEAL,
    LAY,
    NOTHING,
    OVER,
    SPECIAL,
    TURN,
    EditionRecord,
    PositionRecord,
)
from quiltwork.rules.quilt import cover, empty_spaces
from quiltwork.rules.steps import (
    advance,
    choice_count,
    move_time_token,
    place_special_patch,
    ring_place,
    score,
    take_patch,
    winner,
)

ADVANCE = 0
"""the code of a slot is its number and one more; FORCED is all that leaves no choice"""
FORCED = 99
_16 = np.uint64(16)
_NOISE_BITS = np.uint64(0xFFFF)


@compiled_inline
def _lay_anywhere(position: PositionRecord, edition: EditionRecord, patch: int) -> None:
    mover = position.turn
    for _ in range(edition.patch_cells[patch]):
        low, high = position.free[mover, 0], position.free[mover, 1]
        if low != ZERO:
            cover(position, mover, low & ~(low - ONE), ZERO)
        else:
            cover(position, mover, ZERO, high & ~(high - ONE))
    position.income[mover] += edition.income[patch]
    position.held = NOTHING
    move_time_token(position, edition, edition.time[patch])


@compiled_inline
def _can_take(position: PositionRecord, edition: EditionRecord, patch: int) -> bool:
    mover = position.turn
    return edition.price[patch] <= position.buttons[mover] and edition.patch_cells[patch] <= empty_spaces(
        position, mover
    )


@compiled_inline
def _play(position: PositionRecord, edition: EditionRecord, source: SourceRecord, code: int) -> None:
    if code == ADVANCE:
        advance(position, edition)
    elif code < FORCED:
        patch = take_patch(position, edition, code - 1)
        if position.phase == TURN:
            _lay_anywhere(position, edition, patch)
    _play_forced(position, edition, source)


@compiled_inline
def _play_forced(position: PositionRecord, edition: EditionRecord, source: SourceRecord) -> None:
    while position.phase != TURN and position.phase != OVER:
        if position.phase == DEAL:
            deal_at_random(position, source)
        elif position.phase == LAY:
            _lay_anywhere(position, edition, position.held)
        elif position.phase == SPECIAL:
            low, high = position.free[position.turn, 0], position.free[position.turn, 1]
            if (low | high) == ZERO:
                place_special_patch(position, edition, NOTHING)
            else:
                place_special_patch(position, edition, first_cell(low, high))


@compiled
def blind_playout(
    position: PositionRecord,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    source: SourceRecord,
) -> None:
    """Plays the economy to the end by the worth of patches."""
    while position.phase != OVER:
        bits = draw(source)
        best = signed(worth_of_advance(position, edition, tables, policy))
        best += signed(((bits & _NOISE_BITS) * np.uint64(policy.noise)) >> _16)
        code = signed(ADVANCE)
        for slot in range(choice_count(position, edition)):
            bits >>= np.uint64(12)
            patch = position.ring[ring_place(position, slot)]
            if _can_take(position, edition, patch):
                worth = signed(worth_of_patch(position, edition, tables, policy, patch))
                worth += signed(((bits & _NOISE_BITS) * np.uint64(policy.noise)) >> _16)
                if worth > best:
                    best = worth
                    code = signed(slot + 1)
        _play(position, edition, source, code)


@compiled_inline
def _expand(nodes: Any, used: int, index: int, position: PositionRecord, edition: EditionRecord) -> int:
    node = nodes[index]
    node.children = 0
    if position.phase == OVER or used + 1 + edition.choices > len(nodes):
        return used
    node.turn = position.turn
    node.first_child = used
    count = 0
    for code in range(1 + choice_count(position, edition)):
        if code > 0 and not _can_take(position, edition, position.ring[ring_place(position, code - 1)]):
            continue
        child = nodes[used + count]
        child.code = code
        clear(child)
        count += 1
    for i in range(count):
        nodes[used + i].prior = 1.0 / count
    node.children = count
    return used + count


@compiled
def simulate_blindly(
    root: Any,
    edition: Any,
    tables: Any,
    policy: Any,
    settings: SettingsRecord,
    nodes: Any,
    used: int,
    source: Any,
    simulations: int,
) -> int:
    """Adds simulations to the tree below `nodes[0]`; returns the nodes in use."""
    work = root.copy()
    path = np.empty(MAX_DEPTH, np.int64)
    for _ in range(simulations):
        work[0] = root[0]
        _play_forced(work[0], edition[0], source[0])
        index = 0
        depth = 0
        path[0] = 0
        while True:
            node = nodes[index]
            if node.children == UNEXPANDED:
                if node.visits == 0 and index > 0:
                    break
                used = _expand(nodes, used, index, work[0], edition[0])
            if node.children <= 0 or depth + 1 == MAX_DEPTH:
                break
            index = select_child(nodes, index, settings[0])
            _play(work[0], edition[0], source[0], nodes[index].code)
            depth += 1
            path[depth] = index
            # What chance did before a node was made may differ now: stop where the tree does not fit.
            if work[0].phase == OVER or (nodes[index].children > 0 and nodes[index].turn != work[0].turn):
                break
        blind_playout(work[0], edition[0], tables[0], policy[0], source[0])
        lead = score(work[0], edition[0], 0) - score(work[0], edition[0], 1)
        win = 1.0 if winner(work[0], edition[0]) == 0 else 0.0
        for i in range(depth + 1):
            node = nodes[path[i]]
            node.visits += 1
            node.win += win
            node.points += lead
            node.value += win
    return used
