"""The PettingZoo environment: `quiltwork_v0.env(edition="express")`, or `raw_env` and `parallel_env`.

Players do not alternate: `agent_selection` is whoever is furthest behind on the time board. The module's number
changes whenever the same seed and actions would play another game, or be seen in another way.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from quiltwork.editions import DEFAULT_EDITION, Edition
from quiltwork.envs.batched import OnIllegal, Reward
from quiltwork.envs.one_game import OneGame
from quiltwork.envs.picture import RENDER_MODES, checked_render_mode, rendered
from quiltwork.errors import MissingExtra
from quiltwork.position import Position

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
except ImportError:
    raise MissingExtra("the PettingZoo environment", "rl") from None

AGENTS = ("player_1", "player_2")


def env(**options: Any) -> Any:
    """The environment as PettingZoo wants it, with its wrappers; the options are those of `raw_env`."""
    # An action out of bounds raises IllegalMove anyway, so PettingZoo's check of it is left out.
    return wrappers.OrderEnforcingWrapper(raw_env(**options))


def parallel_env(**options: Any) -> Any:
    """The same game for parallel algorithms: both give an action, and only the one to move is looked at."""
    return turn_based_aec_to_parallel(env(**options))


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801  PettingZoo's own spelling
    """One game of two agents, `player_1` and `player_2`.

    An observation is `{"observation": {"planes", "scalars"}, "action_mask"}`; the mask of the player who waits is
    all zeros. An illegal action raises IllegalMove, or with `on_illegal="mask"` is counted in
    `infos[agent]["mistakes"]` and replaced by a random legal one. `max_cycles` is a number of moves after which
    the game is truncated.
    """

    def __init__(
        self,
        edition: Edition | str = DEFAULT_EDITION,
        reward: Reward | str = Reward.WIN,
        on_illegal: OnIllegal | str = OnIllegal.RAISE,
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if max_cycles is not None and max_cycles < 1:
            raise ValueError(f"max_cycles: expected at least 1, found {max_cycles}")
        self._game = OneGame(edition, reward=reward, on_illegal=on_illegal)
        self.edition = self._game.edition
        self.metadata = {
            "name": "quiltwork_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": True,
            "render_fps": 2,
        }
        self.render_mode = checked_render_mode(render_mode)
        self.max_cycles = max_cycles
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._action_spaces = {agent: spaces.Discrete(self._game.action_count) for agent in AGENTS}
        self._observation_spaces = {agent: observation_space(self._game) for agent in AGENTS}

    def action_space(self, agent: str) -> spaces.Discrete:
        """The action integers."""
        return self._action_spaces[agent]

    def observation_space(self, agent: str) -> spaces.Dict:
        """Planes, scalars and the mask."""
        return self._observation_spaces[agent]

    @property
    def position(self) -> Position:
        """The position on the table."""
        return self._game.position

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a new game; None goes on with the source of chance of the game before."""
        if options:
            # PettingZoo's own test passes options to every environment, so they cannot be refused.
            named = ", ".join(map(repr, options))
            warnings.warn(f"options: this environment has none, {named} is not looked at", stacklevel=2)
        self._game.reset(seed)
        self._cycles = 0
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._select()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        self.agent_selection = AGENTS[self._game.turn]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now."""
        planes, scalars, mask = self._game.look(AGENTS.index(agent))
        return {"observation": {"planes": planes, "scalars": scalars}, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays the action of the agent whose turn it is; None for an agent whose game has ended."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"action: expected an integer for {agent}, found None")
        if not self._game.play(action):
            self.infos[agent]["mistakes"] = self.infos[agent].get("mistakes", 0) + 1
        self._cycles += 1
        self._cumulative_rewards[agent] = 0.0
        over = self._game.over
        cut = not over and self.max_cycles is not None and self._cycles >= self.max_cycles
        if over or cut:
            self._end(over, cut)
        self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _end(self, over: bool, cut: bool) -> None:
        for agent, reward, score in zip(AGENTS, self._game.rewards(), self._game.scores(), strict=True):
            self.rewards[agent] = reward
            self.terminations[agent] = over
            self.truncations[agent] = cut
            self.infos[agent]["score"] = score

    def render(self) -> str | np.ndarray[Any, np.dtype[np.uint8]] | None:
        """The position as text (`ansi`), as pixels (`rgb_array`), or printed (`human`)."""
        if self.render_mode is None:
            return None
        return rendered(self.position, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""


def observation_space(game: OneGame) -> spaces.Dict:
    """The space of one game's observation with its mask."""
    layout = game.layout
    return spaces.Dict(
        {
            "observation": spaces.Dict(
                {
                    "planes": spaces.Box(0, 1, layout.plane_shape, np.uint8),
                    "scalars": spaces.Box(np.zeros(len(layout.scalars), np.float32), layout.scalar_high()),
                }
            ),
            "action_mask": spaces.Box(0, 1, (game.action_count,), np.int8),
        }
    )
