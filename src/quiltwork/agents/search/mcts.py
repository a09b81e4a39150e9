"""Monte Carlo tree search over whole moves: `simulate` is the loop, over select, expand, evaluate and backup.

Sums are kept for player 0 and read for the player who moves, because players do not alternate. Chance is a node of
its own: its children are deals drawn as they are needed, never the order of a real reserve.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from quiltwork.agents.endgame.alpha_beta import HIGHEST, RUNNING, EntryRecord, SolverRecord, begin, go_on, lead_of
from quiltwork.agents.heuristics.playout import quick_playout
from quiltwork.agents.heuristics.tables import signed
from quiltwork.agents.net.forward import SLOTS, EvaluationRecord, evaluate_net, lead, policy_logit, win_share
from quiltwork.agents.search.candidates import (
    LATER,
    CandidatesRecord,
    action_of,
    code_with_place,
    heuristic_logits,
    list_candidates,
)
from quiltwork.agents.search.config import SearchContextRecord
from quiltwork.rules.bits import ZERO
from quiltwork.rules.chance import SourceRecord, deal_at_random, draw
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import DEAL, LAY, MAX_CHOICES, NOBODY, OVER, SPECIAL, TURN, PositionRecord
from quiltwork.rules.moves import ADVANCE, play
from quiltwork.rules.record import Float32, Float64, Int8, Int8s, Int16, Int32, Int32s, Int64, Records, record_type
from quiltwork.rules.steps import can_pay, choice_count, ring_place, score, winner

CHANCE = 2
SOLVED = 3
UNEXPANDED = -1
NO_FOCUS = -1000
MAX_DEALS = 24
LOGIT_UNIT = 16.0
MAX_DEPTH = 200
FIRST_SOLVE = 16
"""visits of a position at which it is first searched out, if it is near the end"""
SOLVER_ENTRIES = 1 << 14
ROOT_PLACEMENTS = 3
"""placements of a patch at the root for one below it"""
BEHIND = 0.5
"""a mover whose value is less pays the penalty for its waits: the other has no reason to give in"""


class NodeRecord:
    """A node of the tree: a move, and what is known of the position that it leads to."""

    # the move that leads here, LATER or less until its placement is found; after chance, the state of the source
    code: Int64
    win: Float64  # sums for player 0
    points: Float64
    value: Float64
    prior: Float32
    visits: Int32
    first_child: Int32
    children: Int16
    placement_limit: Int8  # of the children; see `_placement_limit`
    # who moves here: 0, 1, CHANCE, SOLVED where the rest is searched out, NOBODY if the game is over or not known
    turn: Int8
    logits: Annotated[Int8s, 1 + SLOTS]  # the net's policy here, in parts of LOGIT_UNIT


NODE = record_type(NodeRecord)


class TreeRecord:
    """What a tree is about, beside its nodes."""

    root: PositionRecord
    used: Int64  # nodes
    chance: SourceRecord
    wait_penalty: Float64  # what an advance at the root must be better by
    wait_penalty_behind: Float64  # the same where the mover's value is less than BEHIND
    action_share: Float64  # of the root's visits, for each action at least
    focus: Int64  # the code of the only move at the root that is visited, or NO_FOCUS


TREE = record_type(TreeRecord)


class WorkspaceRecord:
    """The current simulation and the memory of its steps; its caches hold for one context only."""

    # the current simulation
    position: PositionRecord
    path: Annotated[Int32s, MAX_DEPTH]
    depth: Int64
    win: Float64  # for player 0
    points: Float64
    # of its steps
    candidates: CandidatesRecord
    evaluation: EvaluationRecord
    deal: SourceRecord
    solver: SolverRecord
    solver_table: Annotated[Records[EntryRecord], SOLVER_ENTRIES]


WORKSPACE = record_type(WorkspaceRecord)


class Search(NamedTuple):
    """What the steps of a simulation share, beside the nodes."""

    tree: TreeRecord
    context: SearchContextRecord
    work: WorkspaceRecord


@compiled
def simulate(nodes: Records[NodeRecord], trees: Any, contexts: Any, workspaces: Any, simulations: int) -> None:
    """Adds simulations to the tree below `nodes[0]`; `trees`, `contexts` and `workspaces` have one record."""
    search = Search(trees[0], contexts[0], workspaces[0])
    tree, work = search.tree, search.work
    if nodes[0].visits == 0 and search.context.config.net_share > 0.0:
        evaluate_policy(tree.root, search.context, work, nodes[0])
    for _ in range(simulations):
        work.position = tree.root
        work.depth = 0
        work.path[0] = 0
        while not _is_leaf(nodes, search):
            if solve(nodes, search):
                break
            expand(nodes, search)
            child = select(nodes, search)
            if child == 0:
                break
            _descend(nodes, search, child)
        evaluate(nodes, search)
        backup(nodes, search)


@compiled_inline
def _is_leaf(nodes: Records[NodeRecord], search: Search) -> bool:
    """Whether the simulation ends here: a node is evaluated at its first visit and expanded at its second.

    The net does not evaluate a position with a single move to consider, but the one that it leads to.
    """
    context, work = search.context, search.work
    index = work.path[work.depth]
    node = nodes[index]
    if index == 0 or node.children != UNEXPANDED or node.visits > 0:
        return False
    if context.config.net_share == 0.0:
        return True
    position = work.position
    if position.phase == TURN:
        for slot in range(choice_count(position, context.edition)):
            if can_pay(position, context.edition, position.ring[ring_place(position, slot)]):
                return True
        return False
    single = _placement_limit(0, index, context) <= 1 and (position.phase == LAY or position.phase == SPECIAL)
    return not single


@compiled_inline
def select(nodes: Records[NodeRecord], search: Search) -> int:
    """The child to visit: the best for the player who moves by PUCT, or the next deal; 0 if there is none."""
    tree, config, work = search.tree, search.context.config, search.work
    index = work.path[work.depth]
    node = nodes[index]
    if node.children <= 0 or work.depth + 1 == MAX_DEPTH:
        return 0
    first = signed(node.first_child)
    if node.turn == CHANCE:
        # Deals are drawn as the visits grow, and visited in turn.
        known = min(MAX_DEALS, 1 + signed(np.sqrt(node.visits)))
        best = first
        for child in range(first + 1, first + known):
            if nodes[child].visits < nodes[best].visits:
                best = child
        return best
    mine = node.turn == 0
    mean = node.value / max(1, node.visits)
    if not mine:
        mean = 1.0 - mean
    wait_penalty = 0.0
    neglected = -1
    if index == 0:
        if tree.focus != NO_FOCUS:
            for child in range(first, first + node.children):
                if nodes[child].code == tree.focus:
                    return child
        wait_penalty = tree.wait_penalty_behind if mean < BEHIND else tree.wait_penalty
        if tree.action_share > 0.0:
            neglected = _neglected_action(nodes, search)
    exploration = config.c_puct * np.sqrt(np.float64(node.visits))
    best = first
    best_score = -1e9
    for i in range(first, first + node.children):
        option = nodes[i]
        if neglected >= 0 and action_of(option.code, search.context.edition) != neglected:
            continue
        visits = option.visits
        if visits == 0:
            value = mean - config.fpu_reduction
        elif mine:
            value = option.value / visits
        else:
            value = 1.0 - option.value / visits
        puct = value + exploration * option.prior / (1 + visits)
        if option.code == ADVANCE:
            puct -= wait_penalty
        if puct > best_score:
            best_score = puct
            best = i
    return best


@compiled
def _neglected_action(nodes: Records[NodeRecord], search: Search) -> int:
    """An action of the root that has less than its share of the visits; -1 if there is none."""
    root, edition = nodes[0], search.context.edition
    for i in range(root.first_child, root.first_child + root.children):
        action = action_of(nodes[i].code, edition)
        visits = 0
        for j in range(root.first_child, root.first_child + root.children):
            if action_of(nodes[j].code, edition) == action:
                visits += nodes[j].visits
        if visits < search.tree.action_share * root.visits:
            return action
    return -1


@compiled_inline
def _descend(nodes: Records[NodeRecord], search: Search, index: int) -> None:
    """Plays the move of a child, or its deal."""
    context, work = search.context, search.work
    child = nodes[index]
    if nodes[work.path[work.depth]].turn == CHANCE:
        work.deal.state = np.uint64(child.code)
        deal_at_random(work.position, work.deal)
    else:
        if child.code <= LATER:
            child.code = code_with_place(work.position, context, child.code, work.candidates.placements)
        play(work.position, context.edition, child.code)
    work.depth += 1
    work.path[work.depth] = index


@compiled_inline
def _placement_limit(visits: int, index: int, context: SearchContextRecord) -> int:
    """Progressive widening: how many placements of a patch are considered after a number of visits.

    0 means one placement that is looked for at the first visit: below the root most moves never have one.
    """
    config = context.config
    least, most = (ROOT_PLACEMENTS, config.root_placements) if index == 0 else (1, config.placements)
    factor = 1
    while least * factor < most and visits >= config.widening * factor * factor:
        factor *= 2
    limit = min(least * factor, most)
    return 0 if index > 0 and limit == 1 else limit


@compiled_inline
def expand(nodes: Records[NodeRecord], search: Search) -> None:
    """Gives a node its children, or more placements of each patch: the children that it had are kept."""
    tree, context, work = search.tree, search.context, search.work
    index = work.path[work.depth]
    node = nodes[index]
    position = work.position
    limit = _placement_limit(node.visits, index, context)
    if node.turn == SOLVED or (
        node.children != UNEXPANDED and (limit <= node.placement_limit or node.turn == CHANCE)
    ):
        return
    if position.phase == OVER:
        node.children = 0
        node.turn = NOBODY
        return
    if tree.used + MAX_DEALS + MAX_CHOICES * (1 + limit) > len(nodes):
        # The tree is full; to list the moves in vain at every visit would take half of the time.
        return
    if position.phase == DEAL:
        count = MAX_DEALS
        node.turn = CHANCE
    else:
        find_candidates(position, context, work, node, limit)
        count = work.candidates.count
        node.turn = position.turn
    for i in range(count):
        child = nodes[tree.used + i]
        clear_node(child)
        if node.turn == CHANCE:
            child.code = signed(draw(tree.chance) >> np.uint64(1))
            child.prior = 1.0 / count
        else:
            child.code = work.candidates.code[i]
            for old in range(node.first_child, node.first_child + node.children):
                if nodes[old].code == work.candidates.code[i]:
                    nodes[tree.used + i] = nodes[old]
            child.prior = work.candidates.prior[i]
    node.first_child = tree.used
    node.children = count
    node.placement_limit = limit
    tree.used += count


@compiled_inline
def clear_node(node: NodeRecord) -> None:
    """Makes a node one that was never visited; its move and prior stay."""
    node.win = 0.0
    node.points = 0.0
    node.value = 0.0
    node.visits = 0
    node.first_child = 0
    node.children = UNEXPANDED
    node.placement_limit = 0
    node.turn = NOBODY


@compiled
def find_candidates(
    position: PositionRecord, context: SearchContextRecord, work: WorkspaceRecord, node: NodeRecord, limit: int
) -> None:
    """Lists the moves to consider, with priors by their worths and by the net's policy at the node."""
    config, candidates = context.config, work.candidates
    heuristic_logits(position, context, candidates)
    if config.net_share > 0 and position.phase == TURN:
        for i in range(1 + choice_count(position, context.edition)):
            heuristic = (1.0 - config.net_share) * candidates.logit[i]
            policy = node.logits[min(i, SLOTS)] / (LOGIT_UNIT * config.policy_temperature)
            candidates.logit[i] = heuristic + config.net_share * policy
    list_candidates(position, context, limit, candidates)


@compiled
def evaluate_policy(
    position: PositionRecord, context: SearchContextRecord, work: WorkspaceRecord, node: NodeRecord
) -> None:
    """Evaluates a position by the net, and keeps its policy in the node for when it is expanded."""
    evaluate_net(position, context, work.evaluation)
    for i in range(1 + SLOTS):
        logit = LOGIT_UNIT * policy_logit(work.evaluation, i)
        node.logits[i] = np.int8(min(max(logit, -127.0), 127.0))


@compiled_inline
def solve(nodes: Records[NodeRecord], search: Search) -> bool:
    """Whether the rest of the game can be searched out here, tried each time that the visits have quadrupled.

    It may take some nodes of the exact search for each visit. An exact value replaces all evaluations below, as
    far up as the root.
    """
    context, work = search.context, search.work
    index = work.path[work.depth]
    node = nodes[index]
    visits = signed(node.visits)
    if index == 0 or visits < FIRST_SOLVE or visits & (visits - 1) or visits & 0x2AAAAAAA or node.turn == SOLVED:
        return False
    position, edition = work.position, context.edition
    left = 2 * edition.last_space - position.space[0] - position.space[1]
    if left > context.config.endgame_spaces or search.tree.root.reserve != ZERO or position.phase == OVER:
        return False
    solver = work.solver
    solver.nodes = 0
    solver.limit = min(signed(context.config.endgame_nodes * visits), context.config.endgame_limit)
    begin(solver, position, edition, -HIGHEST, HIGHEST)
    found = go_on(solver, edition, work.solver_table)
    if solver.ended != RUNNING:
        return False
    work.win = 1.0 if found > 0 else 0.0
    work.points = np.float64(lead_of(found))
    win, points = visits * work.win - node.win, visits * work.points - node.points
    value = visits * searched_value(search) - node.value
    for i in range(work.depth + 1):
        above = nodes[work.path[i]]
        above.win += win
        above.points += points
        above.value += value
    node.turn = SOLVED
    node.children = 0
    return True


@compiled_inline
def evaluate(nodes: Records[NodeRecord], search: Search) -> None:
    """Writes the win share and the lead of player 0 at the leaf: by the net, or by a playout."""
    tree, context, work = search.tree, search.context, search.work
    position = work.position
    node = nodes[work.path[work.depth]]
    if node.turn == SOLVED:
        work.win, work.points = node.win / node.visits, node.points / node.visits
    elif context.config.net_share > 0.0 and position.phase != OVER:
        if position.phase == DEAL:
            deal_at_random(position, tree.chance)
        evaluate_policy(position, context, work, node)
        win, points = win_share(work.evaluation), lead(work.evaluation)
        work.win = win if position.turn == 0 else 1.0 - win
        work.points = points if position.turn == 0 else -points
    else:
        quick_playout(position, context, context.heuristics.noise, tree.chance)
        work.win = 1.0 if winner(position, context.edition) == 0 else 0.0
        work.points = np.float64(score(position, context.edition, 0) - score(position, context.edition, 1))


@compiled_inline
def searched_value(search: Search) -> float:
    """What is searched for, of an evaluation: the win, with a share for points."""
    config, work = search.context.config, search.work
    points_value = 0.5 + 0.5 * np.tanh(work.points / config.points_scale)
    return (1.0 - config.points_share) * work.win + config.points_share * points_value


@compiled_inline
def backup(nodes: Records[NodeRecord], search: Search) -> None:
    """Adds the evaluation to every node of the path."""
    work = search.work
    value = searched_value(search)
    for i in range(work.depth + 1):
        node = nodes[work.path[i]]
        node.visits += 1
        node.win += work.win
        node.points += work.points
        node.value += value
