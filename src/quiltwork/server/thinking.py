"""Thinking: takes jobs from the queue, lets the engine think, and plays what it found."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import asdict, replace

from quiltwork.agents.levels import Level, load_levels
from quiltwork.server.answers import Refusal, UnknownGame
from quiltwork.server.cluster.jobs import Job, JobKind, Jobs
from quiltwork.server.engine import Engine, EngineFailure
from quiltwork.server.metrics import Metrics
from quiltwork.server.table import Table
from quiltwork.server.thinker import Answer

LOG = logging.getLogger("quiltwork.thinking")
_SIMPLER = ("greedy", "random")
_ATTEMPTS = 3
"""a job that was taken so often without an answer is thought about by a simpler agent"""
_RETRY = 1.0


class Thinking:
    """As many loops as there are worker processes; each takes a job and sees it through."""

    def __init__(
        self, jobs: Jobs, engine: Engine, find: Callable[[str], Awaitable[Table]], pace: float, metrics: Metrics
    ) -> None:
        self._jobs = jobs
        self._engine = engine
        self._find = find
        self._pace = pace
        self._metrics = metrics
        self._playing: set[asyncio.Task[None]] = set()

    async def serve(self) -> None:
        """Runs until it is cancelled."""
        await asyncio.gather(*(self._serve() for _ in range(self._engine.size)))

    async def _serve(self) -> None:
        while True:
            try:
                job = await self._jobs.take()
                try:
                    await self._do(job)
                except (EngineFailure, Refusal) as error:
                    LOG.warning("a thought came to nothing", extra={"game": job.game, "reason": str(error)})
                    gone = isinstance(error, Refusal) and error.retry is None
                    self._begin(self._jobs.finish(job) if gone else self._jobs.put_back(job))
                except Exception:
                    LOG.exception("thinking failed")
                    self._begin(self._jobs.put_back(job))
            except Refusal:
                await asyncio.sleep(_RETRY)
            except Exception:
                LOG.exception("no job could be taken")
                await asyncio.sleep(_RETRY)

    async def _do(self, job: Job) -> None:
        started = asyncio.get_running_loop().time()
        table = await self._find(job.game)
        state = table.state
        if state.decided != job.version or not state.turn:
            await self._jobs.finish(job)
            return
        levels = load_levels()
        opponent = levels.all[state.computer(state.turn) or levels.hint]
        adviser = levels.all[levels.hint]
        if not self._engine.is_ready_for((adviser if job.kind is JobKind.HINT else opponent).agent):
            self._begin(self._jobs.put_back(job, tried=False))
            return
        self._metrics.observe("engine_wait_seconds", job.waited)
        if job.kind is JobKind.HINT:
            try:
                answer = await self._engine.advise(state.position, adviser)
            except EngineFailure:
                await self._jobs.finish(job, {"failed": True})
                raise
            reasons = asdict(answer.hint) if answer.hint else None
            found = {"move": answer.move, "hint": reasons, "position": state.position.text}
            await self._jobs.finish(job, found)
            return
        answer = await self._think(table, opponent, job.attempts)
        seconds = asyncio.get_running_loop().time() - started
        self._jobs.note(seconds)
        # The worker is free for others while people look at what they did.
        self._begin(self._play(table, job, answer, self._pace - seconds))

    async def _think(self, table: Table, opponent: Level, attempts: int) -> Answer:
        """The opponent's answer; where its agent fails, a simpler one plays, so that a game never stops."""
        position = table.state.position
        agents = (opponent.agent, *_SIMPLER) if attempts <= _ATTEMPTS else _SIMPLER
        for agent in agents:
            try:
                return await self._engine.think(position, replace(opponent, agent=agent))
            except EngineFailure as failure:
                LOG.error("engine failed", extra={"game": table.game, "agent": agent, "reason": str(failure)})
        raise EngineFailure("no agent found a move")

    async def _play(self, table: Table, job: Job, answer: Answer, pause: float) -> None:
        await asyncio.sleep(max(0.0, pause))
        while True:
            try:
                if not await table.play(job.version, answer.move):
                    await asyncio.sleep(_RETRY)
                await self._jobs.finish(job)
                table.wake()
            except UnknownGame:
                await self._jobs.finish(job)
                return
            except Refusal:
                await asyncio.sleep(_RETRY)
            except Exception:
                LOG.exception("a move could not be played", extra={"game": job.game})
                await self._jobs.put_back(job)
                return
            else:
                return

    def _begin(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._playing.add(task)
        task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._playing.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            # The lease of the job runs out, and another takes it.
            LOG.warning("a job could not be ended", extra={"reason": str(error)})

    def close(self) -> None:
        for task in self._playing:
            task.cancel()
