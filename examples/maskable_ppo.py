"""Learn `express` with MaskablePPO until it beats `random` clearly: about ten minutes on a laptop's CPU.

    pip install 'quiltwork[rl]' sb3-contrib
    python examples/maskable_ppo.py --minutes 10 --curve curve.svg

The learner sees the scalars of docs/observation.md and two numbers for every placement: how much of the patch's
edge would touch something, and how many single holes it would leave. It is paid its own points as it gains them,
and never tries an illegal action: the mask makes it impossible. Now and then it plays 200 games, on drawn seats.
All times are processor time, which a busy machine does not change.
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
PLACEMENT_SCALE = 4.0
CHOICES = 3
GENERAL = 31
"""the scalars before those of the circle"""
Curve = list[tuple[float, int, float, float]]


# What the learner sees, and what it is paid


class Neighbours:
    """For every patch, orientation and corner: its cells and those around it as bits, and its border edges."""

    def __init__(self, edition: Edition) -> None:
        self.rows, self.columns = edition.rows, edition.columns
        patches = [tuple(patch.oriented(o) for o in Orientation) for patch in edition.patches.values()]
        tables = [[self._placed(cells) for cells in turned] for turned in patches]
        self.own, self.around, self.border = (
            np.array([[t[i] for t in turned] for turned in tables]) for i in range(3)
        )
        self.special = self._placed(((0, 0),))
        board = {(r, c) for r in range(self.rows) for c in range(self.columns)}
        self._not_first = self._bits({(r, c) for r, c in board if c > 0})
        self._not_last = self._bits({(r, c) for r, c in board if c < self.columns - 1})

    def _bits(self, cells: set[tuple[int, int]]) -> np.uint64:
        inside = {(r, c) for r, c in cells if 0 <= r < self.rows and 0 <= c < self.columns}
        return np.uint64(sum(1 << r * self.columns + c for r, c in inside))

    def _placed(self, cells: Any) -> tuple[Any, Any, Any]:
        own, around, border = [], [], []
        for row in range(self.rows):
            for column in range(self.columns):
                covered = {(row + r, column + c) for r, c in cells}
                beside = [(r + dr, c + dc) for r, c in covered for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))]
                own.append(self._bits(covered))
                around.append(self._bits(set(beside) - covered))
                border.append(sum(not (0 <= r < self.rows and 0 <= c < self.columns) for r, c in beside))
        return np.array(own, np.uint64), np.array(around, np.uint64), np.array(border, np.uint8)

    def judged(self, own: Any, around: Any, border: Any, free: Any) -> tuple[Any, Any]:
        """For each placement: the edges that touch something, and the single empty spaces that it would leave."""
        left = free & ~own
        row = np.uint64(self.columns)
        one = np.uint64(1)
        beside = left << row | left >> row | (left & self._not_last) << one | (left & self._not_first) >> one
        return np.bitwise_count(around & ~free) + border, np.bitwise_count(left & ~beside)


class Contact(gymnasium.ObservationWrapper):
    """Shows the scalars and two numbers for each placement: its contact, and the holes that it would leave.

    The planes are those of the action integers: one for each slot and orientation, and one for special patches.
    """

    def __init__(self, env: Any, neighbours: Neighbours) -> None:
        super().__init__(env)
        self.neighbours = neighbours
        self.shape = 2, 8 * CHOICES + 1, neighbours.rows * neighbours.columns
        self.observation_space = gymnasium.spaces.Dict(
            {
                "scalars": env.observation_space["scalars"],
                "placements": gymnasium.spaces.Box(0, 64, self.shape, np.float32),
            }
        )

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        game: Any = self.env.unwrapped
        position = game.position
        placements = np.zeros(self.shape, np.float32)
        if position.turn is not None:
            near, free = self.neighbours, position.record["free"][0, position.turn - 1, 0]
            for slot, patch in enumerate([position.held] if position.held else position.choices()):
                number = position.edition.numbers[patch.code]
                there = slice(8 * slot, 8 * slot + 8)
                placements[0, there], placements[1, there] = near.judged(
                    near.own[number], near.around[number], near.border[number], free
                )
            placements[0, -1], placements[1, -1] = near.judged(*near.special, free)
        return {"scalars": observation["scalars"], "placements": placements / PLACEMENT_SCALE}


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

    def game() -> Any:
        env: Any = gymnasium.make(quiltwork.envs.gym.environment_id(edition), opponent=opponent)
        if not neighbours:
            neighbours.append(Neighbours(env.unwrapped.edition))
        return Contact(PaidAtOnce(env), neighbours[0])

    return DummyVecEnv([game] * count)


# The policy


class Look(BaseFeaturesExtractor):
    """Hands scalars and placements on as one vector."""

    def __init__(self, space: Any) -> None:
        super().__init__(space, space["scalars"].shape[0] + int(np.prod(space["placements"].shape)))

    def forward(self, seen: dict[str, Tensor]) -> Tensor:
        return torch.cat((seen["scalars"], seen["placements"].flatten(1)), dim=1)


class Actions(nn.Module):
    """One small net judges each choice: its worth, and how much contact and holes matter when it is laid."""

    def __init__(self, cells: int, takes: int) -> None:
        super().__init__()
        self.cells, self.takes = cells, takes
        self.choice = nn.Sequential(nn.Linear(GENERAL + 4, 64), nn.ReLU(), nn.Linear(64, 4))
        self.other = nn.Sequential(nn.Linear(GENERAL + 4 * CHOICES, 64), nn.ReLU(), nn.Linear(64, 4))

    def forward(self, features: Tensor) -> Tensor:
        shape = 2, 8 * CHOICES + 1, self.cells
        numbers = features[:, -shape[0] * shape[1] * shape[2] :].unflatten(1, shape)  # type: ignore[no-untyped-call]
        general = features[:, :GENERAL]
        # The circle's places have five scalars each; the first, the number of the patch, is left out.
        patches = features[:, GENERAL : GENERAL + 5 * CHOICES].unflatten(1, (CHOICES, 5))[:, :, 1:]  # type: ignore[no-untyped-call]
        seen = torch.cat((general[:, None].expand(-1, CHOICES, -1), patches), dim=2)
        worth, contact, holes, take = self.choice(seen).repeat_interleave(8, dim=1).unbind(2)
        laid = (
            worth[:, :, None] + contact[:, :, None] * numbers[:, 0, :-1] + holes[:, :, None] * numbers[:, 1, :-1]
        )
        advance, removal, contact, holes = self.other(torch.cat((general, patches.flatten(1)), dim=1)).split(
            1, dim=1
        )
        special = contact * numbers[:, 0, -1] + holes * numbers[:, 1, -1]
        # The order of the action integers: advance, placements, special patches, removal, bare takes.
        return torch.cat((advance, laid.flatten(1), special, removal, take[:, ::8][:, : self.takes]), dim=1)


class Policy(MaskableMultiInputActorCriticPolicy):
    """sb3-contrib's policy with these parts in place of its own."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        net = {"pi": [], "vf": [128, 64]}
        super().__init__(*arguments, **options, features_extractor_class=Look, net_arch=net)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        _, planes, cells = self.observation_space["placements"].shape
        self.action_net = Actions(cells, takes=int(self.action_space.n) - 2 - planes * cells)
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
        return self.seconds() < 60 * float(self.options.minutes)


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
        n_steps=64,
        batch_size=512,
        n_epochs=4,
        learning_rate=2e-3,
        gamma=1.0,
        gae_lambda=1.0,
        ent_coef=0.003,
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
