"""The library from Python and the command line: each figure beside what is wanted, in one run.

Run with `make bench`, or `python bench/library.py`. The kernel's random games in the same run tell how fast the
machine is.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from quiltwork.cli.bench import random_game, random_games_per_second, timed_microseconds
from quiltwork.game import Game
from quiltwork.position import Position

INITIAL = "patchwork 1 0/5/- 0/5/- - 5i4e5d6e6c6j5c6h6b4c5f6i5h5a3c5g6g3b3a8a5b4f6a4d6d6f7b4a4g4b5e7a2a"
RECORDS = 1000


def seconds(*command: str, environment: dict[str, str] | None = None) -> float:
    """How long a command takes in a new process."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", *command], check=True, capture_output=True, env=environment)
    return time.perf_counter() - began


def records(folder: str) -> str:
    """A file with random complete games of all editions."""
    rng = random.Random(1)
    games = []
    for number in range(RECORDS):
        game = Game.new(("patchwork", "express", "halloween")[number % 3], deal=number)
        while game.position.turn is not None:
            moves = game.position.legal_moves()
            game.play(rng.choice(moves) if moves else game.position.deal(rng))
        games.append(game.text)
    file = Path(folder) / "games.quilt"
    file.write_text("\n".join(games))
    return str(file)


def main() -> None:
    start = Position.parse(INITIAL)
    move = start.legal_moves()[5]
    rng = random.Random(1)
    rows = [
        (
            "kernel, random games a second",
            f"{random_games_per_second('patchwork', 2):,.0f}",
            "one core, for scale",
        ),
        ("legal_moves() of 805 moves, us", f"{timed_microseconds(start.legal_moves, 1):.0f}", "under 500"),
        ("play(), us", f"{timed_microseconds(lambda: start.play(move), 1):.1f}", "under 20"),
        (
            "random games a second, public API",
            f"{1e6 / timed_microseconds(lambda: random_game(start, rng), 2):.0f}",
            "at least 300",
        ),
    ]
    with tempfile.TemporaryDirectory() as folder:
        file = records(folder)
        rows += [
            (f"quiltwork replay, {RECORDS} records, s", f"{seconds('quiltwork', 'replay', file):.1f}", "under 10"),
            ("quiltwork --help, s", f"{seconds('quiltwork', '--help'):.2f}", "under 0.3"),
            ("quiltwork moves, cached start, s", f"{seconds('quiltwork', 'moves', INITIAL):.1f}", "under 2"),
            (
                "first compile of the rules, s",
                f"{seconds('quiltwork.rules.warm', environment={'QUILTWORK_CACHE_DIR': folder}):.1f}",
                "under 30",
            ),
        ]
    for name, figure, wanted in rows:
        print(f"{name:<36} {figure:>10}   {wanted}")


if __name__ == "__main__":
    main()
