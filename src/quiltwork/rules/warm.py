"""Compiles the kernel once, with progress, so that later starts are quick.

`ready()` is called before the kernel is first used; `python -m quiltwork.rules.warm` does the same by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress

import numba
import numpy as np

from quiltwork.rules.compiler import RULES_FOLDER, cache_folder

_MARK = "complete"


def ready() -> None:
    """Makes sure that the kernel is compiled; if it has to be, says so once, with progress, on stderr."""
    if numba.config.DISABLE_JIT:
        return
    mark = cache_folder(RULES_FOLDER) / _MARK
    if mark.exists():
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    steps = list(_steps())
    console = Console(stderr=True)
    if not console.is_terminal:
        print("quiltwork: compiling the rules, once ...", file=sys.stderr, flush=True)
    columns = (TextColumn("compiling the rules, once"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        for step in progress.track(steps):
            step()
    # A cache that cannot be written is no reason to stop: the rules are compiled in memory then.
    with suppress(OSError):
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()


def _steps() -> Iterator[Callable[[], object]]:
    """One call for each door of the kernel, on a game of a tiny edition."""
    from quiltwork.rules import entry, layout, perft, playout, start, tables
    from quiltwork.rules.chance import source_of

    patch = tables.PatchData(buttons=0, time=1, income=0, reserve=False, orientations=[(0, [(0, 0)])])
    edition = tables.compile_edition(
        board=("#",),
        points_per_empty_space=-2,
        last_space=2,
        income_spaces=(1,),
        special_patch_spaces=(),
        special_patch_may_be_removed=False,
        tile_square=0,
        tile_points=0,
        choices=1,
        reserve_enters_when_left=None,
        start_buttons=0,
        patches=[patch],
    )
    position = np.zeros(1, layout.POSITION)
    frozen = np.zeros(1, layout.POSITION)
    frozen.flags.writeable = False
    circle = np.zeros(1, np.int8)
    yield lambda: start.set_up(position[0], edition[0], circle, circle[:0])
    yield lambda: playout.random_games(position, edition, source_of(1), 1)
    yield lambda: perft.perft(np.zeros(4, layout.POSITION), edition, 2)
    # A position made by a set-up is read-only, one made by a move is not: two types for the compiler.
    for array in (position, frozen):
        yield lambda array=array: entry.legal_codes(array, edition)
        yield lambda array=array: entry.after(array, edition, 0)
        yield lambda array=array: entry.after_deal(array, circle[:0])
        yield lambda array=array: entry.illegality(array, edition, 0)
        yield lambda array=array: [entry.score(array, edition, 0), entry.winner(array, edition)]
        yield lambda array=array: [entry.empty_spaces(array, 0), entry.circle(array), entry.position_key(array)]
        yield lambda array=array: [entry.advance_distance(array, edition), entry.reserve_enters(array, edition)]
        yield lambda array=array: [entry.fits_somewhere(array, edition, 0, 0), entry.has_full_square(array, edition, 0)]
    yield lambda: [entry.income_marks_crossed(edition, 0, 1), entry.special_patch_marks_crossed(edition, 0, 1)]


if __name__ == "__main__":
    ready()
