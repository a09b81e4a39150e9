"""The store: games and their events in a database, each event durable before anyone is told.

Writes go through one thread that commits all that has gathered in one transaction, so that a busy server waits for
the disk once for many moves. SQLite runs in WAL mode with full synchronisation: neither `kill -9` nor a power cut
loses a move that was told.
"""

from __future__ import annotations

import asyncio
import json
import queue
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from quiltwork.errors import QuiltworkError
from quiltwork.server.events import Event, Kind
from quiltwork.server.tokens import new_secret

METADATA = sa.MetaData()

GAME = sa.Table(
    "game",
    METADATA,
    sa.Column("id", sa.String(12), primary_key=True),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("setup", sa.Text, nullable=False),
)
EVENT = sa.Table(
    "event",
    METADATA,
    sa.Column("game", sa.String(12), sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("player", sa.Integer, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("key", sa.String(64), nullable=True),
    sa.UniqueConstraint("game", "key", name="event_key_once"),
)
JOINED = sa.Table(
    "joined",
    METADATA,
    sa.Column("game", sa.String(12), sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("player", sa.Integer, primary_key=True, autoincrement=False),
)
SECRET = sa.Table(
    "secret",
    METADATA,
    sa.Column("name", sa.String(16), primary_key=True),
    sa.Column("value", sa.LargeBinary, nullable=False),
)

_BATCH = 256
_WRITTEN = {table: table.insert() for table in (GAME, EVENT, JOINED)}
"""in the order in which they refer to one another"""
Row = dict[str, Any]
Rows = Mapping[sa.Table, Sequence[Row]]


@dataclass(frozen=True)
class _Job:
    """Rows that belong together, and who waits for them."""

    rows: Rows
    done: Future[None]


@dataclass(frozen=True)
class StoredGame:
    """A game as the database holds it."""

    id: str
    created: float
    setup: Mapping[str, Any]
    events: tuple[Event, ...]
    joined: frozenset[int]
    """the players who have ever sat down"""


def open_engine(url: str) -> Engine:
    """An SQLAlchemy engine for that URL, with SQLite set up for durable concurrent use."""
    engine = sa.create_engine(url, pool_pre_ping=not url.startswith("sqlite"))
    if engine.dialect.name == "sqlite":

        @sa.event.listens_for(engine, "connect")
        def set_pragmas(connection: Any, _record: Any) -> None:
            cursor = connection.cursor()
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
                cursor.execute(f"PRAGMA {pragma}")
            cursor.close()

    return engine


def check_database(url: str) -> None:
    """Raises QuiltworkError where the database of a URL cannot be used."""
    try:
        engine = open_engine(url)
        with engine.connect():
            pass
        engine.dispose()
    except ModuleNotFoundError as error:
        raise QuiltworkError(
            f"the database needs its driver, which is not installed: pip install {error.name}"
        ) from None
    except sa.exc.SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0].rstrip(".")
        raise QuiltworkError(f"cannot open the database: {reason}") from None


def migrate(engine: Engine, revision: str = "head") -> None:
    """Brings the database to the newest schema, or to another; a new database gets all of it."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", (Path(__file__).parent / "migrations").as_posix())
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


class Store:
    """Reads and writes games; reading happens in threads, writing in one thread of its own."""

    def __init__(self, url: str) -> None:
        self._engine = open_engine(url)
        migrate(self._engine)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_forever, name="store-writer", daemon=True)
        self._writer.start()
        self.secret = self._load_secret()
        self.name = self._engine.url.render_as_string(hide_password=True)

    def close(self) -> None:
        """Writes what is waiting and closes the database."""
        self._jobs.put(None)
        self._writer.join()
        self._engine.dispose()

    async def create(self, game: str, setup: Mapping[str, Any], created: float, events: Sequence[Event]) -> None:
        row = {"id": game, "created": created, "setup": json.dumps(setup)}
        await self._write({GAME: [row], EVENT: [_row(game, number, event) for number, event in enumerate(events)]})

    async def append(self, game: str, version: int, events: Sequence[Event]) -> None:
        """Adds events, the first as number `version`; raises where another has that number already."""
        await self._write({EVENT: [_row(game, version + index, event) for index, event in enumerate(events)]})

    async def join(self, game: str, players: Collection[int]) -> None:
        """Notes that players have sat down, each for the first time."""
        await self._write({JOINED: [{"game": game, "player": player} for player in players]})

    async def load(self, game: str) -> StoredGame | None:
        return await asyncio.to_thread(self._load, game)

    async def is_alive(self) -> bool:
        def ask() -> bool:
            with self._engine.connect() as connection:
                return bool(connection.execute(sa.select(1)).scalar() == 1)

        try:
            return await asyncio.to_thread(ask)
        except sa.exc.SQLAlchemyError:
            return False

    def _load(self, game: str) -> StoredGame | None:
        with self._engine.connect() as connection:
            row = connection.execute(sa.select(GAME).where(GAME.c.id == game)).one_or_none()
            if row is None:
                return None
            rows = connection.execute(sa.select(EVENT).where(EVENT.c.game == game).order_by(EVENT.c.version))
            events = tuple(Event(Kind(r.kind), r.player, r.at, json.loads(r.body), r.key) for r in rows)
            joined = connection.execute(sa.select(JOINED.c.player).where(JOINED.c.game == game)).scalars()
            return StoredGame(row.id, row.created, json.loads(row.setup), events, frozenset(joined))

    def _load_secret(self) -> bytes:
        query = sa.select(SECRET.c.value).where(SECRET.c.name == "tokens")
        with self._engine.begin() as connection:
            found = connection.execute(query).scalar()
            if found is None:
                found = new_secret()
                connection.execute(SECRET.insert().values(name="tokens", value=found))
        return bytes(found)

    async def _write(self, rows: Rows) -> None:
        done: Future[None] = Future()
        self._jobs.put(_Job(rows, done))
        await asyncio.wrap_future(done)

    def _write_forever(self) -> None:
        while (first := self._jobs.get()) is not None:
            batch = [first] if first.done.set_running_or_notify_cancel() else []
            last = False
            while len(batch) < _BATCH:
                try:
                    item = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if item is None:
                    last = True
                    break
                if item.done.set_running_or_notify_cancel():
                    batch.append(item)
            if batch:
                self._write_batch(batch)
            if last:
                return

    def _write_batch(self, batch: Sequence[_Job]) -> None:
        """Commits a batch together; where it fails, each alone, so that only the guilty one hears of it."""
        try:
            with self._engine.begin() as connection:
                for table, insert in _WRITTEN.items():
                    if rows := [row for job in batch for row in job.rows.get(table, ())]:
                        connection.execute(insert, rows)
        except Exception as error:
            if len(batch) == 1:
                batch[0].done.set_exception(error)
            else:
                for job in batch:
                    self._write_batch([job])
            return
        for job in batch:
            job.done.set_result(None)


def now() -> float:
    """The time of events: seconds since 1970."""
    return time.time()


def _row(game: str, version: int, event: Event) -> Row:
    return {
        "game": game,
        "version": version,
        "kind": event.kind.value,
        "player": event.player,
        "at": event.at,
        "body": json.dumps(dict(event.body)),
        "key": event.key,
    }
