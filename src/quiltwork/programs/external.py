"""`cmd:PROGRAM`: another program as an agent, through the analysis protocol."""

from __future__ import annotations

import time
from itertools import count
from math import inf
from typing import Any

from quiltwork.agents.agent import Analysis, Limits, Watch, mover_of
from quiltwork.errors import QuiltworkError
from quiltwork.position import Position
from quiltwork.programs.program import AgentFault, Fault, Program, Stderr, words_of
from quiltwork.programs.protocol import ReplyError, analysis_of, cancel_line, parse_reply, request_line

START_SECONDS = 20.0
"""for a program to start and to answer its first request, beyond the limit of the move"""
GRACE_SECONDS = 5.0
"""for every later answer, beyond the limit of the move"""
UNLIMITED_SECONDS = 60.0
"""for an answer whose limit is not in seconds"""
MAX_LINES = 10_000
"""that a program may write for one answer, unless it thinks until it is stopped"""


class ExternalAgent:
    """A program that answers requests; it is started with the first one and ended by `close`."""

    def __init__(self, command: str) -> None:
        self.command = command.strip()
        self.name = f"cmd:{self.command}"
        self._words = words_of("cmd", self.command)
        self._program: Program | None = None
        self._stderr = Stderr()
        self._ids = count(1)

    @property
    def stderr(self) -> str:
        """The end of what the program wrote to its stderr, also after it was closed."""
        return self._stderr.text

    def start(self) -> None:
        """Starts the program, if it does not run; raises CannotStart."""
        if self._program is None:
            self._program = Program(self.command, self._words, self._stderr)
            self._program.settle()

    def think(self, position: Position, limits: Limits | None = None, watch: Watch | None = None) -> Analysis:
        mover_of(position)
        limits = limits or Limits()
        patience = GRACE_SECONDS
        if self._program is None:
            self._program = Program(self.command, self._words, self._stderr)
            patience = START_SECONDS
        if limits.infinite:
            patience = inf
        else:
            patience += UNLIMITED_SECONDS if limits.seconds is None else limits.seconds
        number = f"q{next(self._ids)}"
        try:
            self._program.write(request_line(number, position, limits))
            return self._answer(self._program, number, position, limits, time.monotonic() + patience, watch)
        except AgentFault:
            self.close()
            raise

    def close(self) -> None:
        program, self._program = self._program, None
        if program is not None:
            program.end()

    def _answer(
        self,
        program: Program,
        number: str,
        position: Position,
        limits: Limits,
        deadline: float,
        watch: Watch | None,
    ) -> Analysis:
        """The final reply to a request; the watcher hears the partial ones, late ones to others are dropped."""
        cancelled = False
        lines = 0
        while limits.infinite or lines < MAX_LINES:
            if watch is not None and watch.stopped and not cancelled:
                program.write(cancel_line(number))
                deadline = min(deadline, time.monotonic() + GRACE_SECONDS)
                cancelled = True
            line = program.read(deadline, None if watch is None or cancelled else lambda: watch.stopped)
            if line is None:
                continue
            lines += 1
            reply = self._reply(program, line)
            if reply.get("id") != number:
                continue
            if "error" in reply:
                sentence = f"it answered with the error {str(reply['error'])[:100]!r}"
                raise program.fault(Fault.REFUSAL, sentence)
            if reply.get("partial") is not True:
                return self._analysis(program, reply, position, limits)
            if watch is not None and watch.report is not None:
                watch.report(self._analysis(program, reply, position, limits))
        raise program.fault(Fault.FLOOD, f"more than {MAX_LINES:,} lines without an answer")

    def _reply(self, program: Program, line: bytes) -> dict[str, Any]:
        try:
            return parse_reply(line)
        except ReplyError as error:
            raise program.fault(Fault.GARBAGE, str(error)) from None

    def _analysis(self, program: Program, reply: dict[str, Any], position: Position, limits: Limits) -> Analysis:
        try:
            return analysis_of(reply, position, limits)
        except ReplyError as error:
            raise program.fault(Fault.GARBAGE, str(error)) from None
        except QuiltworkError as error:
            raise program.fault(Fault.ILLEGAL_MOVE, str(error)) from None
