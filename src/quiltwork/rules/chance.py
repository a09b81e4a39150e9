"""Random numbers for callers of the kernel; the rules themselves draw none.

A source is a record with the state of a splitmix64 generator, owned by the caller. It is a record and not
an array, because Numba counts references to arrays, even in the hottest loop.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from quiltwork.rules.bits import ONE, ZERO, lowest
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import PositionRecord
from quiltwork.rules.record import Word, record_type
from quiltwork.rules.steps import deal_reserve


class SourceRecord:
    """A source of random numbers."""

    state: Word


SOURCE = record_type(SourceRecord)
SourceArray: TypeAlias = np.ndarray[tuple[int], np.dtype[np.void]]

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_30 = np.uint64(30)
_27 = np.uint64(27)
_31 = np.uint64(31)
_32 = np.uint64(32)


def source_of(*seeds: int) -> SourceArray:
    """One source for each seed."""
    sources = np.zeros(len(seeds), SOURCE)
    sources["state"] = [seed & 0xFFFF_FFFF_FFFF_FFFF for seed in seeds]
    return sources


@compiled_inline
def mix(word: Any) -> Any:
    """A 64-bit word scrambled (the finaliser of splitmix64)."""
    word = (word ^ (word >> _30)) * _MIX_1
    word = (word ^ (word >> _27)) * _MIX_2
    return word ^ (word >> _31)


@compiled_inline
def draw(source: SourceRecord) -> Any:
    """The next 64 random bits."""
    source.state += GAMMA
    return mix(source.state)


@compiled_inline
def below(source: SourceRecord, bound: int) -> int:
    """A random integer from 0 to bound - 1; the bound is less than 2**32."""
    return np.int64(((draw(source) >> _32) * np.uint64(bound)) >> _32)  # type: ignore[return-value]


@compiled
def deal_at_random(position: PositionRecord, source: SourceRecord) -> None:
    """Deals the reserve in a random order."""
    order = np.empty(64, np.int8)
    waiting = position.reserve
    length = 0
    while waiting != ZERO:
        order[length] = lowest(waiting)
        waiting &= waiting - ONE
        length += 1
    for last in range(length - 1, 0, -1):
        other = below(source, last + 1)
        order[last], order[other] = order[other], order[last]
    deal_reserve(position, order[:length])
