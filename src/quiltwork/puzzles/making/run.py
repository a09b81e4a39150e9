"""Making puzzles on every core, game by game, until there are enough; it resumes where it stopped."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Generator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from contextlib import closing
from functools import partial
from itertools import count as numbers
from multiprocessing import get_context
from pathlib import Path
from random import Random

from quiltwork.editions import load_edition
from quiltwork.errors import QuiltworkError
from quiltwork.puzzles.collection import read_puzzles
from quiltwork.puzzles.making import decisions, endgames, finishes
from quiltwork.puzzles.making.games import positions_of_game
from quiltwork.puzzles.making.rate import rated
from quiltwork.puzzles.puzzle import Kind, Puzzle

MOST = {Kind.CHOOSE: 0.6, Kind.PLACE: 0.25, Kind.ENDGAME: 0.25, Kind.FINISH: 0.3}
"""the largest part of a collection that each kind may be: places and endgames are rare"""
A_GAME = {Kind.CHOOSE: 2, Kind.PLACE: 2, Kind.ENDGAME: 1, Kind.FINISH: 1}
"""puzzles of a kind from one game at most, so that they are not alike"""
_DONE = "# game "

Tell = Callable[[int, int], None]


def make(
    edition: str,
    count: int,
    file: Path,
    *,
    workers: int | None = None,
    seconds: float | None = None,
    tell: Tell | None = None,
    clock: Callable[[], float],
) -> int:
    """Adds puzzles to a file until it has `count`, or the seconds are up; returns how many it has.

    The file says which games were looked at, so that a run goes on where another stopped.
    """
    load_edition(edition)
    begun = clock()
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    have = read_puzzles(text)
    if any(puzzle.edition != edition for puzzle in have):
        raise QuiltworkError(f"{file}: holds puzzles of another edition than {edition}")
    done = {int(line.removeprefix(_DONE)) for line in text.splitlines() if line.startswith(_DONE)}
    missing = Counter({kind: int(count * share) for kind, share in MOST.items()})
    missing.subtract(puzzle.kind for puzzle in have)
    known = {puzzle.id for puzzle in have}
    with file.open("a", encoding="utf-8") as out, closing(_games(edition, done, missing, workers)) as games:
        for number, found in games:
            for puzzle in found:
                if missing[puzzle.kind] > 0 and puzzle.id not in known and len(known) < count:
                    missing[puzzle.kind] -= 1
                    known.add(puzzle.id)
                    out.write(f"{puzzle}\n")
            out.write(f"{_DONE}{number}\n")
            out.flush()
            if tell:
                tell(len(known), count)
            if len(known) >= count:
                break
            if seconds is not None and clock() - begun > seconds:
                break
    return len(known)


def _games(
    edition: str, done: set[int], missing: Counter[Kind], workers: int | None
) -> Generator[tuple[int, list[Puzzle]], None, None]:
    """The puzzles of one game after another, in the order in which they are found."""
    cores = workers or os.cpu_count() or 1
    ahead = (number for number in numbers() if number not in done)
    pool = ProcessPoolExecutor(cores, mp_context=get_context("spawn"))
    running: dict[Future[list[Puzzle]], int] = {}
    try:
        while True:
            while len(running) < cores:
                number = next(ahead)
                kinds = tuple(kind for kind, left in missing.items() if left > 0)
                running[pool.submit(partial(of_game, edition, number, kinds))] = number
            for future in wait(running, return_when="FIRST_COMPLETED").done:
                yield running.pop(future), future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def of_game(edition: str, number: int, kinds: tuple[Kind, ...]) -> list[Puzzle]:
    """The puzzles of some kinds in one game."""
    found: list[Puzzle] = []
    left = Counter({kind: A_GAME[kind] for kind in kinds})
    chance = Random(f"{edition} {number}")
    positions = positions_of_game(edition, number)
    chance.shuffle(positions)
    for position in positions:
        puzzles = (
            decisions.find(position) if left[Kind.CHOOSE] > 0 or left[Kind.PLACE] > 0 else None,
            endgames.find(position) if left[Kind.ENDGAME] > 0 else None,
            finishes.find(position, chance) if left[Kind.FINISH] > 0 else None,
        )
        for puzzle in puzzles:
            if puzzle is not None and left[puzzle.kind] > 0:
                left[puzzle.kind] -= 1
                found.append(rated(puzzle))
    return found
