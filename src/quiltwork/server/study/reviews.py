"""Running reviews: clients follow one while it grows, may leave, and it is stored when complete."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator
from hashlib import sha256
from typing import Any

from quiltwork import Game, Position
from quiltwork.analysis.review import Luck, Review, Turn
from quiltwork.analysis.review.reasons import Reason
from quiltwork.editions.content import fingerprint
from quiltwork.server.answers import Refusal
from quiltwork.server.study.pool import Pool, Priority, StudyFailure
from quiltwork.server.study.storage import ReviewStore
from quiltwork.server.study.tasks import Curve, Judge

LOG = logging.getLogger("quiltwork.study")
VERSION = 2
"""the version of stored reviews; a new one makes them again"""
WAITING = 5
"""reviews that one visitor may have waiting beside the one that is made"""
IN_ALL = 200
"""reviews that may be made or wait at a server"""
MOST_MOVES = 400
FINISHED = 50
"""whole reviews kept in memory"""
Json = dict[str, Any]


class _Growing:
    """The events of one review so far, for any number of followers."""

    def __init__(self) -> None:
        self.events: list[Json] = []
        self.done = False
        self._changed = asyncio.Event()

    def add(self, event: Json) -> None:
        self.events.append(event)
        self._wake()

    def finish(self) -> None:
        self.done = True
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def follow(self) -> AsyncIterator[Json]:
        told = 0
        while True:
            changed = self._changed
            while told < len(self.events):
                told += 1
                yield self.events[told - 1]
            if self.done:
                return
            await changed.wait()


class Reviews:
    """The reviews of a server: one at a time for each visitor, the others behind it."""

    def __init__(self, pool: Pool, store: ReviewStore, simulations: int) -> None:
        self._pool = pool
        self._store = store
        self._simulations = simulations
        self._found: OrderedDict[str, _Growing] = OrderedDict()
        self._turns: dict[str, asyncio.Lock] = {}
        self._counts: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def follow(self, game: Game, visitor: str, name: str | None = None) -> AsyncIterator[Json]:
        """The events of a review, from its first; raises Refusal where it cannot be made now."""
        moves = game.end.line()
        if not moves:
            raise Refusal("nothing-to-review", "The game has no moves to review.")
        if len(moves) > MOST_MOVES:
            raise Refusal("too-long", f"A game to review may have at most {MOST_MOVES} moves.")
        key = self._key(game)
        if key not in self._found:
            stored = await self._store.load(key)
            # Another follower may have begun it meanwhile.
            if key not in self._found:
                self._begin(key, game, visitor, name, stored)
        self._found.move_to_end(key)
        return self._found[key].follow()

    def _key(self, game: Game) -> str:
        moves = " ".join(str(move) for move in game.end.line())
        parts = (VERSION, self._simulations, fingerprint(game.edition), game.start.text, moves)
        return sha256("|".join(map(str, parts)).encode()).hexdigest()

    def _begin(self, key: str, game: Game, visitor: str, name: str | None, stored: list[Json] | None) -> None:
        growing = _Growing()
        if stored is not None:
            growing.events = stored
            growing.done = True
        else:
            if self._counts.get(visitor, 0) > WAITING or len(self._tasks) >= IN_ALL:
                raise Refusal("busy", "Too many reviews are being made; try again later.", 503)
            self._counts[visitor] = self._counts.get(visitor, 0) + 1
            task = asyncio.get_running_loop().create_task(self._make(key, game, visitor, name, growing))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._found[key] = growing
        while len(self._found) > FINISHED:
            oldest = next((each for each, found in self._found.items() if found.done), None)
            if oldest is None:
                break
            del self._found[oldest]

    async def _make(self, key: str, game: Game, visitor: str, name: str | None, growing: _Growing) -> None:
        try:
            async with self._turns.setdefault(visitor, asyncio.Lock()):
                await self._judge(key, game, growing)
            await self._store.save(key, name, growing.events)
        except StudyFailure as failure:
            LOG.error("a review failed", extra={"reason": str(failure)})
            self._found.pop(key, None)
            growing.add({"type": "problem", "code": "engine-failed", "message": "The review could not be made."})
        finally:
            growing.finish()
            self._counts[visitor] -= 1
            if not self._counts[visitor]:
                del self._counts[visitor]
                self._turns.pop(visitor, None)

    async def _judge(self, key: str, game: Game, growing: _Growing) -> None:
        positions = [game.start, *(node.position for node in game.root.main_line())]
        growing.add({"type": "curve", "values": await self._curve(positions)})
        work = [
            Judge(game.edition, key, ply, position.text, str(move), self._simulations)
            for ply, (position, move) in enumerate(zip(positions, game.end.line(), strict=False))
        ]
        found: list[Turn | Luck] = []

        async def judge(share: list[Judge]) -> None:
            for each in share:
                one = await self._pool.run(each, Priority.REVIEW)
                found.append(one)
                growing.add(_event(one))

        # Neighbours share positions, so each process gets a stretch of the game.
        size = -(-len(work) // self._pool.size)
        stretches = [work[start : start + size] for start in range(0, len(work), size)]
        async with asyncio.TaskGroup() as group:
            for stretch in stretches:
                group.create_task(judge(stretch))
        growing.add(_summary(game, found, self._simulations))

    async def _curve(self, positions: list[Position]) -> list[tuple[float, float]]:
        size = -(-len(positions) // self._pool.size)
        parts = [positions[start : start + size] for start in range(0, len(positions), size)]
        tasks = [Curve(part[0].edition, tuple(position.text for position in part)) for part in parts]
        values = await asyncio.gather(*(self._pool.run(task, Priority.CURVE) for task in tasks))
        return [value for part in values for value in part]

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def turn_view(turn: Turn) -> Json:
    """A decision as the page shows it: keys for sentences, and both lines."""
    return {
        **turn.as_json(),
        "points": round(turn.points, 2),
        "forced": turn.forced,
        "exact": turn.exact,
        "accuracy": round(turn.accuracy, 1),
        "reason": reason_view(turn.reason),
        "better": list(map(str, turn.better)),
        "line": list(map(str, turn.line)),
    }


def reason_view(reason: Reason | None) -> Json | None:
    """A reason as the page says it: the key of a sentence, its figures, and the cells it speaks of."""
    if reason is None:
        return None
    return {"key": reason.key, "figures": dict(reason.figures), "cells": list(map(str, reason.cells))}


def _event(found: Turn | Luck) -> Json:
    if isinstance(found, Luck):
        return {"type": "luck", "ply": found.ply, "swing": round(found.swing, 4)}
    return {"type": "turn", **turn_view(found)}


def _summary(game: Game, found: list[Turn | Luck], simulations: int) -> Json:
    turns = sorted((each for each in found if isinstance(each, Turn)), key=lambda each: each.ply)
    luck = [each for each in found if isinstance(each, Luck)]
    review = Review(game, simulations, tuple(turns), tuple(luck))
    point = review.turning_point
    chance = point or review.best_chance
    return {
        "type": "done",
        "simulations": simulations,
        "players": review.players_as_json(),
        "moments": [turn.ply for turn in review.moments(6)],
        "turning_point": None if point is None else point.ply,
        "chance": chance and {"ply": chance.ply, "player": int(chance.player), "win": round(chance.before, 4)},
        "luck": None if review.swing is None else round(review.swing, 4),
    }
