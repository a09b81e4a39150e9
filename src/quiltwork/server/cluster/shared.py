"""Any number of processes on one PostgreSQL database.

Every fact is in the database; news only says where to look. What a process stores is announced in the same
transaction, by ids, and the others read what they lack. A process that was deaf for a while looks everywhere.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from math import inf
from secrets import token_hex
from time import monotonic

import sqlalchemy as sa

from quiltwork.server.answers import Refusal
from quiltwork.server.clock import now as own_time
from quiltwork.server.cluster import Audience, Company, Elsewhere
from quiltwork.server.cluster.job_table import JobTable
from quiltwork.server.cluster.jobs import Limits
from quiltwork.server.cluster.postgres import NOW, Listener, add_events, notify, quick
from quiltwork.server.events import Event
from quiltwork.server.metrics import Metrics
from quiltwork.server.settings import Role, Settings
from quiltwork.server.store import Row, Store, events_of_rows

LOG = logging.getLogger("quiltwork.cluster")
PULSE = 1.0
GAP = 4.0
"""without a pulse of any process for so long, the service was away"""
DEAD = 6.0
"""without a pulse for so long, a process is dead"""
_GATHER = 0.01
"""seconds between two readings of news"""
_ASLEEP = 2.5
_JUMP = 2.0

_SERVICE = sa.text(f"""
    UPDATE service SET seen = t.now, up_since = CASE WHEN abs(t.now - seen) > {GAP} THEN t.now ELSE up_since END
    FROM (SELECT {NOW} AS now) AS t WHERE name = 'games' RETURNING up_since""")
_PROCESS = sa.text(f"""
    INSERT INTO process (name, role, workers, pace, seen) VALUES (:me, :role, :workers, :pace, {NOW})
    ON CONFLICT (name) DO UPDATE SET seen = {NOW}, pace = :pace RETURNING (xmax = 0)""")
_DEAD = sa.text(f"DELETE FROM process WHERE seen < {NOW} - {DEAD} RETURNING name")
_GONE = sa.text("DELETE FROM process WHERE name = :me")
_ABSENT = sa.text("DELETE FROM presence WHERE process = ANY(:processes) RETURNING game")
_SHOW = sa.text("""
    INSERT INTO presence (game, process, one, two, watchers) VALUES (:game, :process, :one, :two, :watchers)
    ON CONFLICT (game, process) DO UPDATE SET one = :one, two = :two, watchers = :watchers""")
_COMPANY = sa.text("""
    SELECT game, sum(one)::int AS one, sum(two)::int AS two, sum(watchers)::int AS watchers
    FROM presence WHERE game = ANY(:games) AND process <> :me GROUP BY game""")
_JOINED = sa.text("SELECT game, player FROM joined WHERE game = ANY(:games)")
_NEWS = sa.text("""
    SELECT event.* FROM unnest(CAST(:games AS text[]), CAST(:versions AS int[])) AS wanted (game, version)
    JOIN event ON event.game = wanted.game AND event.version >= wanted.version
    ORDER BY event.game, event.version""")
_ALLOW = sa.text(f"""
    INSERT INTO allowance (what, visitor, level, seen) VALUES (:what, :visitor, :burst - 1, {NOW})
    ON CONFLICT (what, visitor) DO UPDATE
    SET level = LEAST(:burst, allowance.level + ({NOW} - allowance.seen) * :rate) - 1, seen = {NOW}
    WHERE LEAST(:burst, allowance.level + ({NOW} - allowance.seen) * :rate) >= 1
    RETURNING level""")
_FORGET = sa.text(f"DELETE FROM allowance WHERE seen < {NOW} - 600")


@dataclass(frozen=True)
class _Pulse:
    up_since: float
    back: bool
    """whether others took this process for dead"""
    offset: float
    trip: float


class Shared:
    """One process of many."""

    shared = True

    def __init__(self, settings: Settings, store: Store, metrics: Metrics) -> None:
        self.name = token_hex(6)
        self.up_since = own_time()
        self._settings = settings
        self._store = store
        self._metrics = metrics
        self.jobs = JobTable(store, self.name, Limits(settings.engine_queue, settings.engine_share), self._hide)
        self._offset = own_time() - monotonic()
        self._trips: deque[tuple[float, float]] = deque(maxlen=30)
        self._pulsed = -inf
        self._versions: dict[str, float] = {}
        self._shown: set[str] = set()
        self._asked: set[str] = set()
        self._news = asyncio.Event()
        self._company = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._listener: Listener | None = None

    def now(self) -> float:
        return self._offset + monotonic()

    @property
    def is_awake(self) -> bool:
        return monotonic() - self._pulsed < _ASLEEP

    async def is_ready(self) -> bool:
        return self.is_awake

    def storage_failed(self) -> None:
        """The pulse knows how long the database was away."""

    async def start(self, audience: Audience) -> None:
        self._audience = audience
        loop = asyncio.get_running_loop()
        self._store.add_events = self._add_events
        await self._pulse()
        self._listener = Listener(
            self._store.database,
            lambda payload: loop.call_soon_threadsafe(self._hear, payload),
            lambda: loop.call_soon_threadsafe(self._look_everywhere),
        )
        self._listener.start()
        self._tasks = [
            loop.create_task(work) for work in (self._pulse_forever(), self._read_news(), self._keep_company())
        ]

    async def close(self) -> None:
        """Leaves: others take the jobs at once, and know that nobody sits here."""
        if self._listener is not None:
            self._listener.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

        def leave(connection: sa.Connection) -> None:
            quick(connection)
            connection.execute(_GONE, {"me": self.name})
            self._bury(connection, [self.name])

        try:
            await self._store.transact(leave)
        except Refusal:
            LOG.warning("could not tell the other processes")

    # Pulse and time

    async def _pulse_forever(self) -> None:
        while True:
            try:
                await self._pulse()
            except Refusal:
                LOG.warning("the database gives no answer")
            except Exception:
                LOG.exception("the pulse failed")
            await asyncio.sleep(PULSE)

    async def _pulse(self) -> None:
        beat = await self._store.transact(self._beat)
        self._pulsed = monotonic()
        jumped = self._set_clock(beat)
        away = beat.up_since > self.up_since
        self.up_since = beat.up_since
        if beat.back and self._tasks:
            self._show_all()
        if (away or jumped) and self._tasks:
            LOG.info("the service was away, clocks begin anew")
            await self._audience.resume()

    def _beat(self, connection: sa.Connection) -> _Pulse:
        quick(connection)
        left = monotonic()
        moment = connection.execute(sa.text(f"SELECT {NOW}")).scalar_one()
        back = monotonic()
        up_since = connection.execute(_SERVICE).scalar_one()
        me = {
            "me": self.name,
            "role": self._settings.role.value,
            "workers": self._settings.engine_workers if self._settings.role is not Role.WEB else 0,
            "pace": self.jobs.pace.seconds,
        }
        new = connection.execute(_PROCESS, me).scalar_one()
        dead: list[str] = []
        if up_since < moment - DEAD:
            # Not just after a gap: then all have been silent.
            dead = list(connection.execute(_DEAD).scalars())
        self._bury(connection, dead)
        self.jobs.pulse(connection)
        connection.execute(_FORGET)
        return _Pulse(float(up_since), bool(new), float(moment) - (left + back) / 2, back - left)

    def _set_clock(self, beat: _Pulse) -> bool:
        """Follows the database's time by the quickest answers; tells whether it has jumped."""
        jumped = bool(self._trips) and abs(beat.offset - self._offset) > _JUMP
        if jumped:
            self._trips.clear()
        self._trips.append((beat.trip, beat.offset))
        self._offset = min(self._trips)[1]
        return jumped

    def _bury(self, connection: sa.Connection, dead: list[str]) -> None:
        if dead:
            games = set(connection.execute(_ABSENT, {"processes": dead}).scalars())
            if games:
                notify(connection, f"p {self.name}", games)
            self.jobs.release(connection, dead)

    # News

    def _add_events(self, connection: sa.Connection, rows: Sequence[Row]) -> None:
        """Stores events, and tells the others which games have gone on."""
        versions: dict[str, int] = {}
        for row in rows:
            versions[row["game"]] = max(versions.get(row["game"], 0), row["version"] + 1)
        news = (f"{game}:{version}" for game, version in versions.items())
        add_events(connection, rows, f"e {self.name}", news)

    def _hear(self, payload: str) -> None:
        kind, sender, *words = payload.split(" ")
        if kind in ("j", "a"):
            self.jobs.hear(kind, words[0] if words else "")
        elif sender == self.name:
            return
        elif kind == "e":
            for word in words:
                game, _, version = word.rpartition(":")
                self._versions[game] = max(self._versions.get(game, 0), int(version))
            self._news.set()
        elif kind == "p":
            self._asked.update(words)
            self._company.set()

    def _look_everywhere(self) -> None:
        """News may have been missed."""
        self._metrics.count("news_gaps_total")
        for game in self._audience.look_again():
            self._versions[game] = inf
        self._news.set()
        self._show_all()

    async def _read_news(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            heard, self._versions = self._versions, {}
            known = {game: self._audience.awaits(game, version) for game, version in heard.items()}
            wanted = {game: version for game, version in known.items() if version is not None}
            if not wanted:
                continue
            try:
                found = await self._store.ask(partial(_read, wanted))
            except Refusal:
                for game, version in heard.items():
                    self._versions[game] = max(self._versions.get(game, 0), version)
                self._news.set()
                await asyncio.sleep(PULSE / 2)
                continue
            for game, events in found.items():
                await self._tell(game, wanted[game], events_of_rows(events))
            # A query costs much more than one more game in it.
            await asyncio.sleep(_GATHER)

    async def _tell(self, game: str, first: int, events: Sequence[Event]) -> None:
        """Lets a table take in news; what goes wrong at one table must not make this process deaf."""
        try:
            await self._audience.take_news(game, first, events)
            for event in events:
                self._metrics.observe("news_seconds", max(0.0, self.now() - event.at))
        except Refusal:
            self._versions[game] = inf
            asyncio.get_running_loop().call_later(PULSE, self._news.set)
        except Exception:
            LOG.exception("news could not be taken in", extra={"game": game})

    # Who is there

    async def show(self, games: Sequence[str]) -> None:
        self._shown.update(games)
        self._company.set()

    def _show_all(self) -> None:
        self._shown.update(self._audience.company_of(None))
        self._company.set()

    async def _keep_company(self) -> None:
        while True:
            await self._company.wait()
            self._company.clear()
            shown, self._shown = self._shown, set()
            asked, self._asked = self._asked, set()
            mine = self._audience.company_of(sorted(shown))
            here = set(self._audience.company_of(sorted(asked)))
            try:
                found = await self._store.transact(partial(self._meet, mine, here))
            except Refusal:
                self._shown |= shown
                self._asked |= asked
                self._company.set()
                await asyncio.sleep(PULSE / 2)
                continue
            for game, elsewhere in found.items():
                self._audience.take_company(game, elsewhere)

    def _meet(
        self, mine: Mapping[str, Company], asked: Iterable[str], connection: sa.Connection
    ) -> dict[str, Elsewhere]:
        """Stores the seats that are connected here, and reads those elsewhere."""
        quick(connection)
        if mine:
            rows = [{"game": game, "process": self.name, **who.__dict__} for game, who in mine.items()]
            connection.execute(_SHOW, rows)
            notify(connection, f"p {self.name}", mine)
        games = sorted({*mine, *asked})
        company = {
            row.game: Company(row.one, row.two, row.watchers)
            for row in connection.execute(_COMPANY, {"games": games, "me": self.name})
        }
        joined: dict[str, set[int]] = {}
        for row in connection.execute(_JOINED, {"games": games}):
            joined.setdefault(row.game, set()).add(row.player)
        return {game: Elsewhere(company.get(game, Company()), frozenset(joined.get(game, ()))) for game in games}

    # Limits

    async def allows(self, what: str, visitor: str) -> bool:
        a_minute = self._settings.minute_limits[what]
        asked = {"what": what, "visitor": self._hide(visitor), "burst": a_minute, "rate": a_minute / 60}

        def take(connection: sa.Connection) -> bool:
            quick(connection)
            return connection.execute(_ALLOW, asked).one_or_none() is not None

        return await self._store.transact(take)

    def _hide(self, visitor: str) -> str:
        """A visitor's address, so that it can be told from others but not read."""
        return hmac.new(self._store.secret, visitor.encode(), sha256).hexdigest()[:24]


def _read(wanted: Mapping[str, int], connection: sa.Connection) -> dict[str, list[sa.Row[tuple[object, ...]]]]:
    found: dict[str, list[sa.Row[tuple[object, ...]]]] = {}
    asked = {"games": list(wanted), "versions": list(wanted.values())}
    for row in connection.execute(_NEWS, asked):
        found.setdefault(row.game, []).append(row)
    return found
