"""Kills servers while people play: counts what was lost, and how long nobody could play.

    python bench/server_kills.py [--kills 100] [--ends 5] [--restarts 5] [--freezes 2] [--people 20]
    python bench/server_kills.py --totals kills.json --minutes 10       # again and again, until all is done

Two processes for pages and two engines serve one PostgreSQL server of Debian's packages, all on this machine. Bots
play as the page does (`pages.py`). Meanwhile random processes are killed with -9, or ended with SIGTERM, and
started again; PostgreSQL is restarted, in order or by killing its processes, or stopped for ten seconds. With
--totals the sums are kept in a file after every --minutes, and a later call does what is left. Prints one JSON
object; exits 1 if a move was lost or doubled, a game is stuck, or a server logged a traceback.

`waits` are seconds from sending a move to its acknowledgement (people), from a computer's turn to its move
(computers), and from an acknowledgement to the other page being told (news), without the time that PostgreSQL was
away. `late` are those that took longer than 3 seconds, for a computer 10, with what had happened before.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from urllib.request import urlopen

import sqlalchemy as sa

from pages import Json, Seen, play_games
from quiltwork.agents import warm

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from server.postgres import cluster, crash, frozen, new_database, restart

SERVER = """
import sys
from quiltwork.server.logs import set_up_logs
from quiltwork.server.run import listen, serve
from quiltwork.server.settings import Role, Settings
if __name__ == "__main__":
    unlimited = {"games_per_minute": 1e6, "requests_per_second": 1e6, "connections_per_address": 10_000}
    unlimited["files_per_second"] = 1e6
    role = Role(sys.argv[3])
    warm = role is Role.ENGINE
    settings = Settings(database_url=sys.argv[2], role=role, computer_pace=0.2, engine_warm_up=warm, **unlimited)
    set_up_logs("warning")
    serve(settings, listen("127.0.0.1", int(sys.argv[1]), later=True))
"""
OPPONENTS = ("loom", "pin")
"""one thinks for up to a second, so that engines die while they think; one answers at once"""
DEEDS = ("kill", "end", "restart", "freeze")
FREEZE = 10.0
STUCK = 30.0
"""so long after the last deed a game without a move is stuck"""
LATEST = {"people": 3.0, "news": 3.0, "computers": 10.0}
"""seconds after which a wait is late"""


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

    @property
    def log(self) -> str:
        return self._log.read_text()

    def tracebacks(self) -> int:
        text = self.log
        if "Traceback" in text:
            print(text[text.index("Traceback") - 500 :][:4000], file=sys.stderr)
        return text.count("Traceback")


@dataclass
class Totals:
    """What was done and found so far, in all pieces together."""

    deeds: dict[str, int] = field(default_factory=lambda: dict.fromkeys(DEEDS, 0))
    victims: dict[str, int] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    waits: dict[str, dict[str, int]] = field(default_factory=lambda: {what: {} for what in LATEST})
    """how many waits took so many seconds, to a hundredth"""
    late: list[Json] = field(default_factory=list)
    loads: list[float] = field(default_factory=list)

    @classmethod
    def read(cls, file: Path | None) -> Totals:
        return cls(**json.loads(file.read_text())) if file and file.exists() else cls()

    def write(self, file: Path | None) -> None:
        if file:
            draft = file.with_suffix(".part")
            draft.write_text(json.dumps(asdict(self)))
            draft.replace(file)

    def add(self, seen: Seen, torment: Torment) -> None:
        for _, deed, victim in torment.done:
            self.deeds[deed] += 1
            if deed == "kill":
                self.victims[victim] = self.victims.get(victim, 0) + 1
        for what, waits in seen.waits.items():
            told = Counter(f"{wait.seconds:.2f}" for wait in waits)
            self.waits[what] = dict(Counter(self.waits[what]) + told)
            for wait in (wait for wait in waits if wait.seconds > LATEST[what]):
                before = [
                    f"{deed} {role} {wait.began - moment:+.1f} s"
                    for moment, deed, role in torment.done
                    if wait.began - FREEZE < moment < wait.began + wait.seconds + FREEZE
                ]
                self.late.append(
                    {"what": what, "seconds": round(wait.seconds, 1), "game": wait.game, "after": before}
                )

    def count(self, **found: int) -> None:
        self.counts = {name: self.counts.get(name, 0) + number for name, number in found.items()}

    def report(self) -> Json:
        waits = {what: _shares(told) for what, told in self.waits.items()}
        return {**self.deeds, "killed": self.victims, **self.counts, "waits": waits, "late": self.late,
                "load_averages": self.loads}  # fmt: skip

    @property
    def is_wrong(self) -> bool:
        return any(self.counts[name] for name in ("lost", "doubled", "stuck", "tracebacks"))


class Torment:
    """What is done to the servers, one thing after the other."""

    def __init__(self, seen: Seen, processes: list[Process], url: str) -> None:
        self.done: list[tuple[float, str, str]] = []
        """when, what, and to whom"""
        self._seen = seen
        self._processes = processes
        self._url = url

    async def do(self, deeds: list[str], seconds: float) -> None:
        """Does these things until the time is over; of each role one process lives."""
        started = time.monotonic()

        async def hit(role: str) -> None:
            while deeds and time.monotonic() - started < seconds:
                deed = deeds.pop()
                await asyncio.sleep(random.uniform(0.5, 1.5))
                await (self._hit_process(deed, role) if deed in ("kill", "end") else self._hit_database(deed))
                said = f"{time.monotonic() - started:.0f} s: {deed}, {role} up"
                print(f"{said}, {len(self._seen.acknowledged)} moves", file=sys.stderr, flush=True)

        await asyncio.gather(hit("web"), hit("engine"))

    async def _hit_process(self, deed: str, role: str) -> None:
        victim = random.choice([process for process in self._processes if process.role == role])
        self.done.append((time.monotonic(), deed, role))
        await asyncio.to_thread(victim.kill if deed == "kill" else victim.end)
        victim.start()
        await until_up([victim])

    async def _hit_database(self, deed: str) -> None:
        how = _freeze if deed == "freeze" else random.choice((restart, crash))
        begin = time.monotonic()
        self.done.append((begin, deed, f"PostgreSQL ({how.__name__.strip('_')})"))
        await asyncio.to_thread(how, self._url)
        self._seen.outages.append((begin, time.monotonic()))


def _freeze(url: str) -> None:
    with frozen(url):
        time.sleep(FREEZE)


async def until_up(processes: list[Process], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    for process in processes:
        while not await asyncio.to_thread(process.is_up):
            if time.monotonic() > deadline:
                raise RuntimeError(f"a server did not come up:\n{process.log[-3000:]}")
            await asyncio.sleep(0.2)


async def _piece(processes: list[Process], url: str, deeds: list[str], wanted: argparse.Namespace,
                 totals: Totals) -> None:  # fmt: skip
    """Lets people play and torments the servers for some minutes; adds what was seen."""
    seen = Seen([process.port for process in processes if process.role == "web"])
    torment = Torment(seen, processes, url)
    await until_up(processes)
    opponents = [None] * wanted.people + [OPPONENTS[number % 2] for number in range(wanted.computers)]
    games = [asyncio.create_task(play_games(seen, opponent)) for opponent in opponents]
    await asyncio.sleep(3)
    started = time.monotonic()
    await torment.do(deeds, 60 * wanted.minutes)
    rest = time.monotonic()
    await asyncio.sleep(STUCK)
    stuck = [game for game, moment in seen.last.items() if moment < rest]
    seen.stop = True
    for game in games:
        game.cancel()
    for failure in await asyncio.gather(*games, return_exceptions=True):
        if isinstance(failure, Exception):
            raise failure
    totals.add(seen, torment)
    lost, doubled = _check(url, seen)
    totals.count(pieces=1, seconds=round(rest - started), games=seen.games, acknowledged=len(seen.acknowledged),
                 lost=lost, doubled=doubled + _not_replayed(url), stuck=len(stuck),
                 tracebacks=sum(process.tracebacks() for process in processes))  # fmt: skip
    totals.loads.append(round(os.getloadavg()[0], 1))
    if stuck:
        print(f"stuck: {stuck}\n{_about(url, stuck)}", file=sys.stderr, flush=True)


_KEYS = "SELECT key, count(*) FROM event WHERE key IS NOT NULL GROUP BY key"
_GAPS = "SELECT count(*) FROM (SELECT game FROM event GROUP BY game HAVING max(version) + 1 <> count(*)) AS wrong"


def _check(url: str, seen: Seen) -> tuple[int, int]:
    """How many acknowledged moves the database lacks, and how many it has twice."""
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        stored = {key: number for key, number in connection.execute(sa.text(_KEYS))}  # noqa: C416
        gaps = connection.execute(sa.text(_GAPS)).scalar_one()
    engine.dispose()
    lost = sum(key not in stored for key in seen.acknowledged)
    return lost + gaps, sum(number > 1 for number in stored.values())


def _not_replayed(url: str) -> int:
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


def _about(url: str, games: list[str]) -> str:
    """The jobs of games, for finding out why they are stuck."""
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        found = connection.execute(sa.text("SELECT * FROM job WHERE game = ANY(:games)"), {"games": games}).all()
    engine.dispose()
    return "\n".join(map(str, found))


def _shares(told: dict[str, int]) -> dict[str, float]:
    """The median and the worst of seconds, each with how often it was seen."""
    left, found = sum(told.values()), {"median": 0.0, "p99": 0.0, "worst": 0.0}
    limits = {"median": left / 2, "p99": left / 100, "worst": 0}
    for text in sorted(told, key=float):
        found |= {name: float(text) for name, limit in limits.items() if left > limit}
        left -= told[text]
    return {**found, "of": sum(told.values())}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--restarts", type=int, default=5)
    parser.add_argument("--freezes", type=int, default=2)
    parser.add_argument("--ends", type=int, default=5)
    parser.add_argument("--people", type=int, default=20, help="games between people")
    parser.add_argument("--computers", type=int, default=6, help="games against a computer")
    parser.add_argument("--totals", type=Path, metavar="FILE", help="keep the sums here, and go on from them")
    parser.add_argument("--minutes", type=float, default=600, help="end this piece after so long")
    wanted = parser.parse_args()
    totals = Totals.read(wanted.totals)
    numbers = dict(zip(DEEDS, (wanted.kills, wanted.ends, wanted.restarts, wanted.freezes), strict=True))
    deeds = [deed for deed in DEEDS for _ in range(numbers[deed] - totals.deeds[deed])]
    random.shuffle(deeds)
    # Ended from outside it must not leave servers behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if deeds:
        # What is measured begins when everything is compiled.
        warm.ready()
        with cluster() as server, tempfile.TemporaryDirectory() as name:
            url = new_database(server)
            processes = [Process(Path(name), url, role) for role in ("web", "web", "engine", "engine")]
            try:
                asyncio.run(_piece(processes, url, deeds, wanted, totals))
            finally:
                for process in processes:
                    process.kill()
        totals.write(wanted.totals)
    print(json.dumps(totals.report()))
    return 1 if totals.is_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
