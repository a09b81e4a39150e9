"""Retention: deleting games that have been finished, or left alone, for long enough."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import inf

import sqlalchemy as sa

from quiltwork.errors import QuiltworkError
from quiltwork.server.admin.games import delete_games, game_lines, ids_by_age
from quiltwork.server.database import open_engine

_UNITS = {"h": 3_600.0, "d": 86_400.0, "w": 604_800.0, "y": 31_557_600.0}
_BATCH = 200
"""games deleted in one transaction: moves of other games do not wait long"""


@dataclass(frozen=True)
class Retention:
    """For how long games are kept after the last thing that happened in them, in seconds; None for ever."""

    finished: float | None = None
    unfinished: float | None = None


def duration(text: str) -> float:
    """The seconds of a text such as 90d, 12h, 8w or 2y; raises QuiltworkError."""
    form = re.fullmatch(r"(\d{1,5})([hdwy])", text.strip().lower())
    if form is None or int(form[1]) == 0:
        raise QuiltworkError(f"expected a time such as 90d (h, d, w or y), found {text[:20]!r}")
    return int(form[1]) * _UNITS[form[2]]


def due(
    connection: sa.Connection, retention: Retention, now: float, kept: dict[str, float] | None = None
) -> list[str]:
    """The games that are kept no longer.

    Whether a game is finished, only playing it through tells. `kept` notes those that were found to stay, with the
    time of their last event, so that who asks again with it has each played through once.
    """
    limits = [limit for limit in (retention.finished, retention.unfinished) if limit is not None]
    if not limits:
        return []
    old = dict(ids_by_age(connection, idle_since=now - min(limits)))
    # Those that are too old for either limit need no look.
    surely = now - max(limits) if len(limits) == 2 else -inf
    found = [game for game, last in old.items() if last < surely]
    kept = {} if kept is None else kept
    for game in [game for game, last in kept.items() if old.get(game) != last or last < surely]:
        del kept[game]
    unknown = [(game, last) for game, last in old.items() if game not in kept and last >= surely]
    for line in game_lines(connection, unknown):
        limit = retention.finished if line.is_finished else retention.unfinished
        if limit is not None and line.last < now - limit:
            found.append(line.id)
        else:
            kept[line.id] = line.last
    return found


def prune(engine: sa.Engine, retention: Retention, now: float, kept: dict[str, float] | None = None) -> int:
    """Deletes the games that are kept no longer; returns how many."""
    with engine.connect() as connection:
        games = due(connection, retention, now, kept)
    deleted = 0
    for first in range(0, len(games), _BATCH):
        with engine.begin() as connection:
            deleted += delete_games(connection, games[first : first + _BATCH])
    return deleted


def prune_database(url: str, retention: Retention, now: float, kept: dict[str, float] | None = None) -> int:
    """The same for the database of a server that is running, which has brought it up to date."""
    engine = open_engine(url, patient=True)
    try:
        return prune(engine, retention, now, kept)
    finally:
        engine.dispose()
