"""Measure this machine: random games a second on one core, and the library from Python."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable

from quiltwork.cli.arguments import add_json, print_json
from quiltwork.editions import available_editions, load_edition
from quiltwork.position import Position
from quiltwork.rules import warm
from quiltwork.rules.chance import source_of
from quiltwork.rules.playout import random_games

_INITIAL = "patchwork 1 0/5/- 0/5/- - 5i4e5d6e6c6j5c6h6b4c5f6i5h5a3c5g6g3b3a8a5b4f6a4d6d6f7b4a4g4b5e7a2a"
"""the initial position with 805 legal moves"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seconds", type=float, default=2.0, metavar="S", help="for each figure (default: %(default)s)"
    )
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    warm.ready_to_count()
    seconds = min(max(options.seconds, 0.1), 5.0)
    games = {}
    for name in available_editions():
        print(f"quiltwork: {name} ...", file=sys.stderr)
        games[name] = round(random_games_per_second(name, seconds))
    print("quiltwork: the library ...", file=sys.stderr)
    start = Position.parse(_INITIAL)
    move = start.legal_moves()[5]
    rng = random.Random(1)
    figures = {
        "random_games_per_second": games,
        "legal_moves_805_microseconds": round(timed_microseconds(start.legal_moves, seconds / 2), 1),
        "play_microseconds": round(timed_microseconds(lambda: start.play(move), seconds / 2), 2),
        "python_games_per_second": round(1e6 / timed_microseconds(lambda: random_game(start, rng), seconds)),
    }
    if options.json:
        print_json(figures)
        return 0
    print("random complete games a second, one core, compiled")
    for name, speed in games.items():
        print(f"  {name:<16} {speed:>9,}")
    print("from Python")
    print(f"  legal_moves() of 805 moves  {figures['legal_moves_805_microseconds']:>9} microseconds")
    print(f"  play()                      {figures['play_microseconds']:>9} microseconds")
    print(f"  random games a second       {figures['python_games_per_second']:>9}")
    return 0


def random_games_per_second(edition_name: str, seconds: float) -> float:
    """Random complete games a second in compiled code on one core."""
    edition = load_edition(edition_name)
    start = Position.initial(edition, deal=1).record.copy()
    source = source_of(1)
    games, batch = 0, 2000
    began = time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        random_games(start, edition.compiled, source, batch)
        games += batch
    return games / spent


def random_game(start: Position, rng: random.Random) -> Position:
    """A random complete game through the public library."""
    position = start
    while position.turn is not None:
        moves = position.legal_moves()
        position = position.play(rng.choice(moves) if moves else position.deal(rng))
    return position


def timed_microseconds(call: Callable[[], object], seconds: float) -> float:
    """The mean time of a call in microseconds, measured for some seconds."""
    call()
    calls = 0
    began = time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        call()
        calls += 1
    return spent / calls * 1e6
