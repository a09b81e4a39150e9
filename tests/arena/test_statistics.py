"""The statistics of matches, against numbers worked out by hand or by other tools."""

from __future__ import annotations

import pytest

from quiltwork.arena.statistics import SequentialTest, elo_estimate, elo_of, pentanomial, score_estimate, score_of


@pytest.mark.parametrize(
    ("score", "elo"), [(0.5, 0.0), (0.75, 190.85), (0.25, -190.85), (1.0, 1200.0), (0.0, -1200.0)]
)
def test_elo_of_a_score(score: float, elo: float) -> None:
    assert elo_of(score) == pytest.approx(elo, abs=0.01)


def test_scores_and_elo_are_inverse() -> None:
    assert score_of(elo_of(0.6)) == pytest.approx(0.6)


def test_a_perfect_score_has_an_interval_by_its_games() -> None:
    # Wilson's interval for 100 of 100: from 96.3 %.
    estimate = score_estimate([2] * 50)
    assert (estimate.value, estimate.high) == (1.0, 1.0)
    assert estimate.low == pytest.approx(0.963, abs=0.001)


def test_split_pairs_tell_more_than_single_games() -> None:
    split, swept = score_estimate([1] * 50), score_estimate([0, 2] * 25)
    assert split.value == swept.value == 0.5
    assert swept.high - swept.low > 2 * (split.high - split.low)


def test_no_games_tell_nothing() -> None:
    assert (score_estimate([]).low, score_estimate([]).high) == (0.0, 1.0)
    assert elo_estimate([]).value == 0.0


def test_pairs_are_counted_by_their_score() -> None:
    assert pentanomial([2, 1, 1, 0, 2, 2]) == (1, 0, 2, 0, 3)


def test_the_sequential_test_decides_both_ways() -> None:
    test = SequentialTest(0, 10)
    assert test.bound == pytest.approx(2.944, abs=0.001)
    assert test.verdict([1] * 10) is None
    strong = [2] * 500 + [1] * 400 + [0] * 300
    assert test.verdict(strong) == "accepted"
    assert test.verdict([2 - wins for wins in strong]) == "rejected"


def test_the_ratio_is_that_of_the_normal_approximation() -> None:
    # 100 pairs: 30 won, 50 split, 20 lost: mean 0.55, variance 0.1225; Elo 0 and 10 are scores 0.5 and 0.51439.
    ratio = SequentialTest(0, 10).ratio([2] * 30 + [1] * 50 + [0] * 20)
    assert ratio == pytest.approx(100 * 0.01439 * (1.1 - 1.01439) / (2 * 0.1225), rel=0.03)
