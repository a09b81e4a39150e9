"""Threads that share the work of one call: the caller works too, and waits only for what has been begun.

A pool of futures costs tens of microseconds a call, as much as hundreds of plies. Here the shares of a call lie
in one iterator, and whoever is free takes the next: a thread that wakes late finds less to do, or nothing.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeAlias

Share: TypeAlias = tuple[int, int]
"""the first game, and the one after the last"""


class _Round:
    """One call: its shares, handed out in order, and what became of them."""

    def __init__(self, work: Callable[[Share], Any], shares: Sequence[Share]) -> None:
        self._work = work
        # The next of an iterator of a sequence is taken under the interpreter lock, so by one thread alone.
        self._left: Iterator[tuple[int, Share]] = iter(tuple(enumerate(shares)))
        self.done: SimpleQueue[tuple[int, Any, BaseException | None]] = SimpleQueue()

    def help(self) -> None:
        """Does shares until none is left."""
        for number, share in self._left:
            try:
                self.done.put((number, self._work(share), None))
            except BaseException as error:
                self.done.put((number, None, error))


class Team:
    """The caller of `each` and some threads that help it; they end when the team is no longer in use."""

    def __init__(self, helpers: int) -> None:
        self._rounds: SimpleQueue[_Round | None] = SimpleQueue()
        self._helpers = helpers
        for _ in range(helpers):
            Thread(target=_wait_for_rounds, args=(self._rounds,), daemon=True).start()
        weakref.finalize(self, _dismiss, self._rounds, helpers)

    def each(self, work: Callable[[Share], Any], shares: Sequence[Share]) -> list[Any]:
        """The results of `work` for all shares, in their order; raises what the first share that failed raised."""
        this = _Round(work, shares)
        for _ in range(self._helpers):
            self._rounds.put(this)
        this.help()
        results = [None] * len(shares)
        failed: dict[int, BaseException] = {}
        for _ in shares:
            number, results[number], error = this.done.get()
            if error is not None:
                failed[number] = error
        if failed:
            raise failed[min(failed)]
        return results


def _wait_for_rounds(rounds: SimpleQueue[_Round | None]) -> None:
    while (this := rounds.get()) is not None:
        this.help()


def _dismiss(rounds: SimpleQueue[_Round | None], helpers: int) -> None:
    for _ in range(helpers):
        rounds.put(None)
