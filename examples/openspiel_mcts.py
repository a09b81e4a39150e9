"""OpenSpiel's MCTS against one of our levels, both seats, over several deals.

    pip install 'quiltwork[openspiel]'
    python examples/openspiel_mcts.py --agent level:2 --simulations 100 --games 4

OpenSpiel's search is written in Python and plays random games to the end, so 100 simulations take about half a
second a move of `express`.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

import quiltwork.envs.openspiel  # noqa: F401  registers the game
from quiltwork.agents import Agent, Limits, agent_of


def play(game: Any, bot: Any, agent: Agent, limits: Limits, seat: int, rng: np.random.RandomState) -> float:
    """One game; returns the lead in points of OpenSpiel's bot, which sits at `seat`."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=chances)))
        elif state.current_player() == seat:
            state.apply_action(bot.step(state))
        else:
            move = agent.think(state.position, limits).best.move
            state.apply_action(state.position.code(move))
    return float(state.returns()[seat])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", default="express")
    parser.add_argument("--agent", default="level:1", help="our opponent, as `quiltwork match` names it (level:1)")
    parser.add_argument("--simulations", type=int, default=100, help="of OpenSpiel's search a move")
    parser.add_argument("--games", type=int, default=4)
    options = parser.parse_args()
    rng = np.random.RandomState(1)
    name, limits = options.agent, Limits(simulations=100)
    agent = agent_of(name, seed=1)
    leads = []
    for number in range(options.games):
        game = pyspiel.load_game(f"quiltwork(edition={options.edition},deal={number // 2},reward=points)")
        evaluator = mcts.RandomRolloutEvaluator(1, rng)
        # Points are the utility, so the exploration constant is in points too.
        bot = mcts.MCTSBot(game, 20.0, options.simulations, evaluator, random_state=rng)
        begin = time.perf_counter()
        leads.append(play(game, bot, agent, limits, number % 2, rng))
        seconds = time.perf_counter() - begin
        print(f"deal {number // 2}, seat {number % 2 + 1}: {leads[-1]:+.0f} points  ({seconds:.0f} s)", flush=True)
    wins = sum(lead > 0 for lead in leads)
    print(f"OpenSpiel's MCTS won {wins} of {len(leads)} against {name}, lead {np.mean(leads):+.1f}")
    agent.close()


if __name__ == "__main__":
    main()
