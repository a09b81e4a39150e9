"""The judge of places: choices in games, and the table that is learned from them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from quiltwork import Position, TakePatch
from quiltwork.agents.heuristics.windows import KINDS
from quiltwork.agents.net.weights import load_placement_windows
from quiltwork.training import places

START = Position.initial("patchwork", deal=3)


def test_a_choice_tells_what_each_place_gives_away() -> None:
    move = next(move for move in START.legal_moves() if isinstance(move, TakePatch))
    code = START.code(move)
    assert code is not None
    choice = places.choice_at(START, code)
    assert choice is not None
    count = int(choice["count"][0])
    assert 1 < count <= places.PLACES
    given_away = choice["given_away"][0]
    assert given_away[:count].min() == 0
    assert 0 < given_away.max() < 1
    assert choice["windows"][0, :count].any(axis=1).all()
    assert places.choice_at(START, 0) is None


def test_the_table_of_the_package_gives_away_less() -> None:
    found = np.concatenate([choice for deal in (501, 502, 503) for choice in places.choices_of("patchwork", deal)])
    assert len(found) > 50
    table = load_placement_windows()
    assert table.shape == (KINDS,)
    assert places.given_away(table, found) < places.given_away(np.zeros(KINDS), found)


def test_what_is_learned_is_the_window_that_costs() -> None:
    pytest.importorskip("torch", reason="torch is not installed: training is an extra")
    rng = np.random.default_rng(1)
    choices = np.zeros(4000, places.CHOICE)
    choices["count"] = 10
    choices["windows"][:, :10, 5:8] = rng.integers(0, 4, (4000, 10, 3))
    lost = choices["windows"][:, :10, 6] * 0.02
    choices["given_away"][:, :10] = lost - lost.min(1, keepdims=True)
    table = places.learn(choices)
    assert table.argmax() == 6
    assert places.given_away(table, choices) < 0.1 * places.given_away(np.zeros(KINDS), choices)


def test_a_run_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch", reason="torch is not installed: training is an extra")
    monkeypatch.setattr(places, "GAMES", 1)
    monkeypatch.setattr(places, "SIMULATIONS", 4)
    monkeypatch.setattr(places, "STEPS", 3)
    for batch in range(2):
        places.play_batch(tmp_path, batch)
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert places.main([str(tmp_path), "--batches", "2"]) == 0
    assert "choices; of a win given away" in capsys.readouterr().out
    assert np.load(tmp_path / "placement_windows.npy").shape == (KINDS,)
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("choices-*")} == before
