"""How many real endgames are searched out in a second: both tokens at most 6 spaces from the end.

Run with `python bench/endgames.py [--seconds 1]`.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from quiltwork import Position
from quiltwork.agents.endgame.solver import Endgame

FILE = Path(__file__).parents[1] / "tests" / "agents" / "endgames.txt"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0)
    options = parser.parse_args()
    positions = [Position.parse(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    Endgame().solve(positions[0], nodes=100)
    solved, spent, nodes = 0, [], 0
    for position in positions:
        # Processor time, so that other programs on the machine do not count.
        solver, began = Endgame(), time.process_time()
        limit = int(NODES_A_SECOND * options.seconds)
        analysis = solver.solve(position, nodes=limit)
        used = time.process_time() - began
        spent.append(used)
        nodes += analysis.simulations if analysis else limit
        solved += analysis is not None and used <= options.seconds
    spent.sort()
    print(f"{solved} of {len(positions)} solved within {options.seconds:g} s of processor time")
    print(f"median {statistics.median(spent):.3f} s, 95th of 100 {spent[int(0.95 * len(spent))]:.3f} s")
    print(f"{nodes / sum(spent):,.0f} nodes a second")


NODES_A_SECOND = 1_500_000
"""more than the search manages, so that time decides"""


if __name__ == "__main__":
    main()
