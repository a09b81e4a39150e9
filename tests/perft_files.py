"""The perft files: positions of each edition with the oracle's counts, depth 1 to 3.

`python tests/perft_files.py [EDITION...]` writes tests/data/perft/ anew; it takes some minutes an edition.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

from games import random_game
from oracle import State, empty_cells, perft, text

FOLDER = Path(__file__).parent / "data" / "perft"
EDITIONS = ("patchwork", "patchwork-2014", "halloween", "express", "stack-and-stuff")
MOST_AT_DEPTH_2 = 25_000
"""The oracle counts some 2,000 positions a second; only the initial position may have more."""


def progress(state: State) -> float:
    """How far the player furthest behind is, from 0 to 1."""
    return min(seat.space for seat in state.seats) / state.edition.last_space


def at_last_space(state: State) -> int:
    return sum(seat.space == state.edition.last_space for seat in state.seats)


def plain_turn(state: State) -> bool:
    return state.mover is not None and state.held is None and state.special_patches_to_place == 0


WANTED: dict[str, tuple[int, Callable[[State], bool]]] = {
    # name: how many, which positions
    "early": (3, lambda s: plain_turn(s) and 0.05 < progress(s) < 0.3),
    "middle": (3, lambda s: plain_turn(s) and 0.4 < progress(s) < 0.6),
    "special-patch": (2, lambda s: s.special_patches_to_place > 0),
    "tile": (1, lambda s: plain_turn(s) and s.tile is not None and at_last_space(s) == 0),
    "reserve-to-deal": (1, lambda s: s.reserve_is_to_be_dealt),
    "patch-to-lay": (2, lambda s: s.held is not None and not s.reserve_is_to_be_dealt),
    "end": (3, lambda s: plain_turn(s) and progress(s) > 0.8),
    "nearly-full": (1, lambda s: plain_turn(s) and any(len(empty_cells(s.edition, x)) < 5 for x in s.seats)),
    "one-waits": (2, lambda s: plain_turn(s) and at_last_space(s) == 1 and progress(s) < 0.9),
}


def positions(edition: str) -> dict[str, State]:
    """The initial position and the wanted ones, each from a game of its own."""
    rng = Random(edition)
    found = {"start": random_game(edition, rng)[0][0]}
    for name, (count, wanted) in WANTED.items():
        for number in range(1, count + 1):
            for _ in range(200):
                fitting = [state for state, _ in random_game(edition, rng) if wanted(state)]
                state = rng.choice(fitting) if fitting else None
                if state is not None and perft(state, 2) <= MOST_AT_DEPTH_2:
                    found[f"{name}-{number}"] = state
                    break
    return found


def perft_file(edition: str) -> str:
    lines = [f"# perft 1 to 3 of {edition}, counted by the oracle; written by tests/perft_files.py"]
    for name, state in positions(edition).items():
        counts = ",".join(str(perft(state, depth)) for depth in (1, 2, 3))
        lines.append(f"{text(state)} id={name} perft={counts}")
        print(edition, name, counts, file=sys.stderr)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for edition in sys.argv[1:] or EDITIONS:
        (FOLDER / f"{edition}.txt").write_text(perft_file(edition), encoding="utf-8")
