"""Learn `express` with MaskablePPO until it beats `random` clearly: about ten minutes on a laptop's CPU.

    pip install 'quiltwork[rl]' sb3-contrib
    python examples/maskable_ppo.py --minutes 10 --curve curve.svg

The learner sees the scalars of docs/environments.md and, for every placement, how much of the patch's edge would
touch something; it is paid its own points as it gains them, and never tries an illegal action: the mask makes it
impossible. Now and then it plays 200 games, on drawn seats. All times are processor time, which a busy machine
does not change.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableMultiInputActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import DummyVecEnv
from torch import Tensor, nn

import quiltwork.envs.gym
from quiltwork import Edition, Orientation

POINTS_SCALE = 10.0
CONTACT_SCALE = 8.0
Curve = list[tuple[float, int, float, float]]


# What the learner sees, and what it is paid


class Neighbours:
    """For every patch, orientation and corner: the cells around it as a bitboard, and its edges on the border."""

    def __init__(self, edition: Edition) -> None:
        self.rows, self.columns = edition.rows, edition.columns
        patches = [tuple(patch.oriented(o) for o in Orientation) for patch in edition.patches.values()]
        tables = [[self._around(cells) for cells in turned] for turned in patches]
        self.around = np.array([[cells for cells, _ in turned] for turned in tables], np.uint64)
        self.border = np.array([[border for _, border in turned] for turned in tables], np.uint8)
        self.special = self._around(((0, 0),))

    def _around(self, cells: Any) -> tuple[list[int], list[int]]:
        around, border = [], []
        for row in range(self.rows):
            for column in range(self.columns):
                own = {(row + r, column + c) for r, c in cells}
                beside = [(r + dr, c + dc) for r, c in own for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))]
                inside = {(r, c) for r, c in beside if 0 <= r < self.rows and 0 <= c < self.columns} - own
                around.append(sum(1 << r * self.columns + c for r, c in inside))
                border.append(sum(not (0 <= r < self.rows and 0 <= c < self.columns) for r, c in beside))
        return around, border


class Contact(gymnasium.ObservationWrapper):
    """Shows the scalars and, a plane for each slot and orientation and one for special patches, the contact."""

    def __init__(self, env: gymnasium.Env, neighbours: Neighbours) -> None:
        super().__init__(env)
        self.neighbours = neighbours
        self.shape = 8 * 3 + 1, neighbours.rows, neighbours.columns
        self.observation_space = gymnasium.spaces.Dict(
            {
                "scalars": env.observation_space["scalars"],
                "contact": gymnasium.spaces.Box(0, 8, self.shape, np.float32),
            }
        )

    def observation(self, seen: dict[str, Any]) -> dict[str, Any]:
        position = self.env.unwrapped.position
        contact = np.zeros((self.shape[0], self.shape[1] * self.shape[2]), np.float32)
        if position.turn is not None:
            filled = ~position.record["free"][0, position.turn - 1, 0]
            patches = [position.held] if position.held else position.choices()
            for slot, patch in enumerate(patches):
                number = position.edition.numbers[patch.code]
                touched = np.bitwise_count(self.neighbours.around[number] & filled)
                contact[8 * slot : 8 * slot + 8] = touched + self.neighbours.border[number]
            around, border = self.neighbours.special
            contact[-1] = np.bitwise_count(np.array(around, np.uint64) & filled) + border
        return {"scalars": seen["scalars"], "contact": contact.reshape(self.shape) / CONTACT_SCALE}


class PaidAtOnce(gymnasium.Wrapper):
    """Pays what a move and its answers change in the learner's own score: what the opponent does is noise here."""

    def reset(self, **options: Any) -> tuple[Any, dict[str, Any]]:
        seen, info = self.env.reset(**options)
        self._score = info["score"]
        return seen, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        seen, _, over, cut, info = self.env.step(action)
        before, self._score = self._score, info["score"]
        return seen, (self._score - before) / POINTS_SCALE, over, cut, info


def games_of(edition: str, opponent: str, count: int) -> DummyVecEnv:
    """Some games at once for the learner."""
    neighbours: list[Neighbours] = []

    def game() -> gymnasium.Env:
        env = gymnasium.make(quiltwork.envs.gym.environment_id(edition), opponent=opponent)
        if not neighbours:
            neighbours.append(Neighbours(env.unwrapped.edition))
        return Contact(PaidAtOnce(env), neighbours[0])

    return DummyVecEnv([game] * count)


# The policy


class Look(BaseFeaturesExtractor):
    """Hands scalars and contact on as one vector."""

    def __init__(self, space: gymnasium.spaces.Dict) -> None:
        super().__init__(space, space["scalars"].shape[0] + int(np.prod(space["contact"].shape)))

    def forward(self, seen: dict[str, Tensor]) -> Tensor:
        return torch.cat((seen["scalars"], seen["contact"].flatten(1)), dim=1)


class Actions(nn.Module):
    """The scalars decide what to take and in which orientation; the contact, weighted by them, decides where."""

    def __init__(self, actions: int, scalars: int, planes: int, cells: int) -> None:
        super().__init__()
        self.scalars, self.planes, self.cells = scalars, planes, cells
        self.others = actions - planes * cells
        self.whole = nn.Sequential(
            nn.Linear(scalars, 128),
            nn.ReLU(),
            nn.Linear(128, 64),
            nn.ReLU(),
            nn.Linear(64, self.others + 2 * planes),
        )

    def forward(self, features: Tensor) -> Tensor:
        whole = self.whole(features[:, : self.scalars])
        others, bias, weight = whole.split((self.others, self.planes, self.planes), dim=1)
        contact = features[:, self.scalars :].unflatten(1, (self.planes, self.cells))
        placements = (contact * weight[:, :, None] + bias[:, :, None]).flatten(1)
        # The order of the action integers: advance, placements, special patches, removal and bare takes.
        return torch.cat((others[:, :1], placements, others[:, 1:]), dim=1)


class Policy(MaskableMultiInputActorCriticPolicy):
    """sb3-contrib's policy with these parts in place of its own."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        net = {"pi": [], "vf": [128, 64]}
        super().__init__(*arguments, **options, features_extractor_class=Look, net_arch=net)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        planes, rows, columns = self.observation_space["contact"].shape
        scalars = self.observation_space["scalars"].shape[0]
        self.action_net = Actions(int(self.action_space.n), scalars, planes, rows * columns)
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


# Measuring


def win_rate(model: MaskablePPO, games: DummyVecEnv) -> tuple[float, float]:
    """The share of games won and the mean lead in points, over one game in each of `games`."""
    games.seed(2024)
    seen = games.reset()
    leads: dict[int, int] = {}
    while len(leads) < games.num_envs:
        masks = np.stack(games.env_method("action_masks"))
        actions, _ = model.predict(seen, action_masks=masks, deterministic=True)
        seen, _, done, infos = games.step(actions)
        for game in np.flatnonzero(done).tolist():
            leads.setdefault(game, infos[game]["score"] - infos[game]["opponent_score"])
    points = np.array(list(leads.values()))
    return float((points > 0).mean() + 0.5 * (points == 0).mean()), float(points.mean())


class Clock(BaseCallback):
    """Measures now and then, and stops when the time is up."""

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__()
        self.options = options
        self.curve: Curve = []
        self._games = games_of(options.edition, options.opponent, 200)
        self._measured = 0.0
        self._last = -1e9

    def _on_training_start(self) -> None:
        self._begin = time.process_time()

    def _on_rollout_start(self) -> None:
        if self.seconds() - self._last >= self.options.every:
            self.measure()

    def seconds(self) -> float:
        """How long it has learnt, without the time for measuring."""
        return time.process_time() - self._begin - self._measured

    def measure(self) -> None:
        at, begin = self.seconds(), time.process_time()
        wins, lead = win_rate(self.model, self._games)
        self.curve.append((at, self.num_timesteps, wins, lead))
        print(f"{at:6.0f} s  {self.num_timesteps:9,} moves  wins {wins:6.1%}  lead {lead:+6.1f}", flush=True)
        self._measured += time.process_time() - begin
        self._last = at

    def _on_step(self) -> bool:
        return self.seconds() < self.options.minutes * 60


def draw(curve: Curve, path: Path, title: str) -> None:
    """The share of wins over the minutes, as an SVG picture."""
    width, height, left, top = 640, 360, 60, 40
    minutes = max(curve[-1][0] / 60, 0.1)

    def x(seconds: float) -> float:
        return left + seconds / 60 / minutes * (width - left - 20)

    def y(share: float) -> float:
        return top + (1 - share) * (height - top - 50)

    line = " ".join(f"{x(at):.1f},{y(wins):.1f}" for at, _, wins, _ in curve)
    grid = "".join(
        f'<line x1="{left}" x2="{width - 20}" y1="{y(s):.1f}" y2="{y(s):.1f}" stroke="#ccc"/>'
        f'<text x="{left - 8}" y="{y(s) + 4:.1f}" text-anchor="end">{s:.0%}</text>'
        for s in (0, 0.25, 0.5, 0.75, 1)
    )
    ticks = "".join(
        f'<text x="{x(m * 60):.1f}" y="{height - 30}" text-anchor="middle">{m}</text>'
        for m in range(0, int(minutes) + 1, max(1, round(minutes / 5)))
    )
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="13"><rect width="{width}" height="{height}" fill="#fff"/>'
        f'<text x="{left}" y="22" font-size="15">{title}</text>{grid}{ticks}'
        f'<text x="{width / 2}" y="{height - 8}" text-anchor="middle">minutes of processor time</text>'
        f'<polyline points="{line}" fill="none" stroke="#9c4221" stroke-width="3"/></svg>\n'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", default="express", help="a 7x7 one")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--every", type=float, default=20, help="seconds between measurements")
    parser.add_argument("--games", type=int, default=32, help="games at once")
    parser.add_argument("--curve", type=Path, help="an SVG file for the learning curve")
    parser.add_argument("--save", type=Path, help="a file for the learnt policy")
    options = parser.parse_args()
    torch.set_num_threads(1)
    games = games_of(options.edition, options.opponent, options.games)
    games.seed(1)
    model = MaskablePPO(
        Policy,
        games,
        n_steps=32,
        batch_size=256,
        n_epochs=4,
        learning_rate=1e-3,
        gamma=0.99,
        ent_coef=0.005,
        seed=1,
    )
    clock = Clock(options)
    model.learn(total_timesteps=10**9, callback=clock)
    clock.measure()
    if options.curve:
        draw(clock.curve, options.curve, f"MaskablePPO on {options.edition}: wins against {options.opponent}")
    if options.save:
        model.save(options.save)


if __name__ == "__main__":
    main()
