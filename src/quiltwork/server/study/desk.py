"""The desk of a server's study: what its doors need, in one place."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

from quiltwork import Phase, Position, QuiltworkError
from quiltwork.agents.agent import mover_of
from quiltwork.puzzles import Puzzle
from quiltwork.server.answers import Refusal
from quiltwork.server.editions import Editions
from quiltwork.server.settings import Settings
from quiltwork.server.store import Store
from quiltwork.server.study.pool import Pool, Priority, StudyFailure
from quiltwork.server.study.reviews import Reviews, turn_view
from quiltwork.server.study.storage import ReviewStore
from quiltwork.server.study.tasks import Analyse, Curve, Judge, Said, Solve

COACH_SIMULATIONS = 1500
ANALYSES = 4
"""analyses and questions to the coach that one address may have open"""
IN_ALL = 64
Json = dict[str, Any]


class Study:
    """Thinks about games that are over and positions that nobody plays."""

    def __init__(self, settings: Settings, store: Store, editions: Editions) -> None:
        self._pool = Pool(settings.study_workers)
        self._editions = editions
        self.reviews = Reviews(self._pool, ReviewStore(store), settings.review_simulations)
        self._open: Counter[str] = Counter()

    async def warm_up(self) -> None:
        """Lets every process load what it needs, behind everything else."""
        position = Position.initial()
        task = Curve(position.edition, (position.text,))
        runs = (self._pool.run(task, Priority.REVIEW) for _ in range(self._pool.size))
        await asyncio.gather(*runs, return_exceptions=True)

    def position(self, text: str) -> Position:
        """The position of a text from a visitor; only editions of this server are read."""
        self._editions.find(text.strip().partition(" ")[0].lower())
        try:
            return Position.parse(text)
        except QuiltworkError as error:
            raise Refusal("bad-position", f"{error}.".replace("..", ".")) from None

    async def analyse(self, text: str, lines: int, seconds: float, visitor: str) -> AsyncIterator[Json]:
        """Better and better analyses of a position, the final one last."""
        position = self.position(text)
        if position.phase in (Phase.OVER, Phase.DEAL):
            raise Refusal("nothing-to-analyse", "Nobody is to move in this position.")
        self._check_room(visitor)
        return self._analyse(position, lines, seconds, visitor)

    async def _analyse(self, position: Position, lines: int, seconds: float, visitor: str) -> AsyncIterator[Json]:
        try:
            room = self._take_room(visitor)
        except Refusal as refusal:
            # Others came first, and the answer has begun: it cannot be refused any more.
            yield {"type": "problem", "code": refusal.code, "message": refusal.sentence}
            return
        with room:
            told: asyncio.Queue[Json] = asyncio.Queue()
            task = Analyse(position.edition, position.text, lines, seconds)
            work = asyncio.ensure_future(self._pool.run(task, Priority.ANALYSIS, told.put_nowait))
            work.add_done_callback(lambda done: None if done.cancelled() else done.exception())
            try:
                while not work.done():
                    news = asyncio.ensure_future(told.get())
                    await asyncio.wait({work, news}, return_when=asyncio.FIRST_COMPLETED)
                    if news.done():
                        yield {"type": "analysis", **news.result()}
                    else:
                        news.cancel()
                try:
                    yield {"type": "analysis", **work.result()}
                except StudyFailure:
                    yield {"type": "problem", "code": "engine-failed", "message": "The engine failed."}
            finally:
                work.cancel()

    async def judge(self, position: Position, move: str, visitor: str) -> Json:
        """What a move would cost, before it is made."""
        mover_of(position)
        chosen = position.move(move)
        task = Judge(position.edition, "coach", 0, position.text, str(chosen), COACH_SIMULATIONS)
        with self._take_room(visitor):
            try:
                return turn_view(await self._pool.run(task, Priority.COACH))
            except StudyFailure:
                raise Refusal("engine-failed", "The coach has no opinion now.", 503) from None

    async def solve(self, puzzle: Puzzle, moves: tuple[str, ...], visitor: str) -> Said:
        """What is said of an answer to a puzzle; a search may be needed for it."""
        with self._take_room(visitor):
            try:
                said: Said | str = await self._pool.run(
                    Solve(puzzle.position.edition, puzzle, moves), Priority.COACH
                )
            except StudyFailure:
                raise Refusal("engine-failed", "The answer could not be judged.", 503) from None
        if isinstance(said, str):
            raise Refusal("illegal", f"{said}.")
        return said

    def _check_room(self, visitor: str) -> None:
        if self._open[visitor] >= ANALYSES or self._open.total() >= IN_ALL:
            raise Refusal("busy", "The engine is busy; ask again in a moment.", 503)

    def _take_room(self, visitor: str) -> AbstractContextManager[None]:
        """Counts a question until the result is left; raises Refusal at once."""
        self._check_room(visitor)
        self._open[visitor] += 1
        return self._leave_room(visitor)

    @contextmanager
    def _leave_room(self, visitor: str) -> Iterator[None]:
        try:
            yield
        finally:
            self._open[visitor] -= 1
            if not self._open[visitor]:
                del self._open[visitor]

    async def close(self) -> None:
        with suppress(asyncio.CancelledError):
            await self.reviews.close()
        self._pool.close()
