"""What a match shows: score and Elo with 95 % intervals from pairs of games, and the sequential test on them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z95 = 1.959964
ELO_LIMIT = 1200.0


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float


def elo_of(score: float) -> float:
    """The Elo difference that explains an expected score, clipped at both ends."""
    if score <= 0:
        return -ELO_LIMIT
    if score >= 1:
        return ELO_LIMIT
    return max(-ELO_LIMIT, min(ELO_LIMIT, 400 * math.log10(score / (1 - score))))


def score_of(elo: float) -> float:
    """The expected score of an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def score_estimate(wins: Sequence[int]) -> Estimate:
    """The share of games won, from the games won in each pair (0, 1 or 2).

    The games of a pair depend on each other, so the interval rests on the spread of pairs: Wilson's interval
    with as many independent games as would spread like this.
    """
    pairs = len(wins)
    if pairs == 0:
        return Estimate(0.5, 0.0, 1.0)
    mean = sum(wins) / (2 * pairs)
    games = float(2 * pairs)
    if pairs > 1 and 0 < mean < 1:
        variance = sum((w / 2 - mean) ** 2 for w in wins) / (pairs - 1) / pairs
        # Pairs that spread less than games (a deal often gives one each) are worth more, but not boundlessly.
        games = min(4 * games, mean * (1 - mean) / variance) if variance > 0 else 4 * games
    return _wilson(mean, games)


def share_estimate(count: int, trials: int) -> Estimate:
    """The share of trials that succeeded, where each is independent of the others."""
    return _wilson(count / trials, trials) if trials else Estimate(0.0, 0.0, 1.0)


def _wilson(mean: float, games: float) -> Estimate:
    """A share with Wilson's interval."""
    centre = (mean + Z95**2 / (2 * games)) / (1 + Z95**2 / games)
    half = Z95 * math.sqrt(mean * (1 - mean) / games + Z95**2 / (4 * games**2)) / (1 + Z95**2 / games)
    return Estimate(mean, max(0.0, centre - half), min(1.0, centre + half))


def elo_estimate(wins: Sequence[int]) -> Estimate:
    """The Elo difference with its interval."""
    score = score_estimate(wins)
    return Estimate(elo_of(score.value), elo_of(score.low), elo_of(score.high))


def pentanomial(wins: Sequence[int]) -> tuple[int, int, int, int, int]:
    """How many pairs scored 0, 1/2, 1, 3/2 and 2; without draws the halves stay 0."""
    return wins.count(0), 0, wins.count(1), 0, wins.count(2)


@dataclass(frozen=True)
class SequentialTest:
    """A sequential probability ratio test of `elo1` against `elo0`, both errors 5 %."""

    elo0: float
    elo1: float
    error: float = 0.05

    @property
    def bound(self) -> float:
        """The test ends when the log-likelihood ratio passes this, or its negative."""
        return math.log((1 - self.error) / self.error)

    def ratio(self, wins: Sequence[int]) -> float:
        """The log-likelihood ratio after these pairs (the normal approximation on pentanomial counts)."""
        if not wins:
            return 0.0
        # One pair more, spread as even games are: the first few results must not look like certainty.
        counts = [n + even for n, even in zip(pentanomial(wins), (0.25, 0.0, 0.5, 0.0, 0.25), strict=True)]
        total = sum(counts)
        scores = (0.0, 0.25, 0.5, 0.75, 1.0)
        mean = sum(n * s for n, s in zip(counts, scores, strict=True)) / total
        variance = sum(n * (s - mean) ** 2 for n, s in zip(counts, scores, strict=True)) / total
        low, high = score_of(self.elo0), score_of(self.elo1)
        return total * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, wins: Sequence[int]) -> str | None:
        """`accepted` (elo1 is more likely), `rejected`, or None while it is open."""
        ratio = self.ratio(wins)
        if ratio >= self.bound:
            return "accepted"
        return "rejected" if ratio <= -self.bound else None
