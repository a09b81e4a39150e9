"""The exact endgame: where the rest of the game can be searched out, best play for the win, then for points."""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.agents.agent import Analysis, Limits, RankedMove, Watch, mover_of
from quiltwork.agents.clock import Clock
from quiltwork.agents.endgame import alpha_beta as engine
from quiltwork.agents.pace import Pace
from quiltwork.editions.edition import Edition
from quiltwork.move import Move, Player
from quiltwork.position import Position
from quiltwork.position_setup import Phase
from quiltwork.rules import entry

TABLE_ENTRIES = 1 << 19
LINE_LENGTH = 12
LINES = 3
RANKED = 8
"""moves that get a value, if there are nodes left"""

Record = np.ndarray[Any, Any]


class Budget:
    """The nodes and the time that one answer may take, handed out in slices."""

    def __init__(self, solver: Record, nodes: int, pace: Pace) -> None:
        self._solver, self._nodes, self._pace = solver, nodes, pace
        self._solver["nodes"] = 0

    @property
    def used(self) -> int:
        return int(self._solver["nodes"][0])

    def grant(self) -> bool:
        """Allows the search another slice; False when nodes or time are used up, or the watcher says stop."""
        self._solver["limit"] = min(self._nodes, self.used + engine.SLICE)
        return self.used < self._nodes and self._pace.seconds_left() > 0


class Endgame:
    """A solver with a table of positions that it remembers."""

    def __init__(self) -> None:
        self._table = np.zeros(TABLE_ENTRIES, engine.ENTRY)
        self._solver = np.zeros(1, engine.SOLVER)
        self._edition: Edition | None = None
        self._circle = b""

    def solve(
        self,
        position: Position,
        nodes: int,
        *,
        seconds: float | None = None,
        clock: Clock = Clock.WALL,
        watch: Watch | None = None,
        only: tuple[int, ...] = (),
    ) -> Analysis | None:
        """The exact analysis; None if it takes more nodes or seconds, or the reserve may still be dealt.

        The best move is searched first; what it leaves goes into the values of other moves and lines of play. With
        `only`, the codes of some moves, those are valued and no others.
        """
        mover = mover_of(position)
        circle = position.record["ring"].tobytes()
        if self._edition is not position.edition or self._circle != circle:
            # The table's keys tell which places of the circle are left, not what lay there.
            self._table[:] = 0
            self._edition, self._circle = position.edition, circle
        pace = Pace(Limits(seconds, clock=clock), watch or Watch())
        budget = Budget(self._solver, nodes, pace)
        values: dict[int, int] = {}
        nodes_of: dict[int, int] = {}
        best = -1
        if not only:
            found = self._best(position, budget)
            if found is None:
                return None
            best, values[best] = found
            nodes_of[best] = budget.used
        for code in only or self._others(position, best):
            before = budget.used
            value = self._value(entry.after(position.record, position.edition.compiled, code)[0], budget)
            if value is None and only:
                return None
            if value is None or (not only and len(values) == RANKED):
                break
            values[code], nodes_of[code] = value, max(1, budget.used - before)
        sign = 1 if mover is Player.ONE else -1
        ranked: list[RankedMove] = []
        for code in sorted(values, key=lambda code: (-sign * values[code], code != best)):
            line: tuple[Move, ...] = (position.move_of_code(code),)
            if len(ranked) < LINES:
                line = self._line(position, code, budget)
            win = 1.0 if sign * values[code] > 0 else 0.0
            points = float(sign * engine.lead_of(values[code]))
            ranked.append(RankedMove(line[0], nodes_of[code], win, points, line))
        return Analysis(mover, tuple(ranked), budget.used, exact=True)

    def _value(self, record: Record, budget: Budget) -> int | None:
        assert self._edition is not None
        edition = self._edition.compiled
        engine.begin_at(self._solver, record, edition, -engine.HIGHEST, engine.HIGHEST)
        while budget.grant():
            value = engine.search_on(self._solver, edition, self._table)
            ended = self._solver["ended"][0]
            if ended != engine.OUT_OF_NODES:
                return int(value) if ended == engine.RUNNING else None
        return None

    def _best(self, position: Position, budget: Budget) -> tuple[int, int] | None:
        """The code and the value of the best move."""
        value = self._value(position.record, budget)
        return None if value is None else (int(self._solver["levels"][0, 0]["best_code"]), value)

    def _others(self, position: Position, best: int) -> list[int]:
        """One move of each kind that plays alike to the end, but for the best; what scores most comes first."""
        codes = entry.legal_codes(position.record, position.edition.compiled)
        keys, points = np.empty(len(codes), np.uint64), np.empty(len(codes), np.int64)
        engine.look_ahead(self._solver, position.record, position.edition.compiled, codes, keys, points)
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
