"""Learn `express` with a small AlphaZero on `BatchedGames`: a net, a batched tree search and games against itself.

    pip install 'quiltwork[train]'
    python examples/alphazero.py --minutes 20
    python examples/alphazero.py --smoke

All games search at once. The tree keeps statistics only: each simulation goes back to the root with `restore`,
plays the chosen actions in the batch down to a new leaf, and the net judges all leaves in one call. Players do not
alternate, so values are those of player 1 and turned where player 2 chooses. A reserve that enters is dealt on
the way down from another source of chance than the game's, so the search does not know what will come. At the end
the search plays against `greedy`. How strong it becomes in a full run has not been measured.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from quiltwork.envs import BatchedGames, opponent_of

C_PUCT = 1.5  # PUCT as in AlphaZero, Silver et al. 2017
DIRICHLET, NOISE = 0.3, 0.25
SAMPLED_MOVES = 12
"""the moves of a game that are drawn by their visits; then the most visited one is played"""


class Net(nn.Module):
    """Logits of the actions [B, actions] and the value [B] for the player who looks."""

    def __init__(self, games: BatchedGames) -> None:
        super().__init__()
        planes, rows, columns = games.layout.plane_shape
        self.quilt = nn.Sequential(
            nn.Conv2d(planes, 32, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(32, 32, 3, padding=1),
            nn.ReLU(),
            nn.Flatten(),
        )
        self.body = nn.Sequential(nn.Linear(32 * rows * columns + len(games.layout.scalars), 256), nn.ReLU())
        self.policy, self.value = nn.Linear(256, games.action_count), nn.Linear(256, 1)

    def forward(self, planes: Tensor, scalars: Tensor) -> tuple[Tensor, Tensor]:
        both = self.body(torch.cat((self.quilt(planes.float()), scalars), dim=1))
        return self.policy(both), torch.tanh(self.value(both)).squeeze(1)


def judged(net: Net, games: BatchedGames) -> tuple[Any, Any]:
    """The policy [B, actions] over legal actions, and the value [B] for player 1; torch shares the arrays."""
    seen, mask = games.observe(), torch.from_numpy(games.legal_mask())
    with torch.inference_mode():
        logits, value = net(torch.from_numpy(seen.planes), torch.from_numpy(seen.scalars))
        # A game that is over has no legal action, and its policy is never looked at.
        policy = torch.softmax(logits.masked_fill(~mask, -1e9), dim=1) * mask
    return policy.numpy(), value.numpy() * (1 - 2 * games.turn)


def search(net: Net, games: BatchedGames, simulations: int, rng: Any, noise: bool) -> Any:
    """How often each action [B, actions] was visited at the root; the games are left as they were."""
    count, actions, row = games.count, games.action_count, np.arange(games.count)
    tree = games.clone()
    tree.reseed(int(rng.integers(2**31)))
    root = tree.save()
    prior = np.zeros((simulations + 1, count, actions), np.float32)
    visits, total = np.zeros_like(prior), np.zeros_like(prior)
    child = np.zeros(prior.shape, np.int32)
    turn = np.zeros((simulations + 1, count), np.int8)
    prior[0], _ = judged(net, tree)
    turn[0] = tree.turn
    if noise:
        drawn = rng.gamma(DIRICHLET, size=(count, actions)) * (prior[0] > 0) + 1e-12
        prior[0] += NOISE * (drawn / drawn.sum(1, keepdims=True) * (prior[0] > 0) - prior[0])
    for new in range(1, simulations + 1):
        tree.restore(root)
        node, inside = np.zeros(count, np.int64), ~tree.over
        path = []
        while inside.any():
            # Select.
            n, mine = visits[node, row], 1 - 2 * turn[node, row, None]
            mean = mine * total[node, row] / np.maximum(n, 1)
            explore = C_PUCT * prior[node, row] * np.sqrt(n.sum(1, keepdims=True) + 1) / (1 + n)
            chosen = np.where(tree.legal_mask(), mean + explore, -np.inf).argmax(1)
            path.append((inside, node, chosen))
            tree.step(chosen, where=inside)
            # Expand: the first new action of each game leads to its node `new`.
            below = child[node, row, chosen]
            child[node, row, chosen] = np.where(inside & (below == 0), new, below)
            node = np.where(inside, child[node, row, chosen], node)
            inside = inside & (below > 0) & ~tree.over
        # Evaluate.
        prior[new], value = judged(net, tree)
        turn[new] = tree.turn
        result = tree.judge()
        value = np.where(result.done, result.rewards[:, 0], value)
        # Back up.
        for there, node, chosen in path:
            visits[node[there], row[there], chosen[there]] += 1
            total[node[there], row[there], chosen[there]] += value[there]
    return visits[0]


def self_play(net: Net, options: argparse.Namespace, rng: Any) -> list[Tensor]:
    """Planes, scalars, visit shares and results of the positions of some games, as who was to move saw them."""
    games = BatchedGames(options.edition, options.games, seed=int(rng.integers(2**31)), auto_reset=False)
    seen: list[tuple[Any, ...]] = []
    while not games.over.all():
        going, look = ~games.over, games.observe()
        visits = search(net, games, options.simulations, rng, noise=True)
        shares = visits / np.maximum(visits.sum(1, keepdims=True), 1)
        seen.append(
            (look.planes[going], look.scalars[going], shares[going], np.flatnonzero(going), games.turn[going])
        )
        actions = visits.argmax(1)
        if len(seen) <= SAMPLED_MOVES:
            actions = (shares.cumsum(1) > rng.random((games.count, 1)) * shares.sum(1, keepdims=True)).argmax(1)
        games.step(actions, where=going)
    won = games.judge().rewards
    planes, scalars, shares, game, turn = (np.concatenate(column) for column in zip(*seen, strict=True))
    return [torch.from_numpy(array) for array in (planes, scalars, shares, won[game, turn])]


def learn(net: Net, optimiser: Any, data: list[Tensor], batch: int = 256) -> float:
    """One pass over the data in random order; returns the mean loss."""
    losses = []
    for rows in torch.randperm(len(data[0])).split(batch):  # type: ignore[no-untyped-call]
        planes, scalars, shares, won = (column[rows] for column in data)
        logits, value = net(planes, scalars)
        loss = functional.cross_entropy(logits, shares) + functional.mse_loss(value, won)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        losses.append(loss.item())
    return float(np.mean(losses))


def play_against(net: Net, options: argparse.Namespace, rng: Any) -> float:
    """The share of games that the search wins against an agent: each deal twice, once from each seat."""
    deals = rng.integers(2**62, size=options.matches).astype(np.uint64).repeat(2)
    games = BatchedGames(options.edition, len(deals), auto_reset=False)
    games.reset(deals)
    seats = (np.arange(len(deals)) % 2).astype(np.int8)
    opponent = opponent_of(options.opponent)
    opponent.answer_all(games, seats)
    while not games.over.all():
        visits = search(net, games, options.simulations, rng, noise=False)
        games.step(visits.argmax(1), where=~games.over)
        opponent.answer_all(games, seats)
    opponent.close()
    return float((games.judge().rewards[np.arange(games.count), seats] > 0).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", default="express")
    parser.add_argument("--opponent", default="greedy")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--games", type=int, default=128, help="games of self-play at once")
    parser.add_argument("--simulations", type=int, default=32, help="simulations a move")
    parser.add_argument("--matches", type=int, default=50, help="deals at the end, each played from both seats")
    parser.add_argument("--smoke", action="store_true", help="one round of tiny numbers, for seconds")
    options = parser.parse_args()
    if options.smoke:
        options.minutes, options.games, options.simulations, options.matches = 0, 4, 3, 1
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    net = Net(BatchedGames(options.edition, 1))
    optimiser = torch.optim.Adam(net.parameters(), lr=1e-3)
    rounds: list[list[Tensor]] = []
    begin = time.monotonic()
    while not rounds or time.monotonic() - begin < 60 * options.minutes:
        rounds = [*rounds[-9:], self_play(net, options, rng)]
        data = [torch.cat(column) for column in zip(*rounds, strict=True)]
        loss = learn(net, optimiser, data)
        print(f"{time.monotonic() - begin:6.0f} s  {len(rounds[-1][0]):6,} positions  loss {loss:.3f}", flush=True)
    won = play_against(net, options, rng)
    print(f"won {won:.1%} of {2 * options.matches} games against {options.opponent}")


if __name__ == "__main__":
    main()
