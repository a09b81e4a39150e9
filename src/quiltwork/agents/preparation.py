"""Preparation: on a new machine agents are compiled beside the program, so that it can begin at once."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import TypeAlias

from quiltwork.agents.warm import RULES, STAGES, is_ready

Step: TypeAlias = tuple[str, int, int]
"""a stage, how many of its steps are done, and how many there are"""


class Preparation:
    """A process that compiles, and the stages that it has done; one that fails leaves the rest to first use."""

    def __init__(self) -> None:
        self._stage, self._done, self._total = int(is_ready(RULES)), 0, 1
        command = [sys.executable, "-m", "quiltwork.agents.warm", "--report"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._follower = threading.Thread(target=self._follow, daemon=True)
        self._follower.start()

    @property
    def step(self) -> Step | None:
        """The stage in work with its steps; None when all is done."""
        left = STAGES[self._stage :]
        return (left[0], self._done, self._total) if left else None

    def has_done(self, stage: str) -> bool:
        return self._stage > STAGES.index(stage)

    def close(self) -> None:
        self._process.terminate()
        self._follower.join(5)

    def _follow(self) -> None:
        for _ in self._steps():
            pass

    def _steps(self) -> Iterator[Step]:
        """Each step as it is reported; it counts when who asked has told it."""
        assert self._process.stdout is not None
        with self._process:
            for line in self._process.stdout:
                stage, *steps = line.split()
                done, total = map(int, steps)
                yield stage, done, total
                self._done, self._total = (done, total) if done < total else (0, 1)
                self._stage = STAGES.index(stage) + (done == total)
        # Also where it failed: what is left is then compiled when it is first used.
        self._stage = len(STAGES)
