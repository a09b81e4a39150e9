"""Play two agents against each other in pairs of games with the same deal and sides swapped.

An agent is level:1 to level:10 (with limits of its own), random, greedy, search, net, strongest, or cmd:PROGRAM
for any program that speaks the analysis protocol. Every game is saved; the same command goes on where an
interrupt left off.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import sys
from pathlib import Path

from quiltwork.agents import warm
from quiltwork.agents.agent import Limits
from quiltwork.agents.clock import Clock
from quiltwork.agents.registry import agent_of
from quiltwork.arena.match import Match, play_match
from quiltwork.arena.pair import Pairing, PairResult
from quiltwork.arena.report import match_table, progress_line
from quiltwork.arena.statistics import SequentialTest
from quiltwork.arena.storage import MatchFolder
from quiltwork.cli.arguments import add_json, print_json, whole
from quiltwork.editions import DEFAULT_EDITION, load_edition
from quiltwork.errors import QuiltworkError
from quiltwork.programs.codingame.bot import CodinGameBot
from quiltwork.programs.external import ExternalAgent


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("first", metavar="A", help="an agent")
    parser.add_argument("second", metavar="B", help="its opponent")
    add_match_arguments(parser)
    parser.add_argument(
        "--sprt", metavar="ELO0,ELO1", help="stop when one of the two differences is proved likelier"
    )


def add_match_arguments(parser: argparse.ArgumentParser) -> None:
    """What matches and tournaments share."""
    parser.add_argument("--games", type=whole(1), default=100, metavar="N", help="in each pairing (100)")
    parser.add_argument("--edition", default=DEFAULT_EDITION, metavar="E")
    parser.add_argument("--seconds", metavar="S[,S]", help="a move, for both or for each (0.2)")
    parser.add_argument("--simulations", metavar="N[,N]", help="a move, for both or for each")
    parser.add_argument(
        "--clock",
        type=Clock,
        choices=list(Clock),
        default=Clock.WALL,
        help="count seconds on the wall or of the processor, which other work does not disturb (wall)",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="fixes the deals")
    parser.add_argument(
        "--workers", type=whole(1), default=os.cpu_count() or 1, metavar="N", help="processes (all cores)"
    )
    parser.add_argument("--folder", metavar="DIR", help="for results and records (matches/...)")
    parser.add_argument("--ray", nargs="?", const="local", metavar="ADDRESS", help="play on a Ray cluster")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    pairing = pairing_of(options, options.first, options.second, *limits_of(options))
    test = _test_of(options.sprt)
    match = played(options, pairing, test)
    if options.json:
        print_json(match.as_json())
    else:
        print(match_table(match))
    return 0


def played(options: argparse.Namespace, pairing: Pairing, test: SequentialTest | None = None) -> Match:
    """The match of a pairing, with progress on stderr."""
    folder = MatchFolder(folder_of(options.folder, pairing))
    print(f"quiltwork: saving to {folder.path}", file=sys.stderr)
    live = sys.stderr.isatty()
    games = options.games + options.games % 2
    step = max(1, games // 40)

    def tell(match: Match, pair: PairResult) -> None:
        if live:
            print(f"\r{progress_line(match, games)}  ", end="", file=sys.stderr, flush=True)
        elif len(match.pairs) % step == 0:
            print(progress_line(match, games), file=sys.stderr, flush=True)
        for fault in (text for game in pair.games for text in game.faults if text):
            print(f"{chr(10) if live else ''}quiltwork: pair {pair.number}: {fault}", file=sys.stderr)

    try:
        match = play_match(
            pairing, games, workers=options.workers, test=test, folder=folder, ray=options.ray, played=tell
        )
    except KeyboardInterrupt:
        print("\nquiltwork: stopped; the same command goes on from here", file=sys.stderr)
        raise
    if live:
        print(file=sys.stderr)
    return match


def pairing_of(options: argparse.Namespace, first: str, second: str, one: Limits, two: Limits) -> Pairing:
    """A checked pairing: agents and edition are tried here, where an error is one sentence."""
    load_edition(options.edition)
    warm.ready_for(first, second)
    for spec in (first, second):
        agent = agent_of(spec)
        if isinstance(agent, ExternalAgent | CodinGameBot):
            agent.start()
        agent.close()
    return Pairing(first, second, options.edition, (one, two), options.seed)


def limits_of(options: argparse.Namespace) -> tuple[Limits, Limits]:
    seconds = _two(options.seconds, float, "--seconds")
    simulations = _two(options.simulations, int, "--simulations")
    if seconds is None and simulations is None:
        seconds = (0.2, 0.2)
    one, two = (
        Limits(seconds[i] if seconds else None, int(simulations[i]) if simulations else None, options.clock)
        for i in (0, 1)
    )
    return one, two


def folder_of(given: str | None, pairing: Pairing) -> Path:
    """The folder that was named, or one named after the match."""
    if given:
        return Path(given)
    names = "-".join(_word(text) for text in (pairing.first, pairing.second, Path(pairing.edition).stem))
    return Path("matches") / f"{names}-{hashlib.sha256(repr(pairing).encode()).hexdigest()[:8]}"


def _word(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")[:30] or "agent"


def _two(text: str | None, kind: type[float] | type[int], name: str) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        values = [kind(part) for part in text.split(",")]
    except ValueError:
        values = []
    if len(values) not in (1, 2):
        raise QuiltworkError(f"{name}: expected one number or two with a comma between, not {text!r}")
    return values[0], values[-1]


def _test_of(text: str | None) -> SequentialTest | None:
    if text is None:
        return None
    bounds = _two(text, float, "--sprt")
    if bounds is None or bounds[0] >= bounds[1]:
        raise QuiltworkError(f"--sprt: expected two Elo differences, the smaller first, not {text!r}")
    return SequentialTest(*bounds)
