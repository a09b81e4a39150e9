"""The database: its tables, opening it with limits on every wait, and bringing it up to date."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from quiltwork.editions import Edition
from quiltwork.editions.content import content_of, fingerprint
from quiltwork.errors import QuiltworkError

METADATA = sa.MetaData()

EDITION = sa.Table(
    "edition",
    METADATA,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("content", sa.Text, nullable=False),
)
GAME = sa.Table(
    "game",
    METADATA,
    sa.Column("id", sa.String(12), primary_key=True),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("setup", sa.Text, nullable=False),
    sa.Column("edition", sa.String(64), sa.ForeignKey("edition.hash"), nullable=True),
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
SERVICE = sa.Table(
    "service",
    METADATA,
    sa.Column("name", sa.String(16), primary_key=True),
    sa.Column("up_since", sa.Float, nullable=False),
    sa.Column("seen", sa.Float, nullable=False),
)
"""one row: when some server was last alive on this database, and since when there was no gap"""


_REST = 1.0
"""seconds after which a connection of the pool may have been cut off"""
_MIGRATING = 0x5EA
"""the key of the lock that migrations hold"""


def open_engine(url: str, timeout: float = 5.0, *, patient: bool = False, single: bool = False) -> Engine:
    """An SQLAlchemy engine for that URL, set up for durable concurrent use.

    No connecting, statement or waiting for a connection takes longer than `timeout` seconds, as far as the
    database or the network can tell; `patient` lifts the limit of statements, for migrations. With `single` each
    statement is a transaction of its own, which saves two trips to a database beyond a network.
    """
    parsed = parse_url(url)
    _keep_private(parsed)
    if parsed.get_backend_name() == "sqlite":
        engine = sa.create_engine(url)

        @sa.event.listens_for(engine, "connect")
        def set_pragmas(connection: Any, _record: Any) -> None:
            cursor = connection.cursor()
            busy = f"busy_timeout={1000 * timeout:.0f}"
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", busy):
                cursor.execute(f"PRAGMA {pragma}")
            cursor.close()

        return engine
    waits = _postgres_waits(parsed, timeout, patient) if parsed.get_backend_name() == "postgresql" else {}
    more = {"isolation_level": "AUTOCOMMIT"} if single else {}
    engine = sa.create_engine(url, pool_timeout=timeout, connect_args=waits, **more)
    _look_after(engine)
    return engine


def _look_after(engine: Engine) -> None:
    """Tries connections that have rested for a while before they are used: the server may have gone away."""

    @sa.event.listens_for(engine, "checkin")
    def rest(_connection: Any, record: Any) -> None:
        record.info["rests_since"] = monotonic()

    @sa.event.listens_for(engine, "checkout")
    def wake(connection: Any, record: Any, _proxy: Any) -> None:
        if monotonic() - record.info.get("rests_since", inf) > _REST:
            try:
                engine.dialect.do_ping(connection)
            except Exception as error:
                raise sa.exc.InvalidatePoolError from error


def _postgres_waits(url: sa.URL, timeout: float, patient: bool) -> dict[str, Any]:
    """Defaults for libpq, which the URL may override; TCP notices a machine that is gone."""
    limit = "0" if patient else f"{1000 * timeout:.0f}"
    waits = {
        "connect_timeout": max(2, round(timeout)),
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        "tcp_user_timeout": 10_000,
        "application_name": "quiltwork",
        "options": f"-c statement_timeout={limit} -c lock_timeout={limit}",
    }
    return {name: value for name, value in waits.items() if name not in url.query}


def parse_url(url: str) -> sa.URL:
    """The parts of a database's URL; raises QuiltworkError where it is none."""
    try:
        return sa.make_url(url)
    except sa.exc.ArgumentError:
        raise QuiltworkError(
            "cannot open the database: expected a URL such as postgresql+psycopg://user:password@host/name"
        ) from None


def serves_many(url: str) -> bool:
    """Whether several processes may serve the games of this database."""
    parsed = parse_url(url)
    return parsed.get_backend_name() == "postgresql" and parsed.get_driver_name() == "psycopg"


def _keep_private(url: sa.URL) -> None:
    """An SQLite file holds the server's secret: only its owner may read it."""
    if url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:"):
        file = Path(str(url.database))
        with suppress(OSError):
            file.touch(mode=0o600)
            for part in (file, *(file.with_name(file.name + end) for end in ("-wal", "-shm"))):
                if part.exists():
                    part.chmod(0o600)


def check_database(url: str, *, new: bool = True) -> None:
    """Raises QuiltworkError where the database of a URL cannot be used; without `new` it must be there already."""
    parsed = parse_url(url)
    if not new and parsed.get_backend_name() == "sqlite" and not Path(str(parsed.database)).exists():
        raise QuiltworkError(f"there is no database at {parsed.database}")
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
    if revision == "head" and _revision(engine) == newest_revision():
        # As at most starts: what migrates is 10 MB of code.
        return
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", (Path(__file__).parent / "migrations").as_posix())
    try:
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                # Of several processes that start at once, one migrates and the others wait.
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MIGRATING)))
            config.attributes["connection"] = connection
            command.upgrade(config, revision)
    except CommandError as error:
        raise QuiltworkError(f"the database is from a newer version of Quiltwork: {error}".rstrip(".")) from None


def newest_revision() -> str:
    """The newest schema, by the number that its file begins with."""
    files = (Path(__file__).parent / "migrations" / "versions").glob("[0-9]*.py")
    return max(file.name.partition("_")[0] for file in files)


def _revision(engine: Engine) -> str | None:
    """The schema of a database; None where it has none yet."""
    with engine.connect() as connection:
        if not sa.inspect(connection).has_table("alembic_version"):
            return None
        return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()


def keep_editions(connection: sa.Connection, editions: Iterable[Edition]) -> None:
    """Writes down those editions that are not there yet."""
    known = set(connection.execute(sa.select(EDITION.c.hash)).scalars())
    for edition in editions:
        if (key := fingerprint(edition)) not in known:
            known.add(key)
            # Another process may be starting at the same moment.
            with suppress(sa.exc.IntegrityError), connection.begin_nested():
                connection.execute(EDITION.insert().values(hash=key, content=content_of(edition)))
