"""Make and check collections of puzzles.

`puzzles make FILE --edition E --count N` looks for puzzles in games of middling agents and adds them to FILE until
it has N; stopped at any time, it goes on where it was. `puzzles check [FILE]` verifies puzzles, those shipped if
no file is named: proofs anew, decisions by a search.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random

from rich.console import Console
from rich.progress import Progress

from quiltwork.cli.arguments import add_json, print_json, read_text, whole
from quiltwork.editions import DEFAULT_EDITION
from quiltwork.errors import QuiltworkError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="make|check")
    make = actions.add_parser("make", help="find puzzles in games of middling agents")
    make.add_argument("file", metavar="FILE", help="where they are added, one a line")
    make.add_argument("--edition", default=DEFAULT_EDITION, help=f"({DEFAULT_EDITION})")
    make.add_argument(
        "--count", type=whole(1), default=100, metavar="N", help="puzzles in the file at the end (100)"
    )
    check = actions.add_parser("check", help="verify puzzles; the exit code is 1 if one is wrong")
    check.add_argument("file", nargs="?", metavar="FILE", help="(the puzzles shipped)")
    check.add_argument("--edition", help="those of one edition")
    check.add_argument("--sample", type=whole(1), metavar="N", help="check N puzzles, drawn at random")
    check.add_argument("--seed", type=int, default=0, metavar="N", help="which are drawn (0)")
    check.add_argument("--simulations", type=whole(1), metavar="N", help="for each answer that is valued")
    add_json(check)
    for each in (make, check):
        each.add_argument(
            "--workers", type=whole(1), default=os.cpu_count() or 1, metavar="N", help="processes (all cores)"
        )


def run(options: argparse.Namespace) -> int:
    from quiltwork.agents.warm import ready

    ready()
    return _make(options) if options.action == "make" else _check(options)


def _make(options: argparse.Namespace) -> int:
    from quiltwork.puzzles.making.run import make

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("puzzles", total=options.count)
        have = make(
            options.edition,
            options.count,
            Path(options.file),
            workers=options.workers,
            tell=lambda found, _: progress.update(task, completed=found),
            clock=time.monotonic,
        )
    print(f"{options.file}: {have} puzzles")
    return 0


def _check(options: argparse.Namespace) -> int:
    from quiltwork.puzzles.collection import FILE, read_puzzles
    from quiltwork.puzzles.making.check import problem_of
    from quiltwork.puzzles.making.decisions import VERIFICATION

    puzzles = read_puzzles(read_text(options.file or str(FILE)))
    puzzles = [puzzle for puzzle in puzzles if options.edition in (None, puzzle.edition)]
    if options.sample is not None and options.sample < len(puzzles):
        puzzles = Random(options.seed).sample(puzzles, options.sample)
    if not puzzles:
        raise QuiltworkError("there are no puzzles to check")
    work = partial(problem_of, simulations=options.simulations or VERIFICATION)
    console = Console(stderr=True)
    wrong: dict[str, str] = {}
    with (
        Progress(console=console, transient=True, disable=not console.is_terminal) as progress,
        ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool,
    ):
        found: Iterator[str | None] = pool.map(work, puzzles)
        for puzzle, problem in progress.track(zip(puzzles, found, strict=True), total=len(puzzles)):
            if problem is not None:
                wrong[puzzle.id] = problem
                if not options.json:
                    print(f"{puzzle.id} ({puzzle.kind.value}): {problem}", flush=True)
    right = len(puzzles) - len(wrong)
    if options.json:
        print_json({"checked": len(puzzles), "right": right, "wrong": wrong})
    else:
        print(f"{right} of {len(puzzles)} puzzles keep their solution ({100 * right / len(puzzles):.1f} %)")
    return 1 if wrong else 0
