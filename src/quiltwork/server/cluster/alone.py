"""One process that serves alone: nothing to tell, and nobody to ask."""

from __future__ import annotations

from collections.abc import Sequence

from quiltwork.server.clock import now
from quiltwork.server.cluster import Audience
from quiltwork.server.cluster.jobs import Limits, MemoryJobs
from quiltwork.server.limits import Buckets
from quiltwork.server.settings import Settings
from quiltwork.server.store import Store


class Alone:
    """The cluster of a single process."""

    shared = False
    is_awake = True

    def __init__(self, settings: Settings, store: Store) -> None:
        self._store = store
        self.jobs = MemoryJobs(Limits(settings.engine_queue, settings.engine_share), settings.engine_workers)
        self.up_since = now()
        self._buckets = {
            name: Buckets(a_minute / 60, a_minute) for name, a_minute in settings.minute_limits.items()
        }

    def now(self) -> float:
        return now()

    async def is_ready(self) -> bool:
        return await self._store.is_ready()

    def storage_failed(self) -> None:
        self.up_since = now()

    async def start(self, audience: Audience) -> None:
        pass

    async def close(self) -> None:
        pass

    async def allows(self, what: str, visitor: str) -> bool:
        return self._buckets[what].take(visitor)

    async def show(self, games: Sequence[str]) -> None:
        pass
