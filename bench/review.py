"""How far the values of reviews can be trusted: `review_losses.py` beside it looks at what is told of moves.

    python bench/review.py [--positions 200] [--simulations N]

Consistency: the value of a position, less the value of the position after its best move, each from a search of its
own.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from random import Random
from statistics import mean, stdev

from rich.console import Console
from rich.progress import track

from quiltwork import Phase, Position
from quiltwork.agents import Limits, agent_of
from quiltwork.analysis.review import DEFAULT_SIMULATIONS, Analyst

MIDDLE = range(12, 42)
"""spaces of the foremost token in the middle of a game"""


def middle_games(count: int, seed: int = 5) -> Iterator[Position]:
    """Positions from the middle of games between quick agents, one a game."""
    for deal in range(count):
        rng = Random(seed * 100_000 + deal)
        target, position = rng.choice(MIDDLE), Position.initial("patchwork", deal=deal)
        while max(state.space for state in position.players) < target and position.phase is not Phase.OVER:
            position = position.play(agent_of("net", seed=deal).think(position, Limits(simulations=30)).best.move)
        if position.phase is not Phase.OVER:
            yield position


def difference(text: str, simulations: int) -> float:
    """The value of a position less the value after its best move, for the player to move."""
    position = Position.parse(text)
    assert position.turn is not None
    analyst = Analyst(simulations)
    best = analyst.analysis(position).best.move
    return analyst.value(position, position.turn).win - analyst.value(position.play(best), position.turn).win


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--simulations", type=int, default=DEFAULT_SIMULATIONS)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
        texts = [position.text for position in middle_games(options.positions)]
        told = pool.map(partial(difference, simulations=options.simulations), texts)
        found = list(track(told, "positions", total=len(texts), console=Console(stderr=True)))
        print(
            f"consistency of {len(found)} positions: mean {100 * mean(found):+.2f} %, "
            f"standard deviation {100 * stdev(found):.2f} %, largest {100 * max(map(abs, found)):.1f} %"
        )


if __name__ == "__main__":
    main()
