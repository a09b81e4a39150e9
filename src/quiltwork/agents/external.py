"""`cmd:PROGRAM`: another program as an agent, through the analysis protocol; guarded against all it may do."""

from __future__ import annotations

import json
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from contextlib import suppress
from enum import Enum
from itertools import count
from typing import Any

from quiltwork.agents.agent import Analysis, Limits, RankedMove, Watch, mover_of
from quiltwork.errors import QuiltworkError
from quiltwork.position import Position

START_SECONDS = 20.0
"""for a program to start and to answer its first request, beyond the limit of the move"""
GRACE_SECONDS = 5.0
"""for every later answer, beyond the limit of the move"""
UNLIMITED_SECONDS = 60.0
"""for an answer whose limit is not in seconds"""
MAX_LINE_BYTES = 1_000_000
MAX_LINES = 10_000
"""that a program may write for one answer"""


class Fault(Enum):
    """What another program did wrong."""

    CRASH = "crash"
    HANG = "hang"
    ILLEGAL_MOVE = "illegal move"
    GARBAGE = "garbage"
    FLOOD = "flood"
    REFUSAL = "refusal"


class AgentFault(QuiltworkError):
    """Another program failed as an agent; `fault` says how."""

    def __init__(self, command: str, fault: Fault, sentence: str) -> None:
        self.command = command
        self.fault = fault
        self.sentence = sentence
        super().__init__(f"cmd:{command}: {fault.value}: {sentence}")

    def __reduce__(self) -> tuple[Any, ...]:
        return AgentFault, (self.command, self.fault, self.sentence)


class ExternalAgent:
    """A program that answers requests; it is started with the first one and ended by `close`."""

    def __init__(self, command: str) -> None:
        self.command = command.strip()
        self.name = f"cmd:{self.command}"
        try:
            self._words = shlex.split(self.command)
        except ValueError as error:
            raise QuiltworkError(f"agent cmd: the command cannot be read: {error}") from None
        if not self._words:
            raise QuiltworkError("agent cmd: expected a program after the colon, as in cmd:./my_bot --flag")
        self._process: Program | None = None
        self._ids = count(1)

    def think(self, position: Position, limits: Limits | None = None, watch: Watch | None = None) -> Analysis:
        turn = mover_of(position)
        limits = limits or Limits()
        patience = GRACE_SECONDS
        if self._process is None:
            self._process = Program(self.command, self._words)
            patience = START_SECONDS
        patience += UNLIMITED_SECONDS if limits.seconds is None else limits.seconds
        number = f"q{next(self._ids)}"
        asked: dict[str, float] = {}
        if limits.seconds is not None:
            asked["seconds"] = limits.seconds
        if limits.simulations is not None:
            asked["simulations"] = limits.simulations
        request = {"id": number, "position": position.text, "limits": asked, "lines": 1}
        try:
            self._process.write(json.dumps(request))
            reply = self._reply(number, time.monotonic() + patience, watch)
            return self._analysis(position, turn, reply)
        except AgentFault:
            self.close()
            raise

    def close(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None

    def _fault(self, fault: Fault, sentence: str) -> AgentFault:
        return AgentFault(self.command, fault, sentence)

    def _reply(self, number: str, deadline: float, watch: Watch | None) -> dict[str, Any]:
        """The final reply to a request; partial ones, and late ones to earlier requests, are passed over."""
        assert self._process is not None
        cancelled = False
        for _ in range(MAX_LINES):
            if watch is not None and watch.stopped and not cancelled:
                self._process.write(json.dumps({"id": number, "cancel": True}))
                deadline = min(deadline, time.monotonic() + GRACE_SECONDS)
                cancelled = True
            line = self._process.read(deadline, watch if not cancelled else None)
            if line is None:
                continue
            try:
                reply = json.loads(line)
            except (ValueError, RecursionError):
                shown = line[:60].decode("utf-8", "replace")
                raise self._fault(Fault.GARBAGE, f"expected a JSON object, found {shown!r}") from None
            if not isinstance(reply, dict):
                raise self._fault(Fault.GARBAGE, f"expected a JSON object, found {type(reply).__name__}")
            if reply.get("id") != number or reply.get("partial") is True:
                continue
            if "error" in reply:
                raise self._fault(Fault.REFUSAL, f"it answered with the error {str(reply['error'])[:100]!r}")
            return reply
        raise self._fault(Fault.FLOOD, f"more than {MAX_LINES:,} lines without an answer")

    def _analysis(self, position: Position, turn: Any, reply: dict[str, Any]) -> Analysis:
        try:
            text = reply["moves"][0]["move"]
        except (KeyError, IndexError, TypeError):
            raise self._fault(Fault.GARBAGE, "its answer has no moves[0].move") from None
        if not isinstance(text, str):
            raise self._fault(Fault.GARBAGE, f"moves[0].move must be a text, not {type(text).__name__}")
        try:
            move = position.move(text)
        except QuiltworkError as error:
            raise self._fault(Fault.ILLEGAL_MOVE, str(error)) from None
        first = reply["moves"][0]
        ranked = RankedMove(
            move, int(_number(first, "visits")), _number(first, "win", 0.5), _number(first, "points"), (move,)
        )
        return Analysis(turn, (ranked,), int(_number(reply, "simulations")))


def _number(reply: dict[str, Any], key: str, default: float = 0.0) -> float:
    value = reply.get(key, default)
    finite = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15
    return float(value) if finite else default


class Program:
    """A running program; a thread reads what it writes, so that nothing it does can block us."""

    def __init__(self, command: str, words: list[str]) -> None:
        self._command = command
        try:
            self._popen = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise AgentFault(command, Fault.CRASH, f"it cannot be started: {reason}") from None
        self._lines: queue.Queue[bytes | Fault] = queue.Queue(maxsize=1000)
        threading.Thread(target=self._listen, daemon=True).start()

    def write(self, line: str) -> None:
        assert self._popen.stdin is not None
        try:
            # A request is far smaller than a pipe, so a program that does not read cannot hold us up.
            self._popen.stdin.write(line.encode() + b"\n")
            self._popen.stdin.flush()
        except OSError:
            raise self._crashed() from None

    def read(self, deadline: float, watch: Watch | None) -> bytes | None:
        """The next line; None if the watcher said stop while waiting."""
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise AgentFault(self._command, Fault.HANG, "no answer in time")
            try:
                line = self._lines.get(timeout=left if watch is None else min(left, 0.02))
            except queue.Empty:
                if watch is not None and watch.stopped:
                    return None
                continue
            if line is Fault.CRASH:
                raise self._crashed()
            if isinstance(line, Fault):
                raise AgentFault(self._command, line, f"a line of more than {MAX_LINE_BYTES:,} bytes")
            return line

    def _crashed(self) -> AgentFault:
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(1.0)
        code = self._popen.returncode
        sentence = "it closed its output" if code is None else f"it ended with exit code {code}"
        return AgentFault(self._command, Fault.CRASH, sentence)

    def _listen(self) -> None:
        assert self._popen.stdout is not None
        kept = b""
        number = self._popen.stdout.fileno()
        while True:
            try:
                content = os.read(number, 65536)
            except (OSError, ValueError):
                content = b""
            if not content:
                self._lines.put(Fault.CRASH)
                return
            *lines, kept = (kept + content).split(b"\n")
            for line in lines:
                if line.strip():
                    self._lines.put(line)
            if len(kept) > MAX_LINE_BYTES:
                self._lines.put(Fault.FLOOD)
                return

    def end(self) -> None:
        with suppress(OSError):
            if self._popen.stdin is not None:
                self._popen.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(0.5)
        # Its own children go with it.
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._popen.pid, signal.SIGKILL)
            else:
                self._popen.kill()
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(5.0)
        # The listener waits for room in a full queue: make some.
        while True:
            try:
                self._lines.get_nowait()
            except queue.Empty:
                break
        if self._popen.stdout is not None and self._popen.poll() is not None:
            with suppress(OSError):
                self._popen.stdout.close()
