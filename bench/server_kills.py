"""Kills servers while people play: counts what was lost, and how long nobody could play.

    python bench/server_kills.py [--kills 100] [--ends 5] [--restarts 5] [--freezes 2] [--people 20]

Two processes for pages and two engines serve one PostgreSQL server of Debian's packages, all on this machine. Bots
play as the page does: they come back by themselves, at whatever process answers, and send again what was not
answered. Meanwhile random processes are killed with -9, or ended with SIGTERM, and started again; PostgreSQL's own
are killed, too, or stopped for ten seconds. Prints one JSON object; exits 1 if a move was lost or doubled, or a
game is stuck.

`waits` are seconds from sending a move to its acknowledgement (people), and from a computer's turn to its move
(computers); the time that PostgreSQL was away is not counted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import sqlalchemy as sa
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from server.postgres import cluster, frozen, new_database, restart

SERVER = """
import sys
from quiltwork.server.logs import set_up_logs
from quiltwork.server.run import listen, serve
from quiltwork.server.settings import Role, Settings
if __name__ == "__main__":
    unlimited = {"games_per_minute": 1e6, "requests_per_second": 1e6, "connections_per_address": 10_000}
    settings = Settings(database_url=sys.argv[2], role=Role(sys.argv[3]), computer_pace=0.2, **unlimited)
    set_up_logs("warning")
    serve(settings, listen("127.0.0.1", int(sys.argv[1]), later=True))
"""
PEOPLE = [{"kind": "human"}, {"kind": "human", "remote": True}]
COMPUTER = [{"kind": "human"}, {"kind": "computer", "opponent": "pin"}]
FREEZE = 10.0
STUCK = 30.0
"""so long after the last kill a game without a move is stuck"""
Json = dict[str, Any]
Lost = (OSError, WebSocketException, TimeoutError)


class Process:
    """A server that is killed and started again."""

    def __init__(self, folder: Path, url: str, role: str) -> None:
        with closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.role = role
        self._script = folder / "serve.py"
        if not self._script.exists():
            self._script.write_text(SERVER)
        self._log = folder / f"{role}-{self.port}.log"
        self._url = url
        self.start()

    def start(self) -> None:
        command = [sys.executable, str(self._script), str(self.port), self._url, self.role]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stderr=log)

    def is_up(self) -> bool:
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/ready", timeout=1):
                return True
        except OSError:
            return False

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(10)

    def end(self) -> None:
        self._process.terminate()
        self._process.wait(30)

    def tracebacks(self) -> int:
        return self._log.read_text().count("Traceback")


@dataclass
class Tally:
    """What the bots saw."""

    ports: list[int]
    outages: list[tuple[float, float]] = field(default_factory=list)
    acknowledged: dict[str, str] = field(default_factory=dict)
    people: list[float] = field(default_factory=list)
    computers: list[float] = field(default_factory=list)
    games: int = 0
    last: dict[str, float] = field(default_factory=dict)
    """when each game that is not over went on"""
    stop: bool = False

    def port(self) -> int:
        """A process that answers, as a proxy would find it."""
        for port in random.sample(self.ports, len(self.ports)):
            with suppress(OSError), closing(socket.create_connection(("127.0.0.1", port), 1)):
                return port
        return self.ports[0]

    def wait(self, since: float, until: float) -> float:
        """The seconds between, without those in which PostgreSQL was away."""
        away = sum(max(0.0, min(until, end) - max(since, begin)) for begin, end in self.outages)
        return until - since - away


class Page:
    """One seat, played as the page plays it."""

    def __init__(self, token: str, tally: Tally) -> None:
        self._token = token
        self._key = secrets.token_hex(8)
        self._tally = tally
        self.state: Json = {}
        self._pending: Json | None = None
        self._sent = 0.0
        self._turn_of_other = 0.0
        self._computer = False

    async def play(self, computer: bool = False) -> None:
        self._computer = computer
        wait = 0.25
        while not self._over():
            with suppress(*Lost):
                async with connect(f"ws://127.0.0.1:{self._tally.port()}/ws", open_timeout=5) as link:
                    await link.send(json.dumps({"type": "hello", "token": self._token, "key": self._key}))
                    heard = await self._converse(link)
                    wait = 0.25 if heard else wait
            if not self._over():
                await asyncio.sleep(wait * random.uniform(0.75, 1.25))
                wait = min(2.0, 2 * wait)

    def _over(self) -> bool:
        return self._tally.stop or bool(self.state.get("result"))

    async def _converse(self, link: Any) -> bool:
        heard = False
        while not self._over():
            message = json.loads(await link.recv())
            kind = message["type"]
            if kind == "seat":
                self._token = message["token"]
            elif kind == "state":
                self._take(message)
                if not heard and self._pending:
                    await link.send(json.dumps(self._pending))
                heard = True
                if self._pending is None and self.state["options"] and not self.state["result"]:
                    await asyncio.sleep(random.uniform(0.05, 0.4))
                    await self._move(link)
            elif kind in ("done", "refused") and self._pending and message["key"] == self._pending["key"]:
                if message.get("retry"):
                    await asyncio.sleep(message["retry"])
                    await link.send(json.dumps(self._pending))
                    continue
                if kind == "done":
                    self._acknowledge()
                elif message["code"] != "stale":
                    raise RuntimeError(message)
                self._pending = None
                if self.state["options"] and message.get("version") == self.state["version"]:
                    await self._move(link)
        return heard

    def _take(self, message: Json) -> None:
        moment = time.monotonic()
        if self._computer:
            mine = message["turn"] in message["you"] or message["result"]
            if self._turn_of_other and (mine or message["version"] != self.state.get("version")):
                self._tally.computers.append(self._tally.wait(self._turn_of_other, moment))
                self._turn_of_other = 0.0
            if not mine:
                self._turn_of_other = self._turn_of_other or moment
        self.state = message
        if message["result"]:
            self._tally.last.pop(message["game"], None)
        else:
            self._tally.last[message["game"]] = moment

    async def _move(self, link: Any) -> None:
        told = self.state["options"]
        if told["special"]:
            places = told["special"]["places"][""]
            move = f"s@{chr(97 + places[0] % 9)}{places[0] // 9 + 1}" if places else "s@-"
        else:
            move = str(told["advance"]["move"])
        key = secrets.token_hex(8)
        self._pending = {"type": "move", "version": self.state["version"], "key": key, "move": move}
        self._sent = time.monotonic()
        await link.send(json.dumps(self._pending))

    def _acknowledge(self) -> None:
        assert self._pending is not None
        self._tally.acknowledged[self._pending["key"]] = self.state["game"]
        self._tally.people.append(self._tally.wait(self._sent, time.monotonic()))


async def _create(tally: Tally, seats: list[Json]) -> Json | None:
    """A new game at whatever process answers."""
    while not tally.stop:
        request = Request(f"http://127.0.0.1:{tally.port()}/api/games", method="POST")
        request.add_header("Content-Type", "application/json")
        request.data = json.dumps({"seats": seats}).encode()
        with suppress(OSError):
            return await asyncio.to_thread(_answer, request)
        await asyncio.sleep(0.5)
    return None


def _answer(request: Request) -> Json:
    with urlopen(request, timeout=10) as answer:
        made: Json = json.load(answer)
    return made


async def _play_games(tally: Tally, against_computer: bool) -> None:
    """One game after another."""
    while not tally.stop:
        made = await _create(tally, COMPUTER if against_computer else PEOPLE)
        if made is None:
            return
        tally.games += 1
        if against_computer:
            await Page(made["token"], tally).play(computer=True)
        else:
            await asyncio.gather(Page(made["token"], tally).play(), Page(made["invite"], tally).play())


async def _until_up(processes: list[Process], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    for process in processes:
        while not await asyncio.to_thread(process.is_up):
            if time.monotonic() > deadline:
                raise RuntimeError("a server did not come up")
            await asyncio.sleep(0.2)


async def _torment(tally: Tally, processes: list[Process], url: str, wanted: argparse.Namespace) -> None:
    """Kills one process after another, and lets PostgreSQL go away in between."""
    numbers = {"kill": wanted.kills, "end": wanted.ends, "restart": wanted.restarts, "freeze": wanted.freezes}
    deeds = [deed for deed, number in numbers.items() for _ in range(number)]
    random.shuffle(deeds)
    started = time.monotonic()
    for number, deed in enumerate(deeds, 1):
        await asyncio.sleep(random.uniform(0.5, 1.5))
        if deed in ("kill", "end"):
            victim = random.choice(processes)
            await asyncio.to_thread(victim.kill if deed == "kill" else victim.end)
            victim.start()
            # The others serve meanwhile; both of a kind at once would be an outage.
            await _until_up([victim])
        else:
            begin = time.monotonic()
            if deed == "restart":
                await asyncio.to_thread(restart, url)
            else:
                await asyncio.to_thread(_freeze, url)
            tally.outages.append((begin, time.monotonic()))
            await _until_up(processes)
        seconds = time.monotonic() - started
        said = f"{seconds:.0f} s, {number} of {len(deeds)}: {deed}, {len(tally.acknowledged)} moves"
        print(said, file=sys.stderr, flush=True)


def _freeze(url: str) -> None:
    with frozen(url):
        time.sleep(FREEZE)


async def _run(processes: list[Process], url: str, wanted: argparse.Namespace) -> tuple[Tally, int]:
    tally = Tally([process.port for process in processes if process.role == "web"])
    await _until_up(processes)
    games = [asyncio.create_task(_play_games(tally, number < wanted.computers))
             for number in range(wanted.people + wanted.computers)]  # fmt: skip
    await asyncio.sleep(3)
    await _torment(tally, processes, url, wanted)
    rest = time.monotonic()
    await asyncio.sleep(STUCK)
    stuck = sum(moment < rest for moment in tally.last.values())
    tally.stop = True
    for game in games:
        game.cancel()
    for failure in await asyncio.gather(*games, return_exceptions=True):
        if isinstance(failure, Exception):
            raise failure
    return tally, stuck


_KEYS = "SELECT key, count(*) FROM event WHERE key IS NOT NULL GROUP BY key"
_GAPS = "SELECT count(*) FROM (SELECT game FROM event GROUP BY game HAVING max(version) + 1 <> count(*)) AS wrong"


def _check(url: str, tally: Tally) -> tuple[int, int]:
    """How many acknowledged moves the database lacks, and how many it has twice."""
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        stored = {key: number for key, number in connection.execute(sa.text(_KEYS))}  # noqa: C416
        gaps = connection.execute(sa.text(_GAPS)).scalar_one()
    engine.dispose()
    lost = sum(key not in stored for key in tally.acknowledged)
    return lost + gaps, sum(number > 1 for number in stored.values())


def _replayed(url: str) -> int:
    """How many games cannot be replayed: a move that was stored twice would be illegal the second time."""
    from quiltwork.server.setups import GameSetup
    from quiltwork.server.state import GameState
    from quiltwork.server.store import events_of_rows

    engine = sa.create_engine(url)
    wrong = 0
    with engine.connect() as connection:
        for row in connection.execute(sa.text("SELECT id, setup FROM game")).all():
            events = connection.execute(
                sa.text("SELECT * FROM event WHERE game = :game ORDER BY version"), {"game": row.id}
            )
            try:
                GameState.of(GameSetup.model_validate_json(row.setup), events_of_rows(events))
            except Exception as error:
                print(f"game {row.id}: {error}", file=sys.stderr)
                wrong += 1
    engine.dispose()
    return wrong


def _shares(seconds: list[float]) -> dict[str, float]:
    times = sorted(seconds) or [0.0]
    parts = {"median": 0.5, "p99": 0.99, "worst": 1.0}
    return {name: round(times[min(len(times) - 1, int(part * len(times)))], 2) for name, part in parts.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--restarts", type=int, default=5)
    parser.add_argument("--freezes", type=int, default=2)
    parser.add_argument("--ends", type=int, default=5)
    parser.add_argument("--people", type=int, default=20, help="games between people")
    parser.add_argument("--computers", type=int, default=6, help="games against a computer")
    wanted = parser.parse_args()
    # Ended from outside it must not leave servers behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with cluster() as server, tempfile.TemporaryDirectory() as name:
        url = new_database(server)
        started = time.monotonic()
        processes = [Process(Path(name), url, role) for role in ("web", "web", "engine", "engine")]
        try:
            tally, stuck = asyncio.run(_run(processes, url, wanted))
        finally:
            for process in processes:
                process.kill()
        lost, doubled = _check(url, tally)
        report = {
            "kills": wanted.kills,
            "ends": wanted.ends,
            "restarts": wanted.restarts,
            "freezes": wanted.freezes,
            "seconds": round(time.monotonic() - started),
            "games": tally.games,
            "acknowledged": len(tally.acknowledged),
            "lost": lost,
            "doubled": doubled + _replayed(url),
            "stuck": stuck,
            "waits": {"people": _shares(tally.people), "computers": _shares(tally.computers)},
            "tracebacks": sum(process.tracebacks() for process in processes),
            "load_average": round(os.getloadavg()[0], 1),
        }
    print(json.dumps(report))
    return 1 if lost or report["doubled"] or stuck else 0


if __name__ == "__main__":
    sys.exit(main())
