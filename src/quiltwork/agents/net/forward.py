"""The small net: win share, lead and policy of a position in a few microseconds, by compiled code.

Each quilt is embedded as a sum over its 3x3 windows; embeddings and features go through two hidden layers.

Integers take less cache than floats: an activation `x` stands as `x * UNIT` in 16 bits, a sum of products in 32.
A weight of the hidden layers has 8 bits, and each of their sums a scale of its own; the other weights have 16
bits, `w` stands as `w * WEIGHT_UNIT`.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from quiltwork.agents.heuristics.economy import ContextRecord
from quiltwork.agents.heuristics.windows import KINDS, count_windows
from quiltwork.agents.net.features import FEATURE_COUNT, FeaturesRecord, ObserverRecord, observe
from quiltwork.agents.net.layer import add_up
from quiltwork.agents.net.quilt_cache import EMBEDDING, QuiltRecord, cached_quilt
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import EditionRecord, PositionRecord
from quiltwork.rules.record import Float32s, Int8s, Int16s, Int32s, record_type

INPUTS = FEATURE_COUNT + 2 * EMBEDDING
HIDDEN = 256
SECOND = 128
SLOTS = 3
"""choices with a policy logit of their own; further ones share the last"""
WIN = 0
POINTS = 1
POLICY = 2  # the advance, then one for each slot
OUTPUTS = 3 + SLOTS
POINTS_UNIT = 20.0

UNIT = 1 << 9
WEIGHT_UNIT = 1 << 11
MAX_BYTE = 127
WINDOW_BITS = 5
WINDOW_UNIT = UNIT << WINDOW_BITS
"""of the weights of windows, which are counted and have no unit"""
MAX_SHORT = 32767
_RAISE = 1 << 13
_ZERO, _HALF, _MOST = np.float32(0), np.float32(0.5), np.float32(MAX_SHORT - 1)
_SCALE = np.float32(UNIT)
_RAISED = np.float32(_RAISE + 0.5)


class NetRecord:
    """The weights."""

    windows: Annotated[Int16s, EMBEDDING, KINDS]
    windows_bias: Annotated[Int32s, EMBEDDING]
    first: Annotated[Int8s, HIDDEN, INPUTS]
    first_scale: Annotated[Float32s, HIDDEN]
    first_bias: Annotated[Float32s, HIDDEN]
    second: Annotated[Int8s, SECOND, HIDDEN]
    second_scale: Annotated[Float32s, SECOND]
    second_bias: Annotated[Float32s, SECOND]
    last: Annotated[Int16s, OUTPUTS, SECOND]
    last_bias: Annotated[Int32s, OUTPUTS]


NET = record_type(NetRecord)


class NetContextRecord(ContextRecord):
    """With the net."""

    net: NetRecord


class EvaluationRecord:
    """What the net says of a position, and all that it is worked out with."""

    outputs: Annotated[Float32s, OUTPUTS]
    features: FeaturesRecord
    observer: ObserverRecord
    # activations
    counts: Annotated[Int16s, KINDS]
    inputs: Annotated[Int16s, INPUTS]
    sums: Annotated[Int32s, HIDDEN]
    first: Annotated[Int16s, HIDDEN]
    second: Annotated[Int16s, SECOND]


EVALUATION = record_type(EvaluationRecord)


@compiled_inline
def _add_up_few(inputs: Any, rows: int, weights: Any, bias: Any, sums: Any, width: int) -> None:
    """The sums of a small layer, written to `sums`: a local variable would have 64 bits."""
    for j in range(width):
        total = bias[j]
        for i in range(rows):
            total += np.int32(inputs[i]) * np.int32(weights[j, i])
        sums[j] = total


@compiled_inline
def _rectify(sums: Any, scale: Any, bias: Any, outputs: Any, width: int) -> None:
    """The activations of a hidden layer, rounded: ReLU of the scaled sums."""
    for j in range(width):
        number = np.float32(sums[j]) * scale[j] + bias[j]
        outputs[j] = np.int32(min(max(number, _ZERO), _MOST) + _HALF)


@compiled_inline
def _embed(quilt: QuiltRecord, edition: EditionRecord, net: NetRecord, evaluation: EvaluationRecord) -> None:
    """Sums a quilt up: ReLU of the weighted windows, rounded."""
    count_windows(quilt.low, quilt.high, edition, evaluation.counts)
    _add_up_few(evaluation.counts, KINDS, net.windows, net.windows_bias, evaluation.sums, EMBEDDING)
    half = 1 << (WINDOW_BITS - 1)
    for j in range(EMBEDDING):
        quilt.embedding[j] = min((max(evaluation.sums[j], 0) + half) >> WINDOW_BITS, MAX_SHORT)
    quilt.embedded = 1


@compiled
def evaluate_net(position: PositionRecord, context: NetContextRecord, evaluation: EvaluationRecord) -> None:
    """Writes what the net says of a position that waits for a player's move into `evaluation.outputs`."""
    net = context.net
    observe(position, context, evaluation.observer, evaluation.features)
    inputs, sums = evaluation.inputs, evaluation.sums
    for i in range(FEATURE_COUNT):
        # Rounded, as what is cut off here is never below zero.
        inputs[i] = np.int32(_SCALE * evaluation.features.row[i] + _RAISED) - _RAISE
    for side in range(2):
        player = position.turn if side == 0 else 1 - position.turn
        quilt = cached_quilt(evaluation.observer.cache, position, player)
        if not quilt.embedded:
            _embed(quilt, context.edition, net, evaluation)
        for i in range(EMBEDDING):
            inputs[FEATURE_COUNT + side * EMBEDDING + i] = quilt.embedding[i]
    add_up(inputs, net.first, sums)
    _rectify(sums, net.first_scale, net.first_bias, evaluation.first, HIDDEN)
    add_up(evaluation.first, net.second, sums)
    _rectify(sums, net.second_scale, net.second_bias, evaluation.second, SECOND)
    _add_up_few(evaluation.second, SECOND, net.last, net.last_bias, sums, OUTPUTS)
    for i in range(OUTPUTS):
        evaluation.outputs[i] = sums[i] / (UNIT * WEIGHT_UNIT)


@compiled_inline
def win_share(evaluation: EvaluationRecord) -> float:
    """How likely the mover is to win."""
    return 1.0 / (1.0 + np.exp(-np.float64(evaluation.outputs[WIN])))


@compiled_inline
def lead(evaluation: EvaluationRecord) -> float:
    """The mover's expected lead in points at the end."""
    return POINTS_UNIT * np.float64(evaluation.outputs[POINTS])


@compiled_inline
def policy_logit(evaluation: EvaluationRecord, action: int) -> float:
    """The logit of the advance (0) or of a choice (1 and further)."""
    return np.float64(evaluation.outputs[POLICY + min(action, SLOTS)])


@compiled
def _evaluate_one(position: Any, context: Any, evaluation: Any) -> None:
    evaluate_net(position[0], context[0], evaluation[0])


def evaluation_of(position: Any, context: Any) -> tuple[Any, Any, Any]:
    """Features, windows by side [2, KINDS] and outputs of the net for one position, for Python."""
    evaluation = np.zeros(1, EVALUATION)
    _evaluate_one(position, context, evaluation)
    counts = np.zeros((2, KINDS), np.int16)
    mover = int(position["turn"][0])
    for side, player in enumerate((mover, 1 - mover)):
        low, high = position["free"][0, player]
        count_windows(low, high, context["edition"][0], counts[side])
    return evaluation["features"][0], counts, evaluation["outputs"][0]
