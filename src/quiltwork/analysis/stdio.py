"""The analysis protocol on two streams: many requests at once, live updates, and nothing that ends the process."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO, Protocol

from quiltwork.agents.agent import Agent, Analysis, Watch
from quiltwork.agents.registry import agent_of
from quiltwork.errors import QuiltworkError
from quiltwork.programs.protocol import MAX_LINE_BYTES, Cancel, Id, Request, RequestError, parse_request, reply_of

MAX_WAITING = 10_000
UPDATE_SECONDS = 0.5


class Writer(Protocol):
    """Where replies go."""

    def write(self, text: str, /) -> object: ...

    def flush(self) -> object: ...


class Service:
    """Answers requests on several threads; each agent thinks about one position at a time."""

    def __init__(
        self, output: Writer, *, threads: int | None = None, update_seconds: float = UPDATE_SECONDS
    ) -> None:
        self._output = output
        self._writing = threading.Lock()
        self._pool = ThreadPoolExecutor(threads or os.cpu_count() or 1, thread_name_prefix="analysis")
        self._lock = threading.Lock()
        self._watches: dict[Id, Watch] = {}
        self._endless: dict[Id, Watch] = {}
        """ids of the requests with an infinite limit"""
        self._resting: dict[str, list[Agent]] = {}
        """agents that have answered, kept with what they remember"""
        self._update_seconds = update_seconds

    def run(self, lines: BinaryIO) -> None:
        """Answers until the input ends, and then what is still open."""
        for line in _lines(lines):
            self.take(line)
        # Nobody is left to cancel them.
        with self._lock:
            for watch in self._endless.values():
                watch.stop()
        self.close()

    def take(self, line: bytes) -> None:
        """Takes one line of input; it never raises."""
        try:
            request = parse_request(line) if len(line) <= MAX_LINE_BYTES else None
            if request is None:
                raise RequestError(f"a line may have at most {MAX_LINE_BYTES:,} bytes")
            if isinstance(request, Cancel):
                self._cancel(request)
            else:
                self._begin(request)
        except RequestError as error:
            self._write(error.as_json())

    def close(self) -> None:
        """Waits for the open requests and gives everything back."""
        self._pool.shutdown(wait=True)
        for agents in self._resting.values():
            for agent in agents:
                agent.close()

    def _cancel(self, cancel: Cancel) -> None:
        with self._lock:
            watch = self._watches.get(cancel.id)
        # A request may have been answered while its cancel was on the way: that is no error.
        if watch is not None:
            watch.stop()

    def _begin(self, request: Request) -> None:
        def report(analysis: Analysis) -> None:
            self._write(reply_of(request.id, analysis, request.lines))

        watch = Watch(report, self._update_seconds)
        with self._lock:
            if request.id in self._watches:
                raise RequestError("a request with this id is open", "id", request.id)
            if len(self._watches) >= MAX_WAITING:
                raise RequestError(f"more than {MAX_WAITING:,} requests are open", None, request.id)
            self._watches[request.id] = watch
            if request.limits.infinite:
                self._endless[request.id] = watch
        self._pool.submit(self._answer, request, watch)

    def _answer(self, request: Request, watch: Watch) -> None:
        try:
            reply = reply_of(request.id, self._think(request, watch), request.lines)
        except RequestError as error:
            reply = error.as_json()
        except Exception as error:
            reply = {"id": request.id, "error": f"{type(error).__name__}: {error}", "field": None}
        with self._lock:
            del self._watches[request.id]
            self._endless.pop(request.id, None)
        self._write(reply)

    def _think(self, request: Request, watch: Watch) -> Analysis:
        with self._lock:
            resting = self._resting.get(request.agent)
            agent = resting.pop() if resting else None
        if agent is None:
            try:
                agent = agent_of(request.agent)
            except QuiltworkError as error:
                raise RequestError(str(error), "agent", request.id) from None
        try:
            analysis = agent.think(request.position, request.limits, watch)
        except QuiltworkError as error:
            agent.close()
            raise RequestError(str(error), None, request.id) from None
        with self._lock:
            self._resting.setdefault(request.agent, []).append(agent)
        return analysis

    def _write(self, reply: dict[str, Any]) -> None:
        text = json.dumps(reply, ensure_ascii=False)
        with self._writing:
            self._output.write(text + "\n")
            self._output.flush()


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines that are not blank; of one that is too long only so much is kept that it shows."""
    while line := stream.readline(MAX_LINE_BYTES + 2):
        if not line.endswith(b"\n"):
            while (rest := stream.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                pass
        if line.strip():
            yield line.rstrip(b"\r\n")
