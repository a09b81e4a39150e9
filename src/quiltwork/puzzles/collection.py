"""The puzzles shipped: by id, by date, and the next one for somebody of a rating."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from functools import lru_cache
from pathlib import Path
from random import Random
from types import MappingProxyType

from quiltwork.editions import DEFAULT_EDITION
from quiltwork.errors import QuiltworkError
from quiltwork.puzzles.puzzle import Kind, Puzzle, parse_puzzle

FILE = Path(__file__).parent / "puzzles.txt"
FIRST_DAY = date(2026, 1, 1)
NEAR = 12
"""puzzles nearest to somebody's rating, of which the next is drawn"""


@lru_cache(maxsize=1)
def load_puzzles() -> MappingProxyType[str, Puzzle]:
    """All puzzles by id."""
    found = read_puzzles(FILE.read_text(encoding="utf-8"))
    return MappingProxyType({puzzle.id: puzzle for puzzle in found})


def read_puzzles(text: str) -> list[Puzzle]:
    """The puzzles of a file, one a line; `#` begins a comment."""
    return [parse_puzzle(line) for line in text.splitlines() if line.strip() and not line.startswith("#")]


def puzzle_by_id(puzzle: str) -> Puzzle:
    """One puzzle; raises QuiltworkError."""
    found = load_puzzles().get(puzzle)
    if found is None:
        raise QuiltworkError(f"there is no puzzle {puzzle[:20]!r}")
    return found


def chosen(edition: str | None = None, kind: Kind | None = None) -> list[Puzzle]:
    """The puzzles of an edition and a kind, in the order of their ids; raises QuiltworkError if there is none."""
    found = [
        puzzle
        for _, puzzle in sorted(load_puzzles().items())
        if edition in (None, puzzle.edition) and kind in (None, puzzle.kind)
    ]
    if not found:
        what = f" of the kind {kind.value}" if kind else ""
        raise QuiltworkError(f"there is no puzzle{what} for {edition or 'any edition'}")
    return found


def daily(day: date, edition: str = DEFAULT_EDITION) -> Puzzle:
    """The puzzle of a day: the same for all, and another each day until every one has been shown."""
    puzzles = chosen(edition)
    return puzzles[(day - FIRST_DAY).days % len(puzzles)]


def next_puzzle(
    rating: float,
    *,
    edition: str | None = DEFAULT_EDITION,
    kind: Kind | None = None,
    seen: Collection[str] = (),
    rng: Random | None = None,
) -> Puzzle:
    """A puzzle near a rating that was not seen yet; seen ones again when there is no other."""
    puzzles = chosen(edition, kind)
    unseen = [puzzle for puzzle in puzzles if puzzle.id not in seen] or puzzles
    near = sorted(unseen, key=lambda puzzle: abs(puzzle.rating - rating))[:NEAR]
    return (rng or Random()).choice(near)
