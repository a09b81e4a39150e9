"""The order of the circle for a deal number: frozen with notation version 1.

The codes of the circle except the start patch, sorted as text, are shuffled by Fisher and Yates from the
last place down: place i changes with place `draw mod (i + 1)`. The draws are splitmix64 with the deal number as
its state. The start patch comes last, which is where the neutral token puts it. The reserve's order is never
derived from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import index
from typing import SupportsIndex

from quiltwork.editions import Edition
from quiltwork.errors import QuiltworkError

_WORD = 0xFFFF_FFFF_FFFF_FFFF


def circle_of_deal(edition: Edition, number: SupportsIndex) -> tuple[str, ...]:
    """The circle, clockwise from the neutral token, of a deal number (taken modulo 2**64).

    Raises QuiltworkError for a negative number, and TypeError for what is no whole number.
    """
    try:
        state = index(number)
    except TypeError:
        state = None
    # To Python a truth value is 0 or 1, which is not what is meant here.
    if state is None or isinstance(number, bool):
        raise TypeError(f"deal: expected a whole number, found {number!r}")
    if state < 0:
        raise QuiltworkError(f"deal: expected a whole number of at least 0, found {state}")
    *codes, start_patch = edition.circle
    draws = _splitmix64(state & _WORD)
    for last in range(len(codes) - 1, 0, -1):
        other = next(draws) % (last + 1)
        codes[last], codes[other] = codes[other], codes[last]
    return (*codes, start_patch)


def _splitmix64(state: int) -> Iterator[int]:
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _WORD
        word = state
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
        word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
        yield word ^ word >> 31
