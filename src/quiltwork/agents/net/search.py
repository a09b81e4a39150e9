"""Rounds of simulations in one tree: gather leaves for the net, scatter its answers."""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.agents.net.inputs import view
from quiltwork.agents.net.root import choose_at_root
from quiltwork.agents.net.tree import (
    CHILDREN,
    END,
    LEAF,
    SOLVED,
    back_up,
    descend,
    final_value,
    give_up,
    lean,
    mark_solved,
    open_leaf,
    plant,
)
from quiltwork.rules.compiler import compiled
from quiltwork.rules.layout import POSITION, EditionRecord, PositionRecord


@compiled
def begin(nodes: Any, position: Any, edition: Any, sight: Any, words: Any, numbers: Any, leaves: Any) -> int:
    """Plants a tree and shows its root to the net; returns the number of nodes."""
    size = plant(nodes, position)
    nodes[0].pending = 1
    view(nodes[0].position, edition[0], sight[0], words[0], numbers[0])
    leaves[0] = 0
    return size


@compiled
def gather(
    nodes: Any,
    size: int,
    done: int,
    plan: Any,
    edition: Any,
    sight: Any,
    source: Any,
    words: Any,
    numbers: Any,
    leaves: Any,
) -> Any:
    """Descends until `leaves` is full, or a leaf is met twice.

    Returns the leaves found, the nodes in use, and the simulations done.

    `plan` has one entry for each simulation: see `halving_schedule`. Simulations that end in a known value are
    backed up at once; the others are under way until `scatter`.
    """
    logits = np.empty(CHILDREN, np.float64)
    found = 0
    while found < len(leaves) and done < len(plan):
        edge = choose_at_root(nodes, plan[done], logits)
        leaf, size = descend(nodes, size, edge, edition[0], source[0])
        node = nodes[leaf]
        if node.state == END:
            win, points = final_value(node.position, edition[0])
            mark_solved(nodes, leaf, win, points)
        if node.state == SOLVED:
            back_up(nodes, leaf, node.exact_win, node.exact_points)
            done += 1
        elif node.state == LEAF and node.pending == 1:
            view(node.position, edition[0], sight[0], words[found], numbers[found])
            leaves[found] = leaf
            found += 1
            done += 1
        else:
            # Another simulation under way waits for the same leaf.
            give_up(nodes, leaf)
            break
    return found, size, done


@compiled
def scatter(
    nodes: Any, leaves: Any, edition: Any, moves: Any, scores: Any, outcome: Any, shares: Any, weight: float
) -> None:
    """Gives the leaves their moves, leaning towards `shares` of what to do, and backs their values up."""
    silence = np.zeros(CHILDREN, np.float32)
    for row in range(len(leaves)):
        leaf = leaves[row]
        if nodes[leaf].state == SOLVED:
            back_up(nodes, leaf, nodes[leaf].exact_win, nodes[leaf].exact_points)
            continue
        win, points = open_leaf(
            nodes, leaf, edition[0], moves[row], scores[row], silence, outcome[row, 0], outcome[row, 1]
        )
        if weight > 0.0:
            lean(nodes, leaf, shares[row], weight)
        back_up(nodes, leaf, win, points)


@compiled
def spaces_left(position: PositionRecord, edition: EditionRecord) -> int:
    """The spaces that both time tokens have before them."""
    return 2 * edition.last_space - position.space[0] - position.space[1]


@compiled
def copy_near_end(nodes: Any, leaves: Any, edition: Any, most: int, found: Any, rows: Any) -> int:
    """Copies the positions of those leaves that are near the end; returns how many, with their rows."""
    count = 0
    for row in range(len(leaves)):
        if spaces_left(nodes[leaves[row]].position, edition[0]) <= most:
            found[count] = nodes[leaves[row]].position
            rows[count] = row
            count += 1
    return count


__all__ = ["POSITION", "begin", "copy_near_end", "gather", "scatter", "spaces_left"]
