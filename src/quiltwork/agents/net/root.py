"""The root of the net's tree: Gumbel's sequential halving, and the policy as the search has improved it."""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.agents.net.tree import WHATS
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import NOTHING

CONSIDERED = 16
"""moves of the root that Gumbel's sequential halving considers, at most"""
VISIT_OFFSET = 50.0
VISIT_SCALE = 0.5
"""how strongly values change the policy: logits += (VISIT_OFFSET + visits) * VISIT_SCALE * value, in 0 to 1"""


@compiled_inline
def _visits_of(nodes: Any, child: int) -> int:
    return nodes[child].visits + nodes[child].pending if child != NOTHING else 0


@compiled
def mixed_value(nodes: Any) -> float:
    """The root's value for its mover, 0 to 1: the net's own, corrected by the visited moves."""
    root = nodes[0]
    sign = 1.0 if root.position.turn == 0 else -1.0
    visits = 0
    seen = 0.0
    weighted = 0.0
    for i in range(root.children):
        child = root.child[i]
        if child != NOTHING and nodes[child].visits > 0:
            visits += nodes[child].visits
            seen += root.prior[i]
            weighted += root.prior[i] * sign * nodes[child].utility / nodes[child].visits
    own = sign * root.first_utility
    value = (own + visits * weighted / seen) / (1.0 + visits) if visits > 0 and seen > 0.0 else own
    return 0.5 + 0.5 * value


@compiled
def improved_logits(nodes: Any, logits: Any) -> None:
    """The logits of the root's moves after the search: the net's, moved by the values that were found."""
    root = nodes[0]
    sign = 1.0 if root.position.turn == 0 else -1.0
    most = 0
    for i in range(root.children):
        if root.child[i] != NOTHING:
            most = max(most, nodes[root.child[i]].visits)
    unseen = mixed_value(nodes)
    for i in range(root.children):
        child = root.child[i]
        value = unseen
        if child != NOTHING and nodes[child].visits > 0:
            value = 0.5 + 0.5 * sign * nodes[child].utility / nodes[child].visits
        logits[i] = np.log(root.prior[i] + 1e-12) + (VISIT_OFFSET + most) * VISIT_SCALE * value


@compiled
def root_logits(nodes: Any, logits: Any) -> None:
    """The logits by which the root chooses: in two steps, what to do and then where.

    One advance stands against many placements of a patch that are almost the same and share its probability.
    Noise makes up for that, since the best of many draws is high. Without noise, the likeliest placement of
    a patch counts as much as the patch; otherwise both players would wait for each other until the end.
    """
    root = nodes[0]
    improved_logits(nodes, logits)
    if root.children == 0 or root.noise[0] != 0.0:
        return
    top = np.zeros(WHATS)
    for i in range(root.children):
        top[root.what[i]] = max(top[root.what[i]], root.prior[i])
    for i in range(root.children):
        what = root.what[i]
        logits[i] += np.log((root.what_prior[what] + 1e-12) / (top[what] + 1e-12))


@compiled
def choose_at_root(nodes: Any, visits: int, logits: Any) -> int:
    """The root's move to simulate next: the best of those with that many visits (or with the fewest above it).

    `visits` comes from the table of sequential halving; `logits` has room for CHILDREN.
    """
    root = nodes[0]
    root_logits(nodes, logits)
    best = NOTHING
    best_value = -1e9
    fewest = 1 << 30
    for i in range(root.children):
        tried = _visits_of(nodes, root.child[i])
        if tried >= visits:
            fewest = min(fewest, tried)
    for i in range(root.children):
        if _visits_of(nodes, root.child[i]) == fewest and logits[i] + root.noise[i] > best_value:
            best_value = logits[i] + root.noise[i]
            best = i
    return max(best, 0)


@compiled
def best_at_root(nodes: Any, logits: Any) -> int:
    """The move to play: of those with the most visits the best by value, prior and noise."""
    root = nodes[0]
    root_logits(nodes, logits)
    most = 0
    for i in range(root.children):
        if root.child[i] != NOTHING:
            most = max(most, nodes[root.child[i]].visits)
    best = 0
    best_value = -1e9
    for i in range(root.children):
        visits = nodes[root.child[i]].visits if root.child[i] != NOTHING else 0
        if visits == most and logits[i] + root.noise[i] > best_value:
            best_value = logits[i] + root.noise[i]
            best = i
    return best


def halving_schedule(considered: int, simulations: int) -> list[int]:
    """For each simulation, how many visits a move must have that is tried: sequential halving.

    All considered moves are tried equally often, then the better half of them, and so on.
    """
    if considered <= 1:
        return list(range(simulations))
    rounds = max(1, int(np.ceil(np.log2(considered))))
    schedule: list[int] = []
    visits = [0] * considered
    left = considered
    while len(schedule) < simulations:
        extra = max(1, simulations // (rounds * left))
        for _ in range(extra):
            schedule.extend(visits[:left])
            for i in range(left):
                visits[i] += 1
        left = max(2, left // 2)
    return schedule[:simulations]


def schedules(most_considered: int, simulations: int) -> np.ndarray[Any, np.dtype[np.int32]]:
    """The schedules for 0 to `most_considered` moves, one a row."""
    rows = [halving_schedule(m, simulations) for m in range(most_considered + 1)]
    return np.array(rows, np.int32).reshape(most_considered + 1, simulations)
