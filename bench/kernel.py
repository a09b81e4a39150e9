"""Random complete games: the compiled kernel beside plain C, and two cores beside one, in one run.

Run with `make bench`, or `python bench/kernel.py [--edition E] [--games N]`.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from quiltwork.editions import Edition, load_edition
from quiltwork.rules.chance import source_of
from quiltwork.rules.layout import POSITION, PositionArray
from quiltwork.rules.playout import random_games
from quiltwork.rules.start import set_up

HERE = Path(__file__).parent
BUILD = HERE / "build"


def start_of(edition: Edition) -> PositionArray:
    """The initial position with the circle in its sorted order."""
    start = np.zeros(1, POSITION)
    circle = np.array([edition.numbers[code] for code in edition.circle], np.int8)
    reserve = np.array([edition.numbers[code] for code in edition.reserve], np.int8)
    set_up(start[0], edition.compiled[0], circle, reserve)
    return start


def header(edition: Edition) -> str:
    """The edition as constants of a C program."""
    e = edition.compiled[0]
    shapes, patches = int(e["shape_count"]), int(e["patch_count"])

    def flat(values: object) -> str:
        if isinstance(values, np.ndarray):
            return "{" + ",".join(flat(v) for v in values) + "}"
        return f"{int(values)}ull" if isinstance(values, np.uint64) else str(int(values))  # type: ignore[call-overload]

    lines = [
        f"#define {name.upper()} {flat(e[name])}"
        for name in [
            "income_marks",
            "special_patch_marks",
            "last_space",
            "start_buttons",
            "points_per_empty_space",
            "may_remove_special_patch",
            "choices",
            "tile_points",
            "square_count",
            "patch_count",
        ]
    ]
    lines.append("#define MAX_CHOICES 8")
    ring = np.array([edition.numbers[code] for code in edition.circle])
    for kind, name, values in (
        ("uint64_t", "BOARD[2]", e["board"]),
        (
            "uint64_t",
            f"SQUARES[{max(1, int(e['square_count']))}][2]",
            e["squares"][: max(1, int(e["square_count"]))],
        ),
        ("int16_t", f"PRICE[{patches}]", e["price"][:patches]),
        ("int16_t", f"TIME[{patches}]", e["time"][:patches]),
        ("int16_t", f"INCOME[{patches}]", e["income"][:patches]),
        ("int16_t", f"SIZE[{patches}]", e["patch_cells"][:patches]),
        ("int16_t", f"FIRST_SHAPE[{patches + 1}]", e["first_shape"][: patches + 1]),
        ("uint64_t", f"STARTS[{shapes}][2]", e["starts"][:shapes]),
        ("uint64_t", f"MASK[{shapes}][2]", e["mask"][:shapes]),
        ("uint8_t", f"STEP[{shapes}][16]", e["step"][:shapes]),
        ("int16_t", f"INDENT[{shapes}]", e["indent"][:shapes]),
        ("int16_t", f"ORIENTATION[{shapes}]", e["orientation"][:shapes]),
        ("int8_t", f"RING[{len(ring)}]", ring),
    ):
        lines.append(f"static const {kind} {name} = {flat(np.asarray(values))};")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edition", default="patchwork")
    parser.add_argument("--games", type=int, default=400_000)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    edition = load_edition(options.edition)
    if edition.reserve:
        parser.error("the C program has no reserve: choose patchwork, patchwork-2014 or halloween")
    if shutil.which("gcc") is None:
        parser.error("gcc is needed for the comparison")
    BUILD.mkdir(exist_ok=True)
    (BUILD / "edition.h").write_text(header(edition))
    program = BUILD / "random_games"
    subprocess.run(
        ["gcc", "-O3", "-march=native", f"-I{BUILD}", str(HERE / "random_games.c"), "-o", str(program)],
        check=True,
    )
    start = start_of(edition)
    random_games(start, edition.compiled, source_of(1), 10)

    ratios, kernel_speeds, c_speeds, scaling = [], [], [], []
    for _ in range(options.rounds):
        began = time.perf_counter()
        plies, wins = random_games(start, edition.compiled, source_of(1), options.games)
        kernel = options.games / (time.perf_counter() - began)
        answer = subprocess.run([str(program), str(options.games)], check=True, capture_output=True, text=True)
        games, c_plies, c_wins, seconds = answer.stdout.split()
        # Both draw the same random numbers, so they must play the very same games.
        if (plies, wins) != (int(c_plies), int(c_wins)):
            raise SystemExit(f"the programs disagree: {plies} plies, {wins} wins; C {c_plies}, {c_wins}")
        c = int(games) / float(seconds)
        began = time.perf_counter()
        with ThreadPoolExecutor(2) as pool:
            work = [
                pool.submit(random_games, start, edition.compiled, source_of(s), options.games) for s in (1, 2)
            ]
            for each in work:
                each.result()
        both = 2 * options.games / (time.perf_counter() - began)
        ratios.append(kernel / c)
        kernel_speeds.append(kernel)
        c_speeds.append(c)
        scaling.append(both / kernel)
    print(f"random {edition.id} games a second, median of {options.rounds} rounds of {options.games:,} games")
    print(f"  kernel, one core   {statistics.median(kernel_speeds):>10,.0f}")
    print(f"  plain C, gcc -O3   {statistics.median(c_speeds):>10,.0f}")
    print(f"  kernel / C         {statistics.median(ratios):>10.2f}   (at least 0.9 is wanted)")
    print(f"  two cores / one    {statistics.median(scaling):>10.2f}   (at least 1.8 is wanted)")


if __name__ == "__main__":
    main()
