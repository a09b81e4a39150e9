"""Learn `express` with MaskablePPO until it beats `random` clearly: about ten minutes on a laptop's CPU.

    pip install 'quiltwork[rl]' sb3-contrib
    python examples/maskable_ppo.py --minutes 10 --curve curve.svg

The learner sees the planes and scalars of docs/environments.md, is paid in points as it gains them, and never
tries an illegal action: the mask makes it impossible. Every half minute it plays 400 games against `random`.
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
from quiltwork.envs.gym import QuiltworkVectorEnv

POINTS_SCALE = 10.0
Curve = list[tuple[float, int, float, float]]


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


def learner(edition: str, opponent: str) -> gymnasium.Env:
    """One game for the learner."""
    return PaidAtOnce(gymnasium.make(quiltwork.envs.gym.environment_id(edition), opponent=opponent))


CHANNELS = 32
GLOBAL = 64


class Look(BaseFeaturesExtractor):
    """Planes through two convolutions, with the scalars laid under every cell; then all of it as one vector."""

    def __init__(self, space: gymnasium.spaces.Dict) -> None:
        planes, rows, columns = space["planes"].shape
        super().__init__(space, CHANNELS * rows * columns + GLOBAL)
        self.scalars = nn.Sequential(nn.Linear(space["scalars"].shape[0], GLOBAL), nn.ReLU())
        self.under = nn.Linear(GLOBAL, CHANNELS)
        self.first = nn.Conv2d(planes, CHANNELS, 3, padding=1)
        self.second = nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1)

    def forward(self, seen: dict[str, Tensor]) -> Tensor:
        scalars = self.scalars(seen["scalars"])
        cells = torch.relu(self.first(seen["planes"]) + self.under(scalars)[:, :, None, None])
        cells = torch.relu(self.second(cells))
        return torch.cat((cells.flatten(1), scalars), dim=1)


class Actions(nn.Module):
    """One plane of logits for each choice and orientation, so that what is learnt of a place holds for all places."""

    def __init__(self, actions: int, rows: int, columns: int, choices: int = 3) -> None:
        super().__init__()
        self.shape = CHANNELS, rows, columns
        self.planes = choices * 8
        self.others = actions - 1 - (self.planes + 1) * rows * columns
        self.cells = nn.Conv2d(CHANNELS, self.planes + 1, 3, padding=1)
        self.whole = nn.Linear(CHANNELS + GLOBAL, self.planes + 1 + 1 + self.others)

    def forward(self, features: Tensor) -> Tensor:
        cells = features[:, :-GLOBAL].unflatten(1, self.shape)
        whole = self.whole(torch.cat((cells.mean((2, 3)), features[:, -GLOBAL:]), dim=1))
        planes, others = whole[:, : self.planes + 1], whole[:, self.planes + 1 :]
        placements = (self.cells(cells) + planes[:, :, None, None]).flatten(1)
        # The order of the action integers: advance, placements, special patches, removal and bare takes.
        return torch.cat((others[:, :1], placements, others[:, 1:]), dim=1)


class Policy(MaskableMultiInputActorCriticPolicy):
    """sb3-contrib's policy with the two parts above in place of its own."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options, features_extractor_class=Look, net_arch=[])

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        _, rows, columns = self.observation_space["planes"].shape
        self.action_net = Actions(int(self.action_space.n), rows, columns)
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


def win_rate(model: MaskablePPO, edition: str, opponent: str, games: int) -> tuple[float, float]:
    """The share of games won and the mean lead in points, both seats drawn at random."""
    envs = QuiltworkVectorEnv(games, edition, opponent, reward="points")
    seen, infos = envs.reset(seed=2024)
    playing = np.ones(games, bool)
    wins = leads = 0.0
    while playing.any():
        # A finished game has no legal action; any one does, since its reset ignores it.
        masks = infos["action_mask"]
        masks[~masks.any(axis=1), 0] = True
        actions, _ = model.predict(seen, action_masks=masks, deterministic=True)
        actions[~playing] = masks[~playing].argmax(axis=1)
        seen, points, done, _, infos = envs.step(actions)
        ended = playing & done
        wins += float((points[ended] > 0).sum()) + 0.5 * float((points[ended] == 0).sum())
        leads += float(points[ended].sum())
        playing &= ~done
    return wins / games, leads / games


class Clock(BaseCallback):
    """Measures now and then, and stops when the time is up."""

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__()
        self.options = options
        self.curve: Curve = []
        self._measured = 0.0
        self._last = -1e9

    def _on_training_start(self) -> None:
        self._begin = time.process_time()

    def _on_rollout_start(self) -> None:
        if self.seconds() - self._last >= self.options.every:
            self.measure()

    def seconds(self) -> float:
        """How long it has learnt in processor time, which a busy machine does not change; without measuring."""
        return time.process_time() - self._begin - self._measured

    def measure(self) -> None:
        at, begin = self.seconds(), time.process_time()
        wins, lead = win_rate(self.model, self.options.edition, self.options.opponent, 400)
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
    step = max(1, round(minutes / 5))
    ticks = "".join(
        f'<text x="{x(m * 60):.1f}" y="{height - 30}" text-anchor="middle">{m}</text>'
        for m in range(0, int(minutes) + 1, step)
    )
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="13"><rect width="{width}" height="{height}" fill="#fff"/>'
        f'<text x="{left}" y="22" font-size="15">{title}</text>{grid}{ticks}'
        f'<text x="{width / 2}" y="{height - 8}" text-anchor="middle">minutes of learning</text>'
        f'<polyline points="{line}" fill="none" stroke="#9c4221" stroke-width="3"/></svg>\n'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", default="express")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--every", type=float, default=30, help="seconds of processor time between measurements")
    parser.add_argument("--games", type=int, default=32, help="games at once")
    parser.add_argument("--curve", type=Path, help="an SVG file for the learning curve")
    parser.add_argument("--save", type=Path, help="a file for the learnt policy")
    options = parser.parse_args()
    torch.set_num_threads(1)
    games = DummyVecEnv([lambda: learner(options.edition, options.opponent)] * options.games)
    games.seed(1)
    model = MaskablePPO(
        Policy,
        games,
        n_steps=128,
        batch_size=512,
        n_epochs=4,
        learning_rate=1e-3,
        gamma=0.99,
        gae_lambda=0.95,
        ent_coef=0.01,
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
