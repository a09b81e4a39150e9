"""The worker process: thinks about one position at a time, and ends when the server is gone."""

from __future__ import annotations

from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quiltwork.agents import Agent
    from quiltwork.analysis.hint import Hint
    from quiltwork.editions import Edition


@dataclass(frozen=True)
class Thought:
    """What a worker is asked: which agent, about which position, within which limits."""

    position: str
    agent: str
    seconds: float | None
    simulations: int | None
    seed: int
    edition: Edition | None = None
    """sent along, so that the worker knows an edition that has no file"""
    explain: bool = False
    """whether the reasons are wanted too"""


@dataclass(frozen=True)
class Answer:
    """What it found: the best move, and where it was asked for, why."""

    move: str
    hint: Hint | None = None


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
    from quiltwork.agents import Limits

    position = Position.parse(thought.position)
    moves = position.legal_moves()
    if len(moves) == 1 and not thought.explain:
        return Answer(str(moves[0]))
    analysis = _agent(thought).think(position, Limits(thought.seconds, thought.simulations))
    if not thought.explain:
        return Answer(str(analysis.best.move))
    from quiltwork.analysis.hint import hint_of

    return Answer(str(analysis.best.move), hint_of(position, analysis))


def _agent(thought: Thought) -> Agent:
    """The agent of a spec; one is kept for each, as it may remember what it saw."""
    from quiltwork.agents import agent_of

    if thought.agent not in _AGENTS:
        _AGENTS[thought.agent] = agent_of(thought.agent, thought.seed)
    return _AGENTS[thought.agent]


_AGENTS: dict[str, Agent] = {}
