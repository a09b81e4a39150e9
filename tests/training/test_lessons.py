"""Games of self-play and what they teach; needs no torch."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from quiltwork.agents.net.weights import load_net
from quiltwork.errors import QuiltworkError
from quiltwork.training.config import SelfPlay, read_config
from quiltwork.training.players import play_some

QUICK = SelfPlay(simulations=60, editions={"patchwork": 1})


def test_lessons_are_told_from_the_movers_side() -> None:
    played = play_some(QUICK, None, seed=2, games=1)
    lessons, summary = played.lessons, played.summaries[0]
    lead = int(summary["points"][0]) - int(summary["points"][1])
    real = lessons[lessons["played"] == 1]
    for mover, sign in ((0, 1), (1, -1)):
        mine = real[real["mover"] == mover]
        assert len(mine) > 5
        assert (mine["points"] == sign * lead).all()
        assert (mine["win"] == (bool(summary["first_won"]) == (mover == 0))).all()
    assert ((lessons["search_win"] >= 0) & (lessons["search_win"] <= 1)).all()
    turns = lessons[lessons["policy_weight"] > 0]
    np.testing.assert_allclose(turns["policy"].sum(1), 1, rtol=1e-5)


def test_a_rival_gives_no_lessons() -> None:
    played = play_some(replace(QUICK, rivals=1.0, rival_simulations=30), load_net(), seed=4, games=6)
    movers = [int(lesson["mover"]) for lesson in played.lessons if lesson["played"]]
    # One seat has all lessons of a game; between games the seat may change.
    changes = sum(a != b for a, b in pairwise(movers))
    assert set(movers) == {0, 1}
    assert changes < len(played.summaries)
    alone = play_some(replace(QUICK, rivals=1.0), None, seed=4, games=1)
    assert sum(np.diff(alone.lessons["mover"][alone.lessons["played"] == 1]) != 0) > 5


def test_quick_searches_give_no_lessons() -> None:
    played = play_some(replace(QUICK, quick_simulations=20, others=0), load_net(), seed=5, games=4)
    assert 0.1 < len(played.lessons) / played.summaries["moves"].sum() < 0.4


def test_an_unknown_setting_is_named(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text("[learning]\nspeed = 3\n")
    with pytest.raises(QuiltworkError, match=r"unknown setting learning\.speed"):
        read_config(path)
