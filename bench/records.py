"""How fast large files of records are read: tags alone and checked games, beside reading the bare lines.

python bench/records.py
"""

from __future__ import annotations

import random
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from quiltwork import Game
from quiltwork.record_stream import RecordText, stream_records

GAMES = 200
COPIES = 250


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.quilt"
        text = "\n".join(random_records(GAMES))
        with path.open("w", encoding="utf-8") as file:
            for _ in range(COPIES):
                file.write(text + "\n")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        began = time.process_time()
        with path.open(encoding="utf-8") as file:
            lines = sum(1 for _ in file)
        bare = time.process_time() - began
        began = time.process_time()
        with path.open(encoding="utf-8") as file:
            headers = sum(1 for record in stream_records(file) if record.tags)
        spent = time.process_time() - began
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        print(f"{headers:,} records, {lines:,} lines, {path.stat().st_size / 1e6:.0f} MB")
        print(f"tags: {headers / spent:,.0f} records a second, {spent / bare:.1f} times the bare lines")
        print(f"memory grown meanwhile: {grown:.1f} MB")
        began = time.process_time()
        with path.open(encoding="utf-8") as file:
            games = sum(1 for record in first(stream_records(file), 2000) if record.game())
        spent = time.process_time() - began
        print(f"checked games: {games / spent:,.0f} a second of processor time")


def first(records: Iterator[RecordText], count: int) -> Iterator[RecordText]:
    """The first so many records."""
    for _, record in zip(range(count), records, strict=False):
        yield record


def random_records(count: int) -> Iterator[str]:
    """Records of random games of `patchwork`."""
    rng = random.Random(1)
    for deal in range(count):
        game = Game.new("patchwork", deal=deal)
        while game.position.turn is not None:
            moves = game.position.legal_moves()
            game.play(rng.choice(moves) if moves else game.position.deal(rng))
        yield game.text


if __name__ == "__main__":
    main()
