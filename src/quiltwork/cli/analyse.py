"""Analyse a position: the best moves and a picture, or the analysis protocol for programs (--stdio)."""

from __future__ import annotations

import argparse
import sys

from quiltwork.agents import warm
from quiltwork.agents.agent import Analysis, Limits, Watch
from quiltwork.agents.registry import agent_of
from quiltwork.cli.arguments import add_color, add_json, print_json, read_positions, wants_color, whole
from quiltwork.errors import QuiltworkError
from quiltwork.move import Player
from quiltwork.position import Position


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("position", nargs="*", metavar="POSITION", help="in notation, or - for standard input")
    parser.add_argument("--stdio", action="store_true", help="speak the analysis protocol on the standard streams")
    parser.add_argument(
        "--threads", type=whole(1), metavar="N", help="requests thought about at once (with --stdio)"
    )
    add_thinking(parser, seconds=2.0)
    parser.add_argument("--lines", type=whole(1), default=5, metavar="N", help="how many moves to show (5)")
    parser.add_argument(
        "--finish", action="store_true", help="tell whether each quilt can still be finished, and how"
    )
    add_color(parser)
    add_json(parser)


def add_thinking(parser: argparse.ArgumentParser, seconds: float) -> None:
    """Who thinks, and how long."""
    parser.add_argument("--agent", default="strongest", help="who thinks (strongest)")
    parser.add_argument("--seconds", type=float, metavar="S", help=f"how long ({seconds:g})")
    parser.add_argument("--simulations", type=whole(1), metavar="N", help="how many simulations")
    parser.set_defaults(default_seconds=seconds)


def run(options: argparse.Namespace) -> int:
    if options.stdio:
        return _serve(options)
    if not options.position:
        raise QuiltworkError("expected a position, or --stdio")
    for number, position in enumerate(read_positions(" ".join(options.position))):
        if number and not options.json:
            print()
        if options.finish:
            _finish(options, position)
        else:
            _analyse(options, position)
        sys.stdout.flush()
    return 0


def _analyse(options: argparse.Namespace, position: Position) -> None:
    analysis = think(options, position)
    if options.json:
        from quiltwork.programs.protocol import reply_of

        print_json(reply_of(None, analysis, max(1, options.lines)))
        return
    from quiltwork.agents.table import analysis_table
    from quiltwork.analysis.move_picture import move_picture

    print(analysis_table(analysis, max(1, options.lines)))
    picture = move_picture(position, analysis.best.move, wants_color(options))
    if picture:
        print(f"\n{analysis.best.move}\n{picture}")


def think(options: argparse.Namespace, position: Position) -> Analysis:
    """The analysis that the options ask for; an interrupt gives the best so far."""
    seconds = options.seconds
    if seconds is None and options.simulations is None:
        seconds = options.default_seconds
    limits = Limits(seconds, options.simulations, lines=max(1, getattr(options, "lines", 1)))
    agent = agent_of(options.agent)
    warm.ready_for(options.agent)
    last: list[Analysis] = []
    try:
        return agent.think(position, limits, Watch(last.append, every=0.2))
    except KeyboardInterrupt:
        if not last:
            raise
        return last[-1]
    finally:
        agent.close()


def _finish(options: argparse.Namespace, position: Position) -> None:
    from quiltwork.analysis.finish import finish_of, finish_sentence

    answers = [finish_of(position, player) for player in Player]
    if options.json:
        print_json(
            [
                {
                    "player": number,
                    "possible": answer.possible,
                    "pieces": [str(piece) for piece in answer.pieces],
                    "buttons": answer.buttons,
                    "time": answer.time,
                }
                for number, answer in enumerate(answers, 1)
            ]
        )
    else:
        for number, answer in enumerate(answers, 1):
            print(f"Player {number}: {finish_sentence(answer)}")


def _serve(options: argparse.Namespace) -> int:
    from quiltwork.analysis.stdio import Service

    if options.threads is not None and options.threads < 1:
        raise QuiltworkError(f"--threads must be at least 1, not {options.threads}")
    warm.ready()
    Service(sys.stdout, threads=options.threads).run(sys.stdin.buffer)
    return 0
