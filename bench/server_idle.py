"""Measures a server with many idle websockets: its memory, and how soon a move is told beside them.

    python bench/server_idle.py [--sockets 10000] [--moves 30] [--rest 130]

Two sockets sit at each game, one in each seat. When all have rested for a while (tables of which nobody has heard
for a minute or two need less) one more game is played, a move a second. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time

import orjson
from rich.console import Console
from rich.progress import track
from websockets.asyncio.client import ClientConnection, connect

from serving import Json, Served, serving

_MOVES = 20
"""of advances alone, a game has at least so many"""


async def sit(served: Served, token: str) -> ClientConnection:
    """A connection that has said hello and read the answer."""
    connection = await connect(
        served.socket, compression=None, ping_interval=None, max_queue=None, open_timeout=60
    )
    await connection.send(json.dumps({"type": "hello", "token": token, "changes": True}))
    await until(connection, "state")
    return connection


async def until(connection: ClientConnection, *types: str) -> Json:
    while True:
        message: Json = orjson.loads(await connection.recv())
        if message["type"] in types:
            return message


async def measure(served: Served, sockets: int, moves: int, rest: float) -> Json:
    empty = served.megabytes()
    idle = []
    for _ in track(range(sockets // 2), "Sitting down", console=Console(stderr=True)):
        made = served.create()
        idle += [await sit(served, made[name]) for name in ("token", "invite")]
    at_once = served.megabytes()
    await asyncio.sleep(rest)
    memory = served.megabytes()
    cpu, start = served.cpu_seconds(), time.monotonic()
    times: list[float] = []
    while len(times) < moves:
        times += await play(served, min(_MOVES, moves - len(times)))
    busy = (served.cpu_seconds() - cpu) / (time.monotonic() - start)
    for connection in idle:
        connection.transport.abort()
    times.sort()
    return {
        "idle_sockets": len(idle),
        "megabytes_before": empty,
        "megabytes_at_once": at_once,
        "megabytes": memory,
        "kilobytes_a_socket": round(1024 * (memory - empty) / max(1, len(idle)), 1),
        "processor_share": round(busy, 3),
        "told_milliseconds": {"median": _ms(times[len(times) // 2]), "worst": _ms(times[-1])},
        "load_average": round(os.getloadavg()[0], 1),
    }


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)


async def play(served: Served, moves: int) -> list[float]:
    """Advances in a new game, one a second; the times until both players have been told."""
    made = served.create()
    players = [await sit(served, made[name]) for name in ("token", "invite")]
    await until(players[0], "change")
    state = (await look(players[0])) | {}
    times = []
    for number in range(moves):
        await asyncio.sleep(1)
        move = {"type": "move", "version": state["version"], "key": f"move-number-{number}", "move": "+"}
        sent = time.monotonic()
        await players[state["turn"] - 1].send(json.dumps(move))
        changes = await asyncio.gather(*(until(player, "change") for player in players))
        times.append(time.monotonic() - sent)
        state |= changes[0]
        if state["result"]:
            break
    for player in players:
        await player.close()
    return times


async def look(player: ClientConnection) -> Json:
    await player.send(json.dumps({"type": "look"}))
    return await until(player, "state")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sockets", type=int, default=10_000)
    parser.add_argument("--moves", type=int, default=30)
    parser.add_argument("--rest", type=float, default=130.0, metavar="SECONDS")
    wanted = parser.parse_args()
    with serving() as served:
        print(json.dumps(asyncio.run(measure(served, wanted.sockets, wanted.moves, wanted.rest))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
