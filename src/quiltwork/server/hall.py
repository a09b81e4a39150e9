"""The hall: where tables are set, found again and put away."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection
from random import SystemRandom
from typing import Any

from quiltwork import (
    Edition,
    Game,
    Phase,
    Position,
    QuiltworkError,
    Theme,
    available_editions,
    available_themes,
    load_edition,
    load_theme,
)
from quiltwork.server.answers import Refusal
from quiltwork.server.engine import Engine
from quiltwork.server.events import Event, Kind
from quiltwork.server.metrics import Metrics
from quiltwork.server.opponents import load_opponents
from quiltwork.server.settings import Settings
from quiltwork.server.setups import Computer, GameRequest, GameSetup, Human
from quiltwork.server.state import GameState
from quiltwork.server.store import Store, now
from quiltwork.server.table import Table
from quiltwork.server.tokens import Role, Tokens, new_game_id

_DEALS = 1_000_000
_EDITION_TAG = re.compile(r'\[\s*(?:Edition|Position)\s+"([^"\s]*)', re.IGNORECASE)


class Hall:
    """All tables of a server."""

    def __init__(self, settings: Settings, store: Store, engine: Engine, metrics: Metrics) -> None:
        self.settings = settings
        self.store = store
        self.engine = engine
        self.metrics = metrics
        self.tokens = Tokens(store.secret)
        self.editions: dict[str, Edition] = {name: load_edition(name) for name in available_editions()}
        for path in settings.editions:
            own = load_edition(path)
            self.editions[own.id] = own
        self.themes: dict[str, Theme] = {name: load_theme(name) for name in available_themes()}
        self._tables: dict[str, Table] = {}
        self._opening: dict[str, asyncio.Lock] = {}
        self._chance = SystemRandom()

    # Setting a table

    async def create(self, wanted: GameRequest) -> tuple[str, GameSetup]:
        """A new game, stored; raises Refusal where it cannot be."""
        edition = self.edition(wanted.edition)
        theme = wanted.theme or edition.theme
        if theme not in self.themes:
            theme = "patchwork"
        for seat in wanted.seats:
            if isinstance(seat, Computer) and seat.opponent not in load_opponents().all:
                raise Refusal("unknown-opponent", f"There is no opponent {seat.opponent!r}.", 404)
        if wanted.shared and any(isinstance(seat, Computer) or seat.remote for seat in wanted.seats):
            raise Refusal("bad-seats", "A shared device has two people and no computer.")
        if not wanted.shared and all(isinstance(seat, Human) for seat in wanted.seats):
            if sum(isinstance(seat, Human) and seat.remote for seat in wanted.seats) != 1:
                raise Refusal("bad-seats", "Of two people on two devices, one must be remote.")
        elif any(isinstance(seat, Human) and seat.remote for seat in wanted.seats):
            raise Refusal("bad-seats", "A remote friend plays against a person.")
        start, moves, deal = self._start(wanted, edition)
        setup = GameSetup(
            edition=wanted.edition,
            theme=theme,
            start=start.text,
            deal=deal,
            seats=wanted.seats,
            shared=wanted.shared,
            clock=wanted.clock,
        )
        return await self._store_new(setup, moves), setup

    def _start(self, wanted: GameRequest, edition: Edition) -> tuple[Position, list[Event], int | None]:
        if wanted.record is not None:
            game = self.read_record(wanted.record)
            if game.edition.id != edition.id:
                raise Refusal("bad-record", "The record is of another edition.")
            line = list(game.root.main_line())
            line = line[: len(line) if wanted.ply is None else wanted.ply]
            events = []
            position = game.start
            for node in line:
                player = 0 if position.phase is Phase.DEAL else int(position.turn or 0)
                events.append(Event(Kind.MOVE, player, now(), {"move": str(node.move)}))
                position = node.position
            if position.phase is Phase.DEAL:
                # Between a take and the deal nobody can go on.
                events.append(Event(Kind.MOVE, 0, now(), {"move": str(position.deal(self._chance))}))
            return game.start, events, None
        deal = self._chance.randrange(_DEALS) if wanted.deal is None else wanted.deal
        return Position.initial(edition, deal=deal), [], deal

    async def _store_new(self, setup: GameSetup, events: list[Event]) -> str:
        game = new_game_id()
        await self.store.create(game, setup.model_dump(mode="json"), now(), events)
        self.metrics.count("games_created_total")
        self._tables[game] = self._table(game, GameState.of(setup, events))
        return game

    async def _rematch(self, table: Table) -> str:
        """The same again with seats swapped and a new deal."""
        old = table.state
        seats = [
            seat.model_copy(update={"name": old.names[index]})
            if isinstance(seat, Human) and old.names[index]
            else seat
            for index, seat in enumerate(old.setup.seats)
        ]
        deal = self._chance.randrange(_DEALS)
        start = Position.initial(self.edition(old.setup.edition), deal=deal)
        setup = old.setup.model_copy(update={"seats": (seats[1], seats[0]), "deal": deal, "start": start.text})
        return await self._store_new(setup, [])

    def creator_role(self, setup: GameSetup) -> Role:
        """What who sets a table may do at it."""
        if setup.shared:
            return Role.BOTH
        mine = [
            player for player, seat in enumerate(setup.seats, 1) if isinstance(seat, Human) and not seat.remote
        ]
        return {(1,): Role.PLAYER_1, (2,): Role.PLAYER_2, (): Role.WATCH}[tuple(mine)]

    # Finding things

    def edition(self, identifier: str) -> Edition:
        try:
            return self.editions[identifier]
        except KeyError:
            raise Refusal("unknown-edition", f"There is no edition {identifier!r}.", 404) from None

    def theme(self, identifier: str) -> Theme:
        try:
            return self.themes[identifier]
        except KeyError:
            raise Refusal("unknown-theme", f"There is no theme {identifier!r}.", 404) from None

    def read_record(self, text: str) -> Game:
        """The game of a record that a visitor sent; only editions of this server are read."""
        for name in _EDITION_TAG.findall(text):
            if name.lower() not in self.editions:
                raise Refusal("unknown-edition", f"There is no edition {name[:40]!r}.", 404)
        try:
            return Game.parse(text)
        except QuiltworkError as error:
            raise Refusal("bad-record", str(error)) from None

    async def table(self, game: str) -> Table:
        """The table of a game, set again from the database where it was put away."""
        async with self._opening.setdefault(game, asyncio.Lock()):
            found = self._tables.get(game)
            if found is None or found.is_broken:
                found = await self._load(game)
                self._tables[game] = found
            found.last_used = now()
        if len(self._opening) > 4096:
            self._opening = {key: lock for key, lock in self._opening.items() if lock.locked()}
        return found

    async def _load(self, game: str) -> Table:
        stored = await self.store.load(game)
        if stored is None:
            raise Refusal("unknown-game", "There is no such game.", 404)
        setup = GameSetup.model_validate(stored.setup)
        state = GameState.of(setup, stored.events)
        if state.deadline is not None:
            # The time that the server was away costs nobody.
            restart = Event(Kind.RESTART, 0, now())
            await self.store.append(game, state.version, [restart])
            state.apply(restart)
        return self._table(game, state, stored.joined)

    def _table(self, game: str, state: GameState, joined: Collection[int] = ()) -> Table:
        return Table(
            game,
            state,
            store=self.store,
            engine=self.engine,
            tokens=self.tokens,
            metrics=self.metrics,
            pace=self.settings.computer_pace,
            joined=joined,
            start_rematch=self._rematch,
        )

    def put_away(self) -> None:
        """Forgets tables that nobody has used for a while; their games stay in the database."""
        limit = now() - self.settings.table_idle
        for game, table in list(self._tables.items()):
            if table.is_idle and table.last_used < limit:
                table.close()
                del self._tables[game]

    async def put_away_forever(self) -> None:
        while True:
            await asyncio.sleep(max(1.0, self.settings.table_idle / 5))
            self.put_away()

    def close(self) -> None:
        for table in self._tables.values():
            table.close()

    @property
    def tables_open(self) -> int:
        return len(self._tables)

    @property
    def connections_open(self) -> int:
        return sum(len(table.chairs) for table in self._tables.values())

    def about(self) -> dict[str, Any]:
        """What this server offers."""
        opponents = load_opponents()
        return {
            "editions": [{"id": i, "title": e.title, "theme": e.theme} for i, e in self.editions.items()],
            "themes": [{"id": i, "title": t.title} for i, t in self.themes.items()],
            "opponents": [
                {"id": o.id, "name": o.name, "level": o.level, "sentence": o.sentence}
                for o in opponents.all.values()
            ],
            "default_opponent": opponents.default,
            "public_url": self.settings.public_url,
        }
