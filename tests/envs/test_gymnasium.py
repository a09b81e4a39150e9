"""The Gymnasium environments, with Gymnasium's own checker."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from quiltwork import IllegalMove, Position, QuiltworkError, available_editions
from quiltwork.agents import Analysis, Limits, RankedMove
from quiltwork.envs import BatchedGames, opponent_of

gymnasium = pytest.importorskip("gymnasium", reason="the Gymnasium environments need the extra 'rl'")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.wrappers import FlattenObservation, FrameStackObservation, NormalizeObservation  # noqa: E402

from quiltwork.envs.gym import QuiltworkEnv, QuiltworkVectorEnv, environment_id  # noqa: E402


class FirstMove:
    """An agent that plays the first legal move, and remembers what it was asked."""

    name = "first"

    def __init__(self) -> None:
        self.asked: list[Position] = []

    def think(self, position: Position, limits: Limits | None = None, watch: object = None) -> Analysis:
        self.asked.append(position)
        assert position.turn is not None
        move = position.legal_moves()[0]
        return Analysis(position.turn, (RankedMove(move, 0, 0.5, 0.0, (move,)),), 0)

    def close(self) -> None: ...


def legal(rng: np.random.Generator, mask: Any) -> np.int64:
    return np.int64(rng.choice(np.flatnonzero(mask)))


@pytest.mark.parametrize("edition", available_editions())
def test_gymnasiums_own_checker_passes_for_every_registered_edition(edition: str) -> None:
    """The checker draws actions without looking at the mask, so illegal ones are masked."""
    env = gymnasium.make(environment_id(edition), on_illegal="mask", render_mode="rgb_array")
    check_env(env.unwrapped, skip_render_check=True)
    env.close()


def test_gymnasiums_own_checker_passes_with_rendering_and_a_thinking_opponent(
    capsys: pytest.CaptureFixture[str],
) -> None:
    env = gymnasium.make(environment_id("express"), on_illegal="mask", opponent="greedy", render_mode="ansi")
    check_env(env.unwrapped)
    env.close()
    assert "Player 2" in capsys.readouterr().out


@pytest.mark.parametrize("seat", [1, 2])
def test_the_opponent_plays_inside_step(seat: int) -> None:
    opponent = FirstMove()
    env = QuiltworkEnv("express", opponent, seat=seat)
    rng = np.random.default_rng(seat)
    _, info = env.reset(seed=seat)
    over = False
    while not over:
        assert int(env.position.turn or 0) == seat
        _, reward, over, cut, info = env.step(legal(rng, info["action_mask"]))
        assert not cut
        assert reward == 0 or over
    outcome = env.position.outcome()
    assert outcome is not None
    assert reward == (1 if outcome.winner == seat else -1)
    assert info["score"] == outcome.scores[seat - 1].total
    assert info["opponent_score"] == outcome.scores[2 - seat].total
    assert {int(position.turn or 0) for position in opponent.asked} == {3 - seat}


def test_the_seat_is_drawn_in_each_game_unless_it_is_given() -> None:
    env = QuiltworkEnv("express", FirstMove())
    env.reset(seed=1)
    seats = set()
    for _ in range(20):
        env.reset()
        seats.add(int(env.position.turn or 0))
    assert seats == {1, 2}


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    env = QuiltworkEnv("express", seat=1)
    env.reset(seed=1)
    before = env.position.text
    with pytest.raises(IllegalMove, match="action 1229"):
        env.step(np.int64(1229))
    assert env.position.text == before


def test_the_mask_is_where_sb3_contrib_looks_for_it() -> None:
    env = gymnasium.make(environment_id("express"))
    _, info = env.reset(seed=1)
    assert (env.get_wrapper_attr("action_masks")() == info["action_mask"]).all()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"seat": 3}, "seat: expected 1, 2 or None, found 3"),
        ({"opponent": "grandmaster"}, "agent 'grandmaster': unknown"),
        ({"render_mode": "svg"}, "render_mode: expected one of"),
        ({"reward": "gold"}, "reward: expected one of win, points, found 'gold'"),
        ({"on_illegal": "end"}, "on_illegal: expected one of raise, mask, found 'end'"),
        ({"observation": "box"}, "observation: expected one of dict, flat, found 'box'"),
    ],
)
def test_wrong_options_say_what_was_expected(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises((ValueError, QuiltworkError), match=sentence):
        QuiltworkEnv("express", **options)


# The vector environment


def test_make_vec_gives_the_batch() -> None:
    envs = gymnasium.make_vec(environment_id("express"), num_envs=6)
    assert isinstance(envs, QuiltworkVectorEnv)
    seen, infos = envs.reset(seed=1)
    assert envs.observation_space.contains(seen)
    assert infos["action_mask"].shape == (6, 1230)
    envs.close()


def trace(envs: QuiltworkVectorEnv, steps: int) -> list[Any]:
    """Rewards, ends and scalars of some steps of random play."""
    rng = np.random.default_rng(3)
    _, infos = envs.reset(seed=9)
    traced = []
    for _ in range(steps):
        masks = infos["action_mask"]
        actions = np.array([legal(rng, mask) for mask in masks])
        seen, rewards, done, _, infos = envs.step(actions)
        traced.append((rewards.tolist(), done.tolist(), seen["scalars"].tolist()))
    return traced


def test_the_same_seed_gives_the_same_games_on_any_number_of_cores() -> None:
    assert trace(QuiltworkVectorEnv(150, "express", threads=1), 30) == trace(
        QuiltworkVectorEnv(150, "express", threads=2), 30
    )


@pytest.mark.parametrize("opponent", ["random", "greedy"])
def test_a_finished_game_starts_anew_in_the_next_step(opponent: str) -> None:
    envs = QuiltworkVectorEnv(4, "express", opponent)
    rng = np.random.default_rng(0)
    _, infos = envs.reset(seed=2)
    before = np.zeros(4, bool)
    ends = 0
    for _ in range(60):
        masks = infos["action_mask"]
        actions = np.array([legal(rng, mask) for mask in masks])
        seen, rewards, done, cut, infos = envs.step(actions)
        assert not cut.any()
        assert (masks[before].sum(axis=1) == 1).all()
        assert masks[before, 0].all()
        assert (rewards[before] == 0).all()
        assert (np.abs(rewards[done]) == 1).all()
        assert ((infos["score"] >= infos["opponent_score"]) | (rewards != 1))[done].all()
        to_move = seen["scalars"][:, envs.games.layout.scalar("to_move")]
        assert (to_move == ~done).all()
        ends += int(done.sum())
        before = done
    assert ends >= 4


def test_a_vector_of_one_fixed_seat_renders() -> None:
    envs = QuiltworkVectorEnv(2, "express", seat=2, render_mode="ansi")
    envs.reset(seed=1)
    texts = envs.render()
    assert texts is not None
    assert ["Player 1" in text for text in texts] == [True, True]
    with pytest.raises(ValueError, match=r"actions: expected shape \(2,\), found \(3,\)"):
        envs.step(np.zeros(3, np.int64))


@pytest.mark.parametrize("make", [QuiltworkEnv, QuiltworkVectorEnv])
def test_a_reset_takes_no_options(make: Callable[..., Any]) -> None:
    environment = make(edition="express")
    environment.reset(seed=1, options={})
    with pytest.raises(ValueError, match="options: this environment has none, found 'deal'"):
        environment.reset(options={"deal": 3})


# Forms of the observation, the common wrappers, and levels


def test_make_needs_no_import_of_ours() -> None:
    program = "import gymnasium; print(gymnasium.make('quiltwork.envs.gym:quiltwork/express-v0').spec.id)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    assert run.stdout.strip() == "quiltwork/express-v0"


def test_the_flat_observation_is_what_gymnasium_flattens() -> None:
    flat = gymnasium.make(environment_id("express"), observation="flat")
    wrapped = FlattenObservation(gymnasium.make(environment_id("express")))
    envs = gymnasium.make_vec(environment_id("express"), num_envs=1, observation="flat")
    assert flat.observation_space == wrapped.observation_space == envs.single_observation_space
    seen, _ = flat.reset(seed=4)
    assert flat.observation_space.contains(seen)
    assert (seen == wrapped.reset(seed=4)[0]).all()
    many, _ = envs.reset(seed=4)
    assert envs.observation_space.contains(many)
    check_env(
        gymnasium.make(environment_id("express"), on_illegal="mask", observation="flat").unwrapped,
        skip_render_check=True,
    )
    with pytest.raises(ValueError, match="observation: expected one of dict, flat, found 'round'"):
        QuiltworkEnv(observation="round")


WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "stack": lambda env: FrameStackObservation(env, 3),
    "normalise": NormalizeObservation,
    "flatten": FlattenObservation,
    "flatten, normalise, stack": lambda env: FrameStackObservation(
        NormalizeObservation(FlattenObservation(env)), 3
    ),
}


@pytest.mark.parametrize("form", ["dict", "flat"])
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_gymnasiums_wrappers_play_a_whole_game(wrapper: str, form: str) -> None:
    if wrapper == "normalise" and form == "dict":
        pytest.skip("Gymnasium's NormalizeObservation takes one array, not a dictionary")
    env = WRAPPERS[wrapper](gymnasium.make(environment_id("express"), observation=form))
    rng = np.random.default_rng(3)
    seen, info = env.reset(seed=3)
    over = False
    while not over:
        assert seen in env.observation_space
        seen, _, over, _, info = env.step(legal(rng, info["action_mask"]))
    assert not info["action_mask"].any()


@pytest.mark.parametrize("opponent", ["level:1", "level:5"])
def test_levels_are_opponents_in_both_and_in_the_batch(opponent: str) -> None:
    env, envs = QuiltworkEnv("express", opponent, seat=2), QuiltworkVectorEnv(2, "express", opponent, seat=2)
    _, info = env.reset(seed=1)
    _, infos = envs.reset(seed=1)
    assert env.position.turn == 2
    assert (envs.games.turn == 1).all()
    assert info["action_mask"].any()
    assert infos["action_mask"].any(axis=1).all()
    games = BatchedGames("express", 2, auto_reset=False)
    answers = opponent_of(opponent, Limits(simulations=20))
    answers.answer_all(games, np.ones(2, np.int8))
    assert (games.turn == 1).all()
    for closing in (env, envs, answers):
        closing.close()
