"""Walking over the cells of two words."""

from __future__ import annotations

from typing import Any

from quiltwork.rules.bits import ONE, ZERO, lowest
from quiltwork.rules.compiler import compiled_inline


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
