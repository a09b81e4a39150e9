"""Say in one sentence what to do in a position, and why."""

from __future__ import annotations

import argparse

from quiltwork.cli.analyse import add_thinking, think
from quiltwork.cli.arguments import add_json, add_position, print_json, read_positions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    add_thinking(parser, seconds=1.0)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    from quiltwork.analysis.hint import hint_of
    from quiltwork.speech import Speech, language_of_environment
    from quiltwork.themes import theme_of

    for position in read_positions(" ".join(options.position)):
        analysis = think(options, position)
        speech = Speech(position.edition, theme_of(position.edition), language_of_environment())
        sentence = hint_of(position, analysis).sentence(speech)
        if options.json:
            print_json({"move": str(analysis.best.move), "win": round(analysis.win, 4), "hint": sentence})
        else:
            print(f"{sentence} [{analysis.best.move}]", flush=True)
    return 0
