"""What a visitor is told, on its way out."""

from __future__ import annotations

import asyncio
from typing import Protocol

_MOST = 256
"""messages that a visitor may leave unread"""


class Outbox(Protocol):
    """Takes messages for one connection, without waiting for it."""

    def put_nowait(self, text: str) -> None:
        """Raises asyncio.QueueFull where the visitor leaves too much unread."""

    def full(self) -> bool: ...

    def end(self, code: int) -> None:
        """Closes the connection with that code, after what it has been told."""


class QueuedOutbox:
    """An outbox that a task empties."""

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: asyncio.Queue[str | int] = asyncio.Queue()

    def put_nowait(self, text: str) -> None:
        if self.full():
            raise asyncio.QueueFull
        self._waiting.put_nowait(text)

    def full(self) -> bool:
        return self._waiting.qsize() >= _MOST

    def end(self, code: int) -> None:
        if self.full():
            # Who does not listen hears nothing more; coming back brings everything.
            while not self._waiting.empty():
                self._waiting.get_nowait()
        self._waiting.put_nowait(code)

    async def get(self) -> str | int:
        """The next message, or the code that ends the connection."""
        return await self._waiting.get()

    def __len__(self) -> int:
        return self._waiting.qsize()
