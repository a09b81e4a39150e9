"""Learn `express` by PPO against itself, in one file as CleanRL writes it, on `BatchedGames`.

    pip install 'quiltwork[train]'
    python examples/ppo_self_play.py --minutes 20
    python examples/ppo_self_play.py --smoke

One policy plays both seats, each move from the view of who is to move. Players do not alternate: what follows a
move is worth to its player the value of the next position, turned if the other player is to move there. At the end
the policy plays against `--opponent`. How strong it becomes in a full run has not been measured.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical
from torch.nn import functional

from quiltwork.envs import BatchedGames, opponent_of

GAE_LAMBDA, CLIP, ENTROPY, VALUE = 0.95, 0.2, 0.01, 0.5  # PPO, Schulman et al. 2017; a game has no discount
EPOCHS, MINIBATCH = 4, 1024


class Agent(nn.Module):
    """The distribution over legal actions and the value [B] for the player who looks."""

    def __init__(self, games: BatchedGames) -> None:
        super().__init__()
        planes, rows, columns = games.layout.plane_shape
        width = planes * rows * columns + len(games.layout.scalars)
        self.body = nn.Sequential(nn.Linear(width, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU())
        self.actor, self.critic = nn.Linear(256, games.action_count), nn.Linear(256, 1)

    def forward(self, planes: Tensor, scalars: Tensor, mask: Tensor) -> tuple[Categorical, Tensor]:
        both = self.body(torch.cat((planes.flatten(1).float(), scalars), dim=1))
        return Categorical(logits=self.actor(both).masked_fill(~mask, -1e9)), self.critic(both).squeeze(1)


def looked(games: BatchedGames) -> tuple[Tensor, Tensor, Tensor]:
    """Planes, scalars and mask for the players to move; torch shares the arrays."""
    seen = games.observe()
    return torch.from_numpy(seen.planes), torch.from_numpy(seen.scalars), torch.from_numpy(games.legal_mask())


def rollout(agent: Agent, games: BatchedGames, steps: int) -> list[Tensor]:
    """Planes, scalars, mask, actions, log probabilities, advantages and returns [T * B, ...] of some steps."""
    kept: list[tuple[Any, ...]] = []
    with torch.no_grad():
        for _ in range(steps):
            seen, turn = looked(games), games.turn
            policy, value = agent(*seen)
            action = policy.sample()
            result = games.step(action)
            reward = torch.from_numpy(result.rewards[np.arange(games.count), turn])
            # 1 where the same player moves next, -1 where the other does, 0 where the game ended.
            sign = torch.from_numpy(
                np.where(result.done, 0, np.where(games.turn == turn, 1, -1)).astype(np.float32)
            )
            kept.append((*seen, action, policy.log_prob(action), value, reward, sign))
        _, following = agent(*looked(games))
    advantages = []
    later = torch.zeros(games.count)
    for *_, value, reward, sign in reversed(kept):
        # Generalised advantage estimation, Schulman et al. 2016.
        later = reward + sign * following - value + GAE_LAMBDA * sign * later
        advantages.append(later)
        following = value
    columns = [torch.cat(column) for column in zip(*kept, strict=True)]
    advantage = torch.cat(advantages[::-1])
    return [*columns[:5], advantage, advantage + columns[5]]


def learn(agent: Agent, optimiser: Any, data: list[Tensor]) -> float:
    """Some epochs of the clipped objective; returns the mean entropy of the policy."""
    entropies = []
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(data[0])).split(MINIBATCH):  # type: ignore[no-untyped-call]
            planes, scalars, mask, action, before, advantage, returned = (column[rows] for column in data)
            policy, value = agent(planes, scalars, mask)
            ratio = (policy.log_prob(action) - before).exp()
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            gain = torch.min(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage).mean()
            entropy = policy.entropy().mean()
            loss = VALUE * functional.mse_loss(value, returned) - gain - ENTROPY * entropy
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimiser.step()
            entropies.append(entropy.item())
    return float(np.mean(entropies))


def play_against(agent: Agent, options: argparse.Namespace) -> float:
    """The share of games that the likeliest actions win against an agent: each deal twice, once from each seat."""
    deals = np.arange(options.matches, dtype=np.uint64).repeat(2) + np.uint64(2**40)
    games = BatchedGames(options.edition, len(deals), auto_reset=False)
    games.reset(deals)
    seats = (np.arange(len(deals)) % 2).astype(np.int8)
    opponent = opponent_of(options.opponent)
    opponent.answer_all(games, seats)
    while not games.over.all():
        with torch.no_grad():
            policy, _ = agent(*looked(games))
        games.step(policy.logits.argmax(1), where=~games.over)
        opponent.answer_all(games, seats)
    opponent.close()
    return float((games.judge().rewards[np.arange(games.count), seats] > 0).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", default="express")
    parser.add_argument("--opponent", default="random", help="an agent's name, level:1 for example")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--games", type=int, default=256, help="games at once")
    parser.add_argument("--steps", type=int, default=64, help="moves of each game between two updates")
    parser.add_argument("--matches", type=int, default=100, help="deals at the end, each played from both seats")
    parser.add_argument("--smoke", action="store_true", help="one update of tiny numbers, for seconds")
    options = parser.parse_args()
    if options.smoke:
        options.minutes, options.games, options.steps, options.matches = 0, 8, 8, 2
    torch.manual_seed(1)
    games = BatchedGames(options.edition, options.games, seed=1)
    agent = Agent(games)
    optimiser = torch.optim.Adam(agent.parameters(), lr=3e-4, eps=1e-5)
    begin, moves = time.monotonic(), 0
    while not moves or time.monotonic() - begin < 60 * options.minutes:
        data = rollout(agent, games, options.steps)
        moves += len(data[0])
        print(
            f"{time.monotonic() - begin:6.0f} s  {moves:9,} moves  entropy {learn(agent, optimiser, data):.3f}",
            flush=True,
        )
    won = play_against(agent, options)
    print(f"won {won:.1%} of {2 * options.matches} games against {options.opponent}")


if __name__ == "__main__":
    main()
