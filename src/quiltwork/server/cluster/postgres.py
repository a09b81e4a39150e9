"""PostgreSQL's part in a cluster: its clock, its notifications, and a connection that hears them."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine

LOG = logging.getLogger("quiltwork.news")
CHANNEL = "quiltwork"
NOW = "extract(epoch FROM clock_timestamp())::float8"
_PAYLOAD = 7500
"""PostgreSQL takes less than 8000 bytes"""
_LOOK = 2.0
_NOTIFY = sa.text("SELECT pg_notify(:channel, :payload)")
_QUICK = sa.text("SET LOCAL synchronous_commit TO off")


def quick(connection: sa.Connection) -> None:
    """Lets this transaction not wait for the disk: what it writes, others write again after a crash."""
    connection.execute(_QUICK)


def notify(connection: sa.Connection, head: str, words: Iterable[str] = ()) -> None:
    """Sends a head and words with the transaction, in several notifications where they are long."""
    payload = head
    for word in words:
        if len(payload) + len(word) > _PAYLOAD:
            connection.execute(_NOTIFY, {"channel": CHANNEL, "payload": payload})
            payload = head
        payload += f" {word}"
    connection.execute(_NOTIFY, {"channel": CHANNEL, "payload": payload})


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
