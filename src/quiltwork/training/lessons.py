"""Games that the tree search plays against itself, and the lessons that a net takes from them.

A lesson is a position as the net sees it, with what the search found there and how the game ended. Positions of
the game are kept, and a few from the tree of every search, where other moves were tried: a net is asked about
those, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.agents.engine import tree
from quiltwork.agents.engine.candidates import CANDIDATES, LATER, candidates_of, forget_lists
from quiltwork.agents.engine.memory import forget_quilts
from quiltwork.agents.engine.net import SLOTS, THOUGHT
from quiltwork.agents.engine.packing import PREDICTIONS
from quiltwork.agents.engine.sight import NUMBERS, look
from quiltwork.agents.engine.windows import KINDS, count_windows
from quiltwork.rules.chance import below, deal_at_random
from quiltwork.rules.compiler import compiled
from quiltwork.rules.layout import DEAL, NOBODY, OVER, POSITION, TURN, record_type
from quiltwork.rules.moves import ADVANCE, code_of_special_patch, code_of_take, play
from quiltwork.rules.quilt import empty_spaces
from quiltwork.rules.steps import score, winner

WHATS = 1 + SLOTS
LESSON = record_type(
    [
        ("numbers", np.float32, (NUMBERS,)),
        ("windows", np.uint8, (2, KINDS)),
        # from the mover's side
        ("found_win", np.float32),
        ("found_points", np.float32),
        ("win", np.float32),  # how the game ended; for a position that was not played, as found
        ("points", np.float32),
        ("done", np.float32, (WHATS,)),  # the share of visits of the advance and of each choice
        ("decided", np.float32),  # how much that says, 0 to 1
        ("mover", np.int8),
        ("played", np.int8),
    ]
)
SUMMARY = record_type(
    [
        ("points", np.int16, (2,)),
        ("empty", np.int16, (2,)),
        ("moves", np.int16),
        ("advances", np.int16),
        ("first_won", np.int8),
    ]
)
DRAWN_PLIES = 12
"""so many moves of a game are drawn by visits, the others are the best"""
LEAST_VISITS = 40
LEAST_SHARE = 12
"""a position in the tree is kept if so many simulations visited it, and one in so many of all"""
FULL = 400.0
"""visits that decide fully"""
BLIND_PLIES = 8
"""a game begins with fewer moves than this that are drawn from what is likely to be done"""
CURIOUS = 0.1
"""the share of the prior at the root that is the same for all moves"""
PARTS = 1 << 24
"""in which a chance is drawn"""
BLUNDERS = 16
"""one move in so many is drawn by visits later on, too"""
ASKEW = 8
"""one placement in so many is drawn from many, good and bad: a net must have seen untidy quilts"""
ASKEW_ROOM = 24
NO_RIVAL = -1
THOROUGH = 3
"""one search in so many is thorough if there are quick ones, and only those give lessons"""


@compiled
def _keep(
    position: Any, edition: Any, tables: Any, policy: Any, notes: Any, nodes: Any, index: int, lesson: Any
) -> None:
    """Writes a position of the tree as a lesson; its end is not known yet."""
    node = nodes[index]
    mover = position.turn
    look(position, edition, tables, policy, notes, lesson.numbers)
    for side in range(2):
        player = mover if side == 0 else 1 - mover
        count_windows(position.free[player, 0], position.free[player, 1], edition, lesson.windows[side])
    win = node.win / node.visits
    points = node.points / node.visits
    lesson.found_win = win if mover == 0 else 1.0 - win
    lesson.found_points = points if mover == 0 else -points
    lesson.win = lesson.found_win
    lesson.points = lesson.found_points
    lesson.mover = mover
    lesson.played = 0
    for what in range(WHATS):
        lesson.done[what] = 0.0
    total = 0.0
    if position.phase == TURN:
        for i in range(node.first_child, node.first_child + node.children):
            code = nodes[i].code
            what = what_of(code, edition)
            if what < WHATS:
                lesson.done[what] += nodes[i].visits
                total += nodes[i].visits
    lesson.decided = min(1.0, total / FULL)
    if total > 0:
        for what in range(WHATS):
            lesson.done[what] /= total


@compiled
def what_of(code: int, edition: Any) -> int:
    """0 for the advance, 1 and further for the choices, in a position in which a turn begins."""
    if code == ADVANCE:
        return 0
    if code <= LATER:
        return 1 + LATER - code
    if code < code_of_special_patch(edition, 0):
        return 1 + (code - 1) // (8 * edition.cells)
    return 1 + code - code_of_take(edition, 0)


@compiled
def play_lessons(
    starts: Any,
    edition: Any,
    tables: Any,
    policy: Any,
    settings: Any,
    net: Any,
    source: Any,
    simulations: Any,
    rivals: Any,
    others: int,
    lessons: Any,
    summaries: Any,
) -> int:
    """Plays one game from each start and writes its lessons; returns how many there are.

    `others` positions of the tree are kept for each move. `rivals` says for each game which seat, if any, is a
    rival's: it plays with the second of the settings and numbers of simulations, and gives no lessons. The third
    number is for quick searches; if it is 0, all are thorough.
    """
    work = np.empty(1, POSITION)
    side = np.empty(1, POSITION)
    candidates = np.empty(1, CANDIDATES)
    forget_lists(candidates[0])
    thought = np.empty(1, THOUGHT)
    forget_quilts(thought[0].notes.memory)
    predictions = np.zeros(1, PREDICTIONS)
    nodes = np.zeros(16 * max(simulations) + 512, tree.NODE)
    waits = np.zeros(2, np.int64)
    written = 0
    for game in range(len(starts)):
        work[0] = starts[game]
        first = written
        ply = 0
        waits[:] = 0
        blind = below(source[0], BLIND_PLIES)
        while work[0].phase != OVER:
            if work[0].phase == DEAL:
                deal_at_random(work[0], source[0])
                continue
            if ply < blind:
                tree.clear(nodes[0])
                tree.ask(work[0], edition[0], tables[0], policy[0], net[0], thought[0], nodes[0])
                tree.find_candidates(
                    work[0], edition[0], tables[0], policy[0], settings[0], nodes[0], 1, candidates[0]
                )
                play(work[0], edition[0], _likely_move(candidates, source))
                ply += 1
                continue
            who = 1 if work[0].turn == rivals[game] else 0
            how = settings[who : who + 1]
            quick = who == 0 and simulations[2] > 0 and below(source[0], THOROUGH) > 0
            wanted = simulations[2] if quick else simulations[who]
            how[0].waits = min(waits[work[0].turn], tree.MOST_WAITS)
            tree.clear(nodes[0])
            used = tree.simulate(work, edition, tables, policy, how, net, nodes, 1, source, predictions, 2)
            root = nodes[0]
            if root.children == 1:
                play(work[0], edition[0], nodes[root.first_child].code)
                ply += 1
                continue
            for i in range(root.first_child, root.first_child + root.children):
                nodes[i].prior = (1.0 - CURIOUS) * nodes[i].prior + CURIOUS / root.children
            used = tree.simulate(
                work, edition, tables, policy, how, net, nodes, used, source, predictions, wanted - 2
            )
            if who == 0 and not quick:
                _keep(work[0], edition[0], tables[0], policy[0], thought[0].notes, nodes, 0, lessons[written])
                lessons[written].played = 1
                written += 1
                for _ in range(others):
                    side[0] = work[0]
                    index = _wander(nodes, side, edition, max(LEAST_VISITS, wanted // LEAST_SHARE), source)
                    if index > 0:
                        lesson = lessons[written]
                        _keep(side[0], edition[0], tables[0], policy[0], thought[0].notes, nodes, index, lesson)
                        written += 1
            code = nodes[_choose(nodes, edition, work, ply, source)].code
            if code != ADVANCE and below(source[0], ASKEW) == 0:
                code = _askew(work, edition, tables, policy, settings, code, candidates, source)
            if code == ADVANCE:
                summaries[game].advances += 1
                waits[work[0].turn] += 1
            elif work[0].phase == TURN:
                waits[:] = 0
            play(work[0], edition[0], code)
            ply += 1
        summaries[game].moves = ply
        _tell_end(work[0], edition[0], lessons[first:written], summaries[game])
    return written


@compiled
def _askew(
    position: Any, edition: Any, tables: Any, policy: Any, settings: Any, code: int, candidates: Any, source: Any
) -> int:
    """A placement of the same patch, whichever of many."""
    candidates_of(position, edition, tables, policy, settings, ASKEW_ROOM, candidates)
    found = candidates[0]
    turn = position[0].phase == TURN
    chosen = code
    seen = 0
    for i in range(found.count):
        other = found.code[i]
        if not turn or what_of(other, edition[0]) == what_of(code, edition[0]):
            seen += 1
            if below(source[0], seen) == 0:
                chosen = other
    return chosen


@compiled
def _likely_move(candidates: Any, source: Any) -> int:
    """A move drawn from what is likely to be done, without a search."""
    found = candidates[0]
    at = below(source[0], PARTS) / PARTS
    chosen = 0
    while chosen + 1 < found.count and at >= found.prior[chosen]:
        at -= found.prior[chosen]
        chosen += 1
    return found.code[chosen]


@compiled
def _tell_end(end: Any, edition: Any, lessons: Any, summary: Any) -> None:
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
def _wander(nodes: Any, position: Any, edition: Any, least: int, source: Any) -> int:
    """Walks to a position in the tree that was visited enough and waits for a player; 0 if none is found."""
    index = 0
    found = 0
    while True:
        node = nodes[index]
        if node.children <= 0 or node.turn == tree.CHANCE or node.turn == NOBODY:
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
        play(position[0], edition[0], nodes[index].code)
        if position[0].phase == DEAL or position[0].phase == OVER:
            return 0
        found = index
        if below(source[0], 3) == 0:
            return found


@compiled
def _choose(nodes: Any, edition: Any, position: Any, ply: int, source: Any) -> int:
    """The child of the root that is played: at first drawn by visits, then the best of what was done most."""
    root = nodes[0]
    first, end = root.first_child, root.first_child + root.children
    if ply < DRAWN_PLIES or below(source[0], BLUNDERS) == 0:
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
    best_what = 0
    if turn:
        for i in range(first, end):
            done[what_of(nodes[i].code, edition[0])] += nodes[i].visits
        for what in range(16):
            if done[what] > done[best_what]:
                best_what = what
    best = -1
    for i in range(first, end):
        if turn and what_of(nodes[i].code, edition[0]) != best_what:
            continue
        if best < 0 or nodes[i].visits > nodes[best].visits:
            best = i
    return best
