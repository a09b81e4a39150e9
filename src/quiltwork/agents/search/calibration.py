"""Calibration of win shares: of the positions that are given 70 %, 70 % shall be won.

The mean of a search is drawn to one half and favours the mover, the more so the fewer its simulations. The logit
of a calibrated share is `shift + scale * logit(mean)`, fitted by logistic regression to how 2,400 positions of 480
games ended; `bench/calibration.py` measures and fits. With many simulations the shift is -0.13 (standard error
0.07); -0.03 is used, so that a position and the one after its best move get about the same share.

Exact values are not changed, and the search never uses this.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from typing import NamedTuple


class Correction(NamedTuple):
    """The correction at an effort."""

    visits: int
    """of the move"""
    shift: float
    scale: float


NET_SHARES = (
    Correction(1, 0.60, 0.76),
    Correction(15, -0.12, 1.37),
    Correction(3_000, -0.03, 1.37),
    Correction(12_000, -0.03, 1.12),
    Correction(100_000, 0.0, 1.0),
)
PLAYOUT_SHARES = (
    Correction(10, -0.49, 0.52),
    Correction(50, -0.39, 1.29),
    Correction(230, -0.29, 1.44),
    Correction(1_400, -0.21, 1.27),
    Correction(100_000, 0.0, 1.0),
)


def calibrated(win: float, visits: int, table: tuple[Correction, ...]) -> float:
    """The calibrated mean of a number of visits; corrections between two efforts are interpolated."""
    if not 0 < win < 1:
        return win
    i = bisect_right(table, visits, key=lambda row: row.visits)
    low, high = table[max(0, i - 1)], table[min(i, len(table) - 1)]
    part = 0.0 if low is high else math.log(visits / low.visits) / math.log(high.visits / low.visits)
    shift = low.shift + part * (high.shift - low.shift)
    scale = low.scale + part * (high.scale - low.scale)
    return 1 / (1 + math.exp(-shift - scale * math.log(win / (1 - win))))
