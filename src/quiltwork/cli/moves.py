"""Print the legal moves of a position in canonical notation, one a line."""

from __future__ import annotations

import argparse

from quiltwork.cli.arguments import add_json, add_position, print_json, read_position


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    position = read_position(" ".join(options.position))
    moves = position.legal_moves()
    if options.json:
        print_json(
            {
                "position": position.text,
                "phase": position.phase.name.lower(),
                "moves": [{"move": str(move), "code": position.code(move)} for move in moves],
            }
        )
    elif moves:
        print("\n".join(map(str, moves)))
    return 0
