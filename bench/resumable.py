"""Work of a benchmark on all cores: each result is added to a file, and a run that is begun again goes on."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing import TimeoutError as NotYet
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

Result = dict[str, Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--results", type=Path, metavar="FILE", help="where results are added and looked for")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="(all cores)")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop then, and tell what is known")


def results_of(
    tasks: Sequence[str], work: Callable[[str], Result], file: Path, *, workers: int, minutes: float
) -> dict[str, Result]:
    """The results of all tasks that are done, by task, in the order of the tasks.

    Stopped by the time limit or an interrupt, it leaves what is unfinished to the next run.
    """
    ends = time.monotonic() + 60 * minutes
    found: dict[str, Result] = {}
    if file.exists():
        lines = file.read_text(encoding="utf-8").splitlines()
        found = {entry.pop("task"): entry for entry in map(json.loads, lines)}
    missing = [task for task in tasks if task not in found]
    with (
        Progress(console=Console(stderr=True)) as progress,
        file.open("a", encoding="utf-8") as out,
        get_context("spawn").Pool(max(1, min(workers, len(missing)))) as pool,
    ):
        bar = progress.add_task(file.name, total=len(tasks), completed=len(tasks) - len(missing))
        coming = pool.imap_unordered(partial(_timed, work), missing)
        try:
            while time.monotonic() < ends:
                try:
                    task, result = coming.next(timeout=min(1.0, max(0.01, ends - time.monotonic())))
                except NotYet:
                    continue
                except StopIteration:
                    break
                found[task] = result
                out.write(json.dumps({"task": task, **result}) + "\n")
                out.flush()
                progress.advance(bar)
        except KeyboardInterrupt:
            pass
    return {task: found[task] for task in tasks if task in found}


def spent(results: dict[str, Result]) -> str:
    """What the results cost, as a sentence."""
    return f"{len(results)} results, {sum(each['seconds'] for each in results.values()):,.0f} core-seconds"


def _timed(work: Callable[[str], Result], task: str) -> tuple[str, Result]:
    began = time.process_time()
    result = work(task)
    return task, {**result, "seconds": round(time.process_time() - began, 2)}
