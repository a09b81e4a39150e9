"""Waiting wars: how long two equal players wait for each other, and what waiting wrongly costs.

Run with `python bench/waiting.py [AGENT] [--simulations N] [--games N]`. Plays games of an agent against itself
and tells the longest runs of advances, the points and the empty spaces; then asks the agent about the positions of
tests/agents/waiting.txt, for which a deep search has found what waiting and taking are worth.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean

from quiltwork import Advance, Player, Position
from quiltwork.agents import Limits, agent_of
from quiltwork.agents.agent import mover_of
from quiltwork.position_setup import Phase
from quiltwork.rules import warm

POSITIONS = Path(__file__).parents[1] / "tests" / "agents" / "waiting.txt"
BLUNDER = 0.1
WAR = 12
"""advances that make a war, if both players end below zero"""


@dataclass(frozen=True)
class Played:
    """A game of an agent against itself."""

    longest_wait: int
    """advances one after the other, of both players, where something could be taken"""
    points: tuple[int, int]
    empty_spaces: tuple[int, int]


def play(spec: str, limits: Limits, edition: str, deal: int) -> Played:
    agents = {player: agent_of(spec, deal) for player in Player}
    position, rng = Position.initial(edition, deal=deal), Random(deal)
    wait = longest = 0
    while position.phase is not Phase.OVER:
        if position.phase is Phase.DEAL:
            position = position.play(position.deal(rng))
            continue
        move = agents[mover_of(position)].think(position, limits).best.move
        if not isinstance(move, Advance):
            wait = 0
        elif len(position.legal_moves()) > 1:
            wait += 1
            longest = max(longest, wait)
        position = position.play(move)
    one, two = (position.player(player) for player in Player)
    points = tuple(position.score(player).total for player in Player)
    return Played(longest, (points[0], points[1]), (one.empty_spaces, two.empty_spaces))


def regrets(spec: str, limits: Limits) -> list[float]:
    """What is given away in each position of the test set, in shares of a win."""
    found = []
    for line in POSITIONS.read_text("utf-8").splitlines():
        waiting, taking, text = line.split(" ", 2)
        best = agent_of(spec, 3).think(Position.parse(text), limits).best.move
        chosen = waiting if isinstance(best, Advance) else taking
        found.append(max(float(waiting), float(taking)) - float(chosen))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agent", nargs="?", default="net")
    parser.add_argument("--simulations", type=int, default=400)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--edition", default="patchwork")
    parser.add_argument("--seed", type=int, default=61)
    options = parser.parse_args()
    warm.ready()
    limits = Limits(simulations=options.simulations)
    deals = Random(options.seed)
    games = [play(options.agent, limits, options.edition, deals.getrandbits(40)) for _ in range(options.games)]
    lost = regrets(options.agent, limits)
    waits = sorted((game.longest_wait for game in games), reverse=True)
    print(f"{options.agent} against itself, {options.simulations} simulations, {len(games)} games")
    print(f"  points        {fmean(fmean(game.points) for game in games):6.1f}")
    print(f"  empty spaces  {fmean(fmean(game.empty_spaces) for game in games):6.1f}")
    print(f"  longest wait  {waits[len(waits) // 2]:6d} in half of the games, the longest {waits[:5]}")
    wars = sum(game.longest_wait >= WAR and max(game.points) < 0 for game in games)
    print(f"  wars          {wars:6d}: {WAR} advances or more, and both below zero")
    print(f"{len(lost)} positions of long waits")
    print(f"  given away    {fmean(lost):6.3f} of a win; more than {BLUNDER} in {sum(x > BLUNDER for x in lost)}")


if __name__ == "__main__":
    main()
