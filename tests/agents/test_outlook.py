"""What is known of a position at once."""

from __future__ import annotations

import pytest

from quiltwork import Player, Position, QuiltworkError
from quiltwork.analysis.outlook import outlook_of

LATE = "patchwork 1 52/9/2a@a1 53!/9/3a@a1 - 4a4c5a6a"


def test_the_outlook_at_the_start() -> None:
    look = outlook_of(Position.initial("patchwork", deal=1))
    assert look.turn is Player.ONE
    assert sum(look.policy.values()) == pytest.approx(1)
    # All three patches at the start can be paid for or not; the advance is always there.
    assert "advance" in look.policy
    assert all(0 <= share <= 1 for quilt in look.empty for row in quilt for share in row)
    # Good players leave few spaces empty.
    assert sum(share for row in look.empty[0] for share in row) < 40


def test_covered_spaces_stay_covered_and_late_ones_stay_empty() -> None:
    look = outlook_of(Position.parse(LATE))
    assert look.empty[0][0][:2] == (0.0, 0.0)
    assert look.empty[1][0][:3] == (0.0, 0.0, 0.0)
    assert look.empty[1][8] == (1.0,) * 9
    assert look.points == pytest.approx(0, abs=12)


def test_a_patch_that_cannot_be_paid_for_is_not_wished_for() -> None:
    look = outlook_of(Position.parse("patchwork 1 9/0/2a@a1 12/3/3a@a1 - 4a4c5a6a"))
    assert list(look.policy) == ["advance"]


def test_a_game_that_is_over_has_no_outlook() -> None:
    with pytest.raises(QuiltworkError, match="the game is over"):
        outlook_of(Position.parse("patchwork - 53!/7/- 53/0/- - 2a"))
