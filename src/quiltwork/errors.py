"""Every error that Quiltwork raises on purpose.

QuiltworkError
├── EditionError      an edition or theme file that cannot be used; all its problems at once
├── NotationError     a text that names nothing; knows line and column
├── SetupError        a set-up that no game can hold; all its problems at once
├── IllegalMove       a move that the rules forbid in this position; knows the reason
├── MissingExtra      a feature whose optional dependency is not installed
├── AgentFault        a program that failed as an agent (programs/program.py)
├── CannotStart       a program that cannot be started (programs/program.py)
└── EngineTimeout     an engine that did not answer in time (engine.py)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum


class QuiltworkError(Exception):
    """The base of all errors of this package; its text is one clear sentence or a short list."""


class _Problems(QuiltworkError):
    def __init__(self, subject: str, problems: Sequence[str]) -> None:
        self.subject = subject
        self.problems = tuple(problems)
        if len(self.problems) == 1:
            text = f"{subject}: {self.problems[0]}"
        else:
            text = f"{subject}: {len(self.problems)} problems" + "".join(f"\n  - {p}" for p in self.problems)
        super().__init__(text)


class EditionError(_Problems):
    """An edition or theme that cannot be used, with all `problems` found."""


class SetupError(_Problems):
    """A set-up that contradicts the rules of its edition, with all `problems` found."""


class NotationError(QuiltworkError):
    """A text that cannot be read: what was being read, where it failed, and why.

    `line` and `column` count from 1; `line` is None for a text of one line.
    """

    def __init__(self, subject: str, reason: str, *, column: int | None = None, line: int | None = None) -> None:
        self.subject = subject
        """what was being read, such as `position`"""
        self.reason = reason
        """why it cannot be read"""
        self.line = line
        """from 1; None for a text of one line"""
        self.column = column
        """from 1, where it is known"""
        place = [subject]
        if line is not None:
            place.append(f"line {line}")
        if column is not None:
            place.append(f"column {column}")
        super().__init__(f"{', '.join(place)}: {reason}")


class Reason(Enum):
    """Why a move is illegal, in the order in which the reasons are looked for."""

    PHASE = "phase"
    """not a move that the game waits for now"""
    CHOICE = "choice"
    """not one of the patches to choose from"""
    COST = "cost"
    """too few buttons"""
    BOARD = "board"
    """off the quilt board"""
    OVERLAP = "overlap"
    """on something that already lies there"""


@dataclass(frozen=True)
class Illegality:
    """The reason why a move is illegal, and a sentence that names the rule."""

    reason: Reason
    """the first that applies"""
    sentence: str
    """names the rule, and the patch or the numbers"""

    def __str__(self) -> str:
        return self.sentence


class IllegalMove(QuiltworkError):
    """A move that the rules forbid here; `reason` is the first that applies."""

    def __init__(self, move: str, illegality: Illegality) -> None:
        self.move = move
        """in notation"""
        self.illegality = illegality
        """the reason with its sentence"""
        self.reason = illegality.reason
        """the first that applies"""
        super().__init__(f"{move}: {illegality.sentence}")


class MissingExtra(QuiltworkError):
    """A feature whose optional dependency is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        self.extra = extra
        """its name, as in `quiltwork[extra]`"""
        super().__init__(f"{feature} needs the extra '{extra}': pip install 'quiltwork[{extra}]'")
