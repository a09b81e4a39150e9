"""The sums of a layer of the net, many at once: whole numbers of 16 bits times weights of 8 bits.

A loop that the compiler makes fast by itself adds up one sum after the other, and half of the time goes into the
lanes of each, which have to be added up, too. Here the lanes are different sums: two inputs at a time are
multiplied with the weights of sixteen sums. The vectors are those of no machine; they become the best it has.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from quiltwork.rules.compiler import PLAIN

LANES = 16
BLOCK = 64
"""sums that are made at a time: as many as stay in the registers, with what they need"""


def laid_out(weights: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Weights by sum and input, in the order in which they are used."""
    sums, inputs = weights.shape
    return weights.reshape(sums // BLOCK, BLOCK, inputs // 2, 2).transpose(0, 2, 1, 3).reshape(sums, inputs)


def add_up_plainly(inputs: Any, weights: Any, sums: Any) -> None:
    width, rows = weights.shape
    blocks = weights.reshape(width // BLOCK, rows // 2, BLOCK, 2).astype(np.int64)
    sums[:width] = np.einsum("bpsi,pi->bs", blocks, inputs.astype(np.int64).reshape(-1, 2)).ravel()


@intrinsic
def _add_up_compiled(_: Any, inputs: Any, weights: Any, sums: Any) -> Any:
    width, rows = weights.shape

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pairs, groups = rows // 2, BLOCK // LANES
        half, whole, index = ir.IntType(16), ir.IntType(32), ir.IntType(64)
        lanes, products = ir.VectorType(whole, LANES), ir.VectorType(whole, 2 * LANES)

        def start_of(which: int, unit: Any) -> Any:
            array = context.make_array(signature.args[which])(context, builder, arguments[which])
            return builder.bitcast(array.data, unit.as_pointer())

        def lanes_of(vector: Any, which: list[int]) -> Any:
            return builder.shuffle_vector(vector, vector, ir.Constant(lanes, which))

        inputs_start, sums_start = start_of(0, whole), start_of(2, lanes)
        weights_start = start_of(1, ir.VectorType(ir.IntType(8), 2 * LANES))
        room_for: Any = cgutils.alloca_once_value
        for block in range(width // BLOCK):
            totals = [room_for(builder, ir.Constant(lanes, None)) for _ in range(groups)]
            with cgutils.for_range(builder, ir.Constant(index, pairs)) as loop:
                pair = builder.load(builder.gep(inputs_start, [loop.index]), align=2)
                first = builder.insert_element(ir.Constant(lanes, ir.Undefined), pair, ir.Constant(whole, 0))
                both = builder.bitcast(lanes_of(first, [0] * LANES), ir.VectorType(half, 2 * LANES))
                both = builder.sext(both, products)
                start = builder.add(loop.index, ir.Constant(index, block * pairs))
                for group in range(groups):
                    at = builder.add(builder.mul(start, ir.Constant(index, groups)), ir.Constant(index, group))
                    row = builder.load(builder.gep(weights_start, [at]), align=1)
                    found = builder.mul(both, builder.sext(row, products))
                    even = lanes_of(found, [2 * i for i in range(LANES)])
                    odd = lanes_of(found, [2 * i + 1 for i in range(LANES)])
                    total = builder.load(totals[group])
                    builder.store(builder.add(total, builder.add(even, odd)), totals[group])
            for group in range(groups):
                to = builder.gep(sums_start, [ir.Constant(index, block * groups + group)])
                builder.store(builder.load(totals[group]), to, align=4)
        return context.get_dummy_value()

    return types.void(inputs, weights, sums), generate


add_up: Any = add_up_plainly if PLAIN else _add_up_compiled
"""Writes the sums of products of `inputs`, as many as weights have columns, with weights that are `laid_out`."""
