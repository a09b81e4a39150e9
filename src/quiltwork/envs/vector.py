"""The Gymnasium vector environment over the batch: many learners' games in one array."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from quiltwork.agents import Agent, Limits
from quiltwork.editions import DEFAULT_EDITION, Edition
from quiltwork.envs.batched import BatchedGames, OnIllegal, Reward, one_of
from quiltwork.envs.opponents import DEFAULT_LIMITS, opponent_of
from quiltwork.envs.picture import checked_render_mode, rendered
from quiltwork.envs.single import Form, checked_seat, no_options, observation_of, observation_space

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]


class QuiltworkVectorEnv(VectorEnv[Any, Array, Array]):
    """Games against an opponent, all in one step; against `random` no Python runs per game.

    A game that has ended starts anew in the next step (Gymnasium's `NEXT_STEP`), which ignores its action and
    pays 0; its mask allows action 0 alone. `infos` has what the single environment's `info` has, an array each.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": ["ansi", "rgb_array"]}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        edition: Edition | str = DEFAULT_EDITION,
        opponent: str | Agent = "random",
        *,
        limits: Limits = DEFAULT_LIMITS,
        seat: int | None = None,
        reward: Reward | str = Reward.WIN,
        on_illegal: OnIllegal | str = OnIllegal.RAISE,
        observation: Form | str = Form.DICT,
        threads: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """The options of `QuiltworkEnv`, and `threads`, the number of cores used."""
        self.num_envs = num_envs
        self.render_mode = checked_render_mode(render_mode)
        self.seat = checked_seat(seat)
        self.form = one_of(Form, "observation", observation)
        self.games = BatchedGames(
            edition, num_envs, reward=reward, on_illegal=on_illegal, auto_reset=False, threads=threads
        )
        self._opponent = opponent_of(opponent, limits)
        self._seats = np.zeros(num_envs, np.int8)
        self._done = np.zeros(num_envs, np.bool_)
        self.single_action_space = spaces.Discrete(self.games.action_count)
        self.single_observation_space = observation_space(self.games.layout, self.form)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deals all games anew."""
        no_options(options)
        super().reset(seed=seed)
        if seed is not None:
            self._opponent.seed(int(self.np_random.integers(2**31)))
        self.games.reset(seed)
        self._done[:] = False
        self._draw_seats(np.ones(self.num_envs, np.bool_))
        self._opponent.answer_all(self.games, self._seats)
        return self._look()

    def _draw_seats(self, where: Array) -> None:
        drawn = self.np_random.integers(0, 2, self.num_envs, np.int8)
        self._seats[where] = drawn[where] if self.seat is None else self.seat - 1

    def step(self, actions: Array) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """Plays an action [games] in each game that goes on, and deals those anew that ended before."""
        before = self._done
        if before.any():
            self.games.reset(where=before)
            self._draw_seats(before)
        self.games.step(np.asarray(actions), where=~before)
        self._opponent.answer_all(self.games, self._seats)
        result = self.games.judge()
        self._done = result.done
        observation, infos = self._look()
        rewards = result.rewards[np.arange(self.num_envs), self._seats]
        return observation, rewards, result.done.copy(), np.zeros(self.num_envs, np.bool_), infos

    def _look(self) -> tuple[Any, dict[str, Any]]:
        planes, scalars = self.games.observe(seats=self._seats)
        scores, row = self.games.scores(), np.arange(self.num_envs)
        masks = self.games.legal_mask()
        # An action is drawn for every game, and a policy over no action at all is not a number.
        masks[self._done, 0] = True
        infos = {
            "action_mask": masks,
            "mistakes": self.games.mistakes.copy(),
            "score": scores[row, self._seats],
            "opponent_score": scores[row, 1 - self._seats],
        }
        # Gymnasium's sign that every game has this piece of information.
        infos |= {f"_{name}": np.ones(self.num_envs, np.bool_) for name in infos}
        return observation_of(planes, scalars, self.form), infos

    def render(self) -> tuple[Any, ...] | None:
        """One picture or text a game."""
        if self.render_mode is None:
            return None
        return tuple(rendered(self.games.position(game), self.render_mode) for game in range(self.num_envs))

    def close_extras(self, **options: Any) -> None:
        """Closes the opponent, which may be another program."""
        self._opponent.close()
