"""The threads that share the work of a call."""

from __future__ import annotations

import gc
import threading
import time

import pytest

from quiltwork.envs.team import Share, Team

SHARES = [(first, first + 10) for first in range(0, 200, 10)]


def test_results_come_in_the_order_of_the_shares() -> None:
    def work(share: Share) -> int:
        time.sleep(0.001 * (share[0] % 3))
        return sum(range(*share))

    assert Team(3).each(work, SHARES) == [sum(range(*share)) for share in SHARES]


def test_helpers_work_beside_the_caller() -> None:
    both = threading.Barrier(2, timeout=20)
    # Neither gets past the barrier unless another thread is at work on the other share.
    assert Team(1).each(lambda share: both.wait() >= 0, SHARES[:2]) == [True, True]


def test_what_a_share_raises_reaches_the_caller_and_the_team_goes_on() -> None:
    team = Team(2)

    def work(share: Share) -> int:
        if share[0] in (50, 120):
            raise ValueError(f"share {share[0]}")
        return 0

    with pytest.raises(ValueError, match="share 50"):
        team.each(work, SHARES)
    assert team.each(lambda share: share[0], SHARES) == [first for first, _ in SHARES]


def test_threads_end_with_their_team() -> None:
    others = set(threading.enumerate())
    team = Team(4)
    helpers = set(threading.enumerate()) - others
    assert len(helpers) == 4
    del team
    gc.collect()
    for helper in helpers:
        helper.join(20)
        assert not helper.is_alive()
