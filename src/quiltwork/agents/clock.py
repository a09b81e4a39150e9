"""What the time is for an agent that may think so many seconds."""

from __future__ import annotations

import time
from enum import StrEnum


class Clock(StrEnum):
    """What seconds are counted by."""

    WALL = "wall"
    PROCESSOR = "processor"
    """the time that the processor gave to the thinking thread: other work on the machine does not count"""

    def now(self) -> float:
        """The time in seconds, from some start; to be asked by the thread that thinks."""
        return time.thread_time() if self is Clock.PROCESSOR else time.monotonic()
