"""Whether told win shares are true: how often positions are won that were told to be, by agent and effort.

    python bench/calibration.py [--games 480] [--minutes N]

Positions are drawn from games of `net` with 800 simulations against itself, in several editions, and won by
who won its game. Results are added to a file, so that a run goes on where another stopped. The second table fits
the corrections of `quiltwork.agents.search.calibration` anew.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any

import numpy as np

import resumable
from quiltwork import Game, Phase, Position
from quiltwork.agents import Limits, agent_of
from quiltwork.agents.search import calibration

EDITIONS = ("patchwork", "patchwork", "express", "halloween", "patchwork-2014", "patchwork")
EFFORTS = {"net": (20, 200, 800, 3200, 12800), "search": (20, 100, 400, 2000)}
PLAYING = Limits(simulations=800)
POSITIONS = 5
"""of a game"""
BOUNDS = (0.1, 0.3, 0.5, 0.7, 0.9)
"""between the columns of the table"""


@dataclass(frozen=True)
class Told:
    """What was told of a position, and how its game ended for the mover."""

    mean: float
    """before the correction"""
    win: float
    visits: int
    won: bool


def played(number: int) -> tuple[list[Position], Game]:
    """The positions of a game in which the first moves vary, and the game."""
    rng, game = Random(number), Game.new(EDITIONS[number % len(EDITIONS)], deal=70_000 + number)
    agents, seen = [agent_of("net", seed=2 * number + seat) for seat in (0, 1)], list[Position]()
    while game.position.phase is not Phase.OVER:
        position = game.position
        if position.turn is None or position.phase is Phase.DEAL:
            game.play(position.deal(rng))
            continue
        seen.append(position)
        answer = agents[position.turn - 1].think(position, PLAYING)
        varied = len(seen) < 8 and rng.random() < 0.3
        game.play(rng.choice(answer.moves[:3]).move if varied else answer.best.move)
    return rng.sample(seen, POSITIONS), game


def told_in(task: str) -> resumable.Result:
    """What each agent with each effort tells of positions of one game, but for exact values."""
    number = int(task)
    positions, game = played(number)
    outcome = game.position.outcome()
    assert outcome is not None
    found: dict[str, list[dict[str, Any]]] = {}
    for agent, efforts in EFFORTS.items():
        for effort in efforts:
            told = found.setdefault(f"{agent} {effort}", [])
            for position in positions:
                answer = agent_of(agent, seed=number).think(position, Limits(simulations=effort))
                if not answer.exact:
                    best = answer.best
                    raw = uncorrected(agent, best.win, best.visits)
                    told.append(asdict(Told(raw, best.win, best.visits, outcome.winner is position.turn)))
    return {"told": found}


def uncorrected(agent: str, win: float, visits: int) -> float:
    """The mean that a told share was made from: the correction grows with it, so it is found by halving."""
    table = calibration.NET_SHARES if agent == "net" else calibration.PLAYOUT_SHARES
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if calibration.calibrated(middle, visits, table) < win else (low, middle)
    return (low + high) / 2


def fitted(told: list[Told]) -> tuple[float, float]:
    """Shift and scale by logistic regression (Newton's method)."""
    means = np.clip([each.mean for each in told], 0.003, 0.997)
    x = np.stack([np.ones(len(told)), np.log(means / (1 - means))], 1)
    won: np.ndarray[Any, Any] = np.array([each.won for each in told], float)
    weights = np.zeros(2)
    for _ in range(30):
        share = 1 / (1 + np.exp(-x @ weights))
        hessian = (x * (share * (1 - share))[:, None]).T @ x
        weights += np.linalg.solve(hessian, x.T @ (won - share))
    return float(weights[0]), float(weights[1])


def row(told: list[Told]) -> str:
    """For each class of told shares: the mean told, the share won, and how many."""
    cells = []
    for low, high in zip((0.0, *BOUNDS), (*BOUNDS, 1.01), strict=True):
        those = [each for each in told if low <= each.win < high]
        share, won = mean(each.win for each in those or told), mean(each.won for each in those or told)
        cells.append(f"{100 * share:.0f} : {100 * won:.0f} ({len(those)})" if those else "")
    return " | ".join(cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=480)
    resumable.add_arguments(parser)
    options = parser.parse_args()
    results = resumable.results_of(
        [str(number) for number in range(options.games)],
        told_in,
        options.results or Path("calibration.jsonl"),
        workers=options.workers,
        minutes=options.minutes,
    )
    found: dict[tuple[str, int], list[Told]] = {
        (agent, effort): [Told(**told) for each in results.values() for told in each["told"][f"{agent} {effort}"]]
        for agent, efforts in EFFORTS.items()
        for effort in efforts
    }
    print("told : won, in percent (positions)\n")
    print("| agent | simulations | below 10 | to 30 | to 50 | to 70 | to 90 | above |\n" + "|---" * 8 + "|")
    for (agent, effort), told in found.items():
        print(f"| `{agent}` | {effort:,} | {row(told)} |")
    print("\n| agent | simulations | visits of the best move | shift | scale |\n" + "|---" * 5 + "|")
    for (agent, effort), told in found.items():
        if told:
            shift, scale = fitted(told)
            visits = median(each.visits for each in told)
            print(f"| `{agent}` | {effort:,} | {visits:,.0f} | {shift:+.2f} | {scale:.2f} |")
    print(resumable.spent(results))


if __name__ == "__main__":
    main()
