"""Games in the database: listing, reading, deleting, and taking a person's name out of them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from pydantic import ValidationError

from quiltwork.editions.content import edition_of_content
from quiltwork.errors import QuiltworkError
from quiltwork.server.answers import Refusal
from quiltwork.server.database import EDITION, EVENT, GAME, JOINED, METADATA, SECRET, migrate, open_engine
from quiltwork.server.editions import named_edition, with_edition
from quiltwork.server.events import Event, Kind
from quiltwork.server.setups import GameSetup, Human
from quiltwork.server.state import GameState
from quiltwork.server.study.storage import REVIEW
from quiltwork.server.table_view import record_text, seat_views
from quiltwork.server.tokens import Pass, Tokens


@dataclass(frozen=True)
class GameLine:
    """A game in a list."""

    id: str
    created: float
    last: float
    """when something happened last, in seconds since 1970"""
    edition: str
    players: tuple[str, str]
    moves: int
    result: str
    """the winner and how, such as "2 by resign"; "*" for an unfinished game"""

    @property
    def is_finished(self) -> bool:
        return self.result != "*"

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "created": _date(self.created),
            "last": _date(self.last),
            "edition": self.edition,
            "players": list(self.players),
            "moves": self.moves,
            "result": self.result,
        }


def opened(url: str) -> sa.Engine:
    """The database of a URL with the newest schema; statements may take as long as they need."""
    engine = open_engine(url, patient=True)
    migrate(engine)
    return engine


def ids_by_age(connection: sa.Connection, *, idle_since: float | None = None) -> list[tuple[str, float]]:
    """Games with the time of their last event, the newest first; those without an event have their creation."""
    last = sa.func.coalesce(sa.func.max(EVENT.c.at), GAME.c.created)
    query = sa.select(GAME.c.id, last).outerjoin(EVENT, EVENT.c.game == GAME.c.id).group_by(GAME.c.id)
    if idle_since is not None:
        # Nothing happens before a game is made: most of the events of new games need not be read.
        query = query.where(GAME.c.created < idle_since).having(last < idle_since)
    return [(row[0], float(row[1])) for row in connection.execute(query.order_by(last.desc()))]


def state_of(connection: sa.Connection, game: str) -> tuple[GameState, float]:
    """A game as its events add up to, and when it was created; raises QuiltworkError."""
    row = connection.execute(sa.select(GAME).where(GAME.c.id == game)).one_or_none()
    if row is None:
        raise QuiltworkError(f"there is no game {game[:20]!r}")
    try:
        setup = GameSetup.model_validate_json(row.setup)
        edition = named_edition(setup.edition, setup.start)
        if row.edition is not None:
            content = connection.execute(sa.select(EDITION.c.content).where(EDITION.c.hash == row.edition))
            edition = edition_of_content(content.scalar_one())
        if edition is None:
            raise QuiltworkError(f"game {game}: its edition {setup.edition!r} is not here")
        events = connection.execute(sa.select(EVENT).where(EVENT.c.game == game).order_by(EVENT.c.version))
        state = GameState.of(
            with_edition(setup, edition),
            (Event(Kind(r.kind), r.player, r.at, json.loads(r.body), r.key) for r in events),
        )
    except (ValidationError, ValueError) as error:
        raise QuiltworkError(f"game {game}: cannot be read: {str(error).splitlines()[0]}") from None
    return state, float(row.created)


def game_lines(connection: sa.Connection, games: Sequence[tuple[str, float]]) -> Iterator[GameLine]:
    """The games of a list; one that cannot be read says so instead of its players."""
    for game, last in games:
        try:
            state, created = state_of(connection, game)
        except QuiltworkError as error:
            yield GameLine(game, last, last, "?", ("?", "?"), 0, f"unreadable: {error}")
            continue
        names = [seat["name"] or f"Player {number}" for number, seat in enumerate(seat_views(state, {}, set()), 1)]
        result = f"{state.result.winner} by {state.result.by}" if state.result else "*"
        yield GameLine(game, created, last, state.setup.edition, (names[0], names[1]), len(state.steps), result)


def record_of_game(connection: sa.Connection, game: str) -> str:
    """A game as a record in the `.quilt` format."""
    state, created = state_of(connection, game)
    return record_text(state, _date(created)[:10].replace("-", "."))


def delete_games(connection: sa.Connection, games: Collection[str]) -> int:
    """Deletes games with all that hangs on them; returns how many there were."""
    connection.execute(REVIEW.delete().where(REVIEW.c.game.in_(list(games))))
    for table in reversed(METADATA.sorted_tables):
        for column in table.columns:
            if any(key.column is GAME.c.id for key in column.foreign_keys):
                connection.execute(table.delete().where(column.in_(list(games))))
    return connection.execute(GAME.delete().where(GAME.c.id.in_(list(games)))).rowcount


def seats_of(connection: sa.Connection, shown: Collection[str]) -> dict[str, set[int]]:
    """The games and the seats in them that tokens, or links with tokens, prove; raises QuiltworkError."""
    secret = connection.execute(sa.select(SECRET.c.value).where(SECRET.c.name == "tokens")).scalar()
    tokens = Tokens(bytes(secret or b""))
    found: dict[str, set[int]] = {}
    for text in shown:
        token = tokens.check(text.strip().rpartition("#")[2].rpartition("/")[2])
        if token is None or not token.role.seats:
            raise QuiltworkError(f"{text[:40]!r} is no seat of a game on this server")
        _check_seat(connection, token)
        found.setdefault(token.game, set()).update(token.role.seats)
    return found


def _check_seat(connection: sa.Connection, token: Pass) -> None:
    state, _ = state_of(connection, token.game)
    try:
        state.seats.check(token)
    except Refusal as refusal:
        raise QuiltworkError(f"game {token.game}: {refusal}") from None


def all_agree(connection: sa.Connection, game: str, seats: Collection[int]) -> bool:
    """Whether these seats are those of all people who were ever in a game."""
    state, _ = state_of(connection, game)
    came = set(connection.execute(sa.select(JOINED.c.player).where(JOINED.c.game == game)).scalars())
    came |= set(connection.execute(sa.select(EVENT.c.player).where(EVENT.c.game == game)).scalars())
    came |= {player for player in (1, 2) if state.seats.is_taken(player)}
    return all(player in seats for player in came & {1, 2} if state.computer(player) is None)


def remove_names(connection: sa.Connection, game: str, seats: Collection[int]) -> None:
    """Takes the names of players out of a game's set-up and events."""
    setup = GameSetup.model_validate_json(
        connection.execute(sa.select(GAME.c.setup).where(GAME.c.id == game)).scalar_one()
    )
    nameless = [
        seat.model_copy(update={"name": None}) if player in seats and isinstance(seat, Human) else seat
        for player, seat in enumerate(setup.seats, 1)
    ]
    text = json.dumps(setup.model_copy(update={"seats": tuple(nameless)}).model_dump(mode="json"))
    connection.execute(GAME.update().where(GAME.c.id == game).values(setup=text))
    named = sa.and_(EVENT.c.game == game, EVENT.c.kind == Kind.NAME.value, EVENT.c.player.in_(list(seats)))
    connection.execute(EVENT.update().where(named).values(body=json.dumps({"name": None})))


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
