"""One number for how `search` and `net` think: a change that only renames, moves or splits leaves it as it was.

    python tools/fingerprint.py [--positions N] [--simulations N] [--table]

The number is a hash of every move that the two agents rank, with its visits, in positions of random games in all
editions. `--table` prints a line for each answer, to find the first that differs.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator
from random import Random

from quiltwork import Phase, Position, available_editions
from quiltwork.agents import Limits, agent_of

SEED = 18
LONGEST = 40
"""moves before a position"""


def positions(count: int) -> Iterator[Position]:
    """Positions after some random moves, the editions in turn."""
    rng, editions = Random(SEED), available_editions()
    for number in range(count):
        position = Position.initial(editions[number % len(editions)], deal=number)
        for _ in range(rng.randrange(LONGEST)):
            if position.phase is Phase.DEAL:
                position = position.play(position.deal(rng))
            elif position.phase is not Phase.OVER:
                position = position.play(rng.choice(position.legal_moves()))
        if position.phase not in (Phase.DEAL, Phase.OVER):
            yield position


def lines(count: int, simulations: int) -> Iterator[str]:
    """A line for each answer: the agent, the position, and the moves with their visits."""
    for number, position in enumerate(positions(count)):
        for spec in ("search", "net"):
            answer = agent_of(spec, seed=number).think(position, Limits(simulations=simulations))
            moves = " ".join(f"{ranked.move}:{ranked.visits}" for ranked in answer.moves)
            yield f"{spec} | {position.text} | {answer.win:.6f} {answer.points:.6f} | {moves}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--simulations", type=int, default=400)
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    digest = hashlib.sha256()
    for line in lines(options.positions, options.simulations):
        digest.update(line.encode())
        if options.table:
            print(line)
    print(digest.hexdigest()[:16])


if __name__ == "__main__":
    main()
