"""Bots that play as the page does: they come back by themselves, and send again what was not answered."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import socket
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.request import Request, urlopen

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

Json = dict[str, Any]
Lost = (OSError, WebSocketException, TimeoutError)
PEOPLE: list[Json] = [{"kind": "human"}, {"kind": "human", "remote": True}]
FIRST_WAIT, LONGEST_WAIT = 0.25, 2.0
"""as in the page's link.js"""


def against(opponent: str) -> list[Json]:
    """The seats of a game against a computer."""
    return [{"kind": "human"}, {"kind": "computer", "opponent": opponent}]


@dataclass(frozen=True)
class Wait:
    """How long a page had to wait, without the time that PostgreSQL was away."""

    seconds: float
    game: str
    began: float
    """in seconds of the monotonic clock"""


@dataclass
class Seen:
    """What the pages saw."""

    ports: list[int]
    """of the processes for games"""
    outages: list[tuple[float, float]] = field(default_factory=list)
    """when PostgreSQL was away"""
    acknowledged: dict[str, str] = field(default_factory=dict)
    """the keys of moves that the server has answered, and their games"""
    waits: dict[str, list[Wait]] = field(default_factory=lambda: {"people": [], "computers": [], "news": []})
    """from sending a move to its answer, a computer's turn to its move, an answer to the friend being told"""
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

    def note(self, what: str, game: str, since: float, until: float) -> None:
        away = sum(max(0.0, min(until, end) - max(since, begin)) for begin, end in self.outages)
        self.waits[what].append(Wait(until - since - away, game, since))


class Page:
    """One seat."""

    def __init__(self, token: str, seen: Seen, *, computer: bool = False) -> None:
        self._token = token
        self._key = secrets.token_hex(8)
        self._seen = seen
        self._computer = computer
        self._state: Json = {}
        self._pending: Json | None = None
        self._sent = 0.0
        self._turn_of_other = 0.0
        self.other: Page | None = None
        """the friend's page"""
        self._awaited: tuple[int, float] | None = None
        """a version that the friend was answered, and when"""

    async def play(self) -> None:
        """Plays until the game is over, whatever happens to the connection."""
        wait = FIRST_WAIT
        while not self._over:
            with suppress(*Lost):
                async with connect(f"ws://127.0.0.1:{self._seen.port()}/ws", open_timeout=5) as link:
                    hello = {"type": "hello", "token": self._token, "key": self._key, "changes": True}
                    await link.send(json.dumps(hello))
                    if await self._converse(link):
                        wait = FIRST_WAIT
            if not self._over:
                await asyncio.sleep(wait * random.uniform(0.75, 1.25))
                wait = min(LONGEST_WAIT, 2 * wait)

    @property
    def _over(self) -> bool:
        return self._seen.stop or bool(self._state.get("result"))

    async def _converse(self, link: ClientConnection) -> bool:
        """Goes on until the connection is lost or the game over; tells whether the table was seen."""
        heard = False
        with suppress(*Lost):
            while not self._over:
                message = json.loads(await link.recv())
                if message["type"] == "seat":
                    self._token = message["token"]
                elif message["type"] in ("state", "change"):
                    if not self._take(message):
                        await link.send(json.dumps({"type": "look"}))
                        continue
                    if not heard and self._pending:
                        await link.send(json.dumps(self._pending))
                    heard = True
                    await self._move(link, random.uniform(0.05, 0.4))
                elif self._pending and message.get("key") == self._pending["key"]:
                    await self._answered(link, message)
        return heard

    def _take(self, message: Json) -> bool:
        """Takes in what is told; False where something is missing."""
        if message["type"] == "change":
            if message.pop("from") != self._state.get("version"):
                return False
            told = message.pop("players", ({}, {}))
            players = [{**old, **new} for old, new in zip(self._state["players"], told, strict=True)]
            message = {**self._state, **message, "players": players}
        moment, game, version = time.monotonic(), message["game"], message["version"]
        mine = message["turn"] in message["you"] or message["result"]
        if self._turn_of_other and (mine or version != self._state.get("version")):
            self._seen.note("computers", game, self._turn_of_other, moment)
            self._turn_of_other = 0.0
        if self._computer and not mine:
            self._turn_of_other = self._turn_of_other or moment
        if self._awaited and version >= self._awaited[0]:
            self._seen.note("news", game, self._awaited[1], moment)
            self._awaited = None
        self._state = message
        if message["result"]:
            self._seen.last.pop(game, None)
        else:
            self._seen.last[game] = moment
        return True

    async def _answered(self, link: ClientConnection, message: Json) -> None:
        assert self._pending is not None
        if message.get("retry"):
            await asyncio.sleep(message["retry"])
            await link.send(json.dumps(self._pending))
            return
        if message["type"] == "done":
            game, moment = self._state["game"], time.monotonic()
            self._seen.acknowledged[self._pending["key"]] = game
            self._seen.note("people", game, self._sent, moment)
            if self.other is not None and self.other._state.get("version", 0) < message["version"]:
                self.other._awaited = (message["version"], moment)
        elif message["code"] != "stale":
            raise RuntimeError(message)
        self._pending = None
        if message.get("version") == self._state["version"]:
            await self._move(link)

    async def _move(self, link: ClientConnection, pause: float = 0.0) -> None:
        """Moves after a pause, where it is this seat's turn."""
        told = self._state["options"]
        if self._pending is not None or not told or self._state["result"]:
            return
        await asyncio.sleep(pause)
        if told["special"]:
            places = told["special"]["places"][""]
            move = f"s@{chr(97 + places[0] % 9)}{places[0] // 9 + 1}" if places else "s@-"
        else:
            move = str(told["advance"]["move"])
        key = secrets.token_hex(8)
        self._pending = {"type": "move", "version": self._state["version"], "key": key, "move": move}
        self._sent = time.monotonic()
        await link.send(json.dumps(self._pending))


async def play_games(seen: Seen, opponent: str | None) -> None:
    """One game after another, between two people or against a computer."""
    while not seen.stop:
        made = await _create(seen, against(opponent) if opponent else PEOPLE)
        if made is None:
            return
        seen.games += 1
        if opponent:
            await Page(made["token"], seen, computer=True).play()
        else:
            one, two = Page(made["token"], seen), Page(made["invite"], seen)
            one.other, two.other = two, one
            await asyncio.gather(one.play(), two.play())


async def _create(seen: Seen, seats: list[Json]) -> Json | None:
    """A new game at whatever process answers."""
    while not seen.stop:
        request = Request(f"http://127.0.0.1:{seen.port()}/api/games", method="POST")
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
