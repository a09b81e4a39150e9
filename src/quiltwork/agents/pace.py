"""How much of its limits an agent has left."""

from __future__ import annotations

import math
import time

from quiltwork.agents.agent import Limits, Watch

ANSWER_SECONDS = 0.002
"""kept back for writing the answer"""


class Pace:
    """The limits of one answer, counted from now; for the thread that thinks."""

    def __init__(self, limits: Limits, watch: Watch) -> None:
        self.limits = limits
        self.watch = watch
        self._began = limits.clock.now()
        self._reported = time.monotonic()

    def seconds_left(self) -> float:
        """Until the time is used up; infinite without a limit, 0 when the watcher says stop."""
        if self.watch.stopped:
            return 0.0
        if self.limits.seconds is None:
            return math.inf
        usable = max(0.0, self.limits.seconds - ANSWER_SECONDS)
        return self._began + usable - self.limits.clock.now()

    @property
    def report_due(self) -> bool:
        return self.watch.report is not None and time.monotonic() - self._reported >= self.watch.every

    def reported(self) -> None:
        """Counts the time to the next report from now."""
        self._reported = time.monotonic()
