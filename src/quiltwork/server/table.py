"""A table: one game in memory with its connections. An event is stored before it is sent to anyone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf
from random import SystemRandom
from secrets import token_hex
from typing import Any, TypeVar

from quiltwork.server.answers import Refusal, Unavailable, UnknownGame, dumps
from quiltwork.server.cluster import Cluster, Company, Elsewhere
from quiltwork.server.cluster.jobs import Job, JobKind
from quiltwork.server.decide import decide, decide_move
from quiltwork.server.events import Event, Kind
from quiltwork.server.metrics import Metrics
from quiltwork.server.outbox import Outbox, QueuedOutbox
from quiltwork.server.state import GameState
from quiltwork.server.store import Conflict, NewGame, Store
from quiltwork.server.table_view import View, common_view, moves_view, own_view, seat_views, untaken_seat
from quiltwork.server.tokens import Pass, Role, Tokens
from quiltwork.server.view import Told

LOG = logging.getLogger("quiltwork.table")
Json = dict[str, Any]
T = TypeVar("T")
SEAT_MOVED = 4403
NO_SUCH_GAME = 4404
_RETRY = 1.0
_AHEAD = 5.0
_ATTEMPTS = 8
"""how often a decision is tried again because another one came first"""
_RENAMES = 20
_LOOK = 3.0
"""between two looks at how long the computer will still be waited for"""
_LONG = 2.0
"""a wait that is told"""
_HINT_WITHIN = 150.0
_ASKED_LATELY = 60.0
"""seconds after a REST request in which the computer plays on, even if nobody is connected"""
_CHANCE = SystemRandom()
_GRACE = 0.15
"""a move that was on its way when the clock ran out still counts"""


@dataclass(eq=False, slots=True)
class Chair:
    """One connection at a table, and how many moves it has been told."""

    role: Role
    visitor: str = ""
    known: int = 0
    changes: bool = False
    """whether the visitor wants to be told what changed, or everything each time"""
    told: View | None = None
    generation: int = 0
    """the generation of the seat that the visitor's token is for"""
    closes: int = 1001
    """the code with which the connection is closed in the end"""
    outbox: Outbox = field(default_factory=QueuedOutbox)


class Table:
    """One game and the connections to it; the lock makes its events one after another."""

    def __init__(
        self,
        game: str,
        state: GameState,
        *,
        store: Store,
        cluster: Cluster,
        tokens: Tokens,
        metrics: Metrics,
        joined: Collection[int] = (),
        new_rematch: Callable[[GameState], NewGame],
    ) -> None:
        self.game = game
        self.state = state
        self._new_rematch = new_rematch
        self._store = store
        self._cluster = cluster
        self._tokens = tokens
        self._metrics = metrics
        self._lock = asyncio.Lock()
        self.chairs: set[Chair] = set()
        self._joined = set(joined)
        self.visitor = ""
        """the last visitor; the computer's jobs count as theirs"""
        self._asked: int | None = None
        self._asking: asyncio.Task[None] | None = None
        self._asked_at = -inf
        self._wait = 0.0
        self._elsewhere = Company()
        self._flag: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._behind = False
        self.is_deleted = False
        self.last_used = self._cluster.now()
        self._position = Told(state.position)

    # Coming and going

    def sit_down(self, chair: Chair) -> None:
        self.chairs.add(chair)
        if new := set(chair.role.seats) - self._joined:
            self._joined |= new
            self._start(self._note_joined(new))
        elif chair.role.seats:
            self._metrics.count("reconnects_total")
        self.look(chair)
        self._come_or_gone()
        self.asked_by(chair.visitor)

    async def _note_joined(self, players: set[int]) -> None:
        try:
            await self._store.join(self.game, players)
            await self._cluster.show([self.game])
        except Unavailable:
            self._joined -= players
        except Exception:
            LOG.exception("a player's coming could not be stored", extra={"game": self.game})

    def get_up(self, chair: Chair) -> None:
        self.chairs.discard(chair)
        self._come_or_gone()

    def view(self, role: Role) -> Json:
        """The whole view of a role, for a single request."""
        common = self._common()
        return View(common, self._own(role, common["seats"])).whole(self.state)

    def look(self, chair: Chair) -> None:
        """Tells a connection everything."""
        common = self._common()
        for other in self.chairs:
            # They were told the same, clocks apart; one is enough to keep.
            if other.told:
                other.told.common = common
        chair.told = View(common, self._own(chair.role, common["seats"]))
        chair.known = len(self.state.steps)
        self._tell(chair, chair.told.whole(self.state))
        chair.told.lighten()
        self._position.lighten()

    def rest(self) -> None:
        """Forgets what everyone was told, much of what an idle game keeps; the next news tells all of it."""
        for chair in self.chairs:
            chair.told = None
        self._position = Told(self.state.position)

    def _common(self) -> Json:
        thinking = self.state.turn > 0 and self.state.computer(self.state.turn) is not None
        moment = self._cluster.now()
        seats, told = self._seats(), self._told()
        return common_view(self.game, self.state, seats, told, now=moment, thinking=thinking, wait=self._wait)

    def _own(self, role: Role, seats: list[Json]) -> Json:
        return own_view(self.game, self.state, seats, self._told(), role, self._tokens, hints=True)

    def _told(self) -> Told:
        if self._position.position is not self.state.position:
            self._position = Told(self.state.position)
        return self._position

    def _tell_news(self, stays: int) -> None:
        """Tells everyone what happened; of the moves that they know so many stay."""
        common = self._common()
        views: dict[Role, View] = {}
        texts: dict[tuple[View | None, Role, int], str] = {}
        # A connection that does not listen leaves the set during the loop.
        for chair in list(self.chairs):
            if not self.state.seats.admits(chair.role, chair.generation):
                self._send_away(chair)
                continue
            view = views.get(chair.role) or View(common, self._own(chair.role, common["seats"]))
            views[chair.role] = view
            known = min(chair.known, stays)
            before = chair.told if chair.changes else None
            text = texts.get((before, chair.role, known))
            if text is None:
                text = dumps(self._news(view, before, known))
                texts[before, chair.role, known] = text
            chair.told = view
            chair.known = len(self.state.steps)
            self._tell_text(chair, text)
        for view in views.values():
            view.lighten()
        self._position.lighten()

    def _news(self, view: View, before: View | None, known: int) -> Json:
        if before is None:
            return {**view.whole(self.state), **moves_view(self.state, known)}
        return view.change_from(before, self.state, known)

    def _seats(self) -> list[Json]:
        here = self.company
        elsewhere = self._elsewhere
        online = {1: here.one + elsewhere.one, 2: here.two + elsewhere.two}
        return seat_views(self.state, online, self._joined)

    @property
    def company(self) -> Company:
        """The seats with a connection in this process."""
        seated = [chair.role.seats for chair in self.chairs]
        return Company(sum(1 in seats for seats in seated), sum(2 in seats for seats in seated), seated.count(()))

    def take_company(self, elsewhere: Elsewhere) -> None:
        """Notes the seats with a connection in other processes."""
        self._elsewhere = elsewhere.company
        self._joined |= elsewhere.joined
        self._tell_presence()

    def _come_or_gone(self) -> None:
        self.last_used = self._cluster.now()
        self._tell_presence()
        if self._cluster.shared:
            self._start(self._cluster.show([self.game]))

    def _tell_presence(self) -> None:
        watchers = self.company.watchers + self._elsewhere.watchers
        seats = self._seats()
        text = dumps({"type": "presence", "seats": seats, "watchers": watchers})
        for chair in list(self.chairs):
            if chair.told:
                chair.told.common["seats"] = seats
            self._tell_text(chair, text)

    def _tell(self, chair: Chair, message: Json) -> None:
        self._tell_text(chair, dumps(message))

    def _tell_text(self, chair: Chair, text: str) -> None:
        try:
            chair.outbox.put_nowait(text)
            self._metrics.count("tellings_total")
        except asyncio.QueueFull:
            # Who does not listen is let go; coming back brings everything.
            self.chairs.discard(chair)
            chair.outbox.end(chair.closes)

    # What happens

    async def submit(self, role: Role, what: str, version: int, key: str, move: str = "") -> int:
        """Does what a message asks, once for each key; returns the version after it."""
        # Shielded: a disconnect must not cancel a move that is being stored.
        return await asyncio.shield(self._start(self._submit(role, what, version, key, move)))

    async def _submit(self, role: Role, what: str, version: int, key: str, move: str) -> int:
        self.last_used = self._cluster.now()

        def decided() -> list[Event]:
            if key in self.state.keys:
                return []
            if not self.state.decided <= version <= self.state.version:
                raise Refusal("stale", "The game has moved on; look at it again.", 409)
            return decide(self.state, role, what, key, self._cluster.now(), _CHANCE, move)

        async with self._lock:
            if version > self.state.version:
                self._behind = True
            await self._happen(decided)
            return self.state.version

    async def rename(self, role: Role, name: str, key: str) -> None:
        """Lets a player who has a seat alone choose a name."""
        if len(role.seats) != 1:
            raise Refusal("watching", "Only a player has a name.", 403)
        await asyncio.shield(self._start(self._rename(role.seats[0], name, key)))

    async def _rename(self, player: int, name: str, key: str) -> None:
        def named() -> list[Event]:
            if key in self.state.keys:
                return []
            if self.state.renamed >= _RENAMES:
                raise Refusal("too-many-names", "This player has had enough names.", 429)
            return [Event(Kind.NAME, player, self._cluster.now(), {"name": name}, key)]

        async with self._lock:
            await self._happen(named)

    async def _happen(self, decided: Callable[[], list[Event]]) -> None:
        """Stores what is decided; decides again where the database knows more of the game than this table."""
        if self._behind:
            await self._catch_up()
        await self._forgive()
        for _ in range(_ATTEMPTS):
            events = decided()
            if not events:
                return
            try:
                await self._append(events)
            except Conflict:
                await self._catch_up()
            else:
                return
        if await self._store.load(self.game) is None:
            self._leave_for_ever()
            raise UnknownGame
        raise Unavailable

    def _leave_for_ever(self) -> None:
        """The game has been deleted: nobody comes back to this table."""
        self.is_deleted = True
        for chair in list(self.chairs):
            chair.closes = NO_SUCH_GAME
        self.close()

    async def take_seat(self, shown: Pass, key: str) -> Pass:
        """Gives a visitor the seat of an invitation, which is used up; for the same key the same seat again."""
        return await asyncio.shield(self._start(self._take_seat(shown, key)))

    async def _take_seat(self, shown: Pass, key: str) -> Pass:
        def taken() -> list[Event]:
            if self.state.seats.given(shown, key):
                return []
            if key in self.state.keys:
                raise Refusal("seat-taken", "This invitation has been used.", 403)
            return [self.state.seats.take(shown, key, self._cluster.now())]

        async with self._lock:
            await self._happen(taken)
            return replace(shown, generation=shown.generation + 1, invites=False)

    async def withdraw(self, role: Role, key: str) -> None:
        """Makes the invitation void that nobody has taken yet; there is a new one then."""
        await asyncio.shield(self._start(self._withdraw(role, key)))

    async def _withdraw(self, role: Role, key: str) -> None:
        def withdrawn() -> list[Event]:
            if key in self.state.keys:
                return []
            guest = untaken_seat(self.state, role, self._seats())
            if guest is None:
                raise Refusal("seat-taken", "Your friend sits there already.", 403)
            return [self.state.seats.withdraw(guest, key, self._cluster.now())]

        async with self._lock:
            await self._happen(withdrawn)

    async def _append(self, events: list[Event]) -> None:
        """Stores events, then takes them in."""
        rematch = None
        if any(event.kind is Kind.REMATCH for event in events):
            rematch = self._new_rematch(self.state)
            events = [replace(event, body={"game": rematch.id}) for event in events]
        try:
            await self._store.append(self.game, self.state.version, events, rematch)
        except Conflict:
            raise
        except Exception as error:
            # It may be stored all the same: the next who asks looks first.
            self._behind = True
            self._cluster.storage_failed()
            if not isinstance(error, Unavailable):
                LOG.exception("an event could not be stored", extra={"game": self.game})
            raise Refusal("not-stored", "The move could not be stored; try again.", 503, 1.0) from error
        for event in events:
            if event.kind is Kind.MOVE:
                self._metrics.count("moves_total")
        if rematch:
            self._metrics.count("games_created_total")
        self._take_in(events)

    async def _forgive(self) -> None:
        """The time that the service was away costs nobody."""
        since = self.state.since
        if self.state.deadline is None or since is None:
            return
        # A time to come is left where the clock of the database was set back.
        if since < self._cluster.up_since or since > self._cluster.now() + _AHEAD:
            with suppress(Conflict):
                await self._append([Event(Kind.RESTART, 0, self._cluster.now())])

    async def resume(self) -> None:
        """Looks whether the service was away while a clock ran."""
        async with self._lock:
            await self._catch_up()
            await self._forgive()

    async def take_news(self, first: int, events: Sequence[Event]) -> None:
        """Takes in events that another process stored, from number `first` on."""
        async with self._lock:
            if first > self.state.version:
                await self._catch_up()
            elif fresh := events[self.state.version - first :]:
                self._take_in(fresh)

    def fall_behind(self) -> None:
        """Notes that the database knows more of the game."""
        self._behind = True

    async def catch_up(self) -> None:
        """Takes in what the database knows and this table does not."""
        async with self._lock:
            await self._catch_up()

    async def _catch_up(self) -> None:
        events = await self._store.events_since(self.game, self.state.version)
        self._behind = False
        if events:
            self._take_in(events)

    @property
    def is_behind(self) -> bool:
        """Whether the database may know more of the game than this table."""
        return self._behind

    def _take_in(self, events: Sequence[Event]) -> None:
        """Adds stored events to the state, and tells everyone."""
        for event in events:
            self.state.apply(event)
        self._wait = 0.0
        stays = len(self.state.steps)
        for event in events:
            if event.kind is Kind.TAKEBACK:
                stays = min(stays, event.body["to"])
        self._tell_news(stays)
        self.wake()

    def _send_away(self, chair: Chair) -> None:
        """Tells a visitor that the seat is played from elsewhere now."""
        self.chairs.discard(chair)
        chair.closes = SEAT_MOVED
        self._tell(chair, {"type": "refused", "code": "seat-moved", "message": "This seat has moved elsewhere."})
        chair.outbox.end(chair.closes)

    def _start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)
        return task

    def _finish(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        # Who waits for the task hears of its failure; where nobody waits it was logged already.
        if not task.cancelled():
            task.exception()

    # The computer and the clock

    def asked_by(self, visitor: str) -> None:
        """Notes who is here; for a while the computer goes on for them, though nobody is connected."""
        self.visitor = visitor
        self._asked_at = self._cluster.now()
        self.wake()

    @property
    def is_awaited(self) -> bool:
        """Whether someone sees what happens here, asked lately, or a clock runs."""
        if self.is_deleted:
            return False
        recently = self._cluster.now() - self._asked_at < _ASKED_LATELY
        return bool(self.chairs) or self.state.deadline is not None or recently

    def wake(self) -> None:
        """Asks for the computer's move if it is its turn and someone awaits it, and winds the clock."""
        self._wind_clock()
        turn = self.state.turn
        if turn and self.state.computer(turn) and self.is_awaited and self._asked != self.state.decided:
            self._asked = self.state.decided
            self._asking = self._start(self._ask_computer(self.state.decided))

    async def _ask_computer(self, version: int) -> None:
        """Has a job in the queue until the game goes on, and tells a long wait."""
        people = any(self.state.computer(player) is None for player in (1, 2))
        job = Job(self.game, version, JobKind.MOVE, self.visitor, people)
        try:
            while self.state.decided == version and self.is_awaited:
                try:
                    await self._cluster.jobs.put(job)
                    wait = await self._cluster.jobs.wait_of(job.key)
                except Refusal as refusal:
                    wait = refusal.retry or _LOOK
                except Exception:
                    LOG.exception("a computer's move could not be asked for", extra={"game": self.game})
                    wait = 0.0
                self._tell_wait(wait)
                await asyncio.sleep(_LOOK)
        finally:
            if self._asked == version:
                self._asked = None

    def _tell_wait(self, seconds: float) -> None:
        before, self._wait = self._wait, seconds if seconds > _LONG else 0.0
        if before or self._wait:
            for chair in list(self.chairs):
                if chair.told:
                    chair.told.common["wait"] = round(self._wait, 1) or None
                self._tell(chair, {"type": "wait", "seconds": round(self._wait, 1)})

    async def play(self, version: int, move: str) -> bool:
        """Makes the computer's move, unless the game has gone on; tells whether it was a move at all."""
        return await asyncio.shield(self._start(self._play(version, move)))

    async def _play(self, version: int, move: str) -> bool:
        legal = True

        def decided() -> list[Event]:
            nonlocal legal
            if self.state.decided != version or not self.state.turn:
                return []
            try:
                moment = self._cluster.now()
                return decide_move(self.state, self.state.turn, move, None, moment, _CHANCE)
            except Refusal as refusal:
                about = {"game": self.game, "move": move, "reason": refusal.sentence}
                LOG.error("engine move refused", extra=about)
                legal = False
                return []

        async with self._lock:
            await self._happen(decided)
        return legal

    async def hint(self, role: Role) -> Json:
        """What the engine would do in the player's place."""
        state = self.state
        if state.between_people:
            raise Refusal("no-hints", "There are no hints between friends.", 403)
        if state.turn not in role.seats:
            raise Refusal("not-your-turn", "It is the other player's turn.")
        job = Job(self.game, state.decided, JobKind.HINT, self.visitor, nonce=token_hex(4))
        try:
            answer = await self._cluster.jobs.ask(job, _HINT_WITHIN)
        except (Refusal, TimeoutError) as error:
            if isinstance(error, Refusal) and error.code != "busy":
                raise
            # Without a time to come back: a person asks again, and no page does it for them.
            raise Refusal("busy", "The engine is busy; ask again in a moment.", 503) from None
        if "move" not in answer:
            raise Refusal("engine-failed", "The engine did not answer; ask again in a moment.", 503)
        return {"type": "hint", **answer}

    def _wind_clock(self, least: float = 0.0) -> None:
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        deadline = self.state.deadline
        if deadline is not None and not self.is_deleted:
            wait = max(least, deadline + _GRACE - self._cluster.now())
            loop = asyncio.get_running_loop()
            self._flag = loop.call_later(wait, lambda: self._start(self._flag_fall()))

    async def _flag_fall(self) -> None:
        def fallen() -> list[Event]:
            deadline = self.state.deadline
            over = deadline is not None and self._cluster.now() >= deadline and self._cluster.is_awake
            return [Event(Kind.TIME, self.state.turn, self._cluster.now())] if over else []

        async with self._lock:
            with suppress(Refusal):
                await self._happen(fallen)
            if self.state.deadline is not None:
                self._wind_clock(_RETRY)

    @property
    def is_idle(self) -> bool:
        waits = self.state.deadline is not None and not self.is_deleted
        return not (self.chairs or waits or self._tasks)

    def close(self) -> None:
        if self._flag is not None:
            self._flag.cancel()
        if self._asking is not None:
            self._asking.cancel()
        for chair in list(self.chairs):
            chair.outbox.end(chair.closes)
