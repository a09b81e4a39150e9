"""How well somebody solves puzzles: an Elo rating against the ratings of the puzzles, and a streak."""

from __future__ import annotations

from dataclasses import dataclass, replace

START = 1200.0
FAST, SLOW = 60.0, 24.0
"""the most that one puzzle changes a rating: in the first puzzles, and later"""
FIRST = 15
SEEN = 300
"""puzzles that are remembered, so that they do not come again soon"""


@dataclass(frozen=True)
class Progress:
    """What is kept of somebody's puzzles."""

    rating: float = START
    tried: int = 0
    solved: int = 0
    streak: int = 0
    best_streak: int = 0
    seen: tuple[str, ...] = ()

    def after(self, puzzle: str, puzzle_rating: float, solved: bool) -> Progress:
        """The progress after a first answer."""
        expected = 1 / (1 + 10 ** ((puzzle_rating - self.rating) / 400))
        step = FAST if self.tried < FIRST else SLOW
        streak = self.streak + 1 if solved else 0
        return replace(
            self,
            rating=self.rating + step * (solved - expected),
            tried=self.tried + 1,
            solved=self.solved + solved,
            streak=streak,
            best_streak=max(self.best_streak, streak),
            seen=(*self.seen, puzzle)[-SEEN:],
        )
