"""Test suites: positions whose good or bad moves are known, and what share of them an agent solves.

A suite is a position file. `best=` names the right moves of a line and `avoid=` the wrong ones, with commas
between them; `5c` alone stands for every way to take or lay 5c, `+` for the advance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from quiltwork.agents.agent import Agent, Limits
from quiltwork.errors import NotationError, QuiltworkError
from quiltwork.move import Advance, LayPatch, Move, TakePatch
from quiltwork.notation.positions import parse_lines
from quiltwork.position import Position
from quiltwork.position_setup import Phase

SUITES = Path(__file__).parent / "suites"


def available_suites() -> tuple[str, ...]:
    """The names of the suites that come with the package."""
    return tuple(sorted(path.stem for path in SUITES.glob("*.txt")))


@dataclass(frozen=True)
class Task:
    """One position of a suite; its moves are texts, or a patch's code for all moves of that patch."""

    id: str
    position: Position
    best: tuple[str, ...]
    avoid: tuple[str, ...]

    def solved_by(self, move: Move) -> bool:
        """Whether a move is among the right ones and not among the wrong ones."""
        names = {str(move), move.patch if isinstance(move, TakePatch | LayPatch) else ""}
        if isinstance(move, Advance):
            names.add("+")
        return not names.intersection(self.avoid) and (not self.best or bool(names.intersection(self.best)))


def read_suite(text: str) -> list[Task]:
    """The tasks of a suite; raises NotationError with the line of what is wrong."""
    tasks = []
    for line, setup, keys in parse_lines(text):
        position = Position.from_setup(setup)
        if not {"best", "avoid"} & keys.keys():
            raise NotationError("suite", "expected best= or avoid=, found neither", line=line)
        if position.phase not in (Phase.TURN, Phase.LAY, Phase.SPECIAL):
            raise NotationError("suite", "no player has a move to choose in this position", line=line)
        named = {
            key: tuple(_name(position, each, line) for each in keys[key].split(","))
            for key in ("best", "avoid")
            if key in keys
        }
        task = Task(keys.get("id", str(line)), position, named.get("best", ()), named.get("avoid", ()))
        tasks.append(task)
    if not tasks:
        raise QuiltworkError("the suite has no positions")
    return tasks


def _name(position: Position, text: str, line: int) -> str:
    word = text.strip().lower()
    if word == "+" or word in position.edition.patches:
        return word
    try:
        return str(position.move(word))
    except QuiltworkError as error:
        raise NotationError("suite", f"{text!r}: {error}", line=line) from None


@dataclass(frozen=True)
class Attempt:
    """What an agent played in a task with one effort."""

    task: Task
    effort: Limits
    move: Move

    @property
    def solved(self) -> bool:
        return self.task.solved_by(self.move)


def attempts(
    tasks: Iterable[Task], efforts: Iterable[Limits], new_agent: Callable[[], Agent]
) -> Iterator[Attempt]:
    """Each task with each effort; every attempt has a new agent."""
    efforts = tuple(efforts)
    for task in tasks:
        for effort in efforts:
            agent = new_agent()
            try:
                yield Attempt(task, effort, agent.think(task.position, effort).best.move)
            finally:
                agent.close()
