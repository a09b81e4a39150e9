"""Playouts of the searching agents: heuristic beside random ones on one core, and two cores beside one.

Run with `python bench/playouts.py [--edition E]`.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

import numpy as np

from quiltwork import Position
from quiltwork.agents import Limits, agent_of
from quiltwork.agents.heuristics.playout import quick_playout
from quiltwork.agents.search.config import SearchConfig
from quiltwork.rules.chance import source_of
from quiltwork.rules.compiler import compiled
from quiltwork.rules.playout import random_games


@compiled
def quick_games(start: Any, context: Any, source: Any, games: int) -> int:
    """Plays quick games from copies of `start[0]`, returns the plies of all."""
    work = start.copy()
    plies = 0
    for _ in range(games):
        work[0] = start[0]
        plies += quick_playout(work[0], context[0], context[0].heuristics.noise, source[0])
    return plies


def a_second(games: int, began: float) -> float:
    """By processor time, so that other programs on the machine do not count."""
    return games / (time.process_time() - began)


SPECS = ("search", "search:cores=2", "net")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edition", default="patchwork")
    parser.add_argument("--games", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    start = Position.initial(options.edition, deal=1)
    edition, root = start.edition.compiled, np.array(start.record)
    context = SearchConfig().context(start.edition)
    quick_games(root, context, source_of(1), 10)
    random_games(start.record, edition, source_of(1), 10)
    rows: dict[str, list[float]] = {name: [] for name in ("heuristic", "random", *SPECS)}
    for spec in SPECS:
        agent_of(spec).think(start, Limits(simulations=100))
    for _ in range(options.rounds):
        began = time.process_time()
        quick_games(root, context, source_of(1), options.games)
        rows["heuristic"].append(a_second(options.games, began))
        began = time.process_time()
        random_games(start.record, edition, source_of(1), options.games)
        rows["random"].append(a_second(options.games, began))
        for spec in SPECS:
            agent = agent_of(spec)
            began = time.perf_counter()
            answer = agent.think(start, Limits(seconds=0.5))
            rows[spec].append(answer.simulations / (time.perf_counter() - began))
    ratios = [two / one for one, two in zip(rows["search"], rows["search:cores=2"], strict=True)]
    print(f"{options.edition}, median of {options.rounds} rounds, a second")
    for name, label in (
        ("random", "random playouts, one core"),
        ("heuristic", "heuristic playouts, one core"),
        ("search", "simulations of search, one core"),
        ("search:cores=2", "simulations of search, two cores"),
        ("net", "simulations of net, one core"),
    ):
        print(f"  {label:<34} {statistics.median(rows[name]):>10,.0f}")
    quick = statistics.median(h / r for h, r in zip(rows["heuristic"], rows["random"], strict=True))
    print(f"  heuristic / random                 {quick:>10.2f}")
    print(f"  two cores / one                    {statistics.median(ratios):>10.2f}   (at least 1.7 is wanted)")


if __name__ == "__main__":
    main()
