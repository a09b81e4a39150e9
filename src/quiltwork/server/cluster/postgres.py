"""PostgreSQL's part in a cluster: its clock, its notifications, and a connection that hears them."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine

LOG = logging.getLogger("quiltwork.news")
CHANNEL = "quiltwork"
NOW = "extract(epoch FROM clock_timestamp())::float8"
_PAYLOAD = 7500
"""PostgreSQL takes less than 8000 bytes"""
_LOOK = 2.0
_NOTIFY = sa.text("SELECT pg_notify(:channel, payload) FROM unnest(CAST(:payloads AS text[])) AS payload")
_COLUMNS = {
    "game": "text",
    "version": "int",
    "kind": "text",
    "player": "int",
    "at": "float8",
    "body": "text",
    "key": "text",
}
_ARRAYS = ", ".join(f"CAST(:{name} AS {kind}[])" for name, kind in _COLUMNS.items())
_ADD = sa.text(f"""
    WITH added AS (INSERT INTO event ({", ".join(_COLUMNS)}) SELECT * FROM unnest({_ARRAYS}))
    {_NOTIFY}""")
_QUICK = sa.text("SET LOCAL synchronous_commit TO off")


def quick(connection: sa.Connection) -> None:
    """Lets this transaction not wait for the disk: what it writes, others write again after a crash."""
    connection.execute(_QUICK)


def notify(connection: sa.Connection, head: str, words: Iterable[str] = ()) -> None:
    """Sends a head and words with the transaction, in several notifications where they are long."""
    connection.execute(_NOTIFY, {"channel": CHANNEL, "payloads": _payloads(head, words)})


def add_events(
    connection: sa.Connection, rows: Sequence[Mapping[str, Any]], head: str, words: Iterable[str]
) -> None:
    """Adds rows of events and sends a head and words with them, in one statement."""
    columns = {name: [row[name] for row in rows] for name in _COLUMNS}
    connection.execute(_ADD, {**columns, "channel": CHANNEL, "payloads": _payloads(head, words)})


def _payloads(head: str, words: Iterable[str]) -> list[str]:
    found = [head]
    for word in words:
        if len(found[-1]) + len(word) > _PAYLOAD:
            found.append(head)
        found[-1] += f" {word}"
    return found


class Listener:
    """A thread with a connection of its own that hears notifications, and comes back when it is lost."""

    def __init__(self, engine: Engine, heard: Callable[[str], object], missed: Callable[[], object]) -> None:
        self._engine = engine
        self._heard = heard
        self._missed = missed
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="news-listener", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closing.set()

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                self._listen()
            except Exception as error:
                if self._closing.is_set():
                    return
                LOG.warning("the connection for news was lost", extra={"reason": str(error).split("\n")[0]})
            time.sleep(0.2)

    def _listen(self) -> None:
        pooled = self._engine.raw_connection()
        connection: Any = pooled.driver_connection
        pooled.detach()
        try:
            connection.rollback()
            connection.autocommit = True
            connection.execute(f"LISTEN {CHANNEL}")
            # What was sent before is in the database only.
            self._missed()
            while not self._closing.is_set():
                for news in connection.notifies(timeout=_LOOK):
                    self._heard(news.payload)
                # Finds out where the other end is gone.
                connection.execute("SELECT 1")
        finally:
            connection.close()
