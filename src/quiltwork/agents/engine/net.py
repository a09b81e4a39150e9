"""The small net: a judgement of a position in a few microseconds, by compiled code.

Each quilt is a sum over its 3x3 windows; both sums and the numbers of `sight` go through two hidden layers. The
net says how likely the mover is to win, the lead in points at the end, and what to do: advance, or take a choice.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from quiltwork.agents.engine.policy import PolicyRecord
from quiltwork.agents.engine.sight import NUMBERS, look
from quiltwork.agents.engine.tables import TablesRecord
from quiltwork.agents.engine.windows import KINDS, count_windows
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import EditionRecord, PositionRecord, record_type

WINDOW = 32
"""what a quilt is summed up in"""
INPUTS = NUMBERS + 2 * WINDOW
HIDDEN = 256
SECOND = 64
SLOTS = 3
"""choices that the net tells apart; further ones are thought like the last"""
WIN = 0
POINTS = 1
ADVANCES = 2  # then one for each slot
OUTPUTS = 3 + SLOTS
POINTS_UNIT = 20.0

NET = record_type(
    [
        ("windows", np.float32, (KINDS, WINDOW)),
        ("windows_bias", np.float32, (WINDOW,)),
        ("first", np.float32, (INPUTS, HIDDEN)),
        ("first_bias", np.float32, (HIDDEN,)),
        ("second", np.float32, (HIDDEN, SECOND)),
        ("second_bias", np.float32, (SECOND,)),
        ("last", np.float32, (SECOND, OUTPUTS)),
        ("last_bias", np.float32, (OUTPUTS,)),
    ]
)
THOUGHT = record_type(
    [
        ("counts", np.float32, (2, KINDS)),
        ("quilt", np.float32, (WINDOW,)),
        ("inputs", np.float32, (INPUTS,)),
        ("first", np.float32, (HIDDEN,)),
        ("second", np.float32, (SECOND,)),
        ("outputs", np.float32, (OUTPUTS,)),
    ]
)
NetRecord: TypeAlias = Any
ThoughtRecord: TypeAlias = Any


@compiled_inline
def _layer(inputs: Any, weights: Any, bias: Any, outputs: Any, rows: int, width: int) -> None:
    for j in range(width):
        outputs[j] = bias[j]
    # Four rows at once, so the sums are read and written a quarter as often; rows are multiples of four.
    for i in range(0, rows, 4):
        a, b, c, d = inputs[i], inputs[i + 1], inputs[i + 2], inputs[i + 3]
        if a != 0 or b != 0 or c != 0 or d != 0:
            for j in range(width):
                outputs[j] += (a * weights[i, j] + b * weights[i + 1, j]) + (
                    c * weights[i + 2, j] + d * weights[i + 3, j]
                )


@compiled_inline
def _rectify(outputs: Any, width: int) -> None:
    for j in range(width):
        outputs[j] = max(outputs[j], np.float32(0.0))


@compiled
def judge(
    position: PositionRecord,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    net: NetRecord,
    thought: ThoughtRecord,
) -> None:
    """Writes what the net says of a position that waits for a player's move into `thought.outputs`."""
    look(position, edition, tables, policy, thought.inputs)
    for side in range(2):
        player = position.turn if side == 0 else 1 - position.turn
        count_windows(position, edition, player, thought.counts[side])
        _layer(thought.counts[side], net.windows, net.windows_bias, thought.quilt, KINDS, WINDOW)
        for i in range(WINDOW):
            thought.inputs[NUMBERS + side * WINDOW + i] = max(thought.quilt[i], np.float32(0.0))
    _layer(thought.inputs, net.first, net.first_bias, thought.first, INPUTS, HIDDEN)
    _rectify(thought.first, HIDDEN)
    _layer(thought.first, net.second, net.second_bias, thought.second, HIDDEN, SECOND)
    _rectify(thought.second, SECOND)
    _layer(thought.second, net.last, net.last_bias, thought.outputs, SECOND, OUTPUTS)


@compiled_inline
def win_share(thought: ThoughtRecord) -> float:
    """How likely the mover is to win."""
    return 1.0 / (1.0 + np.exp(-np.float64(thought.outputs[WIN])))


@compiled_inline
def lead(thought: ThoughtRecord) -> float:
    """The mover's lead in points that is expected at the end."""
    return POINTS_UNIT * np.float64(thought.outputs[POINTS])


@compiled_inline
def wish(thought: ThoughtRecord, what: int) -> float:
    """How much the net would like to advance (0) or to take a choice (1 and further)."""
    return np.float64(thought.outputs[ADVANCES + min(what, SLOTS)])


@compiled
def _judge_one(position: Any, edition: Any, tables: Any, policy: Any, net: Any, thought: Any) -> None:
    judge(position[0], edition[0], tables[0], policy[0], net[0], thought[0])


def outputs_of(position: Any, edition: Any, tables: Any, policy: Any, net: Any) -> tuple[dict[str, Any], Any]:
    """What the net sees and says of one position, for Python: arrays of one record each."""
    thought = np.zeros(1, THOUGHT)
    _judge_one(position, edition, tables, policy, net, thought)
    return {"numbers": thought["inputs"][:, :NUMBERS], "counts": thought["counts"]}, thought["outputs"][0]
