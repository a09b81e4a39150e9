"""Games that the tree search plays against itself, and the lessons that a net takes from them.

A lesson is a position as the net sees it, with what the search found there and how the game ended. Positions of
the game are kept, and a few from the tree of every search, where other moves were tried: a net is asked about
those, too.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from quiltwork.agents.heuristics.windows import KINDS, count_windows
from quiltwork.agents.net.features import FeaturesRecord, ObserverRecord, observe
from quiltwork.agents.net.forward import SLOTS
from quiltwork.agents.search import mcts
from quiltwork.agents.search.candidates import CandidatesRecord, action_of, list_candidates
from quiltwork.agents.search.config import SearchContextRecord
from quiltwork.agents.search.mcts import NodeRecord
from quiltwork.rules.chance import below, deal_at_random
from quiltwork.rules.compiler import compiled
from quiltwork.rules.layout import DEAL, NOBODY, OVER, POSITION, TURN, EditionRecord, PositionRecord
from quiltwork.rules.moves import ADVANCE, play
from quiltwork.rules.quilt import empty_spaces
from quiltwork.rules.record import Float32, Float32s, Int8, Int16, Int16s, Records, UInt8s, record_type
from quiltwork.rules.steps import score, winner

ACTIONS = 1 + SLOTS


class LessonRecord:
    """A position to learn from."""

    features: FeaturesRecord
    windows: Annotated[UInt8s, 2, KINDS]
    # from the mover's side
    search_win: Float32
    search_points: Float32
    win: Float32  # how the game ended; for a position that was not played, as found
    points: Float32
    policy: Annotated[Float32s, ACTIONS]  # the share of visits of the advance and of each choice
    policy_weight: Float32  # 0 to 1, by how many visits there were
    mover: Int8
    played: Int8


LESSON = record_type(LessonRecord)


class SummaryRecord:
    """How a game ended."""

    points: Annotated[Int16s, 2]
    empty: Annotated[Int16s, 2]
    moves: Int16
    advances: Int16
    first_won: Int8


SUMMARY = record_type(SummaryRecord)
DRAWN_PLIES = 12
"""the first moves of a game, which are drawn by visits; the others are the best"""
LEAST_VISITS = 40
LEAST_SHARE = 12
"""a node is kept if it has at least LEAST_VISITS visits and 1 / LEAST_SHARE of the search"""
FULL_VISITS = 400.0
"""visits that give the policy its full weight"""
OPENING_PLIES = 8
"""a game begins with fewer moves than this that are drawn from the priors, without a search"""
ROOT_NOISE = 0.1
"""the share of the prior at the root that is spread evenly (AlphaZero draws it from a Dirichlet distribution)"""
PARTS = 1 << 24
"""in which a chance is drawn"""
DRAWN_LATER = 16
"""one of this many later moves is drawn by visits, too"""
UNTIDY = 8
"""one of this many placements is drawn from good and bad ones: a net must have seen untidy quilts"""
UNTIDY_PLACEMENTS = 24
NO_RIVAL = -1
THOROUGH = 3
"""with quick searches, one of this many is thorough; only thorough ones give lessons"""


@compiled
def _keep(
    position: PositionRecord,
    context: SearchContextRecord,
    observer: ObserverRecord,
    nodes: Records[NodeRecord],
    index: int,
    lesson: LessonRecord,
) -> None:
    """Writes a position of the tree as a lesson; its end is not known yet."""
    node = nodes[index]
    mover = position.turn
    observe(position, context, observer, lesson.features)
    for side in range(2):
        player = mover if side == 0 else 1 - mover
        count_windows(position.free[player, 0], position.free[player, 1], context.edition, lesson.windows[side])
    win = node.win / node.visits
    points = node.points / node.visits
    lesson.search_win = win if mover == 0 else 1.0 - win
    lesson.search_points = points if mover == 0 else -points
    lesson.win = lesson.search_win
    lesson.points = lesson.search_points
    lesson.mover = mover
    lesson.played = 0
    for action in range(ACTIONS):
        lesson.policy[action] = 0.0
    total = 0.0
    if position.phase == TURN:
        for i in range(node.first_child, node.first_child + node.children):
            code = nodes[i].code
            action = action_of(code, context.edition)
            if action < ACTIONS:
                lesson.policy[action] += nodes[i].visits
                total += nodes[i].visits
    lesson.policy_weight = min(1.0, total / FULL_VISITS)
    if total > 0:
        for action in range(ACTIONS):
            lesson.policy[action] /= total


@compiled
def play_lessons(
    starts: Any,
    contexts: Any,
    source: Any,
    simulations: Any,
    rivals: Any,
    others: int,
    lessons: Any,
    summaries: Any,
) -> int:
    """Plays one game from each start and writes its lessons; returns how many there are.

    `others` positions of the tree are kept for each move. `rivals` says for each game which seat, if any, is a
    rival's: it plays with the second of the contexts and numbers of simulations, and gives no lessons. The third
    number is for quick searches; if it is 0, all are thorough.
    """
    edition = contexts[0].edition
    work = np.empty(1, POSITION)
    side = np.empty(1, POSITION)
    tree = np.zeros(1, mcts.TREE)
    workspaces = np.zeros(2, mcts.WORKSPACE)
    mine = workspaces[0]
    nodes = np.zeros(16 * max(simulations) + 512, mcts.NODE)
    waits = np.zeros(2, np.int64)
    written = 0
    for game in range(len(starts)):
        work[0] = starts[game]
        first = written
        ply = 0
        waits[:] = 0
        opening = below(source[0], OPENING_PLIES)
        while work[0].phase != OVER:
            if work[0].phase == DEAL:
                deal_at_random(work[0], source[0])
                continue
            mcts.clear_node(nodes[0])
            if ply < opening:
                mcts.evaluate_policy(work[0], contexts[0], mine, nodes[0])
                mcts.find_candidates(work[0], contexts[0], mine, nodes[0], 1)
                play(work[0], edition, _likely_move(mine.candidates, source))
                ply += 1
                continue
            who = 1 if work[0].turn == rivals[game] else 0
            context, workspace = contexts[who : who + 1], workspaces[who : who + 1]
            quick = who == 0 and simulations[2] > 0 and below(source[0], THOROUGH) > 0
            wanted = simulations[2] if quick else simulations[who]
            tree[0].root = work[0]
            tree[0].used = 1
            tree[0].chance = source[0]
            config = context[0].config
            repeated = max(0, waits[work[0].turn] - config.free_waits)
            tree[0].wait_penalty = config.wait_penalty
            tree[0].wait_penalty_behind = config.wait_penalty + config.repeated_wait_penalty * repeated
            mcts.simulate(nodes, tree, context, workspace, 2)
            root = nodes[0]
            if root.children == 1:
                source[0] = tree[0].chance
                play(work[0], edition, nodes[root.first_child].code)
                ply += 1
                continue
            for i in range(root.first_child, root.first_child + root.children):
                nodes[i].prior = (1.0 - ROOT_NOISE) * nodes[i].prior + ROOT_NOISE / root.children
            mcts.simulate(nodes, tree, context, workspace, wanted - 2)
            source[0] = tree[0].chance
            if who == 0 and not quick:
                observer = mine.evaluation.observer
                _keep(work[0], contexts[0], observer, nodes, 0, lessons[written])
                lessons[written].played = 1
                written += 1
                least = max(LEAST_VISITS, wanted // LEAST_SHARE)
                for _ in range(others):
                    side[0] = work[0]
                    index = _sample_position(nodes, side, edition, least, source)
                    if index > 0:
                        _keep(side[0], contexts[0], observer, nodes, index, lessons[written])
                        written += 1
            code = nodes[_choose(nodes, edition, work, ply, source)].code
            if code != ADVANCE and below(source[0], UNTIDY) == 0:
                code = _untidy_placement(work, contexts[:1], code, workspaces, source)
            if code == ADVANCE:
                summaries[game].advances += 1
                waits[work[0].turn] += 1
            elif work[0].phase == TURN:
                waits[:] = 0
            play(work[0], edition, code)
            ply += 1
        summaries[game].moves = ply
        _write_end(work[0], edition, lessons[first:written], summaries[game])
    return written


@compiled
def _untidy_placement(position: Any, context: Any, code: int, workspaces: Any, source: Any) -> int:
    """A placement of the same patch, drawn evenly from many."""
    edition, found = context[0].edition, workspaces[0].candidates
    list_candidates(position[0], context[0], UNTIDY_PLACEMENTS, found)
    turn = position[0].phase == TURN
    chosen = code
    seen = 0
    for i in range(found.count):
        other = found.code[i]
        if not turn or action_of(other, edition) == action_of(code, edition):
            seen += 1
            if below(source[0], seen) == 0:
                chosen = other
    return chosen


@compiled
def _likely_move(found: CandidatesRecord, source: Any) -> int:
    """A move drawn by the priors, without a search."""
    at = below(source[0], PARTS) / PARTS
    chosen = 0
    while chosen + 1 < found.count and at >= found.prior[chosen]:
        at -= found.prior[chosen]
        chosen += 1
    return found.code[chosen]


@compiled
def _write_end(end: Any, edition: EditionRecord, lessons: Any, summary: SummaryRecord) -> None:
    """Writes how a game ended into its lessons and its summary."""
    win = 1.0 if winner(end, edition) == 0 else 0.0
    lead = score(end, edition, 0) - score(end, edition, 1)
    summary.first_won = win > 0.5
    for player in range(2):
        summary.points[player] = score(end, edition, player)
        summary.empty[player] = empty_spaces(end, player)
    for i in range(len(lessons)):
        lesson = lessons[i]
        if lesson.played:
            lesson.win = win if lesson.mover == 0 else 1.0 - win
            lesson.points = lead if lesson.mover == 0 else -lead


@compiled
def _sample_position(nodes: Records[NodeRecord], position: Any, edition: Any, least: int, source: Any) -> int:
    """A node of the tree, drawn at random, with enough visits and a player to move; 0 if there is none."""
    index = 0
    found = 0
    while True:
        node = nodes[index]
        if node.children <= 0 or node.turn == mcts.CHANCE or node.turn == NOBODY:
            return found
        enough = 0
        for i in range(node.first_child, node.first_child + node.children):
            if nodes[i].visits >= least and nodes[i].children > 0:
                enough += 1
        if enough == 0:
            return found
        pick = below(source[0], enough)
        for i in range(node.first_child, node.first_child + node.children):
            if nodes[i].visits >= least and nodes[i].children > 0:
                if pick == 0:
                    index = i
                    break
                pick -= 1
        play(position[0], edition, nodes[index].code)
        if position[0].phase == DEAL or position[0].phase == OVER:
            return 0
        found = index
        if below(source[0], 3) == 0:
            return found


@compiled
def _choose(nodes: Records[NodeRecord], edition: EditionRecord, position: Any, ply: int, source: Any) -> int:
    """The child of the root that is played: at first drawn by visits, then the best of the most visited action."""
    root = nodes[0]
    first, end = root.first_child, root.first_child + root.children
    if ply < DRAWN_PLIES or below(source[0], DRAWN_LATER) == 0:
        total = 0
        for i in range(first, end):
            total += nodes[i].visits
        at = below(source[0], max(1, total))
        for i in range(first, end):
            at -= nodes[i].visits
            if at < 0:
                return i
    done = np.zeros(16, np.int64)
    turn = position[0].phase == TURN
    best_action = 0
    if turn:
        for i in range(first, end):
            done[action_of(nodes[i].code, edition)] += nodes[i].visits
        for action in range(16):
            if done[action] > done[best_action]:
                best_action = action
    best = -1
    for i in range(first, end):
        if turn and action_of(nodes[i].code, edition) != best_action:
            continue
        if best < 0 or nodes[i].visits > nodes[best].visits:
            best = i
    return best
