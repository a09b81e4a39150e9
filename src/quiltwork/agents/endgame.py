"""The exact endgame: where the rest of the game can be searched out, best play for the win, then for points."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np

from quiltwork.agents.agent import Analysis, RankedMove, Watch, mover_of
from quiltwork.agents.engine import endgame as engine
from quiltwork.move import Move, Player
from quiltwork.position import Position
from quiltwork.rules import entry
from quiltwork.setup import Phase

TABLE_ENTRIES = 1 << 19
LINE_LENGTH = 12
RANKED = 8
"""moves whose value is told, where there are nodes left"""


class Endgame:
    """A solver with a table of positions that it remembers."""

    def __init__(self) -> None:
        self._table = np.zeros(TABLE_ENTRIES, engine.ENTRY)
        self._edition: object = None
        self._stop = np.zeros(1, np.int8)
        self._level = np.zeros(1, engine.LEVEL)

    def solve(
        self, position: Position, nodes: int, *, seconds: float | None = None, watch: Watch | None = None
    ) -> Analysis | None:
        """The exact analysis; None if it takes more nodes or seconds, or the reserve may still be dealt."""
        mover = mover_of(position)
        if self._edition is not position.edition:
            self._table[:] = 0
            self._edition = position.edition
        # A flag for each solution: a guard that comes late must not stop the next one.
        self._stop = np.zeros(1, np.int8)
        done = threading.Event()
        if seconds is not None or watch is not None:
            deadline = None if seconds is None else time.monotonic() + seconds
            threading.Thread(target=_guard, args=(self._stop, deadline, watch, done), daemon=True).start()
        try:
            return self._solve(position, mover, nodes)
        finally:
            done.set()

    def _solve(self, position: Position, mover: Player, nodes: int) -> Analysis | None:
        status = np.zeros(1, engine.STATUS)
        status["limit"] = nodes
        classes = self._classes(position)
        best = self._best(classes, mover, status)
        if best is None:
            return None
        values = {best[0]: best[1]}
        sign = 1 if mover is Player.ONE else -1
        # The other moves are told too, as far as the nodes reach.
        for number in range(len(classes)):
            if number not in values and len(values) < RANKED:
                value = self._value(classes[number][1], status, -engine.HIGHEST, engine.HIGHEST)
                if value is None:
                    break
                values[number] = value
        used = int(status["nodes"][0])
        ranked: list[RankedMove] = []
        for number in sorted(values, key=lambda n: (-sign * values[n], n != best[0])):
            moves, _ = classes[number]
            lead = sign * round(values[number] / 4)
            win = 1.0 if sign * values[number] > 0 else 0.0
            line: tuple[Move, ...] = (moves[0],)
            if len(ranked) < 3:
                line = self._line(position, moves[0], status, nodes)
            ranked.append(RankedMove(moves[0], used if not ranked else 0, win, float(lead), line))
        return Analysis(mover, tuple(ranked), used, exact=True)

    def _classes(self, position: Position) -> list[tuple[list[Move], np.ndarray[Any, Any]]]:
        """The legal moves with the positions after them; moves that play alike to the end are together."""
        edition = position.edition.compiled
        root = position.record.copy()
        found: dict[int, tuple[list[Move], np.ndarray[Any, Any]]] = {}
        codes = entry.legal_codes(root, edition)
        for code, move in zip(codes.tolist(), position.legal_moves(), strict=True):
            after, _ = entry.after(root, edition, code)
            key = int(engine.root_key(after, edition, self._level))
            found.setdefault(key, ([], after))[0].append(move)
        points = {key: int(entry.score(after, edition, int(root["turn"][0]))) for key, (_, after) in found.items()}
        return [found[key] for key in sorted(found, key=lambda key: -points[key])]

    def _best(
        self, classes: list[tuple[list[Move], np.ndarray[Any, Any]]], mover: Player, status: np.ndarray[Any, Any]
    ) -> tuple[int, int] | None:
        """The number and the value of the best class."""
        best: tuple[int, int] | None = None
        for number, (_, after) in enumerate(classes):
            low, high = -engine.HIGHEST, engine.HIGHEST
            if best is not None:
                low, high = (best[1], high) if mover is Player.ONE else (low, best[1])
            value = self._value(after, status, low, high)
            if value is None:
                return None
            if best is None or (value > best[1] if mover is Player.ONE else value < best[1]):
                best = number, value
        return best

    def _value(self, after: np.ndarray[Any, Any], status: np.ndarray[Any, Any], low: int, high: int) -> int | None:
        edition = self._edition.compiled  # type: ignore[attr-defined]
        value = engine.solve(after, edition, self._table, status, self._stop, low, high)
        return None if int(status["ended"][0]) != engine.RUNNING else int(value)

    def _line(self, position: Position, move: Move, status: np.ndarray[Any, Any], nodes: int) -> tuple[Move, ...]:
        """How best play goes on; the table makes it quick to find."""
        line = [move]
        position = position.play(move)
        status["limit"] = int(status["nodes"][0]) + nodes
        while position.phase is not Phase.OVER and len(line) < LINE_LENGTH:
            classes = self._classes(position)
            best = self._best(classes, mover_of(position), status)
            if best is None:
                break
            line.append(classes[best[0]][0][0])
            position = position.play(line[-1])
        status["ended"] = engine.RUNNING
        return tuple(line)


def _guard(stop: np.ndarray[Any, Any], deadline: float | None, watch: Watch | None, done: threading.Event) -> None:
    """Sets the flag that the compiled search reads, when time is up or the watcher says stop."""
    while not done.wait(0.01):
        if (deadline is not None and time.monotonic() >= deadline) or (watch is not None and watch.stopped):
            stop[0] = 1
            return
