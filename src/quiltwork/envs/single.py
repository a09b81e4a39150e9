"""The Gymnasium environment of one learner against any agent; `envs.gym` registers it for every edition."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from math import prod
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces

from quiltwork.agents import Agent, Limits
from quiltwork.editions import DEFAULT_EDITION, Edition
from quiltwork.envs.batched import OnIllegal, Reward, one_of
from quiltwork.envs.observation import ObservationLayout
from quiltwork.envs.one_game import OneGame
from quiltwork.envs.opponents import DEFAULT_LIMITS, opponent_of
from quiltwork.envs.picture import RENDER_MODES, checked_render_mode, rendered
from quiltwork.position import Position

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]


class Form(Enum):
    """How the Gymnasium environments hand out the observation."""

    DICT = "dict"
    """`{"planes", "scalars"}`: uint8 and float32"""
    FLAT = "flat"
    """one float32 vector: the planes, row by row, then the scalars"""


class QuiltworkEnv(gymnasium.Env[Any, np.int64]):
    """One learner at one seat; the opponent's moves happen inside `step`.

    The observation is `{"planes", "scalars"}` as the learner's seat sees it, or one vector; the legal actions
    are in `info["action_mask"]` and, as sb3-contrib asks for them, from `action_masks()`. `info` also has what
    both would score now, and the number of illegal actions so far.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012  Gymnasium's own attribute

    def __init__(
        self,
        edition: Edition | str = DEFAULT_EDITION,
        opponent: str | Agent = "random",
        *,
        limits: Limits = DEFAULT_LIMITS,
        seat: int | None = None,
        reward: Reward | str = Reward.WIN,
        on_illegal: OnIllegal | str = OnIllegal.RAISE,
        observation: Form | str = Form.DICT,
        render_mode: str | None = None,
    ) -> None:
        """`opponent` is an agent or its name; `seat` is 1 or 2, or None for a drawn one in each game."""
        self.render_mode = checked_render_mode(render_mode)
        self.seat = checked_seat(seat)
        self.form = one_of(Form, "observation", observation)
        self._game = OneGame(edition, reward=reward, on_illegal=on_illegal)
        self._opponent = opponent_of(opponent, limits)
        self._mine = 0
        self.edition = self._game.edition
        self.action_space = spaces.Discrete(self._game.action_count)
        self.observation_space = observation_space(self._game.layout, self.form)

    @property
    def position(self) -> Position:
        """The position on the table."""
        return self._game.position

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """The legal actions, by the name that sb3-contrib's MaskablePPO calls."""
        return self._mask.view(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deals a new game and lets the opponent begin where it is the start player."""
        no_options(options)
        super().reset(seed=seed)
        if seed is not None:
            self._opponent.seed(int(self.np_random.integers(2**31)))
        self._game.reset(seed)
        self._mine = int(self.np_random.integers(2)) if self.seat is None else self.seat - 1
        self._opponent.answer(self._game, self._mine)
        if self.render_mode == "human":
            self.render()
        return self._look()

    def step(self, action: np.int64) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays an action, and the opponent's answers up to the learner's next move."""
        self._game.play(action)
        self._opponent.answer(self._game, self._mine)
        observation, info = self._look()
        if self.render_mode == "human":
            self.render()
        return observation, self._game.rewards()[self._mine], self._game.over, False, info

    def _look(self) -> tuple[Any, dict[str, Any]]:
        planes, scalars, self._mask = self._game.look(self._mine)
        scores = self._game.scores()
        info = {
            "action_mask": self._mask,
            "mistakes": self._game.mistakes,
            "score": scores[self._mine],
            "opponent_score": scores[1 - self._mine],
        }
        return observation_of(planes, scalars, self.form), info

    def render(self) -> Any:
        """The position as text (`ansi`), as pixels (`rgb_array`), or printed (`human`)."""
        return None if self.render_mode is None else rendered(self.position, self.render_mode)

    def close(self) -> None:
        """Closes the opponent, which may be another program."""
        self._opponent.close()


def no_options(options: Mapping[str, Any] | None) -> None:
    """Raises ValueError for options of a `reset`, of which there are none."""
    if options:
        raise ValueError(f"options: this environment has none, found {', '.join(map(repr, options))}")


def observation_space(layout: ObservationLayout, form: Form) -> spaces.Space[Any]:
    """The space of what `observation_of` hands out."""
    if form is Form.FLAT:
        most = np.concatenate((np.ones(prod(layout.plane_shape), np.float32), layout.scalar_high()))
        return spaces.Box(np.zeros_like(most), most)
    return spaces.Dict(
        {
            "planes": spaces.Box(0, 1, layout.plane_shape, np.uint8),
            "scalars": spaces.Box(np.zeros(len(layout.scalars), np.float32), layout.scalar_high()),
        }
    )


def observation_of(planes: Array, scalars: Array, form: Form) -> Any:
    """The observation [...] of planes [..., planes, rows, columns] and scalars [..., scalars]."""
    if form is Form.DICT:
        return {"planes": planes, "scalars": scalars}
    flat = planes.reshape(*planes.shape[:-3], -1)
    return np.concatenate((flat, scalars), axis=-1, dtype=np.float32)


def checked_seat(seat: int | None) -> int | None:
    """A seat that there is."""
    if seat not in (None, 1, 2):
        raise ValueError(f"seat: expected 1, 2 or None, found {seat!r}")
    return seat
