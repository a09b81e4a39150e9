"""Print the position after one or more moves."""

from __future__ import annotations

import argparse

from quiltwork.cli.arguments import print_json, read_position, split_position
from quiltwork.errors import QuiltworkError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="+", metavar="POSITION MOVE", help="a position, then moves in notation")
    parser.add_argument("--json", action="store_true", help="print JSON, with what each move did")


def run(options: argparse.Namespace) -> int:
    text, moves = split_position(options.words)
    position = read_position(text)
    if not moves:
        raise QuiltworkError("no move was given: quiltwork after POSITION MOVE...")
    played = []
    for given in moves:
        move = position.move(given)
        if options.json:
            events = [{"event": type(e).__name__, "text": str(e)} for e in position.explain(move)]
            played.append({"move": str(move), "events": events})
        position = position.play(move)
    if options.json:
        print_json({"position": position.text, "played": played})
    else:
        print(position.text)
    return 0
