"""Processes that think for study, at a low priority of the system: a live game never waits for them."""

from __future__ import annotations

import asyncio
import heapq
import logging
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from enum import IntEnum
from itertools import count
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from time import monotonic
from typing import Any

from quiltwork.server.study.tasks import Task

LOG = logging.getLogger("quiltwork.study")
NICENESS = 10
"""A process of a live game gets ten times as much of a core that both want; at 19 a review would starve."""
TIMEOUT = 300.0
"""seconds for a task; after that its process is replaced. Compiling on a new machine takes a while."""
FAIR_SECONDS = 3.0
"""an analysis that others wait for ends after this time"""


class Priority(IntEnum):
    """Who goes first among the tasks that wait."""

    COACH = 0
    CURVE = 1
    ANALYSIS = 2
    REVIEW = 3


class StudyFailure(Exception):
    """A task that came to nothing."""


def work(connection: Connection) -> None:
    """The process: one task after another until the other end is closed."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)

    def tell(partial: Any) -> bool:
        connection.send(("partial", partial))
        # The only message that comes while a task runs is the wish that it ends.
        return connection.poll()

    while True:
        try:
            task = connection.recv()
            if task is None:
                continue
            try:
                answer = ("final", task.run(tell))
            except Exception as error:
                answer = ("failed", f"{type(error).__name__}: {error}")
            connection.send(answer)
        except (EOFError, OSError, KeyboardInterrupt):
            return


class _Worker:
    """One process, started when it is first needed, and replaced when it hangs or dies."""

    def __init__(self) -> None:
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    def ask(self, task: Task, tell: Callable[[Any], None], is_awaited: Callable[[], bool]) -> Any:
        """Blocks until the final answer is there; raises StudyFailure."""
        started, asked = monotonic(), False
        try:
            connection = self._start()
            connection.send(task)
            while True:
                if not connection.poll(max(0.0, started + TIMEOUT - monotonic())):
                    self.stop()
                    raise StudyFailure(f"no answer within {TIMEOUT:g} s")
                kind, content = connection.recv()
                if kind == "final":
                    return content
                if kind == "failed":
                    raise StudyFailure(str(content))
                tell(content)
                if not asked and is_awaited() and monotonic() - started > FAIR_SECONDS:
                    asked = True
                    connection.send(None)
        except (EOFError, OSError) as error:
            self.stop()
            raise StudyFailure(f"the process ended: {error!r}") from error

    def hurry(self) -> None:
        """Asks for the final answer now."""
        if self._connection is not None:
            with suppress(OSError):
                self._connection.send(None)

    def _start(self) -> Connection:
        if self._process is None or self._connection is None or not self._process.is_alive():
            context = multiprocessing.get_context("spawn")
            self._connection, theirs = context.Pipe()
            self._process = context.Process(target=work, args=(theirs,), name="quiltwork-study", daemon=True)
            self._process.start()
            theirs.close()
        return self._connection

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join(5)
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


class Pool:
    """A few processes; what waits is taken by its priority, then in the order in which it came."""

    def __init__(self, workers: int) -> None:
        self._workers = [_Worker() for _ in range(max(1, workers))]
        self._free = list(self._workers)
        self._threads = ThreadPoolExecutor(len(self._workers), "study")
        self._waiting: list[tuple[Priority, int, asyncio.Future[_Worker]]] = []
        self._count = count()

    @property
    def size(self) -> int:
        return len(self._workers)

    @property
    def waiting(self) -> int:
        return sum(not future.done() for _, _, future in self._waiting)

    async def run(self, task: Task, priority: Priority, tell: Callable[[Any], None] = lambda _: None) -> Any:
        """The final answer; `tell` takes the partial ones. When cancelled, the task is asked to end."""
        loop = asyncio.get_running_loop()
        worker = await self._acquire(priority)

        def tell_here(partial: Any) -> None:
            with suppress(RuntimeError):  # The loop may be closed already.
                loop.call_soon_threadsafe(tell, partial)

        asked = loop.run_in_executor(self._threads, worker.ask, task, tell_here, lambda: self.waiting > 0)
        asked.add_done_callback(lambda done: self._release(worker, done))
        try:
            return await asyncio.shield(asked)
        except asyncio.CancelledError:
            worker.hurry()
            raise

    async def _acquire(self, priority: Priority) -> _Worker:
        if self._free:
            return self._free.pop()
        future: asyncio.Future[_Worker] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (priority, next(self._count), future))
        try:
            return await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self._hand_over(future.result())
            raise

    def _release(self, worker: _Worker, done: asyncio.Future[Any]) -> None:
        if not done.cancelled() and (error := done.exception()) is not None:
            LOG.warning("a study task failed", extra={"reason": str(error)})
        self._hand_over(worker)

    def _hand_over(self, worker: _Worker) -> None:
        while self._waiting:
            _, _, future = heapq.heappop(self._waiting)
            if not future.done():
                future.set_result(worker)
                return
        self._free.append(worker)

    def close(self) -> None:
        for worker in self._workers:
            worker.stop()
        self._threads.shutdown(wait=False, cancel_futures=True)
