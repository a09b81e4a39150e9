"""A table: one game in memory, with whoever sits at it. Every event is stored before anyone is told."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Coroutine
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from random import SystemRandom
from typing import Any, TypeVar

from quiltwork.server.answers import Refusal
from quiltwork.server.decide import decide, decide_move
from quiltwork.server.engine import Engine, EngineFailure
from quiltwork.server.events import Event, Kind
from quiltwork.server.metrics import Metrics
from quiltwork.server.opponents import Opponent, load_opponents
from quiltwork.server.state import GameState
from quiltwork.server.store import Store, now
from quiltwork.server.table_view import seat_views, table_view
from quiltwork.server.thinker import Answer
from quiltwork.server.tokens import Role, Tokens
from quiltwork.server.view import Told

LOG = logging.getLogger("quiltwork.table")
Json = dict[str, Any]
T = TypeVar("T")
_RETRY = 2.0
_SIMPLER = ("greedy", "random")
_GRACE = 0.15
"""a move that was on its way when the clock ran out still counts"""


@dataclass(eq=False)
class Chair:
    """One connection at a table, and how many moves it has been told."""

    role: Role
    known: int = 0
    outbox: asyncio.Queue[str | None] = field(default_factory=lambda: asyncio.Queue(maxsize=256))


class Table:
    """One game and the connections to it; the lock makes its events one after another."""

    def __init__(
        self,
        game: str,
        state: GameState,
        *,
        store: Store,
        engine: Engine,
        tokens: Tokens,
        metrics: Metrics,
        pace: float,
        joined: Collection[int] = (),
        start_rematch: Callable[[Table], Awaitable[str]],
    ) -> None:
        self.game = game
        self.state = state
        self.created_rematch = start_rematch
        self._store = store
        self._engine = engine
        self._tokens = tokens
        self._metrics = metrics
        self._pace = pace
        self._lock = asyncio.Lock()
        self._chance = SystemRandom()
        self.chairs: set[Chair] = set()
        self._joined = set(joined)
        self._thinking: asyncio.Task[None] | None = None
        self._flag: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self.is_broken = False
        self.last_used = now()
        self._told = Told(state.position)

    # Coming and going

    def sit_down(self, chair: Chair) -> None:
        self.chairs.add(chair)
        if new := set(chair.role.seats) - self._joined:
            self._joined |= new
            self._start(self._note_joined(new))
        self.last_used = now()
        self._tell(chair, self._view(chair))
        self._tell_presence()
        self.wake()

    async def _note_joined(self, players: set[int]) -> None:
        try:
            await self._store.join(self.game, players)
        except Exception:
            LOG.exception("a player's coming could not be stored", extra={"game": self.game})

    def get_up(self, chair: Chair) -> None:
        self.chairs.discard(chair)
        self.last_used = now()
        self._tell_presence()

    def view(self, role: Role) -> Json:
        """The whole view of a role, for who asks once."""
        return self._view(Chair(role))

    def _view(self, chair: Chair) -> Json:
        if self._told.position is not self.state.position:
            self._told = Told(self.state.position)
        view = table_view(
            self.game,
            self.state,
            chair.role,
            self._tokens,
            self._seats(),
            known=chair.known,
            now=now(),
            thinking=self.state.turn > 0 and self.state.computer(self.state.turn) is not None,
            hints=True,
            told=self._told,
        )
        chair.known = len(self.state.steps)
        return view

    def _seats(self) -> list[Json]:
        online = Counter(player for chair in self.chairs for player in chair.role.seats)
        return seat_views(self.state, online, self._joined)

    def _tell_presence(self) -> None:
        watchers = sum(not chair.role.seats for chair in self.chairs)
        text = json.dumps({"type": "presence", "seats": self._seats(), "watchers": watchers})
        for chair in self.chairs:
            self._tell_text(chair, text)

    def _tell(self, chair: Chair, message: Json) -> None:
        self._tell_text(chair, json.dumps(message, separators=(",", ":")))

    def _tell_text(self, chair: Chair, text: str) -> None:
        try:
            chair.outbox.put_nowait(text)
        except asyncio.QueueFull:
            # Who does not listen is let go; coming back brings everything.
            self.chairs.discard(chair)
            while not chair.outbox.empty():
                chair.outbox.get_nowait()
            chair.outbox.put_nowait(None)

    # What happens

    async def submit(self, role: Role, what: str, version: int, key: str, move: str = "") -> int:
        """Does what a message asks, once for each key; returns the version after it."""
        # Once begun it is done to the end, even if who asked is gone: what is stored is also taken in and told.
        return await asyncio.shield(self._start(self._submit(role, what, version, key, move)))

    async def _submit(self, role: Role, what: str, version: int, key: str, move: str) -> int:
        self.last_used = now()
        async with self._lock:
            if key in self.state.keys:
                return self.state.version
            if version != self.state.version:
                raise Refusal("stale", "The game has moved on; look at it again.", 409)
            events = decide(self.state, role, what, key, now(), self._chance, move)
            if any(event.kind is Kind.REMATCH for event in events):
                game = await self.created_rematch(self)
                events = [Event(Kind.REMATCH, events[0].player, events[0].at, {"game": game}, key)]
            await self._append(events)
            return self.state.version

    async def rename(self, role: Role, name: str, key: str) -> None:
        """Lets a player who sits alone in a seat choose a name."""
        if len(role.seats) != 1:
            raise Refusal("watching", "Only a player has a name.", 403)
        await asyncio.shield(self._start(self._rename(role.seats[0], name, key)))

    async def _rename(self, player: int, name: str, key: str) -> None:
        async with self._lock:
            if key not in self.state.keys:
                await self._append([Event(Kind.NAME, player, now(), {"name": name}, key)])

    async def _append(self, events: list[Event]) -> None:
        """Stores events, then takes them in, then tells everyone."""
        try:
            await self._store.append(self.game, self.state.version, events)
        except Exception as error:
            LOG.exception("an event could not be stored", extra={"game": self.game})
            self._break()
            raise Refusal("not-stored", "The move could not be stored; try again.", 503) from error
        for event in events:
            self.state.apply(event)
            if event.kind is Kind.MOVE:
                self._metrics.count("moves_total")
        stays = len(self.state.steps)
        for event in events:
            if event.kind is Kind.TAKEBACK:
                stays = min(stays, event.body["to"])
        for chair in self.chairs:
            chair.known = min(chair.known, stays)
            self._tell(chair, self._view(chair))
        self.wake()

    def _break(self) -> None:
        """Memory and database may differ: everyone comes back to a table that is set anew."""
        self.is_broken = True
        self.close()

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

    def wake(self) -> None:
        """Lets the computer think if it is its turn and someone sees it or a clock runs, and winds the clock."""
        self._wind_clock()
        busy = self._thinking is not None and not self._thinking.done()
        opponent = self.state.computer(self.state.turn) if self.state.turn else None
        awaited = self.chairs or self.state.deadline is not None
        if opponent is not None and not busy and awaited:
            self._thinking = asyncio.get_running_loop().create_task(self._play_computer(opponent))

    async def _play_computer(self, opponent_id: str) -> None:
        opponent = load_opponents().all[opponent_id]
        started = now()
        version = self.state.version
        player = self.state.turn
        try:
            answer = await self._think(opponent)
        except EngineFailure:
            await asyncio.sleep(_RETRY)
            self._again()
            return
        await asyncio.sleep(max(0.0, self._pace - (now() - started)))
        with suppress(Refusal):
            await asyncio.shield(self._start(self._answer(version, player, answer)))

    async def _answer(self, version: int, player: int, answer: Answer) -> None:
        """Makes the computer's move, unless something else happened meanwhile."""
        async with self._lock:
            if self.state.version == version:
                try:
                    events = decide_move(self.state, player, answer.move, None, now(), self._chance)
                except Refusal as refusal:
                    LOG.error(
                        "engine move refused",
                        extra={"game": self.game, "move": answer.move, "reason": refusal.sentence},
                    )
                    await asyncio.sleep(_RETRY)
                else:
                    self._thinking = None
                    await self._append(events)
                    return
        self._again()

    async def _think(self, opponent: Opponent) -> Answer:
        """The opponent's answer; where its agent fails, a simpler one plays, so that a game never stops."""
        position = self.state.position
        for agent in (opponent.agent, *_SIMPLER):
            try:
                return await self._engine.think(position, replace(opponent, agent=agent))
            except EngineFailure as failure:
                LOG.error("engine failed", extra={"game": self.game, "agent": agent, "reason": str(failure)})
        raise EngineFailure("no agent found a move")

    def _again(self) -> None:
        self._thinking = None
        self.wake()

    async def hint(self, role: Role) -> Json:
        """What the engine would do in the player's place."""
        state = self.state
        if state.between_people:
            raise Refusal("no-hints", "There are no hints between friends.", 403)
        if state.turn not in role.seats:
            raise Refusal("not-your-turn", "It is the other player's turn.")
        opponents = load_opponents()
        position = state.position
        try:
            answer = await self._engine.advise(position, opponents.all[opponents.hint])
        except EngineFailure as failure:
            LOG.error("hint failed", extra={"game": self.game, "reason": str(failure)})
            raise Refusal("engine-failed", "The engine found no hint.", 503) from failure
        reasons = asdict(answer.hint) if answer.hint else None
        return {"type": "hint", "move": answer.move, "hint": reasons, "position": position.text}

    def _wind_clock(self) -> None:
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        deadline = self.state.deadline
        if deadline is not None:
            loop = asyncio.get_running_loop()
            self._flag = loop.call_later(
                max(0.0, deadline + _GRACE - now()), lambda: self._start(self._flag_fall())
            )

    async def _flag_fall(self) -> None:
        async with self._lock:
            deadline = self.state.deadline
            if deadline is not None and now() >= deadline:
                await self._append([Event(Kind.TIME, self.state.turn, now())])

    @property
    def is_idle(self) -> bool:
        return (
            not self.chairs and self.state.deadline is None and (self._thinking is None or self._thinking.done())
        )

    def close(self) -> None:
        if self._flag is not None:
            self._flag.cancel()
        if self._thinking is not None:
            self._thinking.cancel()
        for chair in self.chairs:
            self._tell_close(chair)

    def _tell_close(self, chair: Chair) -> None:
        if not chair.outbox.full():
            chair.outbox.put_nowait(None)
