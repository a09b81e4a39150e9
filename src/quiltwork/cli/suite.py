"""Say what share of a test suite an agent solves, and with which effort.

A suite is a file of positions with best= or avoid=, or the name of one that comes with the package: endgames.
An interrupt prints what was found so far.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from quiltwork.agents.agent import Limits
from quiltwork.agents.registry import agent_of
from quiltwork.arena.statistics import share_estimate
from quiltwork.arena.suite import SUITES, Attempt, attempts, available_suites, read_suite
from quiltwork.cli.arguments import add_json, print_json, read_text
from quiltwork.errors import QuiltworkError
from quiltwork.rules import warm


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a suite, its name, or - for standard input")
    parser.add_argument("--agent", default="strongest", help="who is examined (strongest)")
    parser.add_argument("--simulations", metavar="N[,N]", help="efforts, least first (10,100,1000)")
    parser.add_argument("--seconds", metavar="S[,S]", help="efforts in seconds, instead")
    parser.add_argument("--edition", metavar="E", help="only the positions of this edition")
    parser.add_argument("--failed", action="store_true", help="list what was not solved with the most effort")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    named = options.file in available_suites() and not Path(options.file).exists()
    tasks = read_suite(read_text(str(SUITES / f"{options.file}.txt") if named else options.file))
    tasks = [task for task in tasks if options.edition in (None, task.position.edition.id)]
    if not tasks:
        raise QuiltworkError(f"{options.file}: there is no position of edition {options.edition}")
    efforts = _efforts(options)
    agent_of(options.agent).close()
    warm.ready()
    found: list[Attempt] = []
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task(options.agent, total=len(tasks) * len(efforts))
        try:
            for attempt in attempts(tasks, efforts, lambda: agent_of(options.agent)):
                found.append(attempt)
                progress.advance(bar)
        except KeyboardInterrupt:
            console.print("quiltwork: interrupted; this is what was found so far")
    if options.json:
        print_json({"agent": options.agent, "positions": len(tasks), "efforts": [_row(found, e) for e in efforts]})
        return 0
    print(f"{options.agent}, {len(tasks)} positions\n\n{'effort':<18}  solved  share   95 % interval")
    for effort in efforts:
        tried, solved = _counts(found, effort)
        if tried:
            share = share_estimate(solved, tried)
            interval = f"{100 * share.low:.1f} to {100 * share.high:.1f} %"
            print(f"{_told(effort):<18}  {solved:>6}  {100 * share.value:5.1f} %  {interval}")
    if options.failed:
        for attempt in found:
            if attempt.effort == efforts[-1] and not attempt.solved:
                wanted = ",".join(attempt.task.best) or "not " + ",".join(attempt.task.avoid)
                print(f"{attempt.task.id}: played {attempt.move}, wanted {wanted}")
    return 0


def _counts(found: list[Attempt], effort: Limits) -> tuple[int, int]:
    tried = [attempt for attempt in found if attempt.effort == effort]
    return len(tried), sum(attempt.solved for attempt in tried)


def _row(found: list[Attempt], effort: Limits) -> dict[str, object]:
    tried, solved = _counts(found, effort)
    share = share_estimate(solved, tried)
    return {
        "simulations": effort.simulations,
        "seconds": effort.seconds,
        "tried": tried,
        "solved": solved,
        "share": round(share.value, 4),
        "interval": [round(share.low, 4), round(share.high, 4)],
        "failed": [each.task.id for each in found if each.effort == effort and not each.solved],
    }


def _told(effort: Limits) -> str:
    return f"{effort.simulations:,} simulations" if effort.simulations is not None else f"{effort.seconds:g} s"


def _efforts(options: argparse.Namespace) -> list[Limits]:
    try:
        if options.seconds is not None:
            return [Limits(seconds=float(each)) for each in options.seconds.split(",")]
        return [Limits(simulations=int(each)) for each in (options.simulations or "10,100,1000").split(",")]
    except ValueError:
        given = options.seconds or options.simulations
        raise QuiltworkError(f"expected numbers with commas between them, found {given[:40]!r}") from None
