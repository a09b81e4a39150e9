"""The whole loop of training, small, on the processor."""

from __future__ import annotations

import importlib.util
import json
import logging
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quiltwork import Position
from quiltwork.agents import Limits, agent_of
from quiltwork.agents.net.forward import OUTPUTS, WIN, evaluation_of
from quiltwork.agents.search.config import SearchConfig
from quiltwork.errors import MissingExtra, QuiltworkError
from quiltwork.training import report
from quiltwork.training.config import Config, SelfPlay, read_config

torch = pytest.importorskip("torch", reason="torch is not installed: training is an extra")

from quiltwork.agents.net.weights import load_net, save_net  # noqa: E402
from quiltwork.training.checkpoint import load_checkpoint  # noqa: E402
from quiltwork.training.learner import Learner, losses  # noqa: E402
from quiltwork.training.network import Net  # noqa: E402
from quiltwork.training.players import play_some  # noqa: E402
from quiltwork.training.replay import Replay  # noqa: E402
from quiltwork.training.run import Run, export  # noqa: E402

SMALL = """
minutes = 0.05
device = "cpu"
workers = 1
[selfplay]
simulations = 8
editions = {patchwork = 1, express = 1}
[learning]
batch = 16
capacity = 4096
least = 32
reuse = 0.5
warm_up_steps = 1
[evaluation]
games = 2
simulations = 2
rival_simulations = 2
workers = 1
"""
RUNS = Path(__file__).parents[2] / "training-runs"
QUICK = SelfPlay(simulations=60, editions={"patchwork": 1})


@pytest.fixture
def config(tmp_path: Path) -> Config:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return read_config(path)


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def test_a_run_plays_learns_measures_and_is_continued(config: Config, tmp_path: Path) -> None:
    Run(config, tmp_path / "one").play()
    first = load_checkpoint(tmp_path / "one")
    assert first.past["minutes"] > 0
    Run(config, tmp_path / "two", tmp_path / "one").play()
    second = load_checkpoint(tmp_path / "two")
    assert second.past["minutes"] > first.past["minutes"]
    assert second.past["games"] > first.past["games"]
    assert second.state["steps"] > first.state["steps"]
    lines = [json.loads(line) for line in (tmp_path / "two" / "log.jsonl").read_text().splitlines()]
    assert [line["event"] for line in lines[-2:]] == ["measured", "end"]
    # The best of the run before is the one to beat.
    assert lines[-2]["best"]["games"] == 2
    export(tmp_path / "two", tmp_path / "mine.npz")
    start = Position.initial("express", deal=1)
    agent_of(f"net:weights={tmp_path / 'mine.npz'}").think(start, Limits(simulations=5))


def test_the_log_of_a_run_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = RUNS / "h200-6.jsonl"
    assert report.main([str(log), str(tmp_path)]) == 0
    assert "of 120" in capsys.readouterr().out
    assert (tmp_path / "points.svg").read_text().startswith("<svg")
    assert report.main([str(tmp_path / "nothing")]) == 1
    assert report.main([str(tmp_path / "points.svg")]) == 1
    assert "not the log of a run" in capsys.readouterr().err


def test_what_is_compiled_says_the_same_as_torch() -> None:
    net = Net()
    with torch.no_grad():
        for layer in (net.first, net.second):
            # Weights that eight bits can say, so that nothing is lost in them.
            layer.weight.copy_(torch.randint(-127, 128, layer.weight.shape) / 2000)
            layer.weight[:, 0] = 127 / 2000
    start = Position.initial("patchwork", deal=5)
    context = SearchConfig().context(start.edition, net.compiled())
    features, counts, said = evaluation_of(start.record, context)
    with torch.no_grad():
        expected = net(torch.tensor(features["row"])[None], torch.tensor(counts)[None].float())
    assert said.shape == (OUTPUTS,)
    # What is compiled reckons in whole numbers.
    np.testing.assert_allclose(said, expected[0].numpy(), atol=5e-3)


def test_a_run_continues_from_the_shipped_weights(config: Config, tmp_path: Path) -> None:
    save_net(load_net(), tmp_path / "shipped.npz")
    run = Run(config, tmp_path / "run", tmp_path / "shipped.npz")
    assert run.learner.net.compiled().tobytes() == load_net().tobytes()
    assert run.learner.steps == 0
    assert not run.learner.optimiser.state_dict()["state"]
    run.play()
    lines = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    # The shipped net is the one to beat.
    assert lines[-2]["best"]["games"] == 2


def test_the_shipped_weights_say_nearly_the_same_in_torch() -> None:
    net = Net()
    net.load_compiled(load_net())
    differences: list[float] = []
    for deal in range(20):
        start = Position.initial("patchwork", deal=deal)
        context = SearchConfig().context(start.edition, net.compiled())
        features, counts, said = evaluation_of(start.record, context)
        with torch.no_grad():
            expected = net(torch.tensor(features["row"])[None], torch.tensor(counts)[None].float())
        differences.append(abs(float(torch.sigmoid(torch.tensor(said[WIN])) - torch.sigmoid(expected[0, WIN]))))
    assert 0 < max(differences) < 0.03


def test_a_net_learns_what_games_teach() -> None:
    torch.manual_seed(1)
    lessons = play_some(QUICK, None, seed=1, games=6).lessons
    replay = Replay(len(lessons), "cpu", search_share=0.5)
    replay.add(lessons)
    learner = Learner(Net(), "cpu", Config().learning)
    whole = replay.draw(2000)
    before = losses(learner.net(whole.features, whole.counts), whole)
    for _ in range(60):
        learner.step(replay.draw(256), 2e-3)
    after = losses(learner.net(whole.features, whole.counts), whole)
    assert (after < 0.9 * before).all()


def test_the_oldest_lessons_make_room() -> None:
    lessons = play_some(QUICK, None, seed=1, games=4).lessons[:120]
    assert len(lessons) == 120
    replay = Replay(50, "cpu", search_share=1.0)
    for start in (0, 40, 80):
        replay.add(lessons[start : start + 40])
    newest = {round(float(x), 5) for x in lessons["search_win"][70:]}
    assert {round(float(x), 5) for x in replay.draw(500).win} <= newest


def test_a_missing_checkpoint_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(QuiltworkError, match="no checkpoint there"):
        load_checkpoint(tmp_path)
    with pytest.raises(QuiltworkError, match="no net was measured there yet"):
        export(tmp_path, tmp_path / "x.npz")
    with pytest.raises(QuiltworkError, match="No such file"):
        load_net(str(tmp_path / "x.npz"))


@pytest.mark.skipif(importlib.util.find_spec("ray") is not None, reason="Ray is installed here")
def test_without_ray_the_extra_is_named(config: Config, tmp_path: Path) -> None:
    with pytest.raises(MissingExtra, match=r"playing on a cluster needs the extra 'cluster'"):
        Run(config, tmp_path / "run", ray="local").play()


@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed")
@pytest.mark.filterwarnings("default")
def test_a_cluster_of_two_nodes_plays_the_games(config: Config, tmp_path: Path) -> None:
    ray: Any = import_module("ray")
    cluster = import_module("ray.cluster_utils").Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    try:
        ray.init(address=cluster.address, logging_level=logging.ERROR)
        Run(replace(config, minutes=0.5), tmp_path / "run", ray=cluster.address).play()
    finally:
        ray.shutdown()
        cluster.shutdown()
    saved = load_checkpoint(tmp_path / "run")
    assert saved.past["games"] > 0
    assert saved.state["steps"] > 0
