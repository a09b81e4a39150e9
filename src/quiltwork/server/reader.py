"""The reader: what takes long to read is read beside the event loop, and visitors take turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from quiltwork.server.answers import Refusal

T = TypeVar("T")
_WITHIN = 15.0
"""the seconds that reading may take, waiting for others included"""
_EACH = 8
"""what one visitor may have waiting"""


@dataclass
class _Visitor:
    waiting: int = 0
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class Reader:
    """One thread; a visitor has one thing in its queue at a time, so that nobody waits for all of another's."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "reader")
        self._visitors: dict[str, _Visitor] = {}

    async def do(self, work: Callable[[], T], visitor: str) -> T:
        """Does something in the thread; raises Refusal where too much waits."""
        here = self._visitors.setdefault(visitor, _Visitor())
        if here.waiting >= _EACH:
            raise _busy(429)
        here.waiting += 1
        try:
            async with asyncio.timeout(_WITHIN), here.turn:
                return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except TimeoutError:
            raise _busy(503) from None
        finally:
            here.waiting -= 1
            if not here.waiting:
                self._visitors.pop(visitor, None)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


def _busy(status: int) -> Refusal:
    return Refusal("busy", "Too much is being read at the moment; try again soon.", status, 5.0)
