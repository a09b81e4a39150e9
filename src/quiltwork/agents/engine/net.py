"""The small net: a judgement of a position in a few microseconds, by compiled code.

Each quilt is a sum over its 3x3 windows; both sums and the numbers of `sight` go through two hidden layers. The
net says how likely the mover is to win, the lead in points at the end, and what to do: advance, or take a choice.

It reckons in whole numbers, less to read from the cache than floats are: a number `x` stands as `x * UNIT` in 16
bits, and a sum of products in 32. A weight of the hidden layers has 8 bits, and each of their sums a scale of its
own; the other weights have 16 bits, `w` stands as `w * WEIGHT_UNIT`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from quiltwork.agents.engine.layer import add_up
from quiltwork.agents.engine.memory import SUMS, QuiltRecord, recall
from quiltwork.agents.engine.policy import PolicyRecord
from quiltwork.agents.engine.sight import NOTES, NUMBERS, look
from quiltwork.agents.engine.tables import TablesRecord
from quiltwork.agents.engine.windows import KINDS, count_windows
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import EditionRecord, PositionRecord, record_type

INPUTS = NUMBERS + 2 * SUMS
HIDDEN = 256
SECOND = 128
SLOTS = 3
"""choices that the net tells apart; further ones are thought like the last"""
WIN = 0
POINTS = 1
ADVANCES = 2  # then one for each slot
OUTPUTS = 3 + SLOTS
POINTS_UNIT = 20.0

UNIT = 1 << 9
WEIGHT_UNIT = 1 << 11
MOST_OF_BYTE = 127
WINDOW_BITS = 5
WINDOW_UNIT = UNIT << WINDOW_BITS
"""of the weights of windows, which are counted and have no unit"""
MOST = 32767
RAISE = 1 << 13
_ZERO, _HALF, _MOST = np.float32(0), np.float32(0.5), np.float32(MOST - 1)
_SCALE = np.float32(UNIT)
_RAISED = np.float32(RAISE + 0.5)

NET = record_type(
    [
        ("windows", np.int16, (SUMS, KINDS)),
        ("windows_bias", np.int32, (SUMS,)),
        ("first", np.int8, (HIDDEN, INPUTS)),
        ("first_scale", np.float32, (HIDDEN,)),
        ("first_bias", np.float32, (HIDDEN,)),
        ("second", np.int8, (SECOND, HIDDEN)),
        ("second_scale", np.float32, (SECOND,)),
        ("second_bias", np.float32, (SECOND,)),
        ("last", np.int16, (OUTPUTS, SECOND)),
        ("last_bias", np.int32, (OUTPUTS,)),
    ]
)
THOUGHT = record_type(
    [
        ("notes", NOTES),
        ("numbers", np.float32, (NUMBERS,)),
        ("counts", np.int16, (KINDS,)),
        ("inputs", np.int16, (INPUTS,)),
        ("sums", np.int32, (HIDDEN,)),
        ("first", np.int16, (HIDDEN,)),
        ("second", np.int16, (SECOND,)),
        ("outputs", np.float32, (OUTPUTS,)),
    ]
)
NetRecord: TypeAlias = Any
ThoughtRecord: TypeAlias = Any


@compiled_inline
def _add_up_few(inputs: Any, rows: int, weights: Any, bias: Any, sums: Any, width: int) -> None:
    """The sums of a small layer. They are written before they are used, or they would be made in 64 bits."""
    for j in range(width):
        total = bias[j]
        for i in range(rows):
            total += np.int32(inputs[i]) * np.int32(weights[j, i])
        sums[j] = total


@compiled_inline
def _scale(sums: Any, scale: Any, bias: Any, outputs: Any, width: int) -> None:
    """Numbers from the sums of a hidden layer, rounded: what is below zero becomes zero."""
    for j in range(width):
        number = np.float32(sums[j]) * scale[j] + bias[j]
        outputs[j] = np.int32(min(max(number, _ZERO), _MOST) + _HALF)


@compiled_inline
def _sum_up(quilt: QuiltRecord, edition: EditionRecord, net: NetRecord, thought: ThoughtRecord) -> None:
    """Sums a quilt up, rounded: what is below zero becomes zero."""
    count_windows(quilt.low, quilt.high, edition, thought.counts)
    _add_up_few(thought.counts, KINDS, net.windows, net.windows_bias, thought.sums, SUMS)
    half = 1 << (WINDOW_BITS - 1)
    for j in range(SUMS):
        quilt.sums[j] = min((max(thought.sums[j], 0) + half) >> WINDOW_BITS, MOST)
    quilt.summed = 1


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
    look(position, edition, tables, policy, thought.notes, thought.numbers)
    inputs, sums = thought.inputs, thought.sums
    for i in range(NUMBERS):
        # Rounded, as what is cut off here is never below zero.
        inputs[i] = np.int32(_SCALE * thought.numbers[i] + _RAISED) - RAISE
    for side in range(2):
        player = position.turn if side == 0 else 1 - position.turn
        quilt = recall(thought.notes.memory, position, player)
        if not quilt.summed:
            _sum_up(quilt, edition, net, thought)
        for i in range(SUMS):
            inputs[NUMBERS + side * SUMS + i] = quilt.sums[i]
    add_up(inputs, net.first, sums)
    _scale(sums, net.first_scale, net.first_bias, thought.first, HIDDEN)
    add_up(thought.first, net.second, sums)
    _scale(sums, net.second_scale, net.second_bias, thought.second, SECOND)
    _add_up_few(thought.second, SECOND, net.last, net.last_bias, sums, OUTPUTS)
    for i in range(OUTPUTS):
        thought.outputs[i] = sums[i] / (UNIT * WEIGHT_UNIT)


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
    counts = np.zeros((1, 2, KINDS), np.int16)
    mover = int(position["turn"][0])
    for side, player in enumerate((mover, 1 - mover)):
        low, high = position["free"][0, player]
        count_windows(low, high, edition[0], counts[0, side])
    return {"numbers": thought["numbers"], "counts": counts}, thought["outputs"][0]
