"""Makes the suite of exact endgames: `quiltwork suite endgames`.

    python tools/endgame_suite.py [--count 14] [--edition E] [--out FILE]

Games of `level:4` against itself are played in every edition. A position near the end is taken when the exact
search proves the value of every legal move, at most `MOST_BEST` of at least `LEAST_LEGAL` moves win, and the
others lose. `best=` lists all moves that win. Of a game at most one position is taken.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from quiltwork import Move, Player, Position
from quiltwork.agents import agent_of
from quiltwork.agents.endgame.solver import Endgame
from quiltwork.editions import available_editions
from quiltwork.position_setup import Phase

OUT = Path(__file__).parents[1] / "src" / "quiltwork" / "arena" / "suites" / "endgames.txt"
SPACES = 8
"""how far both players together are from the end, at most"""
LEAST_LEGAL, MOST_LEGAL, MOST_BEST = 6, 80, 4
NODES = 300_000
"""for each move; a position with a move that is not settled within them is left out"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=14, help="positions of each edition")
    parser.add_argument("--edition", action="append", help="only this edition; may be given again")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    with options.out.open("w", encoding="utf-8") as out:
        print(
            "# Endgames in which few moves win, and all others lose: best= lists every move that wins.", file=out
        )
        print("# Proved by the exact search; made by tools/endgame_suite.py.", file=out)
        for edition in options.edition or available_editions():
            for number, line in zip(range(1, options.count + 1), endgames(edition), strict=False):
                print(f"{line} id={edition}-{number}", file=out, flush=True)
                print(f"\r{edition} {number} ", end="", file=sys.stderr, flush=True)
    return 0


def endgames(edition: str) -> Iterator[str]:
    """The positions with their winning moves, from game after game."""
    for deal in range(100_000):
        for position in ends(edition, deal):
            best = winners(position)
            if best is not None:
                yield f"{position.text} best={','.join(map(str, best))}"
                break


def ends(edition: str, deal: int) -> Iterator[Position]:
    """The positions of a game near its end in which a player has a choice."""
    agent, rng = agent_of("level:4", deal), random.Random(deal)
    position = Position.initial(edition, deal=deal)
    while position.turn is not None:
        if position.phase is Phase.DEAL:
            position = position.play(position.deal(rng))
            continue
        left = sum(position.edition.last_space - position.player(player).space for player in Player)
        few = LEAST_LEGAL <= len(position.legal_moves()) <= MOST_LEGAL
        if few and left <= SPACES and not position.reserve:
            yield position
        position = position.play(agent.think(position).best.move)


def winners(position: Position) -> list[Move] | None:
    """All moves that win, if they are few and every move is settled."""
    best, mover = [], position.turn
    for move in position.legal_moves():
        after = position.play(move)
        outcome = after.outcome()
        if outcome is not None:
            won = outcome.winner is mover
        else:
            analysis = Endgame().solve(after, nodes=NODES)
            if analysis is None or not analysis.exact:
                return None
            won = (analysis.win > 0.5) == (analysis.turn is mover)
        if won:
            best.append(move)
            if len(best) > MOST_BEST:
                return None
    return best or None


if __name__ == "__main__":
    sys.exit(main())
