"""Bitboards of two unsigned 64-bit words; `int64` mixed with `uint64` becomes a float, so all is unsigned."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types
from numba.extending import intrinsic

from quiltwork.rules.compiler import PLAIN, compiled_inline

ZERO = np.uint64(0)
ONE = np.uint64(1)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
WORD = np.uint64(64)

if PLAIN:
    # Compiled words wrap around silently, so plain ones shall too.
    np.seterr(over="ignore")

    def count(word: Any) -> int:
        """The number of set bits."""
        return int(word).bit_count()

    def lowest(word: Any) -> int:
        """The index of the lowest set bit; the word is not zero."""
        return (int(word) & -int(word)).bit_length() - 1

else:

    @intrinsic
    def _count(_context: Any, word: Any) -> Any:
        def build(_target: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.uint64), build

    @intrinsic
    def _lowest(_context: Any, word: Any) -> Any:
        def build(target: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], target.get_constant(types.boolean, True))

        return types.int64(types.uint64), build

    @compiled_inline
    def count(word: Any) -> int:
        """The number of set bits."""
        return _count(word)  # type: ignore[call-arg]

    @compiled_inline
    def lowest(word: Any) -> int:
        """The index of the lowest set bit; the word is not zero."""
        return _lowest(word)  # type: ignore[call-arg]


@compiled_inline
def bit(index: int) -> Any:
    """A word with one set bit, 0 to 63."""
    return ONE << np.uint64(index)


@compiled_inline
def nth(word: Any, n: int) -> int:
    """The index of the n-th set bit, counted from 0; there are more than n."""
    for _ in range(n):
        word &= word - ONE
    return lowest(word)


@compiled_inline
def shifted(low: Any, high: Any, distance: int) -> Any:
    """Two words moved up by 0 to 127 bits."""
    d = np.uint64(distance)
    if d == ZERO:
        return low, high
    if d < WORD:
        return low << d, (high << d) | (low >> (WORD - d))
    return ZERO, low << (d - WORD)


@compiled_inline
def contains(low: Any, high: Any, index: int) -> bool:
    """Whether the bit of that index is set in two words."""
    if index < 64:
        return (low >> np.uint64(index)) & ONE != ZERO
    return (high >> np.uint64(index - 64)) & ONE != ZERO


@compiled_inline
def first_cell(low: Any, high: Any) -> int:
    """The first cell of a set that is not empty."""
    return lowest(low) if low != ZERO else 64 + lowest(high)


@compiled_inline
def take_first(low: Any, high: Any) -> Any:
    """The first cell of a set that is not empty, and the set without it."""
    if low != ZERO:
        return lowest(low), low & (low - ONE), high
    return 64 + lowest(high), low, high & (high - ONE)
