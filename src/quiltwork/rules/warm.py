"""Compiles the kernel once, with progress, so that later starts are quick.

`ready()` is called before the kernel is first used; `python -m quiltwork.rules.warm` does the same by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import IO, TypeAlias

import numpy as np

from quiltwork.rules import layout, tables
from quiltwork.rules.compiler import PLAIN, RULES_FOLDER, complete_mark

Step: TypeAlias = Callable[[], object]
"""calls compiled code for the first time"""
_PATIENCE = 600.0
"""seconds after which a process compiles for itself, whatever another one does"""
_LOOK_AGAIN = 0.2


def ready() -> None:
    """Makes sure that the rules are compiled; if they have to be, says so once, with progress, on stderr."""
    compile_once("the rules", complete_mark(RULES_FOLDER), lambda: tuple(doors()))


def ready_to_count() -> None:
    """The same for random games and perft, which only measuring needs."""
    ready()
    compile_once("random games and perft", complete_mark(RULES_FOLDER, "counting"), lambda: tuple(counting()))


def compile_once(what: str, mark: Path, steps: Callable[[], Sequence[Step]]) -> None:
    """Takes the steps with progress on stderr, unless the mark says that it was done before."""
    if PLAIN or mark.exists():
        return
    with in_turn(mark):
        # Another process may have done it meanwhile.
        if not mark.exists():
            _compile(what, steps)
            set_mark(mark)


@contextmanager
def in_turn(mark: Path) -> Iterator[None]:
    """Lets one process after the other do what a mark stands for: the first compiles, the others find it done.

    The lock is the system's, which frees it when its holder dies. Where there is none, everyone goes on at once.
    """
    with ExitStack() as stack:
        with suppress(OSError):
            mark.parent.mkdir(parents=True, exist_ok=True)
            _lock(stack.enter_context(mark.with_suffix(".lock").open("a")))
        yield


def _lock(file: IO[str]) -> None:
    if sys.platform != "win32":
        import fcntl

        patience = monotonic() + _PATIENCE
        while monotonic() < patience:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                sleep(_LOOK_AGAIN)
            else:
                return


def _compile(what: str, steps: Callable[[], Sequence[Step]]) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        print(f"quiltwork: compiling {what}, once ...", file=sys.stderr, flush=True)
    columns = (TextColumn(f"compiling {what}, once"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        for step in progress.track(steps()):
            step()


def set_mark(mark: Path) -> None:
    # A cache that cannot be written is no reason to stop: what it would hold is compiled in memory then.
    with suppress(OSError):
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()


def doors() -> Iterator[Step]:
    """The doors of the kernel, each ready to be opened once on a game of a tiny edition."""
    from quiltwork.rules import entry, start

    edition = _tiny_edition()
    position = np.zeros(1, layout.POSITION)
    circle = np.zeros(1, np.int8)
    none = circle[:0]
    yield partial(start.set_up, position[0], edition[0], circle, none)
    yield partial(entry.income_marks_crossed, edition, 0, 1)
    yield partial(entry.special_patch_marks_crossed, edition, 0, 1)
    # The library's positions are read-only, which is a type of its own for the compiler.
    frozen = np.zeros(1, layout.POSITION)
    frozen.flags.writeable = False
    yield partial(entry.legal_codes, frozen, edition)
    yield partial(entry.after, frozen, edition, 0)
    yield partial(entry.after_deal, frozen, none)
    yield partial(entry.illegality, frozen, edition, 0)
    yield partial(entry.score, frozen, edition, 0)
    yield partial(entry.winner, frozen, edition)
    yield partial(entry.empty_spaces, frozen, 0)
    yield partial(entry.circle, frozen)
    yield partial(entry.position_key, frozen)
    yield partial(entry.advance_distance, frozen, edition)
    yield partial(entry.reserve_enters, frozen, edition)
    yield partial(entry.fits_somewhere, frozen, edition, 0, 0)
    yield partial(entry.has_full_square, frozen, edition, 0)


def counting() -> Iterator[Step]:
    """Random games and perft."""
    from quiltwork.rules import perft, playout
    from quiltwork.rules.chance import source_of

    edition = _tiny_edition()
    yield partial(playout.random_games, np.zeros(1, layout.POSITION), edition, source_of(1), 1)
    yield partial(perft.perft, np.zeros(4, layout.POSITION), edition, 2)


def _tiny_edition() -> layout.EditionArray:
    patch = tables.PatchData(buttons=0, time=1, income=0, reserve=False, orientations=[(0, [(0, 0)])])
    return tables.compile_edition(
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


if __name__ == "__main__":
    ready()
