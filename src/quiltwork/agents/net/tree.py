"""The tree that a net guides: PUCT below the root (which has `root.py`), the reserve sampled.

Below the root a move is chosen in two steps, what to do and then where: one advance stands against many placements
of a patch that are almost the same and share its probability and its visits.

A tree is a slice of an array of nodes; node 0 is the root. Each simulation descends to a node that the net has not
seen (it becomes a leaf and waits for the net), or to the end of the game, and its value is backed up for player 0.
Positions with a single legal move are never nodes: the move is played at once.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from quiltwork.agents.net.inputs import CELLS, PLACE_MOVES, SLOTS, code_of_move
from quiltwork.rules.chance import SourceRecord, deal_at_random
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.hashing import position_key
from quiltwork.rules.layout import DEAL, NOTHING, OVER, POSITION, EditionRecord, PositionRecord, record_type
from quiltwork.rules.moves import code_count, legal_count, legal_moves, play
from quiltwork.rules.steps import score, winner

CHILDREN = 48
"""moves of a node, at most: the most likely ones"""
DEALS = 6
"""orders of the reserve that a chance node samples, at most"""

WHATS = SLOTS + 5
"""things that a move can do, wherever a patch is laid: see `what_of_move`"""

# The states of a node.
LEAF = 0  # waits for the net
OPEN = 1
END = 2  # the game is over
CHANCE = 3
SOLVED = 4  # its exact value is known

NODE = record_type(
    [
        ("position", POSITION),
        ("state", np.int16),
        ("children", np.int16),  # how many moves it has
        ("edge", np.int16),  # which move of its parent leads here
        ("parent", np.int32),
        ("visits", np.int32),
        ("pending", np.int32),  # simulations under way below it
        ("utility", np.float32),  # sums over the visits, for player 0
        ("win", np.float32),
        ("points", np.float32),
        ("first_utility", np.float32),  # what the net said of it, for player 0
        ("exact_win", np.float32),  # for player 0, where the game is over or solved
        ("exact_points", np.float32),
        ("code", np.int16, (CHILDREN,)),
        ("child", np.int32, (CHILDREN,)),
        ("prior", np.float32, (CHILDREN,)),  # probability, from the net
        ("what", np.int16, (CHILDREN,)),  # what a move does, wherever a patch is laid: see `what_of_move`
        ("noise", np.float32, (CHILDREN,)),  # Gumbel noise, at the root of a game of self-play
        # the same sums over all moves that do the same, wherever
        ("what_prior", np.float32, (WHATS,)),
        ("what_visits", np.int32, (WHATS,)),
        ("what_pending", np.int32, (WHATS,)),
        ("what_utility", np.float32, (WHATS,)),
    ]
)
NodeRecord: TypeAlias = Any
NodeArray: TypeAlias = np.ndarray[tuple[int], np.dtype[np.void]]

WIN_WEIGHT = 0.75
POINTS_WEIGHT = 0.25
POINTS_SCALE = 40.0
EXPLORATION = 1.1
UNSEEN_LOSS = 0.2
"""how much worse than its parent a move is taken to be before it is tried"""
ILLEGAL = -1000.0
"""the logarithm of a move's probability is above this if the move is legal"""


@compiled_inline
def what_of_move(move: int) -> int:
    """What a move of the net does: 0 to 2 lay the patch of that slot, then advance, take a slot, remove."""
    if move < PLACE_MOVES:
        return move // (8 * CELLS)
    return SLOTS + move - PLACE_MOVES


@compiled_inline
def utility_of(win: float, points: float) -> float:
    """What a player strives for, -1 to 1: to win, and a little for points."""
    return WIN_WEIGHT * (2.0 * win - 1.0) + POINTS_WEIGHT * np.tanh(points / POINTS_SCALE)


@compiled
def settle(position: PositionRecord, edition: EditionRecord) -> int:
    """Plays forced moves until there is a choice, a deal, or the end; returns how many."""
    played = 0
    while position.phase != OVER and position.phase != DEAL and legal_count(position, edition) == 1:
        codes = np.empty(8, np.int32)
        legal_moves(position, edition, codes)
        play(position, edition, codes[0])
        played += 1
    return played


@compiled_inline
def start_node(nodes: Any, index: int, parent: int, edge: int) -> None:
    """Makes the node of a position that is already in its place: a leaf, a chance node or an end."""
    node = nodes[index]
    phase = node.position.phase
    node.state = END if phase == OVER else (CHANCE if phase == DEAL else LEAF)
    node.children = 0
    node.edge = edge
    node.parent = parent
    node.visits = 0
    node.pending = 0
    node.utility = 0.0
    node.win = 0.0
    node.points = 0.0
    node.first_utility = 0.0


@compiled
def plant(nodes: Any, position: Any) -> int:
    """Starts a tree at a position (an array of one); returns the number of nodes."""
    nodes[0].position = position[0]
    start_node(nodes, 0, NOTHING, NOTHING)
    return 1


@compiled_inline
def _worth(sign: float, utility: float, visits: int, pending: int, curiosity: float) -> float:
    """What PUCT thinks of what was tried; a simulation under way counts as lost, so that the next one differs."""
    tried = visits + pending
    return (sign * utility - pending) / tried + curiosity / (1.0 + tried)


@compiled
def find(nodes: Any, size: int, position: Any) -> int:
    """The node of a position (an array of one) whose moves are known; NOTHING if there is none."""
    key = position_key(position[0])
    for index in range(size):
        if nodes[index].state == OPEN and position_key(nodes[index].position) == key:
            return index
    return NOTHING


@compiled
def copy_below(nodes: Any, root: int, to: Any) -> int:
    """Copies a node and all below it to the start of another array, which has room; returns how many they are."""
    to[0] = nodes[root]
    to[0].parent = NOTHING
    to[0].edge = NOTHING
    used = 1
    done = 0
    while done < used:
        node = to[done]
        if node.state == OPEN or node.state == CHANCE:
            for i in range(node.children):
                child = node.child[i]
                if child != NOTHING:
                    to[used] = nodes[child]
                    to[used].parent = done
                    node.child[i] = used
                    used += 1
        done += 1
    return used


@compiled
def choose_below(nodes: Any, index: int) -> int:
    """The move that PUCT tries next, in two steps: what to do, then where."""
    node = nodes[index]
    sign = 1.0 if node.position.turn == 0 else -1.0
    own = sign * (node.utility / node.visits if node.visits > 0 else node.first_utility)
    curiosity = EXPLORATION * np.sqrt(float(node.visits + node.pending))
    seen = 0.0
    for w in range(WHATS):
        if node.what_visits[w] + node.what_pending[w] > 0:
            seen += node.what_prior[w]
    untried = own - UNSEEN_LOSS * np.sqrt(seen)
    what = 0
    best_value = -1e9
    for w in range(WHATS):
        prior = node.what_prior[w]
        if prior <= 0.0:
            continue
        if node.what_visits[w] + node.what_pending[w] > 0:
            value = _worth(
                sign, node.what_utility[w], node.what_visits[w], node.what_pending[w], curiosity * prior
            )
        else:
            value = untried + curiosity * prior
        if value > best_value:
            best_value = value
            what = w
    return _choose_where(nodes, index, what, sign, own)


@compiled_inline
def _choose_where(nodes: Any, index: int, what: int, sign: float, own: float) -> int:
    """The best move of those that do one thing; they are in the order of their priors: one untried is enough."""
    node = nodes[index]
    visits = node.what_visits[what]
    if visits > 0:
        own = sign * node.what_utility[what] / visits
    curiosity = EXPLORATION * np.sqrt(float(visits + node.what_pending[what])) / node.what_prior[what]
    seen = 0.0
    best = NOTHING
    best_value = -1e9
    for i in range(node.children):
        if node.what[i] != what:
            continue
        child = node.child[i]
        if child == NOTHING:
            value = own - UNSEEN_LOSS * np.sqrt(seen / node.what_prior[what]) + curiosity * node.prior[i]
            return i if value > best_value else best
        below = nodes[child]
        seen += node.prior[i]
        value = _worth(sign, below.utility, below.visits, below.pending, curiosity * node.prior[i])
        if value > best_value:
            best_value = value
            best = i
    return best


@compiled
def _visit_chance(nodes: Any, index: int, size: int, edition: EditionRecord, source: SourceRecord) -> Any:
    """A sampled deal below a chance node, old ones again once there are enough; returns the node and the size."""
    node = nodes[index]
    most = min(DEALS, 1 + int(np.sqrt(float(node.visits))))
    if node.children < most:
        edge = node.children
        nodes[size].position = node.position
        deal_at_random(nodes[size].position, source)
        settle(nodes[size].position, edition)
        start_node(nodes, size, index, edge)
        node.child[edge] = size
        node.children += 1
        return size, size + 1
    least = 0
    for edge in range(1, node.children):
        one, other = nodes[node.child[edge]], nodes[node.child[least]]
        if one.visits + one.pending < other.visits + other.pending:
            least = edge
    return node.child[least], size


@compiled
def descend(nodes: Any, size: int, first_edge: int, edition: EditionRecord, source: SourceRecord) -> Any:
    """Follows a simulation from the root through its move `first_edge`; returns the last node, and the new size.

    The last node is a leaf, an end, or solved.

    The path is marked as under way until `back_up`. A leaf that was already reached by a simulation under way is
    returned as well; the caller sees that it is pending more than once.
    """
    index = 0
    nodes[0].pending += 1
    edge = first_edge
    while True:
        node = nodes[index]
        if node.state == CHANCE:
            index, size = _visit_chance(nodes, index, size, edition, source)
        elif node.state == OPEN:
            if index > 0 or edge < 0:
                edge = choose_below(nodes, index)
            child = node.child[edge]
            if child == NOTHING:
                child = size
                nodes[child].position = node.position
                play(nodes[child].position, edition, node.code[edge])
                settle(nodes[child].position, edition)
                start_node(nodes, child, index, edge)
                node.child[edge] = child
                size += 1
            node.what_pending[node.what[edge]] += 1
            index = child
        else:
            return index, size
        nodes[index].pending += 1


@compiled
def back_up(nodes: Any, index: int, win: float, points: float) -> None:
    """Adds a value for player 0 to a node and to all above it."""
    utility = utility_of(win, points)
    while index != NOTHING:
        node = nodes[index]
        node.visits += 1
        node.pending -= 1
        node.utility += utility
        node.win += win
        node.points += points
        index = node.parent
        if index != NOTHING and nodes[index].state == OPEN:
            above = nodes[index]
            what = above.what[node.edge]
            above.what_visits[what] += 1
            above.what_pending[what] -= 1
            above.what_utility[what] += utility


@compiled
def mark_solved(nodes: Any, index: int, win: float, points: float) -> None:
    """Gives a node its exact value for player 0; nothing below it is searched any more."""
    node = nodes[index]
    node.state = SOLVED
    node.exact_win = win
    node.exact_points = points


@compiled
def give_up(nodes: Any, index: int) -> None:
    """Takes a simulation back that cannot be finished."""
    while index != NOTHING:
        node = nodes[index]
        node.pending -= 1
        index = node.parent
        if index != NOTHING and nodes[index].state == OPEN:
            nodes[index].what_pending[nodes[index].what[node.edge]] -= 1


@compiled
def final_value(position: PositionRecord, edition: EditionRecord) -> Any:
    """Whether player 0 won (1 or 0), and by how many points."""
    points = score(position, edition, 0) - score(position, edition, 1)
    win = 1.0 if winner(position, edition) == 0 else 0.0
    return win, float(points)


@compiled
def open_leaf(
    nodes: Any, index: int, edition: EditionRecord, moves: Any, scores: Any, noise: Any, win: float, points: float
) -> Any:
    """Gives a leaf its moves, as the net ranked them; returns the net's win share and points for player 0.

    `win` and `points` are for the mover. Scores are logarithms of probabilities; what is not legal lies far below.
    """
    node = nodes[index]
    node.state = OPEN
    for what in range(WHATS):
        node.what_prior[what] = 0.0
        node.what_visits[what] = 0
        node.what_pending[what] = 0
        node.what_utility[what] = 0.0
    found = 0
    for i in range(min(len(moves), CHILDREN)):
        if not scores[i] > ILLEGAL:
            continue
        node.code[found] = code_of_move(node.position, edition, moves[i])
        node.prior[found] = np.exp(scores[i])
        node.noise[found] = noise[i]
        node.what[found] = what_of_move(moves[i])
        node.child[found] = NOTHING
        found += 1
    if found == 0:
        # A net that has lost its mind must not stop the game.
        codes = np.empty(code_count(edition), np.int32)
        found = min(legal_moves(node.position, edition, codes), CHILDREN)
        for i in range(found):
            node.code[i] = codes[i]
            node.prior[i] = 1.0 / found
            node.noise[i] = 0.0
            node.what[i] = 0
            node.child[i] = NOTHING
    node.children = found
    for i in range(found):
        node.what_prior[node.what[i]] += node.prior[i]
    if node.position.turn == 1:
        win = 1.0 - win
        points = -points
    node.first_utility = utility_of(win, points)
    return win, points


@compiled
def lean(nodes: Any, index: int, shares: Any, weight: float) -> None:
    """Moves the probabilities of what to do towards others, by a weight from 0 to 1; where stays as it was."""
    node = nodes[index]
    known = 0.0
    for what in range(WHATS):
        if node.what_prior[what] > 0.0:
            known += shares[what]
    if known <= 0.0:
        return
    scale = np.ones(WHATS)
    for what in range(WHATS):
        before = node.what_prior[what]
        if before > 0.0:
            node.what_prior[what] = (1.0 - weight) * before + weight * shares[what] / known
            scale[what] = node.what_prior[what] / before
    for i in range(node.children):
        node.prior[i] *= scale[node.what[i]]
