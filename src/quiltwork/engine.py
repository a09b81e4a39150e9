"""Engines: who analyses positions for a program, be it one of our agents or any other program.

>>> from quiltwork import Engine, Position
>>> position = Position.parse("patchwork 1 52/40/- 53!/0/- - 2a")
>>> with Engine("search") as engine:                   # or "level:3", "cmd:./my_bot --flag", "strongest"
...     engine.analyse(position, simulations=100).exact
True

`analyse` and `choose` wait for the answer. `start` returns at once with a `Thinking`, which can be followed,
stopped and waited for, with or without asyncio:

    with engine.start(position, infinite=True, lines=3) as thinking:
        for analysis in thinking:
            if analysis.simulations > 10_000:
                break                                    # leaving the block stops the engine
    thinking.result().best.move

    analysis = await engine.start(position, seconds=1.0)
"""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any, Self

from quiltwork.agents.agent import Agent, Analysis, Limits, Watch, mover_of
from quiltwork.agents.registry import agent_of
from quiltwork.errors import QuiltworkError
from quiltwork.move import Move
from quiltwork.position import Position

UPDATE_SECONDS = 0.2
"""between two analyses that a `Thinking` tells, where the agent is one of ours"""


class EngineTimeout(QuiltworkError):
    """An engine did not answer in time; it was stopped, and a program was ended."""


class Engine:
    """An agent that thinks in a thread of its own, about one position at a time; others wait their turn.

    `agent` is named as everywhere (`strongest`, `level:3`, `search:cores=2`, `cmd:./my_bot --flag`), or is an
    agent already. The same seed gives the same moves under a limit of simulations. `timeout` is the most seconds
    that an answer may take, waiting for its turn included; a program also fails 5 seconds after its limit.

    A context manager: at the end it is closed. Everything here may raise QuiltworkError: AgentFault where a
    program fails, CannotStart where it cannot be started, EngineTimeout where it takes too long.
    """

    def __init__(self, agent: str | Agent = "strongest", *, seed: int = 0, timeout: float | None = None) -> None:
        _check_timeout(timeout)
        self._agent = agent_of(agent, seed) if isinstance(agent, str) else agent
        self._turn = threading.Lock()
        self._open: weakref.WeakSet[Thinking] = weakref.WeakSet()
        self._closed = False
        self.timeout = timeout
        """the most seconds for an answer; None for as long as it takes"""
        self._end = weakref.finalize(self, self._agent.close)

    def __repr__(self) -> str:
        return f"Engine({self.name!r})"

    @property
    def name(self) -> str:
        """The agent's name, as it can be given again."""
        return self._agent.name

    @property
    def stderr(self) -> str:
        """The end of what a program wrote to its stderr, also after it failed; empty for our own agents."""
        return str(getattr(self._agent, "stderr", ""))

    def analyse(
        self,
        position: Position,
        *,
        seconds: float | None = None,
        simulations: int | None = None,
        lines: int = 1,
        only: Iterable[Move | str] = (),
        timeout: float | None = None,
    ) -> Analysis:
        """The ranked moves; without a limit the agent takes its own (1 second).

        With `lines` above 1 every action gets a share of the visits, so that several moves can be compared (see
        `Analysis.lines`). `only` names the moves to choose from. Raises QuiltworkError where no player is to move.
        """
        thinking = self.start(
            position, seconds=seconds, simulations=simulations, lines=lines, only=only, timeout=timeout
        )
        try:
            return thinking.result()
        except BaseException:
            thinking.stop()
            raise

    def choose(
        self,
        position: Position,
        *,
        seconds: float | None = None,
        simulations: int | None = None,
        only: Iterable[Move | str] = (),
        timeout: float | None = None,
    ) -> Move:
        """The move to play."""
        return self.analyse(
            position, seconds=seconds, simulations=simulations, only=only, timeout=timeout
        ).best.move

    def start(
        self,
        position: Position,
        *,
        seconds: float | None = None,
        simulations: int | None = None,
        infinite: bool = False,
        lines: int = 1,
        only: Iterable[Move | str] = (),
        timeout: float | None = None,
    ) -> Thinking:
        """Begins an analysis and returns at once; with `infinite` it ends when it is stopped.

        The other options are those of `analyse`. Raises QuiltworkError where no player is to move, for a wrong
        limit, and after `close`; IllegalMove for one of `only` that is not legal.
        """
        if self._closed:
            raise QuiltworkError(f"the engine {self.name} is closed")
        _check_timeout(timeout)
        if lines < 1:
            raise QuiltworkError(f"lines must be a whole number of at least 1, not {lines!r}")
        if not isinstance(position, Position):
            raise TypeError(f"expected a Position, found {type(position).__name__}")
        mover_of(position)
        limits = Limits(seconds, simulations, infinite=infinite, only=_moves(position, only), lines=lines)
        thinking = Thinking(
            self._agent, self._turn, position, limits, self.timeout if timeout is None else timeout
        )
        self._open.add(thinking)
        return thinking

    def close(self) -> None:
        """Stops what is under way and gives everything back; a program is ended."""
        self._closed = True
        for thinking in list(self._open):
            thinking.stop()
        # Our own agents may not be closed under the thread that thinks; a program is ended after its grace.
        with self._turn:
            self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.close)


class Thinking:
    """An analysis under way: iterate for the analyses so far, `stop` it, ask for the `result` or await it.

    As a context manager it is stopped at the end of the block. All of it works in `async` form too.
    """

    def __init__(
        self, agent: Agent, turn: threading.Lock, position: Position, limits: Limits, timeout: float | None
    ) -> None:
        self.position = position
        """that is analysed"""
        self.limits = limits
        """how long, and about which moves"""
        self._agent = agent
        self._watch = Watch(self._report, UPDATE_SECONDS)
        self._final: Future[Analysis] = Future()
        self._latest: Analysis | None = None
        self._count = 0
        self._changed = threading.Condition()
        self._listeners: set[Callable[[], None]] = set()
        self._timer: threading.Timer | None = None
        if timeout is not None:
            self._timer = threading.Timer(timeout, self._give_up, (timeout,))
            self._timer.daemon = True
            self._timer.start()
        # A daemon, so that a program that forgets to stop an infinite analysis can end.
        threading.Thread(target=self._run, args=(turn,), daemon=True, name=f"engine {agent.name}").start()

    def __repr__(self) -> str:
        state = "done" if self.done else "thinking"
        return f"<Thinking of {self._agent.name} about {self.position.text!r}: {state}>"

    @property
    def latest(self) -> Analysis | None:
        """The newest analysis, partial or final; None before the first."""
        with self._changed:
            return self._latest

    @property
    def done(self) -> bool:
        """Whether the final answer, or an error, is there."""
        return self._final.done()

    def stop(self) -> None:
        """Asks for the final answer now; does not wait for it."""
        self._watch.stop()

    def result(self, timeout: float | None = None) -> Analysis:
        """Waits for the final analysis; raises what the agent raised, or EngineTimeout after `timeout` seconds.

        Unlike the engine's timeout, this one only ends the waiting: the engine goes on.
        """
        try:
            return self._final.result(timeout)
        except FutureTimeout:
            raise EngineTimeout(f"{self._agent.name}: no final answer within {timeout:g} seconds") from None

    def __iter__(self) -> Iterator[Analysis]:
        """The analyses as they come, the final one last; one that was overtaken by a newer one is left out."""
        seen = 0
        while True:
            with self._changed:
                while self._count == seen and not self._final.done():
                    self._changed.wait()
                fresh = self._count > seen
                seen, latest = self._count, self._latest
            if fresh and latest is not None:
                yield latest
            elif self._final.done():
                self._final.result()
                return

    async def __aiter__(self) -> AsyncIterator[Analysis]:
        loop = asyncio.get_running_loop()
        event = asyncio.Event()

        def wake() -> None:
            loop.call_soon_threadsafe(event.set)

        seen = 0
        with self._changed:
            self._listeners.add(wake)
        try:
            while True:
                event.clear()
                with self._changed:
                    fresh = self._count > seen
                    seen, latest = self._count, self._latest
                if fresh and latest is not None:
                    yield latest
                elif self._final.done():
                    self._final.result()
                    return
                else:
                    await event.wait()
        finally:
            with self._changed:
                self._listeners.discard(wake)

    def __await__(self) -> Generator[Any, None, Analysis]:
        return self._wait().__await__()

    async def _wait(self) -> Analysis:
        try:
            return await asyncio.shield(asyncio.wrap_future(self._final))
        except asyncio.CancelledError:
            self.stop()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.stop()
        # An error inside the block is the one to tell.
        if self._final.exception() is not None and kind is None:
            self._final.result()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: object, *_: object) -> None:
        self.stop()
        try:
            await self._wait()
        except QuiltworkError:
            if kind is None:
                raise

    def _run(self, turn: threading.Lock) -> None:
        with turn:
            if self._final.done():
                return
            try:
                analysis = self._agent.think(self.position, self.limits, self._watch)
            except BaseException as error:
                self._finish(error)
            else:
                self._finish(analysis)

    def _report(self, analysis: Analysis) -> None:
        with self._changed:
            self._latest = analysis
            self._count += 1
            self._wake()

    def _finish(self, outcome: Analysis | BaseException) -> None:
        if self._timer is not None:
            self._timer.cancel()
        with self._changed:
            if self._final.done():
                return
            if isinstance(outcome, Analysis):
                self._latest = outcome
                self._count += 1
                self._final.set_result(outcome)
            else:
                self._final.set_exception(outcome)
            self._wake()

    def _wake(self) -> None:
        self._changed.notify_all()
        for wake in self._listeners:
            wake()

    def _give_up(self, seconds: float) -> None:
        self.stop()
        self._finish(EngineTimeout(f"{self._agent.name}: no answer within {seconds:g} seconds"))
        if hasattr(self._agent, "stderr"):
            # Another program: nothing else is sure to end it.
            self._agent.close()


def _moves(position: Position, only: Iterable[Move | str]) -> tuple[Move, ...]:
    if isinstance(only, str):
        raise QuiltworkError(f"only must be a list of moves, not the text {only!r}")
    return tuple(dict.fromkeys(position.move(str(move)) for move in only))


def _check_timeout(timeout: float | None) -> None:
    if timeout is not None and not 0 < timeout < threading.TIMEOUT_MAX:
        raise QuiltworkError(f"timeout must be above 0 seconds, not {timeout!r}")
