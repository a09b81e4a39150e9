"""Check every record of a file and print the final positions, a line each.

A wrong record is reported with its line and reason; the others are still checked. The exit code is then 1.
"""

from __future__ import annotations

import argparse
import sys

from quiltwork.cli.arguments import add_json, print_json, read_text
from quiltwork.errors import NotationError
from quiltwork.move import Player
from quiltwork.quilt_file import read_games


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="records (.quilt), or - for standard input")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    text = read_text(options.file)
    wrong = 0
    for game in read_games(text):
        if isinstance(game, NotationError):
            wrong += 1
            if options.json:
                print_json({"error": game.reason, "line": game.line, "column": game.column})
            print(f"quiltwork: {options.file}: {game}", file=sys.stderr)
            continue
        position = game.end.position
        if not options.json:
            print(position.text)
            continue
        outcome = position.outcome()
        print_json(
            {
                "position": position.text,
                "moves": len(game.end.line()),
                "score": [position.score(player).total for player in Player],
                "winner": outcome.winner if outcome else None,
                "tags": game.tags,
            }
        )
    return 1 if wrong else 0
