"""The sums of a layer of the net, many at once: whole numbers of 16 bits times weights of 8 bits.

It is written in LLVM's language because a plain loop over the same weights makes a whole search a quarter slower:
a compiler adds up the lanes of one sum. Here the lanes are different sums: two inputs at a time are multiplied by
the weights of sixteen sums. The vectors are those of no machine; they become the best it has.
Two inputs that are both zero, as one pair in four is, are passed over: their weights need not be read.
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
WORD = 64
"""pairs of inputs that are found to be zero or not at a time"""
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
        half, whole, index = ir.IntType(16), ir.IntType(32), ir.IntType(WORD)
        lanes, products = ir.VectorType(whole, LANES), ir.VectorType(whole, 2 * LANES)
        one = ir.Constant(index, 1)
        room_for: Any = cgutils.alloca_once_value
        each: Any = cgutils.for_range

        def start_of(which: int, unit: Any) -> Any:
            array = context.make_array(signature.args[which])(context, builder, arguments[which])
            return builder.bitcast(array.data, unit.as_pointer())

        def lanes_of(vector: Any, which: list[int]) -> Any:
            return builder.shuffle_vector(vector, vector, ir.Constant(lanes, which))

        def add_products(pair: Any, block: int, totals: list[Any]) -> None:
            inputs_of_pair = builder.load(builder.gep(inputs_start, [pair]), align=2)
            first = builder.insert_element(ir.Constant(lanes, ir.Undefined), inputs_of_pair, ir.Constant(whole, 0))
            both = builder.bitcast(lanes_of(first, [0] * LANES), ir.VectorType(half, 2 * LANES))
            both = builder.sext(both, products)
            start = builder.mul(builder.add(pair, ir.Constant(index, block * pairs)), ir.Constant(index, groups))
            for group in range(groups):
                at = builder.add(start, ir.Constant(index, group))
                row = builder.load(builder.gep(weights_start, [at]), align=1)
                found = builder.mul(both, builder.sext(row, products))
                even = lanes_of(found, [2 * i for i in range(LANES)])
                odd = lanes_of(found, [2 * i + 1 for i in range(LANES)])
                total = builder.load(totals[group])
                builder.store(builder.add(total, builder.add(even, odd)), totals[group])

        inputs_start, sums_start = start_of(0, whole), start_of(2, lanes)
        weights_start = start_of(1, ir.VectorType(ir.IntType(8), 2 * LANES))
        words = []
        for start in range(0, pairs, WORD):
            some = ir.VectorType(whole, min(WORD, pairs - start))
            at = builder.bitcast(builder.gep(inputs_start, [ir.Constant(index, start)]), some.as_pointer())
            counted = builder.icmp_signed("!=", builder.load(at, align=2), ir.Constant(some, None))
            counted = builder.bitcast(counted, ir.IntType(some.count))
            words.append((start, counted if some.count == WORD else builder.zext(counted, index)))
        for block in range(width // BLOCK):
            totals = [room_for(builder, ir.Constant(lanes, None)) for _ in range(groups)]
            for start, counted in words:
                left = room_for(builder, counted)
                with each(builder, builder.ctpop(counted)):
                    bits = builder.load(left)
                    builder.store(builder.and_(bits, builder.sub(bits, one)), left)
                    pair = builder.cttz(bits, ir.Constant(ir.IntType(1), 1))
                    add_products(builder.add(pair, ir.Constant(index, start)), block, totals)
            for group in range(groups):
                to = builder.gep(sums_start, [ir.Constant(index, block * groups + group)])
                builder.store(builder.load(totals[group]), to, align=4)
        return context.get_dummy_value()

    return types.void(inputs, weights, sums), generate


add_up: Any = add_up_plainly if PLAIN else _add_up_compiled
"""Writes the sums of products of `inputs`, as many as weights have columns, with weights that are `laid_out`."""
