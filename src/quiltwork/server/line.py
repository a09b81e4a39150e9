"""A queue that weighs little: a server with many idle connections has two for each."""

from __future__ import annotations

import asyncio
from typing import Generic, TypeVar

T = TypeVar("T")


class Line(Generic[T]):
    """What waits for its one reader, in order; `asyncio.Queue` needs 2 KB while it is empty."""

    __slots__ = ("_items", "_most", "_reader")

    def __init__(self, most: int = 0) -> None:
        self._items: list[T] = []
        self._most = most
        self._reader: asyncio.Future[None] | None = None

    async def get(self) -> T:
        while not self._items:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self._items.pop(0)

    def put_nowait(self, item: T) -> None:
        """Raises asyncio.QueueFull."""
        if self.full():
            raise asyncio.QueueFull
        self._items.append(item)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def clear(self) -> None:
        self._items.clear()

    def __len__(self) -> int:
        return len(self._items)

    def empty(self) -> bool:
        return not self._items

    def full(self) -> bool:
        return 0 < self._most <= len(self._items)
