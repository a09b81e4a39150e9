"""A server in a process of its own for the benchmarks, without limits for visitors, on a core of its own."""

from __future__ import annotations

import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

Json = dict[str, Any]
SCRIPT = """
import asyncio, json, sys
from time import thread_time
from quiltwork.server.logs import set_up_logs
from quiltwork.server.run import listen, serve
from quiltwork.server.settings import Settings

def timed(handle, run=asyncio.Handle._run):
    begun = thread_time()
    run(handle)
    if (took := thread_time() - begun) > 0.02:
        print("held", took, file=sys.stderr, flush=True)

if __name__ == "__main__":
    if sys.argv[3] == "timed":
        asyncio.Handle._run = timed
    unlimited = {"games_per_minute": 1e6, "requests_per_second": 1e6, "records_per_minute": 1e6}
    unlimited |= {"messages_per_second": 1e6, "connections": 60_000, "connections_per_address": 60_000}
    unlimited["files_per_second"] = 1e6
    settings = Settings(database_url=sys.argv[2], engine_warm_up=False, **unlimited)
    set_up_logs()
    serve(settings, listen("127.0.0.1", int(sys.argv[1])))
"""
FRIENDS = [{"kind": "human"}, {"kind": "human", "remote": True}]


@dataclass
class Served:
    """A running server."""

    port: int
    pid: int
    log: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def socket(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    def create(self, **wanted: Any) -> Json:
        """A new game between friends."""
        body = json.dumps({"seats": FRIENDS, "deal": 1, **wanted}).encode()
        request = Request(f"{self.address}api/games", body, {"Content-Type": "application/json"})
        with urlopen(request, timeout=30) as answer:
            made: Json = json.load(answer)
        return made

    def cpu_seconds(self) -> float:
        """The processor time so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def held(self) -> list[float]:
        """The processor time of each step of a `timed` server's event loop that took more than 20 ms."""
        lines = self.log.read_text().splitlines()
        return [float(line.split()[1]) for line in lines if line.startswith("held ")]

    def megabytes(self) -> float:
        """The memory in use."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        kilobytes = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
        return round(int(kilobytes) / 1024, 1)


@contextmanager
def serving(*, timed: bool = False) -> Iterator[Served]:
    """Starts a server on a new database, and ends it; `timed` finds out for how long its event loop is held."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = folder / "serve.py"
        script.write_text(SCRIPT)
        database = f"sqlite:///{folder / 'games.sqlite3'}"
        with (folder / "log").open("wb") as log:
            command = [sys.executable, str(script), str(port), database, "timed" if timed else ""]
            process = subprocess.Popen(command, stderr=log)
        try:
            if len(cores := sorted(os.sched_getaffinity(0))) > 1:
                os.sched_setaffinity(process.pid, cores[:1])
                os.sched_setaffinity(0, cores[1:])
            served = Served(port, process.pid, folder / "log")
            _wait(served)
            yield served
        finally:
            process.kill()
            process.wait()


def _wait(served: Served) -> None:
    for _ in range(600):
        try:
            with urlopen(f"{served.address}health", timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(served.log.read_text())
