"""The PettingZoo environment, with PettingZoo's own tests."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from quiltwork import IllegalMove, Player, available_editions

pytest.importorskip("pettingzoo", reason="the PettingZoo environment needs the extra 'rl'")

from pettingzoo.test import api_test, max_cycles_test, render_test, seed_test
from pettingzoo.utils import parallel_to_aec

from quiltwork.envs import quiltwork_v0

# PettingZoo remarks on every observation that is a dictionary and on the empty mask of who waits.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def play_at_random(env: Any, seed: int = 0) -> list[tuple[str, int]]:
    """A whole game; returns who played what."""
    played = []
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
        else:
            action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
            played.append((agent, action))
            env.step(action)
    return played


@pytest.mark.parametrize("edition", available_editions())
def test_pettingzoos_own_test_of_the_interface(edition: str) -> None:
    api_test(quiltwork_v0.env(edition=edition), num_cycles=60, verbose_progress=False)


def test_pettingzoos_own_test_of_seeds() -> None:
    seed_test(partial(quiltwork_v0.env, edition="express"), num_cycles=40)


def test_pettingzoos_own_test_of_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(partial(quiltwork_v0.env, edition="express"))
    assert "Player 1" in capsys.readouterr().out


def test_pettingzoos_own_test_of_truncation() -> None:
    """It wants both agents to act in every cycle, and tries illegal actions, so it runs on the parallel form."""
    parallel = partial(quiltwork_v0.parallel_env, edition="express", on_illegal="mask")
    max_cycles_test(
        SimpleNamespace(parallel_env=parallel, env=lambda **options: parallel_to_aec(parallel(**options)))
    )


def test_a_game_is_truncated_after_max_cycles_moves() -> None:
    env = quiltwork_v0.env(edition="express", max_cycles=5)
    env.reset(seed=1)
    assert len(play_at_random(env)) == 5


def test_the_agent_to_move_is_the_player_furthest_behind() -> None:
    env = quiltwork_v0.raw_env()
    env.reset(seed=2)
    agents = []
    rng = np.random.default_rng(0)
    while not env.terminations["player_1"]:
        assert env.agent_selection == f"player_{env.position.turn:d}"
        agents.append(env.agent_selection)
        assert env.observe("player_1")["action_mask"].any() == (env.agent_selection == "player_1")
        env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
    assert "player_1 player_1" in " ".join(agents) or "player_2 player_2" in " ".join(agents)


def test_rewards_and_scores_come_at_the_end() -> None:
    env = quiltwork_v0.raw_env(edition="express", reward="points")
    env.reset(seed=3)
    play = play_at_random(env)
    assert len(play) > 10
    outcome = env.position.outcome()
    assert outcome is not None
    one, two = (score.total for score in outcome.scores)
    env.reset(seed=3)
    for _, action in play:
        assert env.rewards == {"player_1": 0, "player_2": 0}
        env.step(action)
    assert env.rewards == {"player_1": one - two, "player_2": two - one}
    assert env.infos["player_1"]["score"] == one
    assert env.infos["player_2"]["score"] == two


def test_an_illegal_action_raises_and_the_game_goes_on() -> None:
    env = quiltwork_v0.env(edition="express")
    env.reset(seed=1)
    with pytest.raises(IllegalMove, match="action 1229: "):
        env.step(1229)
    assert env.agents == ["player_1", "player_2"]
    assert env.unwrapped.position.turn is Player.ONE
    env.step(0)


def test_a_masked_action_is_counted() -> None:
    env = quiltwork_v0.env(edition="express", on_illegal="mask")
    env.reset(seed=1)
    env.step(1229)
    assert env.infos["player_1"] == {"mistakes": 1}
    assert env.unwrapped.position.text != "express"


@pytest.mark.parametrize("action", [None, 1.5, [0]])
def test_an_action_that_is_no_integer_says_what_was_expected(action: Any) -> None:
    env = quiltwork_v0.raw_env(edition="express")
    env.reset(seed=1)
    with pytest.raises((TypeError, ValueError), match="action: expected an integer"):
        env.step(action)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"render_mode": "ascii"}, "render_mode: expected one of human, ansi, rgb_array, found 'ascii'"),
        ({"max_cycles": 0}, "max_cycles: expected at least 1, found 0"),
    ],
)
def test_wrong_options_say_what_was_expected(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        quiltwork_v0.env(**options)


@pytest.mark.parametrize("edition", available_editions())
def test_the_picture_has_one_size_during_a_game(edition: str) -> None:
    env = quiltwork_v0.raw_env(edition=edition, render_mode="rgb_array")
    env.reset(seed=5)
    before = env.render()
    play_at_random(env)
    after = env.render()
    assert isinstance(before, np.ndarray)
    assert isinstance(after, np.ndarray)
    assert before.shape == after.shape
    assert before.dtype == np.uint8
    assert not np.array_equal(before, after)


def test_a_reset_takes_no_options() -> None:
    environment = quiltwork_v0.env(edition="express")
    with pytest.warns(UserWarning, match="options: this environment has none, 'deal' is not looked at"):
        environment.reset(options={"deal": 3})
