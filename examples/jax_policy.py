"""Play `express` with a policy in JAX: masks and observations of a whole batch go through one jitted function.

    pip install quiltwork jax
    python examples/jax_policy.py --games 1024
    python examples/jax_policy.py --smoke

The policy is a linear one, learnt by REINFORCE on its own games: it shows how the batch and JAX meet, not how to
play well. NumPy's arrays go to the device in one copy, the actions come back in one.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from typing import Any

import numpy as np

from quiltwork.envs import BatchedGames

try:
    import jax
    import jax.numpy as jnp
except ImportError:
    sys.exit("this example needs JAX: pip install jax")

RATE = 0.01


def logits_of(weights: Any, scalars: Any, mask: Any) -> Any:
    """The logits [B, actions] of a linear policy; illegal actions get the least."""
    return jnp.where(mask, scalars @ weights, -1e9)


@jax.jit
def act(weights: Any, key: Any, scalars: Any, mask: Any) -> Any:
    """An action [B] for each game, drawn from the policy."""
    return jax.random.categorical(key, logits_of(weights, scalars, mask))


@partial(jax.jit, donate_argnums=0)
def learn(weights: Any, scalars: Any, mask: Any, actions: Any, won: Any) -> Any:
    """One step of REINFORCE (Williams 1992): what winners did becomes likelier."""

    def loss(weights: Any) -> Any:
        chances = jax.nn.log_softmax(logits_of(weights, scalars, mask))
        return -(won * jnp.take_along_axis(chances, actions[:, None], axis=1)[:, 0]).mean()

    return weights - RATE * jax.grad(loss)(weights)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", default="express")
    parser.add_argument("--games", type=int, default=512, help="games at once")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--smoke", action="store_true", help="one round of a few games, for seconds")
    options = parser.parse_args()
    if options.smoke:
        options.games, options.rounds = 8, 1
    key = jax.random.key(1)
    games = BatchedGames(options.edition, options.games, seed=1, auto_reset=False)
    weights = jnp.zeros((len(games.layout.scalars), games.action_count))
    for number in range(1, options.rounds + 1):
        games.reset()
        moves = []
        while (going := ~games.over).any():
            scalars, mask, turn = games.observe().scalars, games.legal_mask(), games.turn
            key, drawn = jax.random.split(key)
            actions = np.asarray(act(weights, drawn, scalars, mask))
            games.step(actions, where=going)
            moves.append((scalars, mask, actions, turn, going))
        rewards = games.judge().rewards
        for scalars, mask, actions, turn, going in moves:
            won = rewards[np.arange(games.count), turn] * going
            weights = learn(weights, scalars, mask, actions, won)
        lead = np.abs(np.diff(games.scores(), axis=1)).mean()
        print(
            f"round {number}: {len(moves)} moves at most, mean score {games.scores().mean():+.1f}, lead {lead:.1f}"
        )


if __name__ == "__main__":
    main()
