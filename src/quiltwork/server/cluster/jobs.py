"""What the computers are to think about: jobs, in the order in which they are fair.

People come first: a job for which a person waits goes before any of computers that play each other. Among equals
each visitor gets the same share, however many games they have (start-time fair queueing, Goyal 1996): a job's turn
is one after the last of its visitor's, and never before the turn that is being served.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import count
from time import monotonic
from typing import Any, Protocol

from quiltwork.server.answers import Refusal

Json = Mapping[str, Any]
RETRY = 2.0
"""the seconds until a job that failed is tried again"""


class JobKind(Enum):
    """What is wanted."""

    MOVE = "move"
    """the move of the computer whose turn it is; the worker plays it"""
    HINT = "hint"
    """advice for the player whose turn it is; the answer goes to the asker"""


@dataclass(frozen=True)
class Job:
    """A position to think about: that of a game when its players decided last at this version."""

    game: str
    version: int
    kind: JobKind
    visitor: str
    """whose share it is"""
    people: bool = True
    """whether a person waits for it"""
    nonce: str = ""
    """tells hints apart; moves have none, as each is wanted once"""
    attempts: int = 1
    waited: float = field(default=0.0, compare=False)
    """seconds in the queue, once it was taken"""

    @property
    def key(self) -> str:
        return f"{self.game}:{self.version}:{self.kind.value}:{self.nonce}"


@dataclass(frozen=True)
class Limits:
    """How many jobs may wait: of all, and of one visitor."""

    all: int
    each: int


class Jobs(Protocol):
    """A queue of jobs with its workers at the other end."""

    async def put(self, job: Job) -> None:
        """Lets a job wait; one that waits already is not doubled. Raises Refusal where too many wait."""

    async def ask(self, job: Job, timeout: float) -> Json:
        """Puts a job and waits for its answer; raises Refusal or TimeoutError."""

    async def take(self) -> Job:
        """The next job, for a worker that is free; waits for one."""

    async def finish(self, job: Job, answer: Json | None = None) -> None:
        """Removes a job that was taken, and sends the answer to its asker."""

    async def put_back(self, job: Job, *, tried: bool = True) -> None:
        """Lets a job that came to nothing be taken again a little later.

        One that was not even tried here may be taken at once elsewhere.
        """

    async def wait_of(self, key: str) -> float:
        """The seconds that a job will probably still wait; 0 where it does not."""

    @property
    def waiting(self) -> int: ...

    def note(self, seconds: float) -> None:
        """Counts how long a job took, for telling how long others wait."""


def busy(wait: float) -> Refusal:
    """The refusal where too many jobs wait."""
    return Refusal("busy", "The engine is busy; ask again in a moment.", 503, max(1.0, round(wait, 1)))


class Pace:
    """A moving average of how long a job takes."""

    def __init__(self) -> None:
        self.seconds = 0.5

    def note(self, seconds: float) -> None:
        self.seconds += (seconds - self.seconds) / 8


def _new_future() -> asyncio.Future[Json | None]:
    return asyncio.get_running_loop().create_future()


@dataclass
class _Waiting:
    job: Job
    order: tuple[bool, int, int]
    since: float = field(default_factory=monotonic)
    answered: asyncio.Future[Json | None] = field(default_factory=_new_future)


class MemoryJobs:
    """The jobs of a process that serves alone."""

    def __init__(self, limits: Limits, workers: int) -> None:
        self._limits = limits
        self._workers = max(1, workers)
        self._heap: list[tuple[tuple[bool, int, int], str]] = []
        self._waiting: dict[str, _Waiting] = {}
        self._taken: dict[str, _Waiting] = {}
        self._turns: dict[str, int] = {}
        self._served = 0
        self._numbers = count()
        self._news = asyncio.Condition()
        self._pace = Pace()

    async def put(self, job: Job) -> None:
        self._put(job)
        async with self._news:
            self._news.notify()

    def _put(self, job: Job) -> _Waiting:
        known = self._waiting.get(job.key) or self._taken.get(job.key)
        if known is not None:
            return known
        mine = sum(other.job.visitor == job.visitor for other in self._waiting.values())
        if len(self._waiting) >= self._limits.all or mine >= self._limits.each:
            raise busy(self._pace.seconds * len(self._waiting) / self._workers)
        turn = 1 + max(self._served, self._turns.get(job.visitor, 0) if mine else 0)
        self._turns[job.visitor] = turn
        waiting = _Waiting(job, (not job.people, turn, next(self._numbers)))
        self._waiting[job.key] = waiting
        heapq.heappush(self._heap, (waiting.order, job.key))
        return waiting

    async def ask(self, job: Job, timeout: float) -> Json:
        waiting = self._put(job)
        async with self._news:
            self._news.notify()
        try:
            async with asyncio.timeout(timeout):
                answer = await asyncio.shield(waiting.answered)
        finally:
            self._waiting.pop(job.key, None)
        if answer is None:
            raise Refusal("stale", "The game has moved on; look at it again.", 409)
        return answer

    async def take(self) -> Job:
        async with self._news:
            while True:
                while self._heap:
                    order, key = heapq.heappop(self._heap)
                    found = self._waiting.get(key)
                    if found is not None and found.order == order:
                        self._taken[key] = self._waiting.pop(key)
                        self._served = max(self._served, order[1])
                        self._forget()
                        return replace(found.job, waited=monotonic() - found.since)
                await self._news.wait()

    def _forget(self) -> None:
        """A visitor of whom nothing waits begins anew."""
        if len(self._turns) > 2 * len(self._waiting) + 16:
            here = {waiting.job.visitor for waiting in self._waiting.values()}
            self._turns = {visitor: turn for visitor, turn in self._turns.items() if visitor in here}

    async def finish(self, job: Job, answer: Json | None = None) -> None:
        taken = self._taken.pop(job.key, None)
        if taken is not None and not taken.answered.done():
            taken.answered.set_result(answer)

    async def put_back(self, job: Job, *, tried: bool = True) -> None:
        # It stays known meanwhile, so that nobody puts it a second time.
        if job.key not in self._taken:
            return
        await asyncio.sleep(RETRY)
        if (taken := self._taken.pop(job.key, None)) is not None:
            taken.job, taken.since = replace(job, attempts=job.attempts + tried), monotonic()
            self._waiting[job.key] = taken
            heapq.heappush(self._heap, (taken.order, job.key))
            async with self._news:
                self._news.notify()

    async def wait_of(self, key: str) -> float:
        waiting = self._waiting.get(key)
        if waiting is None:
            return 0.0
        before = sum(other.order <= waiting.order for other in self._waiting.values())
        return self._pace.seconds * before / self._workers

    @property
    def waiting(self) -> int:
        return len(self._waiting) + len(self._taken)

    def note(self, seconds: float) -> None:
        self._pace.note(seconds)
