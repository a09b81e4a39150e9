"""A tree used again: finding the position after some moves in it, and keeping what is below."""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.agents.search.mcts import CHANCE, UNEXPANDED, NodeRecord
from quiltwork.rules.chance import SOURCE, deal_at_random
from quiltwork.rules.compiler import compiled
from quiltwork.rules.hashing import position_key
from quiltwork.rules.moves import play
from quiltwork.rules.record import Records

MAX_LOOKED_AT = 100_000


@compiled
def find_position(nodes: Records[NodeRecord], root: Any, target: Any, edition: Any, depth: int) -> int:
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
        if level == depth or done[level] >= node.children or looked > MAX_LOOKED_AT:
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
def copy_subtree(nodes: Records[NodeRecord], root: int, to: Records[NodeRecord]) -> int:
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
