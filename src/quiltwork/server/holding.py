"""An SQLite file is served by one process at a time."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO

import sqlalchemy as sa

from quiltwork.errors import QuiltworkError


class Held(QuiltworkError):
    """Another process serves these games."""

    def __init__(self, file: Path, address: str) -> None:
        self.address = address
        super().__init__(
            f"the games in {file} are served already{f', at {address}' if address else ''}: "
            "stop that server first, or use PostgreSQL for several processes"
        )


def hold(url: str, address: str) -> IO[str] | None:
    """Keeps other servers off an SQLite file until the process ends or the result is closed; raises Held.

    Other databases are not held. The second process gets the `address` of the first in its error.
    """
    parsed = sa.make_url(url)
    if parsed.get_backend_name() != "sqlite" or parsed.database in (None, "", ":memory:"):
        return None
    # Two names of one file are one file.
    file = Path(str(parsed.database)).resolve()
    held = open(os.open(f"{file}.lock", os.O_RDWR | os.O_CREAT, 0o600), "r+", encoding="utf-8")  # noqa: SIM115
    try:
        _lock(held)
    except OSError:
        told = held.read().strip()
        held.close()
        raise Held(file, told) from None
    held.truncate(0)
    held.write(address)
    held.flush()
    return held


def _lock(file: IO[str]) -> None:
    if sys.platform == "win32":
        import msvcrt

        # Far behind the address, which others must be able to read.
        file.seek(1 << 20)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        file.seek(0)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
