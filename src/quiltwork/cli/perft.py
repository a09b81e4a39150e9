"""Count the sequences of exactly N moves of players from a position."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

import numpy as np

from quiltwork.cli.arguments import add_json, add_position, print_json, read_position, whole
from quiltwork.move import Move
from quiltwork.position import Position
from quiltwork.rules import layout, warm
from quiltwork.rules.perft import perft

MAX_DEPTH = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    parser.add_argument("--depth", type=whole(0, MAX_DEPTH), required=True, metavar="N", help="how many moves")
    parser.add_argument("--divide", action="store_true", help="print the count after each first move too")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    position = read_position(" ".join(options.position))
    warm.ready_to_count()
    if options.depth == 0:
        counts: list[tuple[Move, int]] = []
        total = 1
    else:
        counts = list(_counts(position, options.depth))
        total = sum(count for _, count in counts)
    if options.json:
        divided = {str(move): count for move, count in counts}
        print_json({"depth": options.depth, "count": total} | ({"divide": divided} if options.divide else {}))
        return 0
    if options.divide:
        for move, count in counts:
            print(f"{move} {count}")
    print(total)
    return 0


def _counts(position: Position, depth: int) -> Iterator[tuple[Move, int]]:
    """One count for each first move, so that long work shows progress and can be interrupted."""
    moves: Iterable[Move] = position.legal_moves()
    if depth >= 3:
        from rich.console import Console
        from rich.progress import track

        console = Console(stderr=True)
        moves = track(
            list(moves),
            description="counting",
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
    positions = np.zeros(depth + 1, layout.POSITION)
    for move in moves:
        positions[0] = position.play(move).record[0]
        yield move, int(perft(positions, position.edition.compiled, depth - 1))
