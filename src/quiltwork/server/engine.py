"""The engine: worker processes that think, never in the event loop."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
from collections.abc import Iterable
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from secrets import randbits

from quiltwork import Position
from quiltwork.agents.levels import Level
from quiltwork.agents.warm import stage_of
from quiltwork.server.metrics import Metrics
from quiltwork.server.preparation import Preparation
from quiltwork.server.thinker import Answer, Thought, work

LOG = logging.getLogger("quiltwork.engine")


class EngineFailure(Exception):
    """A thought that came to nothing: the agent failed, or ran out of time."""


class _Worker:
    """One process, replaced when it hangs or dies."""

    def __init__(self) -> None:
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    def ask(self, thought: Thought, timeout: float) -> Answer:
        """Blocks until the answer is there; raises EngineFailure."""
        try:
            connection = self._start()
            connection.send(thought)
            if not connection.poll(timeout):
                self.stop()
                raise EngineFailure(f"no answer within {timeout:g} s")
            answer = connection.recv()
        except (EOFError, OSError) as error:
            self.stop()
            raise EngineFailure(f"the worker process ended: {error!r}") from error
        if isinstance(answer, Answer):
            return answer
        raise EngineFailure(str(answer))

    def _start(self) -> Connection:
        if self._process is None or self._connection is None or not self._process.is_alive():
            context = multiprocessing.get_context("spawn")
            self._connection, theirs = context.Pipe()
            self._process = context.Process(target=work, args=(theirs,), name="quiltwork-engine", daemon=True)
            self._process.start()
            # The worker alone holds its end, so that each side hears when the other is gone.
            theirs.close()
        return self._connection

    def stop(self) -> None:
        if self._connection is not None:
            self._connection.close()
        if self._process is not None:
            self._process.kill()
            self._process.join(5)
        self._process = self._connection = None


class Engine:
    """Hands thoughts to free workers."""

    def __init__(
        self, workers: int, timeout: float, metrics: Metrics, preparation: Preparation | None = None
    ) -> None:
        self._workers = [_Worker() for _ in range(max(1, workers))]
        self._free: asyncio.Queue[_Worker] = asyncio.Queue()
        for worker in self._workers:
            self._free.put_nowait(worker)
        self._timeout = timeout
        self._metrics = metrics
        self._preparation = preparation
        self.cold: set[str] = set()
        """the stages whose agents have yet to be loaded, where other processes may have them"""

    def is_ready_for(self, agent: str) -> bool:
        """Whether an agent can think at once: it is compiled, and loaded where that matters."""
        stage = stage_of(agent)
        return stage not in self.cold and (self._preparation is None or self._preparation.has_done(stage))

    @property
    def size(self) -> int:
        """How many thoughts there can be at once."""
        return len(self._workers)

    async def warm_up(self, stage: str, opponents: Iterable[Level]) -> None:
        """Lets every worker load what a stage needs, once it is compiled, before anyone waits for it."""
        if self._preparation is not None:
            await self._preparation.reached(stage)
        text = Position.initial().text
        thoughts = [self._ask(Thought(text, o.agent, 0.01, 1, 0)) for o in opponents for _ in self._workers]
        for outcome in await asyncio.gather(*thoughts, return_exceptions=True):
            if isinstance(outcome, EngineFailure):
                LOG.warning("warm-up failed", extra={"reason": str(outcome)})
        self.cold.discard(stage)

    async def think(self, position: Position, opponent: Level) -> Answer:
        """The opponent's move; it waits until a worker is free."""
        return await self._ask(thought_of(position, opponent))

    async def advise(self, position: Position, opponent: Level) -> Answer:
        """A move with its reasons."""
        return await self._ask(replace(thought_of(position, opponent), explain=True))

    async def _ask(self, thought: Thought) -> Answer:
        if self._preparation is not None:
            await self._preparation.reached(stage_of(thought.agent))
        try:
            worker = await self._free.get()
            try:
                answer = await asyncio.to_thread(worker.ask, thought, self._timeout)
            finally:
                self._free.put_nowait(worker)
        except EngineFailure:
            self._metrics.count("engine_failures_total")
            raise
        self._metrics.count("engine_thoughts_total")
        return answer

    def close(self) -> None:
        for worker in self._workers:
            worker.stop()


def thought_of(position: Position, opponent: Level) -> Thought:
    """What a worker is asked for an opponent's move."""
    simulations = opponent.simulations_for(position.edition.id)
    return Thought(position.text, opponent.agent, opponent.seconds, simulations, randbits(32), position.edition)
