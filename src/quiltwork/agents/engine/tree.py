"""Monte Carlo tree search over whole moves: select, expand, judge (by a playout or a net), back up.

Sums are kept for player 0 and read for the player who moves, because players do not alternate. Chance is a
node of its own: its children are deals drawn as they are needed, never the order of a real reserve.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from quiltwork.agents.engine import net as nets
from quiltwork.agents.engine.candidates import (
    CANDIDATES,
    LATER,
    CandidatesRecord,
    code_with_place,
    forget_lists,
    list_candidates,
    weigh,
)
from quiltwork.agents.engine.memory import forget_quilts
from quiltwork.agents.engine.packing import predict
from quiltwork.agents.engine.policy import PolicyRecord, quick_playout
from quiltwork.agents.engine.tables import TablesRecord, signed
from quiltwork.rules.chance import SOURCE, SourceRecord, deal_at_random, draw
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.hashing import position_key
from quiltwork.rules.layout import (
    DEAL,
    LAY,
    MAX_CHOICES,
    NOBODY,
    OVER,
    SPECIAL,
    TURN,
    EditionRecord,
    PositionRecord,
    record_type,
)
from quiltwork.rules.moves import ADVANCE, play
from quiltwork.rules.steps import can_pay, choice_count, ring_place, score, winner

CHANCE = 2
UNEXPANDED = -1
MAX_DEALS = 24
WISH = 16.0
MAX_DEPTH = 200
PREDICT_EVERY = 8
ROOT_ROOM = 3
"""placements of a patch at the root for one below it"""
BEHIND = 0.5
"""a mover whose value is less grows tired of waiting: the other has no reason to"""
MOST_WAITS = 15
"""advances of a player since a patch was taken; more are not told apart"""

NODE = record_type(
    [
        # the move that leads here, LATER or less while it has no place; after chance, the state of the source
        ("code", np.int64),
        ("win", np.float64),  # sums for player 0
        ("points", np.float64),
        ("value", np.float64),
        ("prior", np.float32),
        ("visits", np.int32),
        ("first_child", np.int32),
        ("children", np.int16),
        ("room", np.int8),  # for placements of a patch among the children; see `_room`
        ("turn", np.int8),  # who moves here: 0, 1, CHANCE, or NOBODY when the game is over or not yet known
        ("wishes", np.int8, (1 + nets.SLOTS,)),  # what the net would do here, in parts of a WISH
    ]
)

SETTINGS = record_type(
    [
        ("exploration", np.float64),
        ("temperature", np.float64),
        ("looseness", np.float64),
        ("placements", np.int64),  # considered for a patch, in the end
        ("root_placements", np.int64),
        ("widening", np.int64),  # visits until it is twice as many, and four times as many for each doubling
        ("points_share", np.float64),  # of the value, the rest is for the win
        ("points_scale", np.float64),
        ("caution", np.float64),  # a move not yet tried is thought this much worse than its position
        # at the root an advance must be this much better than the best patch, after so many waits of the mover
        ("impatience", np.float64, (MOST_WAITS + 1,)),
        ("waits", np.int64),
        # the net's share in what is likely to be done, the rest is for the worths; 0 if there is no net
        ("guidance", np.float64),
        ("openness", np.float64),  # by which the logarithms of what it would do are divided
    ]
)
SettingsRecord: TypeAlias = Any
NodeRecord: TypeAlias = Any


@compiled_inline
def clear(node: NodeRecord) -> None:
    """Makes a node one that was never visited; its move and prior stay."""
    node.win = 0.0
    node.points = 0.0
    node.value = 0.0
    node.visits = 0
    node.first_child = 0
    node.children = UNEXPANDED
    node.room = 0
    node.turn = NOBODY


@compiled
def ask(
    position: PositionRecord,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    net: nets.NetRecord,
    thought: nets.ThoughtRecord,
    node: NodeRecord,
) -> None:
    """Asks the net about a position, and keeps what it would do: a node is expanded at its second visit."""
    nets.judge(position, edition, tables, policy, net, thought)
    for i in range(1 + nets.SLOTS):
        node.wishes[i] = np.int8(min(max(WISH * nets.wish(thought, i), -127.0), 127.0))


@compiled
def find_candidates(
    position: PositionRecord,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    settings: SettingsRecord,
    node: NodeRecord,
    room: int,
    candidates: CandidatesRecord,
) -> None:
    """Lists the moves to consider; what is likely to be done is said by worths and by the net."""
    weigh(position, edition, tables, policy, settings.temperature, candidates)
    if settings.guidance > 0 and position.phase == TURN:
        for i in range(1 + choice_count(position, edition)):
            own = (1.0 - settings.guidance) * candidates.wish[i]
            wish = node.wishes[min(i, nets.SLOTS)] / (WISH * settings.openness)
            candidates.wish[i] = own + settings.guidance * wish
    list_candidates(position, edition, tables, policy, settings.looseness, room, candidates)


@compiled_inline
def _expand(
    nodes: Any,
    used: int,
    index: int,
    position: PositionRecord,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    settings: SettingsRecord,
    room: int,
    candidates: CandidatesRecord,
    source: SourceRecord,
) -> int:
    """Gives a node its children, or more placements of each patch: what is known of those that it had is kept.

    Returns how many nodes are in use.
    """
    node = nodes[index]
    if position.phase == OVER:
        node.children = 0
        node.turn = NOBODY
        return used
    if used + MAX_DEALS + MAX_CHOICES * (1 + room) > len(nodes):
        # The tree is full; to list the moves in vain at every visit would take half of the time.
        return used
    if position.phase == DEAL:
        count = MAX_DEALS
        node.turn = CHANCE
    else:
        find_candidates(position, edition, tables, policy, settings, node, room, candidates)
        count = candidates.count
        node.turn = position.turn
    for i in range(count):
        child = nodes[used + i]
        clear(child)
        if node.turn == CHANCE:
            child.code = signed(draw(source) >> np.uint64(1))
            child.prior = 1.0 / count
        else:
            child.code = candidates.code[i]
            for old in range(node.first_child, node.first_child + node.children):
                if nodes[old].code == candidates.code[i]:
                    nodes[used + i] = nodes[old]
            child.prior = candidates.prior[i]
    node.first_child = used
    node.children = count
    node.room = room
    return used + count


@compiled_inline
def _room(visits: int, index: int, settings: SettingsRecord) -> int:
    """How many placements of a patch are considered after so many visits, at the root or below it.

    0 is for one that is chosen when it is tried: below the root most moves never are.
    """
    least, most = (ROOT_ROOM, settings.root_placements) if index == 0 else (1, settings.placements)
    room = 1
    while least * room < most and visits >= settings.widening * room * room:
        room *= 2
    room = min(least * room, most)
    return 0 if index > 0 and room == 1 else room


@compiled_inline
def _without_choice(position: PositionRecord, edition: EditionRecord, room: int) -> bool:
    """Whether a single move would be considered. The net does not judge such a position, but what it leads to."""
    if position.phase == TURN:
        for slot in range(choice_count(position, edition)):
            if can_pay(position, edition, position.ring[ring_place(position, slot)]):
                return False
        return True
    return room <= 1 and (position.phase == LAY or position.phase == SPECIAL)


@compiled_inline
def select_child(nodes: Any, index: int, settings: SettingsRecord) -> int:
    """The child to visit: the best for the player who moves, value and curiosity together."""
    node = nodes[index]
    first = node.first_child
    if node.turn == CHANCE:
        # Deals are drawn as the visits grow, and visited in turn.
        known = min(MAX_DEALS, 1 + signed(np.sqrt(node.visits)))
        best = first
        for child in range(first + 1, first + known):
            if nodes[child].visits < nodes[best].visits:
                best = child
        return best
    mine = node.turn == 0
    average = node.value / max(1, node.visits)
    if not mine:
        average = 1.0 - average
    patience = 0.0
    if index == 0:
        patience = settings.impatience[settings.waits if average < BEHIND else 0]
    curiosity = settings.exploration * np.sqrt(np.float64(node.visits))
    best = first
    best_score = -1e9
    for i in range(first, first + node.children):
        child = nodes[i]
        visits = child.visits
        if visits == 0:
            value = average - settings.caution
        elif mine:
            value = child.value / visits
        else:
            value = 1.0 - child.value / visits
        worth = value + curiosity * child.prior / (1 + visits)
        if child.code == ADVANCE:
            worth -= patience
        if worth > best_score:
            best_score = worth
            best = i
    return best


@compiled_inline
def _value(win: float, lead: float, settings: SettingsRecord) -> float:
    """What is searched for: the win, with a share for points."""
    share = settings.points_share
    return (1.0 - share) * win + share * (0.5 + 0.5 * np.tanh(lead / settings.points_scale))


@compiled
def simulate(
    root: Any,
    edition: Any,
    tables: Any,
    policy: Any,
    settings: Any,
    net: Any,
    nodes: Any,
    used: int,
    source: Any,
    predictions: Any,
    simulations: int,
) -> int:
    """Adds simulations to the tree below `nodes[0]`, whose position is `root[0]`; returns the nodes in use."""
    work = root.copy()
    candidates = np.empty(1, CANDIDATES)
    forget_lists(candidates[0])
    deal = np.empty(1, SOURCE)
    path = np.empty(MAX_DEPTH, np.int64)
    thought = np.empty(1, nets.THOUGHT)
    forget_quilts(thought[0].notes.memory)
    # A copy of its own: the sources of trees that grow on other cores may lie in the same line of the cache.
    chance = source.copy()
    judged = settings[0].guidance > 0.0
    if judged and nodes[0].visits == 0:
        ask(root[0], edition[0], tables[0], policy[0], net[0], thought[0], nodes[0])
    for _ in range(simulations):
        work[0] = root[0]
        index = 0
        depth = 0
        path[0] = 0
        while True:
            node = nodes[index]
            room = _room(node.visits, index, settings[0])
            new = node.children == UNEXPANDED and node.visits == 0 and index > 0
            if new and not (judged and _without_choice(work[0], edition[0], room)):
                break
            if node.children == UNEXPANDED or (room > node.room and node.turn != CHANCE):
                used = _expand(
                    nodes,
                    used,
                    index,
                    work[0],
                    edition[0],
                    tables[0],
                    policy[0],
                    settings[0],
                    room,
                    candidates[0],
                    chance[0],
                )
            if node.children <= 0 or depth + 1 == MAX_DEPTH:
                break
            index = select_child(nodes, index, settings[0])
            if node.turn == CHANCE:
                deal[0].state = np.uint64(nodes[index].code)
                deal_at_random(work[0], deal[0])
            else:
                child = nodes[index]
                if child.code <= LATER:
                    child.code = code_with_place(
                        work[0], edition[0], tables[0], policy[0], child.code, candidates[0]
                    )
                play(work[0], edition[0], child.code)
            depth += 1
            path[depth] = index
        if judged and work[0].phase != OVER:
            if work[0].phase == DEAL:
                deal_at_random(work[0], chance[0])
            ask(work[0], edition[0], tables[0], policy[0], net[0], thought[0], nodes[index])
            win = nets.win_share(thought[0])
            lead = nets.lead(thought[0])
            if work[0].turn != 0:
                win = 1.0 - win
                lead = -lead
        else:
            quick_playout(work[0], edition[0], tables[0], policy[0], policy[0].noise, chance[0])
            if depth > 0 and nodes[0].visits % PREDICT_EVERY == 0:
                predict(predictions[0], root[0], work[0], edition[0], nodes[path[1]].code)
            win = 1.0 if winner(work[0], edition[0]) == 0 else 0.0
            lead = np.float64(score(work[0], edition[0], 0) - score(work[0], edition[0], 1))
        value = _value(win, lead, settings[0])
        for i in range(depth + 1):
            node = nodes[path[i]]
            node.visits += 1
            node.win += win
            node.points += lead
            node.value += value
    source[0] = chance[0]
    return used


@compiled
def find_position(nodes: Any, root: Any, target: Any, edition: Any, depth: int) -> int:
    """The visited node below `nodes[0]` that stands for a position, at most `depth` moves further; -1 if none."""
    key = position_key(target[0])
    work = np.empty(depth + 1, root.dtype)
    index = np.zeros(depth + 1, np.int64)
    done = np.zeros(depth + 1, np.int64)
    deal = np.empty(1, SOURCE)
    work[0] = root[0]
    level = 0
    looked = 0
    if position_key(work[0]) == key:
        return 0
    while level >= 0:
        node = nodes[index[level]]
        if level == depth or done[level] >= node.children or looked > 100_000:
            level -= 1
            continue
        child = node.first_child + done[level]
        done[level] += 1
        if nodes[child].visits == 0:
            continue
        looked += 1
        work[level + 1] = work[level]
        if node.turn == CHANCE:
            deal[0].state = np.uint64(nodes[child].code)
            deal_at_random(work[level + 1], deal[0])
        else:
            play(work[level + 1], edition[0], nodes[child].code)
        if position_key(work[level + 1]) == key:
            return child
        after = work[level + 1]
        # Tokens and patches never go back: what is beyond the target does not lead to it.
        if (
            after.space[0] <= target[0].space[0]
            and after.space[1] <= target[0].space[1]
            and (after.present & target[0].present) | after.reserve == target[0].present | after.reserve
        ):
            level += 1
            index[level] = child
            done[level] = 0
    return -1


@compiled
def copy_subtree(nodes: Any, root: int, to: Any) -> int:
    """Copies the tree below a node to the start of another array; returns how many nodes it has."""
    to[0] = nodes[root]
    used = 1
    done = 0
    while done < used:
        node = to[done]
        if node.children > 0:
            if used + node.children > len(to):
                node.children = UNEXPANDED
            else:
                first = node.first_child
                for i in range(node.children):
                    to[used + i] = nodes[first + i]
                node.first_child = used
                used += node.children
        done += 1
    return used
