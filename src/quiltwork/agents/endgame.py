"""The exact endgame: where the rest of the game can be searched out, best play for the win, then for points."""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.agents.agent import Analysis, RankedMove, Watch, mover_of
from quiltwork.agents.clock import Clock
from quiltwork.agents.engine import endgame as engine
from quiltwork.move import Move, Player
from quiltwork.position import Position
from quiltwork.rules import entry
from quiltwork.setup import Phase

TABLE_ENTRIES = 1 << 19
LINE_LENGTH = 12
LINES = 3
RANKED = 8
"""moves whose value is told, where there are nodes left"""

Record = np.ndarray[Any, Any]


class Budget:
    """The nodes and the time that one answer may take, handed out in slices."""

    def __init__(self, nodes: int, seconds: float | None, clock: Clock, watch: Watch | None) -> None:
        self.status = np.zeros(1, engine.STATUS)
        self._nodes = nodes
        self._clock, self._watch = clock, watch
        self._deadline = None if seconds is None else clock.now() + seconds

    @property
    def used(self) -> int:
        return int(self.status["nodes"][0])

    def grant(self) -> bool:
        """Allows the search another slice; False when nodes or time are used up, or the watcher says stop."""
        self.status["limit"] = min(self._nodes, self.used + engine.SLICE)
        return (
            self.used < self._nodes
            and (self._deadline is None or self._clock.now() < self._deadline)
            and not (self._watch is not None and self._watch.stopped)
        )


class Endgame:
    """A solver with a table of positions that it remembers."""

    def __init__(self) -> None:
        self._table = np.zeros(TABLE_ENTRIES, engine.ENTRY)
        self._stack = engine.new_stack()
        self._edition: object = None

    def solve(
        self,
        position: Position,
        nodes: int,
        *,
        seconds: float | None = None,
        clock: Clock = Clock.WALL,
        watch: Watch | None = None,
    ) -> Analysis | None:
        """The exact analysis; None if it takes more nodes or seconds, or the reserve may still be dealt.

        Nodes and seconds that the best move leaves over go into lines of play and the values of other moves.
        """
        mover = mover_of(position)
        if self._edition is not position.edition:
            self._table[:] = 0
            self._edition = position.edition
        budget = Budget(nodes, seconds, clock, watch)
        found = self._best(position, budget)
        if found is None:
            return None
        values = {found[0]: found[1]}
        lines = {found[0]: self._line(position, found[0], budget)}
        for code in self._others(position, found[0]):
            value = self._value(entry.after(position.record, position.edition.compiled, code)[0], budget)
            if value is None or len(values) == RANKED:
                break
            values[code] = value
        sign = 1 if mover is Player.ONE else -1
        ranked: list[RankedMove] = []
        for code in sorted(values, key=lambda code: (-sign * values[code], code != found[0])):
            if code not in lines:
                long = len(lines) < LINES
                lines[code] = self._line(position, code, budget) if long else (position.move_of_code(code),)
            win = 1.0 if sign * values[code] > 0 else 0.0
            points = float(sign * round(values[code] / 4))
            ranked.append(RankedMove(lines[code][0], 0 if ranked else budget.used, win, points, lines[code]))
        return Analysis(mover, tuple(ranked), budget.used, exact=True)

    def _value(self, record: Record, budget: Budget) -> int | None:
        edition = self._edition.compiled  # type: ignore[attr-defined]
        engine.begin(self._stack, record, edition, -engine.HIGHEST, engine.HIGHEST)
        while budget.grant():
            value = engine.go_on(self._stack, edition, self._table, budget.status)
            if budget.status["ended"][0] != engine.OUT_OF_NODES:
                return int(value) if budget.status["ended"][0] == engine.RUNNING else None
        return None

    def _best(self, position: Position, budget: Budget) -> tuple[int, int] | None:
        """The code and the value of the best move."""
        value = self._value(position.record, budget)
        return None if value is None else (int(self._stack[1]["best_code"][0]), value)

    def _others(self, position: Position, best: int) -> list[int]:
        """One move of each kind that plays alike to the end, but for the best; what scores most comes first."""
        codes = entry.legal_codes(position.record, position.edition.compiled)
        keys, points = np.empty(len(codes), np.uint64), np.empty(len(codes), np.int64)
        engine.look_ahead(position.record, position.edition.compiled, codes, keys, points)
        kinds = {int(key): (int(code), int(score)) for code, key, score in zip(codes, keys, points, strict=True)}
        del kinds[int(keys[codes == best][0])]
        return [code for code, _ in sorted(kinds.values(), key=lambda kind: -kind[1])]

    def _line(self, position: Position, code: int, budget: Budget) -> tuple[Move, ...]:
        """How best play goes on after a move; the table makes it quick to find."""
        line = [position.move_of_code(code)]
        position = position.play(line[0])
        while position.phase is not Phase.OVER and len(line) < LINE_LENGTH:
            best = self._best(position, budget)
            if best is None:
                break
            line.append(position.move_of_code(best[0]))
            position = position.play(line[-1])
        return tuple(line)
