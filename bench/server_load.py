"""Measures the server under load: many games at once, each moving once a second, played by websocket bots.

    python bench/server_load.py [--games 200] [--seconds 30]

The server runs in a process of its own on a new database; the bots run here. When all sit at their tables the
games begin, spread evenly over the second. For every move the time from sending it to both players having been
told is taken; how late the bots themselves were with sending tells whether they had a core of their own. Prints
one JSON object; exits 1 if a move failed or was not durable.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from websockets.asyncio.client import ClientConnection, connect

SERVER = """
import sys
from quiltwork.server.run import listen, serve
from quiltwork.server.settings import Settings
if __name__ == "__main__":
    unlimited = {"games_per_minute": 1e6, "requests_per_second": 1e6}
    settings = Settings(database_url=sys.argv[2], engine_warm_up=False, **unlimited)
    serve(settings, listen("127.0.0.1", int(sys.argv[1])))
"""
PORT = 8791
Json = dict[str, Any]


@dataclass
class Tally:
    """What was seen."""

    latencies: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    errors: int = 0
    moves: int = 0


class Bot:
    """Both players of one game, on two connections."""

    def __init__(self, address: str, made: Json, tally: Tally, seed: int) -> None:
        self._address = address
        self._tokens = (made["token"], made["invite"])
        self._tally = tally
        self._chance = random.Random(seed)
        self._states: list[Json] = [{}, {}]
        self._news = asyncio.Condition()
        self._sockets: list[ClientConnection] = []
        self._readers: list[asyncio.Task[None]] = []

    async def sit_down(self) -> None:
        url = self._address.replace("http", "ws") + "ws"
        self._sockets = [await connect(url), await connect(url)]
        self._readers = [
            asyncio.create_task(self._read(seat, socket)) for seat, socket in enumerate(self._sockets)
        ]
        for socket, token in zip(self._sockets, self._tokens, strict=True):
            await socket.send(json.dumps({"type": "hello", "token": token}))
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
            message = json.loads(text)
            if message["type"] == "state":
                async with self._news:
                    self._states[seat] = message
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


async def _drive(address: str, games: int, seconds: float, process: int) -> tuple[Tally, float]:
    """Plays; the processor time is the server's while the games went on."""
    tally = Tally()
    seats = [{"kind": "human"}, {"kind": "human", "remote": True}]
    bots = [
        Bot(address, _post(address, {"seats": seats, "deal": number}), tally, number) for number in range(games)
    ]
    for bot in bots:
        await bot.sit_down()
    gc.collect()
    gc.freeze()
    before = _cpu_seconds(process)
    start = time.monotonic() + 0.5
    playing = (bot.play(start + number / games, seconds) for number, bot in enumerate(bots))
    for result in await asyncio.gather(*playing, return_exceptions=True):
        if result is not None:
            print(f"bot failed: {result!r}", file=sys.stderr)
            tally.errors += 1
    cpu = _cpu_seconds(process) - before
    for bot in bots:
        await bot.get_up()
    return tally, cpu


def _start(folder: Path) -> tuple[subprocess.Popen[bytes], float]:
    script = folder / "serve.py"
    script.write_text(SERVER)
    started = time.monotonic()
    process = subprocess.Popen([sys.executable, str(script), str(PORT), f"sqlite:///{folder / 'games.sqlite3'}"])
    while True:
        try:
            with urlopen(f"http://127.0.0.1:{PORT}/health", timeout=1):
                return process, time.monotonic() - started
        except OSError:
            time.sleep(0.02)


def _cpu_seconds(process: int) -> float:
    """The processor time of a process so far; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        process, up = _start(folder)
        try:
            address = f"http://127.0.0.1:{PORT}/"
            tally, cpu = asyncio.run(_drive(address, wanted.games, wanted.seconds, process.pid))
            process.kill()
            process.wait()
            with sqlite3.connect(folder / "games.sqlite3") as database:
                stored = database.execute("SELECT count(*) FROM event WHERE kind = 'move'").fetchone()[0]
        finally:
            process.kill()
    report = {
        "server_up_seconds": round(up, 2),
        "games": wanted.games,
        "moves": tally.moves,
        "moves_stored_after_kill": stored,
        "errors": tally.errors,
        "milliseconds": _shares(tally.latencies),
        "bots_late_milliseconds": _shares(tally.late),
        "server_cpu_milliseconds_a_move": round(1000 * cpu / max(1, tally.moves), 2),
        "load_average": round(os.getloadavg()[0], 1),
    }
    print(json.dumps(report))
    return 0 if tally.errors == 0 and stored >= tally.moves else 1


if __name__ == "__main__":
    sys.exit(main())
