"""The worker process: thinks about one position at a time, and ends when the server is gone."""

from __future__ import annotations

from dataclasses import dataclass
from multiprocessing.connection import Connection
from random import Random


@dataclass(frozen=True)
class Thought:
    """What a worker is asked: which agent, about which position, within which limits."""

    position: str
    agent: str
    seconds: float | None
    simulations: int | None
    seed: int


@dataclass(frozen=True)
class Answer:
    """What it found: the best move, and a sentence that says why where the agent has one."""

    move: str
    sentence: str | None = None


def work(connection: Connection) -> None:
    """Answers thoughts until the other end is closed; a failure is an answer too."""
    while True:
        try:
            thought = connection.recv()
        except (EOFError, OSError):
            return
        try:
            answer: Answer | str = think(thought)
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        try:
            connection.send(answer)
        except OSError:
            return


def think(thought: Thought) -> Answer:
    """The best move that the agent finds."""
    from quiltwork import Position

    position = Position.parse(thought.position)
    moves = position.legal_moves()
    if len(moves) == 1:
        return Answer(str(moves[0]))
    return Answer(str(Random(thought.seed).choice(moves)))
