"""Say in one sentence what to do in a position, and why."""

from __future__ import annotations

import argparse

from quiltwork.cli.analyse import add_thinking, think
from quiltwork.cli.arguments import add_json, add_position, print_json, read_position


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    add_thinking(parser, seconds=1.0)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    from quiltwork.analysis.hint import hint_of

    position = read_position(" ".join(options.position))
    analysis = think(options, position)
    sentence = str(hint_of(position, analysis))
    if options.json:
        print_json({"move": str(analysis.best.move), "win": round(analysis.win, 4), "hint": sentence})
    else:
        print(sentence)
    return 0
