"""The jobs of several processes: rows with leases.

A worker that takes a job leases it for some seconds and renews the lease while it thinks. Where it dies, the lease
runs out and another takes the job. So a job may be done twice, but its move is played once: the game has each
version once.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from time import monotonic

import sqlalchemy as sa

from quiltwork.server.answers import Refusal
from quiltwork.server.cluster.jobs import RETRY, Job, JobKind, Json, Limits, Pace, busy
from quiltwork.server.cluster.postgres import NOW, notify, quick
from quiltwork.server.store import Store

LEASE = 5.0
_POLL = 2.0
"""seconds between two looks: of idle workers for jobs whose lease ran out, and of askers for an answer"""
_PASSED = 1.0
"""seconds for which a job that this process left to others is not taken here"""
_KEPT = 600.0
"""seconds for which an unfinished job is kept"""

_VISITOR = "CAST(:visitor AS varchar)"
_PUT = sa.text(f"""
    INSERT INTO job (key, game, version, kind, visitor, people, nonce, turn, put, lease, attempts)
    SELECT :key, :game, :version, :kind, {_VISITOR}, :people, :nonce,
        1 + GREATEST(COALESCE((SELECT min(turn) FROM job WHERE answer IS NULL), 0),
                     COALESCE((SELECT max(turn) FROM job WHERE answer IS NULL AND visitor = {_VISITOR}), 0)),
        {NOW}, 0, 0
    WHERE (SELECT count(*) FROM job WHERE answer IS NULL AND worker IS NULL) < :all
      AND (SELECT count(*) FROM job WHERE answer IS NULL AND worker IS NULL AND visitor = {_VISITOR}) < :each
    ON CONFLICT (key) DO NOTHING RETURNING key""")
_KNOWN = sa.text("SELECT 1 FROM job WHERE key = :key")
_TAKE = sa.text(f"""
    UPDATE job SET worker = :me, lease = {NOW} + {LEASE}, attempts = attempts + 1
    WHERE key = (SELECT key FROM job WHERE answer IS NULL AND lease < {NOW}
                   AND key <> ALL(CAST(:passed AS text[]))
                 ORDER BY people DESC, turn, put LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING game, version, kind, visitor, people, nonce, attempts, {NOW} - put AS waited""")
_REMOVE = sa.text("DELETE FROM job WHERE key = :key")
_ANSWER = sa.text("UPDATE job SET answer = :answer, worker = NULL WHERE key = :key")
_READ = sa.text("SELECT answer FROM job WHERE key = :key")
_PUT_BACK = sa.text(f"UPDATE job SET worker = NULL, lease = {NOW} + {RETRY} WHERE key = :key AND worker = :me")
_PASS_ON = sa.text("""
    UPDATE job SET worker = NULL, lease = 0, attempts = attempts - 1 WHERE key = :key AND worker = :me""")
_RENEW = sa.text(f"UPDATE job SET lease = {NOW} + {LEASE} WHERE key = ANY(:keys) AND worker = :me")
_RELEASE = sa.text("UPDATE job SET worker = NULL, lease = 0 WHERE worker = ANY(:workers) AND answer IS NULL")
_FORGET = sa.text(f"DELETE FROM job WHERE put < {NOW} - {_KEPT}")
_COUNT = sa.text("SELECT count(*) FROM job WHERE answer IS NULL")
_WAIT = sa.text("""
    SELECT (SELECT count(*) FROM job AS other WHERE other.answer IS NULL AND other.worker IS NULL
              AND (NOT other.people, other.turn, other.put) <= (NOT mine.people, mine.turn, mine.put)),
        (SELECT COALESCE(avg(pace), 0.5) FROM process WHERE workers > 0),
        (SELECT COALESCE(sum(workers), 0) FROM process)
    FROM job AS mine WHERE mine.key = :key AND mine.answer IS NULL AND mine.worker IS NULL""")


class JobTable:
    """The queue of all processes on a database, seen from one of them."""

    def __init__(self, store: Store, process: str, limits: Limits, hide: Callable[[str], str]) -> None:
        self._store = store
        self._me = process
        self._limits = limits
        self._hide = hide
        self._work = asyncio.Event()
        self._answers: dict[str, asyncio.Event] = {}
        self._count = 0
        self._mine: set[str] = set()
        self._passed: dict[str, float] = {}
        """jobs left to others, and until when"""
        self.pace = Pace()

    async def put(self, job: Job) -> None:
        await self._put(job)

    async def _put(self, job: Job) -> None:
        row = {
            "key": job.key,
            "game": job.game,
            "version": job.version,
            "kind": job.kind.value,
            "visitor": self._hide(job.visitor),
            "people": job.people,
            "nonce": job.nonce,
            "all": self._limits.all,
            "each": self._limits.each,
        }

        def insert(connection: sa.Connection) -> bool:
            quick(connection)
            if connection.execute(_PUT, row).one_or_none():
                notify(connection, f"j {self._me}")
                return True
            return connection.execute(_KNOWN, {"key": job.key}).one_or_none() is not None

        if not await self._store.transact(insert):
            raise busy(self.pace.seconds * self._limits.each)

    async def ask(self, job: Job, timeout: float) -> Json:
        news = self._answers[job.key] = asyncio.Event()
        try:
            await self._put(job)
            async with asyncio.timeout(timeout):
                while True:
                    try:
                        async with asyncio.timeout(_POLL):
                            await news.wait()
                    except TimeoutError:
                        pass
                    news.clear()
                    row = await self._store.transact(
                        lambda connection: connection.execute(_READ, {"key": job.key}).one_or_none()
                    )
                    if row is None:
                        raise Refusal("stale", "The game has moved on; look at it again.", 409)
                    if row.answer is not None:
                        answer: Json = json.loads(row.answer)
                        return answer
        finally:
            del self._answers[job.key]
            await self._remove(job)

    async def take(self) -> Job:
        while True:
            self._work.clear()
            moment = monotonic()
            self._passed = {key: until for key, until in self._passed.items() if until > moment}
            row = await self._store.transact(self._claim)
            if row is not None:
                # There may be more for another worker of this process.
                self._work.set()
                job = Job(**{**row._mapping, "kind": JobKind(row.kind)})
                self._mine.add(job.key)
                return job
            try:
                async with asyncio.timeout(_PASSED if self._passed else _POLL):
                    await self._work.wait()
            except TimeoutError:
                pass

    def _claim(self, connection: sa.Connection) -> sa.Row[tuple[str, int, str, str, bool, str, int, float]] | None:
        quick(connection)
        return connection.execute(_TAKE, {"me": self._me, "passed": list(self._passed)}).one_or_none()

    async def finish(self, job: Job, answer: Json | None = None) -> None:
        self._mine.discard(job.key)
        if answer is None:
            await self._remove(job)
            return
        text = json.dumps(answer)

        def write(connection: sa.Connection) -> None:
            quick(connection)
            connection.execute(_ANSWER, {"key": job.key, "answer": text})
            notify(connection, f"a {self._me} {job.key}")

        await self._store.transact(write)

    async def _remove(self, job: Job) -> None:
        def remove(connection: sa.Connection) -> None:
            quick(connection)
            connection.execute(_REMOVE, {"key": job.key})

        await self._store.transact(remove)

    async def put_back(self, job: Job, *, tried: bool = True) -> None:
        self._mine.discard(job.key)
        if not tried:
            self._passed[job.key] = monotonic() + _PASSED

        def release(connection: sa.Connection) -> None:
            quick(connection)
            connection.execute(_PUT_BACK if tried else _PASS_ON, {"key": job.key, "me": self._me})
            if not tried:
                notify(connection, f"j {self._me}")

        await self._store.transact(release)

    async def wait_of(self, key: str) -> float:
        row = await self._store.transact(lambda connection: connection.execute(_WAIT, {"key": key}).one_or_none())
        if row is None:
            return 0.0
        before, pace, workers = row
        return float(before) * float(pace) / max(1, int(workers))

    @property
    def waiting(self) -> int:
        return self._count

    def note(self, seconds: float) -> None:
        self.pace.note(seconds)

    def hear(self, kind: str, key: str) -> None:
        """News of jobs: `j` there is work, `a` there is an answer."""
        if kind == "j":
            self._work.set()
        elif key in self._answers:
            self._answers[key].set()

    def release(self, connection: sa.Connection, workers: list[str]) -> None:
        """Lets others take the jobs of processes that are gone."""
        if connection.execute(_RELEASE, {"workers": workers}).rowcount:
            notify(connection, f"j {self._me}")

    def pulse(self, connection: sa.Connection) -> None:
        """Renews the leases of this process, and forgets what nobody wants."""
        connection.execute(_RENEW, {"me": self._me, "keys": list(self._mine)})
        connection.execute(_FORGET)
        self._count = connection.execute(_COUNT).scalar_one()
