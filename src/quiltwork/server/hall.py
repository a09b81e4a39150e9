"""The hall: where tables are set, found again and put away."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from random import SystemRandom
from typing import Any, TypeVar

from quiltwork import (
    Edition,
    Game,
    Phase,
    Position,
    QuiltworkError,
    Theme,
)
from quiltwork.agents.levels import load_levels
from quiltwork.notation.tokens import Kind as Piece
from quiltwork.notation.tokens import tokens
from quiltwork.server.answers import Refusal, UnknownGame
from quiltwork.server.cluster import Cluster, Company, Elsewhere
from quiltwork.server.editions import Editions, with_edition
from quiltwork.server.events import Event, Kind
from quiltwork.server.metrics import Metrics
from quiltwork.server.reader import Reader
from quiltwork.server.settings import Settings
from quiltwork.server.setups import Computer, GameRequest, GameSetup, Human
from quiltwork.server.state import GameState
from quiltwork.server.store import NewGame, Store
from quiltwork.server.table import Table
from quiltwork.server.tokens import Role, Tokens, new_game_id
from quiltwork.themes import DEFAULT_THEME

LOG = logging.getLogger("quiltwork.hall")
T = TypeVar("T")
_DEALS = 1_000_000
_RESTS = 60.0
"""seconds without a message after which a table rests"""
_RECORD_MOVES = 2000
"""the moves that a record from a visitor may have, with its variations"""


class Hall:
    """All tables of a server."""

    def __init__(self, settings: Settings, store: Store, cluster: Cluster, metrics: Metrics) -> None:
        self.settings = settings
        self.store = store
        self.cluster = cluster
        self.metrics = metrics
        self.tokens = Tokens(store.secret)
        self.editions = Editions(settings.editions, store)
        self.themes = self.editions.themes
        self._tables: dict[str, Table] = {}
        self._opening: dict[str, asyncio.Lock] = {}
        self._chance = SystemRandom()
        self._reader = Reader()

    # Setting a table

    async def create(self, wanted: GameRequest, visitor: str = "") -> tuple[str, GameSetup]:
        """A new game, stored; raises Refusal where it cannot be."""
        edition = await self.edition(wanted.edition)
        theme = self.theme_here(wanted.theme or edition.theme)
        for seat in wanted.seats:
            if isinstance(seat, Computer) and seat.opponent not in load_levels().all:
                raise Refusal("unknown-opponent", f"There is no opponent {seat.opponent!r}.", 404)
        if wanted.shared and any(isinstance(seat, Computer) or seat.remote for seat in wanted.seats):
            raise Refusal("bad-seats", "A shared device has two people and no computer.")
        if not wanted.shared and all(isinstance(seat, Human) for seat in wanted.seats):
            if sum(isinstance(seat, Human) and seat.remote for seat in wanted.seats) != 1:
                raise Refusal("bad-seats", "Of two people on two devices, one must be remote.")
        elif any(isinstance(seat, Human) and seat.remote for seat in wanted.seats):
            raise Refusal("bad-seats", "A remote friend plays against a person.")
        if wanted.record is None:
            deal = self._chance.randrange(_DEALS) if wanted.deal is None else wanted.deal
            start, moves = Position.initial(edition, deal=deal), list[Event]()
        else:
            record, ply, deal = wanted.record, wanted.ply, None
            start, moves = await self.aside(lambda: self._go_on(record, ply, edition), visitor)
        setup = GameSetup(
            edition=edition.name,
            theme=theme,
            start=start.text,
            deal=deal,
            seats=wanted.seats,
            shared=wanted.shared,
            clock=wanted.clock,
        )
        new = NewGame(new_game_id(), self.cluster.now(), setup.model_dump(mode="json"), moves, start.edition)
        await self.store.create(new)
        self.metrics.count("games_created_total")
        self._tables[new.id] = self._table(new.id, GameState.of(setup, moves))
        return new.id, setup

    def _go_on(self, record: str, ply: int | None, edition: Edition) -> tuple[Position, list[Event]]:
        """The start of a record's game, and its first `ply` moves."""
        game = self.read_record(record)
        if game.edition.name != edition.name:
            raise Refusal("bad-record", "The record is of another edition.")
        line = list(game.root.main_line())
        events = []
        position = game.start
        for node in line[: len(line) if ply is None else ply]:
            player = 0 if position.phase is Phase.DEAL else int(position.turn or 0)
            events.append(Event(Kind.MOVE, player, self.cluster.now(), {"move": str(node.move)}))
            position = node.position
        if position.phase is Phase.DEAL:
            # Between a take and the deal nobody can go on.
            events.append(Event(Kind.MOVE, 0, self.cluster.now(), {"move": str(position.deal(self._chance))}))
        return game.start, events

    def _new_rematch(self, old: GameState) -> NewGame:
        """The same again with seats swapped and a new deal."""
        # Both are there already: nobody comes by an invitation.
        seats = [
            seat.model_copy(update={"name": old.names[index] or seat.name, "remote": False})
            if isinstance(seat, Human)
            else seat
            for index, seat in enumerate(old.setup.seats)
        ]
        deal = self._chance.randrange(_DEALS)
        start = Position.initial(old.start.edition, deal=deal)
        setup = old.setup.model_copy(update={"seats": (seats[1], seats[0]), "deal": deal, "start": start.text})
        return NewGame(new_game_id(), self.cluster.now(), setup.model_dump(mode="json"), (), start.edition)

    def creator_role(self, setup: GameSetup) -> Role:
        """The role of the game's creator."""
        if setup.shared:
            return Role.BOTH
        mine = [
            player for player, seat in enumerate(setup.seats, 1) if isinstance(seat, Human) and not seat.remote
        ]
        return {(1,): Role.PLAYER_1, (2,): Role.PLAYER_2, (): Role.WATCH}[tuple(mine)]

    # Finding things

    async def edition(self, name: str) -> Edition:
        """The edition of that name: one that is offered, or that some game was begun with."""
        if name in self.editions.offered:
            return self.editions.offered[name]
        return await self.store.aside(lambda: self.editions.find(name))

    def theme_here(self, identifier: str) -> str:
        """That theme, or the default where it is not offered (any more)."""
        return identifier if identifier in self.themes else DEFAULT_THEME

    def theme(self, identifier: str) -> Theme:
        try:
            return self.themes[identifier]
        except KeyError:
            raise Refusal("unknown-theme", f"There is no theme {identifier!r}.", 404) from None

    def read_record(self, text: str) -> Game:
        """The game of a record that a visitor sent; only editions of this server are read."""
        moves = 0
        try:
            for token in tokens(text):
                moves += token.kind is Piece.MOVE
                if moves > _RECORD_MOVES:
                    raise Refusal("bad-record", f"A record may have at most {_RECORD_MOVES} moves here.")
                if token.kind is Piece.TAG and token.text in ("Edition", "Position"):
                    # A position begins with its edition; a path must not reach the file system.
                    name = token.value if token.text == "Edition" else token.value.strip().partition(" ")[0]
                    self.editions.find(name.lower())
            return Game.parse(text)
        except QuiltworkError as error:
            raise Refusal("bad-record", str(error)) from None

    async def aside(self, work: Callable[[], T], visitor: str) -> T:
        """Does what takes long beside the event loop; visitors take turns."""
        return await self._reader.do(work, visitor)

    async def table(self, game: str) -> Table:
        """The table of a game, set again from the database where it was put away."""
        async with self._opening.setdefault(game, asyncio.Lock()):
            found = self._tables.get(game)
            if found is None or found.is_deleted:
                self._tables.pop(game, None)
                found = await self._load(game)
                self._tables[game] = found
            elif found.is_behind or self.cluster.shared:
                await found.catch_up()
            found.last_used = self.cluster.now()
        if len(self._opening) > 4096:
            self._opening = {key: lock for key, lock in self._opening.items() if lock.locked()}
        return found

    async def _load(self, game: str) -> Table:
        stored = await self.store.load(game)
        if stored is None:
            raise UnknownGame
        setup = GameSetup.model_validate(stored.setup)
        edition = self.editions.of_game(setup, stored.edition)
        try:
            here = with_edition(setup, edition).model_copy(update={"theme": self.theme_here(setup.theme)})
            state = GameState.of(here, stored.events)
        except QuiltworkError as error:
            LOG.error("a game cannot be read", extra={"game": game, "reason": str(error)})
            raise Refusal("unreadable-game", f"This game cannot be read any more: {error}", 410) from None
        if stored.edition is None:
            await self.store.set_edition(game, edition)
        table = self._table(game, state, stored.joined)
        await table.resume()
        return table

    def _table(self, game: str, state: GameState, joined: Collection[int] = ()) -> Table:
        return Table(
            game,
            state,
            store=self.store,
            cluster=self.cluster,
            tokens=self.tokens,
            metrics=self.metrics,
            joined=joined,
            new_rematch=self._new_rematch,
        )

    def put_away(self) -> None:
        """Forgets tables that nobody has used for a while; their games stay in the database. Others rest."""
        moment = self.cluster.now()
        limit = moment - self.settings.table_idle
        for game, table in list(self._tables.items()):
            if table.is_idle and table.last_used < limit:
                table.close()
                del self._tables[game]
            elif table.last_used < moment - _RESTS:
                table.rest()

    async def put_away_forever(self) -> None:
        while True:
            await asyncio.sleep(max(1.0, self.settings.table_idle / 5))
            self.put_away()

    def close(self) -> None:
        self._reader.close()
        for table in self._tables.values():
            table.close()

    # News of other processes

    def awaits(self, game: str, version: float) -> int | None:
        """The version that a table has, where someone waits for news of it and it has not got this one yet."""
        table = self._tables.get(game)
        if table is None or table.state.version >= version:
            return None
        if not table.is_awaited:
            table.fall_behind()
            return None
        return table.state.version

    async def take_news(self, game: str, first: int, events: Sequence[Event]) -> None:
        """Takes in events that others stored, from number `first` on."""
        if (table := self._tables.get(game)) is not None:
            await table.take_news(first, events)

    def company_of(self, games: Sequence[str] | None) -> dict[str, Company]:
        """The seats with a connection in this process, at these tables or at all."""
        if games is None:
            return {game: table.company for game, table in self._tables.items() if table.chairs}
        return {game: self._tables[game].company for game in games if game in self._tables}

    def take_company(self, game: str, elsewhere: Elsewhere) -> None:
        """Notes the seats of a table with a connection elsewhere."""
        if (table := self._tables.get(game)) is not None:
            table.take_company(elsewhere)

    def look_again(self) -> list[str]:
        """News may have been missed: the games that are awaited here; the others look when they are."""
        for table in self._tables.values():
            if not table.is_awaited:
                table.fall_behind()
        return [game for game, table in self._tables.items() if table.is_awaited]

    async def resume(self) -> None:
        """The service was away, which costs nobody time on a clock."""
        for table in list(self._tables.values()):
            if table.state.deadline is not None:
                await table.resume()

    @property
    def tables_open(self) -> int:
        return len(self._tables)

    @property
    def connections_open(self) -> int:
        return sum(len(table.chairs) for table in self._tables.values())

    def about(self) -> dict[str, Any]:
        """What this server offers."""
        opponents = load_levels()
        return {
            "editions": [
                {
                    "id": i,
                    "title": e.title,
                    "theme": self.theme_here(e.theme),
                    "confidence": e.source.confidence.value,
                }
                for i, e in self.editions.offered.items()
            ],
            "themes": [{"id": i, "title": t.title} for i, t in self.themes.items()],
            "opponents": [
                {"id": o.id, "name": o.name, "level": o.level, "sentence": o.sentence}
                for o in opponents.all.values()
            ],
            "default_opponent": opponents.default,
            "public_url": self.settings.public_url,
        }
