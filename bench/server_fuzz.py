"""Throws nonsense at a server: REST bodies, records and websocket messages, most of them nearly right.

    python bench/server_fuzz.py [--count 100000] [--from 0]

Each input follows from its number, so a run can be gone on with (`--from`) and an input tried again. The server
notes how much processor time the steps of its event loop take. Meanwhile `/health` is asked all the time: how long
it takes tells the same in seconds, which other work on the machine makes longer. The first inputs, which load what
a server needs, are not timed. Prints one JSON object; exits 1 on an answer of 5xx, a traceback or a step over
250 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from random import Random

from rich.console import Console
from rich.progress import Progress
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from quiltwork import Game, Position
from serving import FRIENDS, Json, Served, serving

_TOGETHER = 4
_EVERY = 0.02
_RECORDS = 500
_FIRST = 100
_LONGEST = 0.25
_PIECES = [
    *(" {a}", "(1: +1", ")", " ;x\n", "!?", "{[%clk 4:59]}", '[Edition "express"]', "5c@d4r1", "s@-", "=2a4d"),
    *("1:", "+", "+99", "\x00", "\ud800", "\u202e", "\N{GRINNING FACE}", '"', "\\", "\n\n", '[Deal "7"]', "+1 +1"),
]
_VALUES = [
    *(None, True, -1, 0, 10**30, 1e308, "", "x" * 5000, "\ud800", [], {}, [[[[]]]], {"kind": "human"}, "p2", "+"),
]
_DAYS = {"kind": "days", "days": 3}
_START = Position.initial(deal=1).text
_NODES = [{"parent": 0, "move": "+1"}, {"parent": 1, "move": "+2", "comment": "why", "eval": [0.5, 1]}]
_SIDE = {"space": 0, "buttons": 4, "quilt": []}


@dataclass
class Seen:
    """What came back."""

    statuses: Counter[str] = field(default_factory=Counter)
    worst_health: float = 0.0
    slowest: float = 0.0
    slowest_input: int = 0
    failures: list[int] = field(default_factory=list)
    held: list[float] = field(default_factory=list)
    """seconds of processor time of the event loop's long steps"""


@cache
def right_record(number: int) -> str:
    """The record of a short game."""
    chance = Random(number)
    game = Game(Position.initial(deal=chance.randrange(9)))
    for _ in range(chance.randrange(12)):
        game.play(chance.choice(game.position.legal_moves()))
    return game.text


def record(chance: Random) -> str:
    """A record that was right once."""
    text = right_record(chance.randrange(_RECORDS))
    for _ in range(chance.randrange(1, 4)):
        where = chance.randrange(len(text) + 1)
        piece = chance.choice(_PIECES) * chance.choice([1, 1, 1, 3, 200, 5000])
        text = text[:where] + piece + text[where + chance.choice([0, 0, 1, 9]) :]
    return text[:100_000]


def mangled(message: Json, chance: Random) -> bytes:
    """A message with something wrong in it, as JSON or nearly so."""
    wrong = dict(message)
    for _ in range(chance.randrange(1, 3)):
        key = chance.choice([*wrong, "extra"])
        if chance.random() < 0.2:
            wrong.pop(key, None)
        else:
            wrong[key] = chance.choice([*_VALUES, chance.choice(_PIECES)])
    text = json.dumps(wrong).encode()
    if chance.random() < 0.3:
        where = chance.randrange(len(text))
        text = text[:where] + chance.randbytes(chance.randrange(4)) + text[where + chance.randrange(3) :]
    if chance.random() < 0.01:
        text = b"[" * 2000 + text
    return text


def request(chance: Random, token: str) -> bytes:
    """A REST request with such a body."""
    path, good = chance.choice(
        [
            ("/api/games", {"seats": FRIENDS, "deal": 1, "edition": "express", "clock": _DAYS}),
            ("/api/games", {"seats": FRIENDS, "record": "", "ply": 3}),
            ("/api/records", {"record": ""}),
            ("/api/game/moves", {"version": 0, "move": "+"}),
            ("/api/qr", {"text": "https://quilts.example.org/"}),
            ("/api/study/tree", {"record": ""}),
            ("/api/study/record", {"start": _START, "tags": {"Event": "club"}, "nodes": _NODES}),
            ("/api/study/play", {"position": _START, "moves": ["+1", "+2"]}),
            ("/api/study/setup", {"edition": "express", "players": [_SIDE, _SIDE], "circle": ["2a"], "turn": 1}),
            ("/api/puzzles/next", {"edition": "patchwork", "progress": {"rating": 1500, "seen": ["a70b838c"]}}),
        ]
    )
    if "record" in good:
        good["record"] = record(chance)
    body = json.dumps(good).encode() if chance.random() < 0.4 else mangled(good, chance)
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    head += f"Authorization: Bearer {token}\r\nIdempotency-Key: {chance.getrandbits(64):016x}\r\n\r\n"
    return head.encode() + body


def message(chance: Random, version: int) -> str | bytes:
    """A websocket message with something wrong in it, seldom nothing."""
    key = f"{chance.getrandbits(64):016x}"
    kinds = ["move", "takeback", "accept", "decline", "name", "withdraw", "look", "ping", "resign", "rematch"]
    kind = chance.choices(kinds, [20, 5, 3, 3, 2, 1, 1, 1, 0.01, 1])[0]
    good: Json = {"type": kind, "version": version, "key": key}
    good |= {"move": {"move": chance.choice(["+", "5c@d4", "2a@a1", "+1"])}, "name": {"name": "Ann"}}.get(kind, {})
    text = json.dumps(good).encode() if chance.random() < 0.2 else mangled(good, chance)
    return text if chance.random() < 0.02 else text.decode("utf-8", "replace")


async def ask(served: Served, number: int, token: str, seen: Seen) -> None:
    """One request on a connection of its own."""
    sent = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write(request(Random(number), token))
    try:
        status = (await asyncio.wait_for(reader.readline(), 30)).split()[1].decode()
    except (IndexError, ConnectionError):
        status = "closed"
    writer.close()
    seen.statuses[status] += 1
    if status.startswith("5"):
        seen.failures.append(number)
    if (took := time.monotonic() - sent) > seen.slowest:
        seen.slowest, seen.slowest_input = took, number


async def say(connection: ClientConnection, number: int, seen: Seen) -> None:
    """One message; a ping after it shows that it was dealt with."""
    await connection.send(message(Random(number), number % 7))
    await connection.send('{"type": "ping"}')
    while json.loads(await asyncio.wait_for(connection.recv(), 30))["type"] != "pong":
        pass
    seen.statuses["message"] += 1


async def fuzz(served: Served, numbers: list[int], seen: Seen, step: Progress) -> None:
    made = served.create()
    connection: ClientConnection | None = None
    for number in numbers:
        step.advance(step.task_ids[0])
        if number % 2:
            await ask(served, number, made["token"], seen)
            continue
        if connection is None:
            made = served.create() if number % 1000 == 0 else made
            connection = await connect(served.socket, compression=None, max_size=None)
            await connection.send(json.dumps({"type": "hello", "token": made["token"], "changes": True}))
        try:
            await say(connection, number, seen)
        except ConnectionClosed:
            seen.statuses["connection closed"] += 1
            connection = None
    if connection:
        await connection.close()


async def watch(served: Served, seen: Seen) -> None:
    """Asks for the server's health again and again on one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    while True:
        sent = time.monotonic()
        writer.write(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        await reader.readexactly(length)
        seen.worst_health = max(seen.worst_health, time.monotonic() - sent)
        await asyncio.sleep(_EVERY)


async def flood(served: Served, first: int, count: int, seen: Seen) -> None:
    """Sends so many inputs, on a few connections at a time."""
    with Progress(console=Console(stderr=True)) as progress:
        progress.add_task("Fuzzing", total=count)
        # Every second number is a request, and each part has both kinds.
        parts = [
            [number for number in range(first, first + count) if number // 2 % _TOGETHER == part]
            for part in range(_TOGETHER)
        ]
        await asyncio.gather(*(fuzz(served, numbers, seen, progress) for numbers in parts))


async def run(served: Served, first: int, count: int) -> Seen:
    await flood(served, -_FIRST, _FIRST, Seen())
    begun = len(served.held())
    seen = Seen()
    watching = asyncio.create_task(watch(served, seen))
    await flood(served, first, count, seen)
    watching.cancel()
    seen.held = served.held()[begun:]
    return seen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--from", type=int, default=0, dest="first", metavar="N")
    wanted = parser.parse_args()
    started = time.monotonic()
    with serving(timed=True) as served:
        seen = asyncio.run(run(served, wanted.first, wanted.count))
        log = served.log.read_text()
    tracebacks = log.count("Traceback")
    longest = max(seen.held, default=0.0)
    report = {
        "inputs": wanted.count,
        "next": wanted.first + wanted.count,
        "seconds": round(time.monotonic() - started, 1),
        "answers": dict(seen.statuses),
        "failures": seen.failures[:20],
        "tracebacks": tracebacks,
        "longest_step_milliseconds": round(1000 * longest, 1),
        "worst_health_milliseconds": round(1000 * seen.worst_health, 1),
        "slowest_answer": {"milliseconds": round(1000 * seen.slowest, 1), "input": seen.slowest_input},
    }
    print(json.dumps(report))
    if tracebacks:
        print(log[:4000], file=sys.stderr)
    return 1 if tracebacks or seen.failures or longest > _LONGEST else 0


if __name__ == "__main__":
    sys.exit(main())
