"""Structured logs: one JSON object a line on stderr, without tokens and without moves of people."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

_OWN = set(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "color_message"}


class JsonLines(logging.Formatter):
    """Formats a record as one JSON object; what was given as `extra` becomes its fields."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        line.update({key: value for key, value in record.__dict__.items() if key not in _OWN})
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


class Brakes(logging.Filter):
    """Lets the same line through so often a minute, then counts what it holds back."""

    def __init__(self, lines: int = 20, seconds: float = 60.0) -> None:
        super().__init__()
        self._lines = lines
        self._seconds = seconds
        self._seen: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if len(self._seen) > _KINDS:
            self._seen.clear()
        kind = (record.name, str(record.msg)[:_KIND])
        since, number = self._seen.get(kind, (record.created, 0))
        if record.created - since >= self._seconds:
            if number > self._lines:
                record.held_back = number - self._lines
            since, number = record.created, 0
        self._seen[kind] = (since, number + 1)
        return number < self._lines


_KINDS = 1000
_KIND = 200


def set_up_logs(level: str = "info") -> None:
    """Sends the logs of the server, and of the libraries under it, to stderr as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(Brakes())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    for noisy in ("alembic", "uvicorn.access", "uvicorn.error"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
