"""Another program as a child process: lines in, lines out, stderr kept, and guarded against all it may do."""

from __future__ import annotations

import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from typing import IO, Any

from quiltwork.errors import QuiltworkError
from quiltwork.programs.protocol import MAX_LINE_BYTES

KEPT_BYTES = 65_536
"""of what a program wrote to its stderr, the end"""
SETTLE_SECONDS = 0.5
"""a program that has not ended so long after its start, unasked, has started"""


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
        """of the program"""
        self.fault = fault
        """what kind of failure it was"""
        self.sentence = sentence
        """what happened, with the last line of its stderr"""
        super().__init__(f"cmd:{command}: {fault.value}: {sentence}")

    def __reduce__(self) -> tuple[Any, ...]:
        return AgentFault, (self.command, self.fault, self.sentence)


class CannotStart(QuiltworkError):
    """Another program cannot be started, so that there is no agent at all."""


class Stderr:
    """The end of what a program wrote to its stderr; it outlives the program."""

    def __init__(self) -> None:
        self._kept = b""
        self._lock = threading.Lock()

    def add(self, content: bytes) -> None:
        with self._lock:
            self._kept = (self._kept + content)[-KEPT_BYTES:]

    @property
    def text(self) -> str:
        with self._lock:
            return self._kept.decode("utf-8", "replace")

    @property
    def last_line(self) -> str:
        """The last line that says something, or nothing."""
        return next((line.strip() for line in reversed(self.text.splitlines()) if line.strip()), "")


def words_of(kind: str, command: str) -> list[str]:
    """The words of a command; raises QuiltworkError for what is none."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise QuiltworkError(f"agent {kind}: the command cannot be read: {error}") from None
    if not words:
        raise QuiltworkError(f"agent {kind}: expected a program after the colon, as in {kind}:./my_bot --flag")
    return words


class Program:
    """A running program; threads read what it writes, so that nothing it does can block us."""

    def __init__(self, command: str, words: list[str], stderr: Stderr | None = None) -> None:
        self._command = command
        self.stderr = stderr or Stderr()
        try:
            self._popen = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise CannotStart(f"{command}: cannot be started: {reason}") from None
        self._lines: queue.Queue[bytes | Fault] = queue.Queue(maxsize=1000)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._complaints = threading.Thread(target=self._keep_stderr, daemon=True)
        self._listener.start()
        self._complaints.start()

    def settle(self) -> None:
        """Waits until a start that goes wrong would have shown; raises CannotStart."""
        with suppress(subprocess.TimeoutExpired):
            code = self._popen.wait(SETTLE_SECONDS)
            self._complaints.join(SETTLE_SECONDS)
            quoted = self._quoted()
            self.end()
            raise CannotStart(
                f"{self._command}: cannot be started: it ended with exit code {code} before it was asked{quoted}"
            )

    def fault(self, fault: Fault, sentence: str) -> AgentFault:
        """A fault of this program, with the last line of its stderr."""
        return AgentFault(self._command, fault, sentence + self._quoted())

    def _quoted(self) -> str:
        last = self.stderr.last_line
        return f"; its stderr ends with {last[:200]!r}" if last else ""

    def write(self, line: str) -> None:
        assert self._popen.stdin is not None
        # A program that has ended may have answered before: reading tells.
        with suppress(OSError, ValueError):
            # A request is far smaller than a pipe, so a program that does not read cannot hold us up.
            self._popen.stdin.write(line.encode() + b"\n")
            self._popen.stdin.flush()

    def read(self, deadline: float, stopped: Callable[[], bool] | None = None) -> bytes | None:
        """The next line; None as soon as `stopped` says so while waiting."""
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise self.fault(Fault.HANG, "no answer in time")
            try:
                line = self._lines.get(timeout=min(left, 3600.0) if stopped is None else min(left, 0.02))
            except queue.Empty:
                if stopped is not None and stopped():
                    return None
                continue
            if line is Fault.CRASH:
                raise self._crashed()
            if isinstance(line, Fault):
                raise self.fault(line, f"a line of more than {MAX_LINE_BYTES:,} bytes")
            return line

    def _crashed(self) -> AgentFault:
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(1.0)
        self._complaints.join(0.5)
        code = self._popen.returncode
        return self.fault(
            Fault.CRASH, "it closed its output" if code is None else f"it ended with exit code {code}"
        )

    def _listen(self) -> None:
        kept = b""
        while content := _read(self._popen.stdout):
            *lines, kept = (kept + content).split(b"\n")
            for line in lines:
                if line.strip():
                    self._lines.put(line)
            if len(kept) > MAX_LINE_BYTES:
                self._lines.put(Fault.FLOOD)
                return
        self._lines.put(Fault.CRASH)

    def _keep_stderr(self) -> None:
        while content := _read(self._popen.stderr):
            self.stderr.add(content)

    def end(self) -> None:
        """Closes its input, and ends it where that is not enough; its own children go with it."""
        with suppress(OSError):
            if self._popen.stdin is not None:
                self._popen.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(0.5)
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._popen.pid, signal.SIGKILL)
            else:
                self._popen.kill()
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(5.0)
        # The listener may wait for room in a full queue: make some until it has come to the end.
        for _ in range(100):
            with suppress(queue.Empty):
                while True:
                    self._lines.get_nowait()
            self._listener.join(0.01)
            if not self._listener.is_alive():
                break
        self._complaints.join(0.5)
        for stream, reader in ((self._popen.stdout, self._listener), (self._popen.stderr, self._complaints)):
            if stream is not None and not reader.is_alive():
                with suppress(OSError):
                    stream.close()


def _read(stream: IO[bytes] | None) -> bytes:
    """What there is to read, or nothing at the end."""
    assert stream is not None
    try:
        return os.read(stream.fileno(), 65536)
    except (OSError, ValueError):
        return b""
