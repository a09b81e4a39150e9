"""The whole loop of training, small, on the processor."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from quiltwork.errors import QuiltworkError

torch = pytest.importorskip("torch", reason="torch is not installed: training is an extra")

from quiltwork.agents.net import inputs  # noqa: E402
from quiltwork.training.checkpoint import load_checkpoint, load_net  # noqa: E402
from quiltwork.training.config import Config, read_config  # noqa: E402
from quiltwork.training.network import Architecture, Net, Views, folded, log_policy, unpack  # noqa: E402
from quiltwork.training.run import Run  # noqa: E402

SMALL = """
minutes = 0.2
device = "cpu"
workers = 1
compiled = false
[net]
blocks = 1
channels = 8
hidden = 16
[selfplay]
rows = 8
simulations = 2
considered = 2
quick_simulations = 2
playouts = 1
editions = {patchwork = 1, express = 1}
[learning]
batch = 16
least = 32
[evaluation]
simulations = 1
rival_games = 0
"""


@pytest.fixture
def config(tmp_path: Path) -> Config:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return read_config(path)


def test_a_run_plays_learns_measures_and_is_continued(config: Config, tmp_path: Path) -> None:
    Run(config, tmp_path / "one", None, {}).play()
    first = load_checkpoint(tmp_path / "one")
    assert first.past["minutes"] > 0
    Run(config, tmp_path / "two", tmp_path / "one", {}).play()
    second = load_checkpoint(tmp_path / "two")
    assert second.past["minutes"] > first.past["minutes"]
    assert second.past["games"] > first.past["games"]
    events = [json.loads(line)["event"] for line in (tmp_path / "two" / "log.jsonl").read_text().splitlines()]
    assert events[-2:] == ["measured", "end"]
    assert isinstance(load_net(tmp_path / "two"), Net)


def test_an_unknown_setting_is_named(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text("[learning]\nspeed = 3\n")
    with pytest.raises(QuiltworkError, match=r"unknown setting learning\.speed"):
        read_config(path)


def test_a_missing_checkpoint_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(QuiltworkError, match="no checkpoint there"):
        load_checkpoint(tmp_path)


def views(rows: int) -> Views:
    """Views in which the mover may advance, or lay the first choice in one of three places."""
    words = torch.zeros(rows, inputs.WORDS, dtype=torch.int64)
    words[:, 2 * inputs.PLACES] = 0b111
    words[:, inputs.OPTIONS] = 0b11
    return unpack(words, torch.rand(rows, inputs.NUMBERS), torch.float32)


def test_the_policy_is_spread_over_the_legal_moves_alone() -> None:
    net = Net(Architecture(1, 8, 16)).eval()
    shares = log_policy(net(views(3)), views(3)).exp()
    legal = [0, 1, 2, inputs.ADVANCE_MOVE]
    np.testing.assert_allclose(shares[:, legal].sum(1).detach(), np.ones(3), rtol=1e-5)


def test_folding_the_normalisation_changes_nothing() -> None:
    net = Net(Architecture(2, 8, 16))
    seen = views(4)
    net.train()
    net(seen)
    net.eval()
    one, other = net(seen), folded(net)(seen)
    np.testing.assert_allclose(one.where.detach(), other.where.detach(), atol=1e-5)
    np.testing.assert_allclose(one.win.detach(), other.win.detach(), atol=1e-5)
