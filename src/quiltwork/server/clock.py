"""The time of events, where one process serves alone."""

from __future__ import annotations

import time

_EPOCH = time.time() - time.monotonic()


def now() -> float:
    """Seconds since 1970, which within a process only go forward."""
    return _EPOCH + time.monotonic()
