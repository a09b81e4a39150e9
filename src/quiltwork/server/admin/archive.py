"""Backups: the whole database as one compressed file, which any database can be restored from.

A backup is gzip of JSON lines: a head with the format and the schema's revision, then each row of each table. It
is read in one transaction beside a running server. Made from SQLite it can be restored into PostgreSQL, and the
other way round: that is also how a server moves.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import sqlalchemy as sa

from quiltwork.errors import QuiltworkError
from quiltwork.server.database import EDITION, EVENT, GAME, JOINED, SECRET, migrate

FORMAT = 1
TABLES = (SECRET, EDITION, GAME, EVENT, JOINED)
"""in the order in which they refer to one another; what else a database holds is of the moment"""
_BATCH = 500
_DAMAGED = (ValueError, KeyError, TypeError, EOFError, gzip.BadGzipFile, zlib.error)
"""what reading a file that is no whole backup raises"""
Tell = Callable[[int], None]


def back_up(engine: sa.Engine, file: Path, tell: Tell = lambda rows: None) -> int:
    """Writes a backup; returns the number of rows. A file that is there already stays whole until it is done."""
    if file.exists() and not file.is_file():
        raise QuiltworkError(f"{file}: is no file that a backup could be written to")
    draft = file.with_name(file.name + ".part")
    rows = 0
    try:
        rows = _write(engine, draft, tell)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    draft.replace(file)
    return rows


def _write(engine: sa.Engine, draft: Path, tell: Tell) -> int:
    rows = 0
    with engine.connect() as connection, _one_moment(connection):
        revision = _revision(connection)
        draft.unlink(missing_ok=True)
        draft.touch(mode=0o600)
        with gzip.open(draft, "wt", encoding="utf-8") as out:
            head = {"format": FORMAT, "revision": revision, "tables": [table.name for table in TABLES]}
            out.write(json.dumps(head) + "\n")
            for table in TABLES:
                with connection.execution_options(yield_per=_BATCH).execute(sa.select(table)) as found:
                    for row in found.mappings():
                        out.write(json.dumps([table.name, {name: _plain(row[name]) for name in row}]) + "\n")
                        rows += 1
                        if rows % _BATCH == 0:
                            tell(rows)
            # So that a file that was cut off is noticed.
            out.write(json.dumps({"rows": rows}) + "\n")
    return rows


def restore(engine: sa.Engine, file: Path, tell: Tell = lambda rows: None) -> int:
    """Fills an empty database from a backup, all of it or nothing; returns the number of rows.

    Raises QuiltworkError where the database holds games, or the file is no whole backup.
    """
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        head = _head(file, lines)
        migrate(engine, head["revision"])
        with engine.begin() as connection:
            if connection.execute(sa.select(sa.func.count()).select_from(GAME)).scalar_one():
                raise QuiltworkError("the database holds games already; a backup is restored into an empty one")
            for table in reversed(TABLES):
                connection.execute(table.delete())
            rows = _fill(connection, file, lines, tell)
    migrate(engine)
    return rows


def _fill(connection: sa.Connection, file: Path, lines: Iterator[str], tell: Tell) -> int:
    tables = {table.name: table for table in TABLES}
    batch: list[dict[str, Any]] = []
    current: sa.Table | None = None
    rows = 0

    def write() -> None:
        if batch and current is not None:
            connection.execute(current.insert(), batch)
            batch.clear()
            tell(rows)

    try:
        for text in lines:
            line = json.loads(text)
            if isinstance(line, dict):
                write()
                if line != {"rows": rows}:
                    break
                return rows
            name, row = line
            if current is not tables[name] or len(batch) == _BATCH:
                write()
                current = tables[name]
            batch.append({key: _stored(value) for key, value in row.items()})
            rows += 1
    except (*_DAMAGED, sa.exc.IntegrityError, sa.exc.DataError, sa.exc.StatementError):
        pass
    raise QuiltworkError(f"{file}: is damaged or cut off after {rows} rows; nothing was restored")


def _head(file: Path, lines: IO[str]) -> dict[str, Any]:
    try:
        head: dict[str, Any] = json.loads(lines.readline())
        if head["format"] == FORMAT and re.fullmatch(r"\d{4}", head["revision"]):
            return head
    except _DAMAGED:
        pass
    raise QuiltworkError(f"{file}: is no backup of Quiltwork")


def _one_moment(connection: sa.Connection) -> sa.RootTransaction:
    """A transaction that sees the database as it is now, whatever is written meanwhile."""
    if connection.dialect.name == "postgresql":
        connection.execution_options(isolation_level="REPEATABLE READ")
    return connection.begin()


def _revision(connection: sa.Connection) -> str:
    return str(connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar_one())


def _plain(value: Any) -> Any:
    return {"base64": b64encode(bytes(value)).decode()} if isinstance(value, bytes | memoryview) else value


def _stored(value: Any) -> Any:
    return b64decode(value["base64"]) if isinstance(value, dict) else value
