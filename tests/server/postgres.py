"""A PostgreSQL server of the tests' own, where PostgreSQL is installed; or the one that QUILTWORK_POSTGRES names."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy as sa

_NAMES = count()


@contextmanager
def cluster() -> Iterator[str]:
    """The URL of a server on which databases may be made; skips the test where there is none."""
    given = os.environ.get("QUILTWORK_POSTGRES")
    if given:
        yield given
        return
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed, and QUILTWORK_POSTGRES names no server")
    pytest.importorskip("psycopg", reason="the driver psycopg is not installed")
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="quiltwork-postgres-"))
    if _become():
        shutil.chown(folder, "postgres")
    data = folder / "data"

    def call(program: str, *arguments: str) -> None:
        command = [*_become(), str(programs / program), "-D", str(data), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)

    try:
        call("initdb", "-U", "quiltwork", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1"
        call("pg_ctl", "start", "-w", "-l", str(folder / "log"), "-o", options)
        try:
            yield f"postgresql+psycopg://quiltwork@127.0.0.1:{port}/postgres"
        finally:
            call("pg_ctl", "stop", "-w", "-m", "immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def frozen(url: str) -> Iterator[None]:
    """Stops all processes of a PostgreSQL server of this machine, which then answers nothing, and lets them go on."""
    leader = leader_of(url)
    stopped = [leader]
    try:
        os.kill(leader, signal.SIGSTOP)
        for status in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                if int(status.read_text().rpartition(")")[2].split()[1]) == leader:
                    stopped.append(int(status.parent.name))
                    os.kill(stopped[-1], signal.SIGSTOP)
        yield
    finally:
        for process in reversed(stopped):
            with suppress(OSError):
                os.kill(process, signal.SIGCONT)


def restart(url: str) -> None:
    """Ends the server in order, cutting off whoever is connected, and starts it again."""
    programs, leader = _programs(), leader_of(url)
    assert programs is not None
    data = Path(f"/proc/{leader}/cwd").resolve()
    command = [*_become(), str(programs / "pg_ctl"), "-D", str(data), "restart", "-w", "-m", "fast"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=data.parent)


def crash(url: str) -> None:
    """Ends all processes of the server but the first at once; it recovers by itself."""
    leader = leader_of(url)
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = status.read_text()
            if int(fields.rpartition(")")[2].split()[1]) == leader and "postgres" in fields:
                os.kill(int(status.parent.name), signal.SIGKILL)
    engine = sa.create_engine(url)
    for _ in range(300):
        try:
            with engine.connect():
                break
        except sa.exc.OperationalError:
            time.sleep(0.1)
    engine.dispose()


def leader_of(url: str) -> int:
    """The first process of a server on this machine; skips the test where this user may not stop it."""
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        data = connection.execute(sa.text("SHOW data_directory")).scalar_one()
    engine.dispose()
    try:
        return int((Path(data) / "postmaster.pid").read_text().split()[0])
    except OSError:
        pytest.skip("the PostgreSQL server is not one that this user can stop")


def new_database(url: str) -> str:
    """The URL of a new database on that server."""
    name = f"quiltwork_test_{os.getpid()}_{next(_NAMES)}"
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return sa.make_url(url).set(database=name).render_as_string(hide_password=False)


def _become() -> list[str]:
    """What precedes a command of PostgreSQL, which refuses to run as root."""
    return ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []


def _programs() -> Path | None:
    """The folder of `initdb` and `pg_ctl`; Debian keeps them off the path."""
    found = shutil.which("initdb")
    if found and shutil.which("pg_ctl"):
        return Path(found).parent
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return debian[-1].parent if debian else None
