"""The clock by which limits in seconds are counted."""

from __future__ import annotations

import time
from enum import StrEnum


class Clock(StrEnum):
    """How seconds are counted."""

    WALL = "wall"
    PROCESSOR = "processor"
    """the time that the processor gave to the thinking thread: other work on the machine does not count"""

    def now(self) -> float:
        """Seconds since some start; call it in the thread that thinks."""
        return time.thread_time() if self is Clock.PROCESSOR else time.monotonic()
