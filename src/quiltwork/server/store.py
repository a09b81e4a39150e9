"""The store: games and their events in a database, each event durable before it is sent to anyone.

Writes go through one thread that commits all that has gathered in one transaction, so that a busy server waits for
the disk once for many moves. SQLite runs in WAL mode with full synchronisation: neither `kill -9` nor a power cut
loses a move that was told.
"""

from __future__ import annotations

import asyncio
import json
import logging
import queue
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from time import monotonic, sleep
from typing import Any, TypeVar

import sqlalchemy as sa

from quiltwork.editions import Edition
from quiltwork.editions.content import edition_of_content, fingerprint
from quiltwork.server.answers import Refusal, Unavailable
from quiltwork.server.clock import now
from quiltwork.server.database import (
    EDITION,
    EVENT,
    GAME,
    JOINED,
    SECRET,
    SERVICE,
    keep_editions,
    migrate,
    open_engine,
    serves_many,
)
from quiltwork.server.events import Event, Kind
from quiltwork.server.tokens import new_secret

LOG = logging.getLogger("quiltwork.store")
T = TypeVar("T")
_BATCH = 256
_GATHER = 0.005
"""seconds between two batches: a transaction costs much more than one more move in it"""
_READERS = 4
_CHECK = 1.0
_GAME, _PLAYER = sa.bindparam("game", type_=sa.String), sa.bindparam("player", type_=sa.Integer)
_NOT_JOINED = sa.select(_GAME, _PLAYER).where(
    ~sa.exists().where(JOINED.c.game == _GAME, JOINED.c.player == _PLAYER)
)
_WRITTEN: Mapping[sa.Table, sa.Executable] = {
    GAME: GAME.insert(),
    EVENT: EVENT.insert(),
    # Each once, whoever notes it: a select instead of values, as dialects differ in what they call it.
    JOINED: JOINED.insert().from_select(["game", "player"], _NOT_JOINED),
    SERVICE: SERVICE.update().values(seen=sa.bindparam("moment")),
}
"""in the order in which they refer to one another"""
Row = dict[str, Any]
Rows = Mapping[sa.Table, Sequence[Row]]


class Conflict(Exception):
    """Another has stored an event with this number, or this key, before."""


@dataclass(frozen=True)
class NewGame:
    """A game that is to be stored."""

    id: str
    created: float
    setup: Mapping[str, Any]
    events: Sequence[Event]
    edition: Edition


@dataclass(frozen=True)
class _Job:
    """Rows that belong together, and who waits for them."""

    rows: Rows
    done: Future[None]


@dataclass(frozen=True)
class _Question:
    """Something to be read, and who waits for it."""

    ask: Callable[[], Any]
    done: Future[Any]


@dataclass(frozen=True)
class StoredGame:
    """A game as the database holds it."""

    id: str
    created: float
    setup: Mapping[str, Any]
    events: tuple[Event, ...]
    joined: frozenset[int]
    """the players who have ever sat down"""
    edition: Edition | None
    """what the game was begun with; None for one from before editions were kept, whose file was gone"""


class Store:
    """Reads and writes games; reading happens in threads, writing in one thread of its own.

    Everything here that is awaited raises Unavailable where the database fails or takes longer than `timeout`; a
    write may then have been done all the same. The threads are daemons: a database that hangs does not keep the
    server from ending.
    """

    def __init__(self, url: str, timeout: float = 5.0) -> None:
        patient = open_engine(url, timeout, patient=True)
        migrate(patient)
        patient.dispose()
        self.serves_many = serves_many(url)
        self.database = open_engine(url, timeout)
        self._single = open_engine(url, timeout, single=True) if self.serves_many else self.database
        self.secret = self._load_secret()
        self._timeout = timeout
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._questions: queue.SimpleQueue[_Question | None] = queue.SimpleQueue()
        self._threads = [
            _daemon("store-writer", self._write_forever),
            *(_daemon(f"store-reader-{number}", self._read_forever) for number in range(_READERS)),
        ]
        self._editions: dict[str, Edition] = {}
        self.add_events: Callable[[sa.Connection, Sequence[Row]], None] = _add_events
        """stores rows of events, and where other processes serve the same games, tells them"""
        self._checked: tuple[float, bool] = (-inf, False)
        self.name = self.database.url.render_as_string(hide_password=True)

    def close(self) -> None:
        """Writes what is waiting and closes the database, unless that takes too long."""
        self._jobs.put(None)
        for _ in range(_READERS):
            self._questions.put(None)
        deadline = monotonic() + self._timeout
        for thread in self._threads:
            thread.join(max(0.0, deadline - monotonic()))
        if not any(thread.is_alive() for thread in self._threads):
            self.database.dispose()
            self._single.dispose()

    async def create(self, new: NewGame) -> None:
        """Stores a new game; its edition has been kept before."""
        await self._write(_rows_of(new))

    async def append(
        self, game: str, version: int, events: Sequence[Event], rematch: NewGame | None = None
    ) -> None:
        """Adds events, the first as number `version`, and the rematch that they begin; all of it or nothing.

        Raises Conflict where the game has that version, or one of the keys, already.
        """
        rows = _rows_of(rematch) if rematch else {}
        added = [_row(game, version + index, event) for index, event in enumerate(events)]
        try:
            await self._write({**rows, EVENT: [*rows.get(EVENT, ()), *added]})
        except sa.exc.IntegrityError:
            raise Conflict(f"game {game} has version {version} already") from None

    async def events_since(self, game: str, version: int) -> tuple[Event, ...]:
        """The events of a game from that number on."""
        return await self.ask(lambda connection: _events(connection, game, version))

    async def join(self, game: str, players: Collection[int]) -> None:
        """Notes that players have sat down, each for the first time."""
        await self._write({JOINED: [{"game": game, "player": player} for player in players]})

    async def load(self, game: str) -> StoredGame | None:
        return await self.aside(lambda: self._load(game))

    async def transact(self, work: Callable[[sa.Connection], T]) -> T:
        """Does something in a transaction of its own, in a reader thread."""

        def done() -> T:
            with self.database.begin() as connection:
                return work(connection)

        return await self.aside(done)

    async def ask(self, statement: Callable[[sa.Connection], T]) -> T:
        """Does something with a single statement, in a reader thread."""

        def done() -> T:
            with self._single.connect() as connection:
                return statement(connection)

        return await self.aside(done)

    async def is_ready(self) -> bool:
        """Whether a write works; asked again within a second, the answer is the same."""
        if monotonic() - self._checked[0] > _CHECK:
            try:
                await self._write({SERVICE: [{"moment": now()}]})
            except Refusal:
                self._checked = (monotonic(), False)
            else:
                self._checked = (monotonic(), True)
        return self._checked[1]

    async def aside(self, ask: Callable[[], T]) -> T:
        """Asks the database in a reader thread."""
        done: Future[T] = Future()
        self._questions.put(_Question(ask, done))
        return await self._answer(done)

    async def _answer(self, done: Future[T]) -> T:
        """Waits for a thread; what was not begun in time is never begun."""
        try:
            async with asyncio.timeout(self._timeout):
                return await asyncio.wrap_future(done)
        except (sa.exc.IntegrityError, sa.exc.ProgrammingError):
            raise
        except TimeoutError:
            LOG.warning("the database did not answer in time")
        except (sa.exc.SQLAlchemyError, OSError) as error:
            LOG.warning("the database failed", extra={"reason": str(error).splitlines()[0]})
        raise Unavailable from None

    def _read_forever(self) -> None:
        while (question := self._questions.get()) is not None:
            if question.done.set_running_or_notify_cancel():
                try:
                    question.done.set_result(question.ask())
                except Exception as error:
                    question.done.set_exception(error)

    def _load(self, game: str) -> StoredGame | None:
        with self.database.connect() as connection:
            row = connection.execute(sa.select(GAME).where(GAME.c.id == game)).one_or_none()
            if row is None:
                return None
            events = _events(connection, game, 0)
            joined = connection.execute(sa.select(JOINED.c.player).where(JOINED.c.game == game)).scalars()
            edition = self._edition(connection, row.edition) if row.edition else None
            return StoredGame(row.id, row.created, json.loads(row.setup), events, frozenset(joined), edition)

    def keep_editions(self, editions: Iterable[Edition]) -> None:
        """Writes down those editions that are not there yet."""
        with self.database.begin() as connection:
            keep_editions(connection, editions)

    def read_edition(self, name: str) -> Edition | None:
        """The edition that is kept under the name `id@digits`."""
        identifier, _, digits = name.partition("@")
        with self.database.connect() as connection:
            query = sa.select(EDITION.c.hash).where(EDITION.c.hash.startswith(digits, autoescape=True))
            found = [self._edition(connection, key) for key in connection.execute(query).scalars()]
        return next((edition for edition in found if edition.id == identifier), None)

    def _edition(self, connection: sa.Connection, key: str) -> Edition:
        if key not in self._editions:
            query = sa.select(EDITION.c.content).where(EDITION.c.hash == key)
            self._editions[key] = edition_of_content(connection.execute(query).scalar_one())
        return self._editions[key]

    async def set_edition(self, game: str, edition: Edition) -> None:
        """Notes the edition of a game from before editions were kept."""

        def write() -> None:
            with self.database.begin() as connection:
                keep_editions(connection, [edition])
                key = fingerprint(edition)
                connection.execute(GAME.update().where(GAME.c.id == game).values(edition=key))

        await self.aside(write)

    def _load_secret(self) -> bytes:
        query = sa.select(SECRET.c.value).where(SECRET.c.name == "tokens")
        with self.database.begin() as connection:
            if connection.execute(query).scalar() is None:
                # Another process may be starting at the same moment.
                with suppress(sa.exc.IntegrityError), connection.begin_nested():
                    connection.execute(SECRET.insert().values(name="tokens", value=new_secret()))
            return bytes(connection.execute(query).scalar_one())

    async def _write(self, rows: Rows) -> None:
        done: Future[None] = Future()
        self._jobs.put(_Job(rows, done))
        try:
            await self._answer(done)
        except Unavailable:
            # Whoever asks whether the server is ready looks again.
            self._checked = (-inf, False)
            raise

    def _write_forever(self) -> None:
        earliest = -inf
        while (first := self._jobs.get()) is not None:
            if (pause := earliest - monotonic()) > 0:
                sleep(pause)
            earliest = monotonic() + _GATHER
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
        """Commits a batch together; where a row is refused, each alone: only the guilty one hears of it."""
        rows = {table: [row for job in batch for row in job.rows.get(table, ())] for table in _WRITTEN}
        rows = {table: found for table, found in rows.items() if found}
        # Moves alone, which most batches are, need but one statement.
        database = self._single if rows.keys() == {EVENT} and self.serves_many else self.database
        try:
            with database.connect() as connection, connection.begin():
                for table, found in rows.items():
                    if table is EVENT:
                        self.add_events(connection, found)
                    else:
                        connection.execute(_WRITTEN[table], found)
        except Exception as error:
            refused = isinstance(error, (sa.exc.IntegrityError, sa.exc.DataError))
            for job in batch:
                if refused and len(batch) > 1:
                    self._write_batch([job])
                else:
                    job.done.set_exception(error)
            return
        for job in batch:
            job.done.set_result(None)


def _daemon(name: str, work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, name=name, daemon=True)
    thread.start()
    return thread


def _rows_of(new: NewGame) -> dict[sa.Table, list[Row]]:
    setup = json.dumps(new.setup)
    row = {"id": new.id, "created": new.created, "setup": setup, "edition": fingerprint(new.edition)}
    return {GAME: [row], EVENT: [_row(new.id, number, event) for number, event in enumerate(new.events)]}


def _add_events(connection: sa.Connection, rows: Sequence[Row]) -> None:
    connection.execute(_WRITTEN[EVENT], rows)


def _events(connection: sa.Connection, game: str, version: int) -> tuple[Event, ...]:
    wanted = sa.and_(EVENT.c.game == game, EVENT.c.version >= version)
    return events_of_rows(connection.execute(sa.select(EVENT).where(wanted).order_by(EVENT.c.version)))


def events_of_rows(rows: Iterable[Any]) -> tuple[Event, ...]:
    """The events that rows of the table hold."""
    return tuple(Event(Kind(r.kind), r.player, r.at, json.loads(r.body), r.key) for r in rows)


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
