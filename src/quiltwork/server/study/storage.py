"""Reviews that were made, in the database beside the games."""

from __future__ import annotations

import json
import logging
from typing import Any

import sqlalchemy as sa

from quiltwork.server.answers import Unavailable
from quiltwork.server.clock import now
from quiltwork.server.database import METADATA
from quiltwork.server.store import Store

LOG = logging.getLogger("quiltwork.study")
KEPT = 20_000
"""reviews; the oldest give way"""

REVIEW = sa.Table(
    "review",
    METADATA,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("game", sa.String(12), nullable=True, index=True),
    sa.Column("made", sa.Float, nullable=False, index=True),
    sa.Column("content", sa.Text, nullable=False),
)


class ReviewStore:
    """Keeps what reviews found, by a key of the game's moves and of how it was judged."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def load(self, key: str) -> list[dict[str, Any]] | None:
        """What a review told; None where there is none, or where the database does not answer."""

        def read() -> list[dict[str, Any]] | None:
            with self._store.database.connect() as connection:
                found = connection.execute(sa.select(REVIEW.c.content).where(REVIEW.c.id == key)).scalar()
            content: list[dict[str, Any]] | None = json.loads(found) if found else None
            return content

        try:
            return await self._store.aside(read)
        except (Unavailable, sa.exc.SQLAlchemyError) as error:
            LOG.warning("a review could not be read", extra={"reason": str(error)})
            return None

    async def save(self, key: str, game: str | None, events: list[dict[str, Any]]) -> None:
        """A review that cannot be stored can be made again, so a failure is only noted."""

        def write() -> None:
            row = {"id": key, "game": game, "made": now(), "content": json.dumps(events, separators=(",", ":"))}
            with self._store.database.begin() as connection:
                connection.execute(REVIEW.delete().where(REVIEW.c.id == key))
                connection.execute(REVIEW.insert().values(**row))
                newest = sa.select(REVIEW.c.made).order_by(REVIEW.c.made.desc()).offset(KEPT).limit(1)
                limit = connection.execute(newest).scalar()
                if limit is not None:
                    connection.execute(REVIEW.delete().where(REVIEW.c.made <= limit))

        try:
            await self._store.aside(write)
        except (Unavailable, sa.exc.SQLAlchemyError) as error:
            LOG.warning("a review could not be stored", extra={"reason": str(error)})
