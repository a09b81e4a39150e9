"""Measures the server under load: many games at once, each moving once a second, played by websocket bots.

    python bench/server_load.py [--games 200] [--seconds 30] [--postgres] [--processes 2] [--profile 40]

The server runs in a process of its own on a new database; the bots run here. With --postgres the database is a
PostgreSQL server of Debian's packages; several --processes serve it, and the two players of each game sit at
different ones. Then `news_milliseconds` is how much later the other player is told than who moved.

When all sit at their tables the games begin, spread evenly over the second. For every move the time from sending
it to both players having been told is taken; how late the bots themselves were with sending tells whether they had
a core of their own. With --profile the first server tells the functions of its event loop that take most processor
time, so many of them; that makes it about twice as slow. Prints one JSON object; exits 1 if a move failed or was
not durable.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from pstats import Stats
from typing import Any
from urllib.request import Request, urlopen

import orjson
import sqlalchemy as sa
from websockets.asyncio.client import ClientConnection, connect

SERVER = """
import sys
from cProfile import Profile
from time import thread_time
from quiltwork.server import protocol
from quiltwork.server.run import listen, serve
from quiltwork.server.settings import Role, Settings
if __name__ == "__main__":
    unlimited = {"games_per_minute": 1e6, "requests_per_second": 1e6, "connections_per_address": 100_000}
    unlimited["files_per_second"] = 1e6
    settings = Settings(database_url=sys.argv[2], role=Role(sys.argv[3]), engine_warm_up=False, **unlimited)
    profile = Profile(thread_time)

    class Profiled(protocol.Server):
        async def startup(self, sockets=None):
            await super().startup(sockets)
            profile.enable()

    if sys.argv[4]:
        protocol.Server = Profiled
    try:
        serve(settings, listen("127.0.0.1", int(sys.argv[1])))
    except KeyboardInterrupt:
        profile.dump_stats(sys.argv[4])
"""
PORT = 8791
Json = dict[str, Any]


@dataclass
class Tally:
    """What was seen."""

    latencies: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    news: list[float] = field(default_factory=list)
    errors: int = 0
    moves: int = 0


class Bot:
    """Both players of one game, on two connections."""

    def __init__(self, addresses: tuple[str, str], made: Json, tally: Tally, seed: int) -> None:
        self._addresses = addresses
        self._heard = [0.0, 0.0]
        self._tokens = (made["token"], made["invite"])
        self._tally = tally
        self._chance = random.Random(seed)
        self._states: list[Json] = [{}, {}]
        self._news = asyncio.Condition()
        self._sockets: list[ClientConnection] = []
        self._readers: list[asyncio.Task[None]] = []

    async def sit_down(self) -> None:
        self._sockets = [await connect(address.replace("http", "ws") + "ws") for address in self._addresses]
        self._readers = [
            asyncio.create_task(self._read(seat, socket)) for seat, socket in enumerate(self._sockets)
        ]
        for socket, token in zip(self._sockets, self._tokens, strict=True):
            await socket.send(json.dumps({"type": "hello", "token": token, "changes": True}))
        await self._told(-1)

    async def play(self, start: float, seconds: float) -> None:
        """Moves once a second from a point of time on, or as soon as the last move is answered."""
        due = start
        while due < start + seconds and not self._states[0]["result"]:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            self._tally.late.append(time.monotonic() - due)
            await self._move()
            due = max(due + 1.0, time.monotonic())

    async def get_up(self) -> None:
        for reader in self._readers:
            reader.cancel()
        for socket in self._sockets:
            await socket.close()

    async def _read(self, seat: int, socket: ClientConnection) -> None:
        async for text in socket:
            message = orjson.loads(text)
            if message["type"] in ("state", "change"):
                async with self._news:
                    self._heard[seat] = time.monotonic()
                    self._states[seat] |= message
                    self._news.notify_all()
            elif message["type"] == "refused":
                self._tally.errors += 1

    async def _move(self) -> None:
        seat = self._states[0]["turn"] - 1
        state = self._states[seat]
        message = {"type": "move", "version": state["version"], "key": f"{self._chance.getrandbits(64):016x}"}
        message["move"] = self._choose(state)
        sent = time.monotonic()
        await self._sockets[seat].send(json.dumps(message))
        await self._told(state["version"])
        self._tally.latencies.append(time.monotonic() - sent)
        self._tally.news.append(self._heard[1 - seat] - self._heard[seat])
        self._tally.moves += 1

    async def _told(self, version: int) -> None:
        async with self._news:
            await asyncio.wait_for(
                self._news.wait_for(lambda: all(s.get("version", -1) > version for s in self._states)), 20
            )

    def _choose(self, state: Json) -> str:
        told = state["options"]
        if told["special"]:
            places = told["special"]["places"][""]
            return f"s@{_cell(self._chance.choice(places))}" if places else "s@-"
        moves = [
            f"{code}@{_cell(index)}{form}"
            for code, option in told["patches"].items()
            for form, places in option.get("places", {}).items()
            for index in places
        ]
        return (
            self._chance.choice(moves) if moves and self._chance.random() < 0.8 else str(told["advance"]["move"])
        )


def _cell(index: int) -> str:
    return f"{chr(97 + index % 9)}{index // 9 + 1}"


def _post(address: str, body: Json) -> Json:
    request = Request(f"{address}api/games", json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=30) as answer:
        made: Json = json.load(answer)
    return made


async def _drive(
    addresses: list[str], games: int, seconds: float, clocks: list[Callable[[], float]]
) -> tuple[Tally, list[float]]:
    """Plays; tells how far each clock of processor time went on meanwhile."""
    tally = Tally()
    seats = [{"kind": "human"}, {"kind": "human", "remote": True}]
    bots = []
    for number in range(games):
        one, two = addresses[number % len(addresses)], addresses[(number + 1) % len(addresses)]
        bots.append(Bot((one, two), _post(one, {"seats": seats, "deal": number}), tally, number))
    for bot in bots:
        await bot.sit_down()
    gc.collect()
    gc.freeze()
    before = [clock() for clock in clocks]
    start = time.monotonic() + 0.5
    playing = (bot.play(start + number / games, seconds) for number, bot in enumerate(bots))
    for result in await asyncio.gather(*playing, return_exceptions=True):
        if result is not None:
            print(f"bot failed: {result!r}", file=sys.stderr)
            tally.errors += 1
    cpu = [clock() - seconds for clock, seconds in zip(clocks, before, strict=True)]
    for bot in bots:
        await bot.get_up()
    return tally, cpu


def _start(folder: Path, url: str, port: int, role: str, profile: str) -> tuple[subprocess.Popen[bytes], float]:
    script = folder / "serve.py"
    script.write_text(SERVER)
    started = time.monotonic()
    process = subprocess.Popen([sys.executable, str(script), str(port), url, role, profile])
    while True:
        try:
            with urlopen(f"http://127.0.0.1:{port}/health", timeout=1):
                return process, time.monotonic() - started
        except OSError:
            time.sleep(0.02)


def _cpu_seconds(process: int, fields: slice = slice(11, 13)) -> float:
    """The processor time of a process so far; 0 where the system does not tell."""
    try:
        found = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, found[fields])) / os.sysconf("SC_CLK_TCK")


def _cpu_of_family(leader: int) -> float:
    """The processor time of a process and its children, those that have ended included."""
    return _cpu_seconds(leader, slice(11, 15)) + sum(map(_cpu_seconds, _children(leader)))


def _shares(seconds: list[float]) -> dict[str, float]:
    times = sorted(seconds)
    parts = {"median": 0.5, "p99": 0.99, "worst": 1.0}
    return {
        name: round(1000 * times[min(len(times) - 1, int(part * len(times)))], 1) for name, part in parts.items()
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--profile", type=int, default=0, metavar="N")
    wanted = parser.parse_args()
    if wanted.processes > 1 and not wanted.postgres:
        parser.error("several processes need --postgres")
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        url, database = f"sqlite:///{Path(name) / 'games.sqlite3'}", list[int]()
        if wanted.postgres:
            url, database = _postgres(stack)
        role = "web" if wanted.postgres else "all"
        ports = range(PORT, PORT + wanted.processes)
        profile = Path(name) / "profile"
        files = [str(profile) if wanted.profile and port == PORT else "" for port in ports]
        started = [_start(Path(name), url, port, role, file) for port, file in zip(ports, files, strict=True)]
        for process, _ in started:
            stack.callback(process.kill)
        addresses = [f"http://127.0.0.1:{port}/" for port in ports]
        clocks = [
            lambda: sum(_cpu_seconds(process.pid) for process, _ in started),
            lambda: sum(map(_cpu_of_family, database)),
        ]
        tally, cpu = asyncio.run(_drive(addresses, wanted.games, wanted.seconds, clocks))
        if wanted.profile:
            started[0][0].send_signal(signal.SIGINT)
            started[0][0].wait(30)
            Stats(str(profile), stream=sys.stderr).sort_stats("tottime").print_stats(wanted.profile)
        for process, _ in started:
            process.kill()
            process.wait()
        engine = sa.create_engine(url)
        with engine.connect() as connection:
            stored = connection.execute(sa.text("SELECT count(*) FROM event WHERE kind = 'move'")).scalar_one()
        engine.dispose()
    report = {
        "server_up_seconds": round(max(up for _, up in started), 2),
        "database": "postgres" if wanted.postgres else "sqlite",
        "processes": wanted.processes,
        "games": wanted.games,
        "moves": tally.moves,
        "moves_stored_after_kill": stored,
        "errors": tally.errors,
        "milliseconds": _shares(tally.latencies),
        "bots_late_milliseconds": _shares(tally.late),
        "server_cpu_milliseconds_a_move": round(1000 * sum(cpu) / max(1, tally.moves), 2),
        "database_cpu_milliseconds_a_move": round(1000 * cpu[1] / max(1, tally.moves), 2),
        "load_average": round(os.getloadavg()[0], 1),
    }
    if wanted.processes > 1:
        report["news_milliseconds"] = _shares(tally.news)
    print(json.dumps(report))
    return 0 if tally.errors == 0 and stored >= tally.moves else 1


def _postgres(stack: ExitStack) -> tuple[str, list[int]]:
    """A new database on a PostgreSQL server of its own, and the server's first process."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    from server.postgres import cluster, leader_of, new_database

    server = stack.enter_context(cluster())
    return new_database(server), [leader_of(server)]


def _children(parent: int) -> list[int]:
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(status.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(status.parent.name))
    return found


if __name__ == "__main__":
    sys.exit(main())
