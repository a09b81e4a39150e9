"""How strong a net is: matches against another net or against an agent, paired deals with the seats swapped."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np

from quiltwork.agents.net import games
from quiltwork.edition import Edition
from quiltwork.training.engine import Engine
from quiltwork.training.group import Group, Shelves, Table, match_settings

Array = np.ndarray[Any, Any]
Rival = Callable[[Edition, Array, int], int]
"""chooses the code of a move: the edition, the position (an array of one) and a seed"""


@dataclass(frozen=True)
class Tally:
    """The result of a match, for the first net."""

    games: int
    wins: int
    lead: float
    """points, on average"""
    empty: float
    """empty spaces of the first net at the end, on average"""
    interval: float
    """half the width of the 95 % interval of the win share; a pair of games counts as one"""

    @property
    def share(self) -> float:
        return self.wins / max(1, self.games)

    def __str__(self) -> str:
        return f"{100 * self.share:.1f} % ± {100 * self.interval:.1f} of {self.games}, lead {self.lead:+.1f}"

    def data(self) -> dict[str, float]:
        return {
            "share": round(self.share, 4),
            "interval": round(self.interval, 4),
            "games": self.games,
            "lead": round(self.lead, 2),
            "empty": round(self.empty, 2),
        }


def play_match(
    edition: Edition,
    count: int,
    engines: tuple[Engine, ...],
    simulations: tuple[int, int],
    pool: Executor,
    workers: int,
    seed: int,
    rival: Rival | None = None,
) -> Tally:
    """Plays `count` games, at most as many as the engines have rows; each deal is played from both seats."""
    rows = engines[0].words.shape[0]
    count = min(count, rows) // 2 * 2
    table = Table([edition], [1])
    shelves = Shelves(workers, workers)
    deals = np.repeat(np.random.default_rng(seed).integers(1, 1 << 62, rows // 2 + 1).astype(np.uint64), 2)[:rows]
    settings = match_settings(*simulations)
    first = engines[0]
    only = np.zeros(rows, np.int64)
    group = Group(table, rows, settings, first.candidates, shelves, seed, first.cuda, deals, only)
    other = games.SECOND_NET if rival is None else games.RIVAL
    group.games["kind"][0::2] = (games.FIRST_NET, other)
    group.games["kind"][1::2] = (other, games.FIRST_NET)
    group.games["over"][count:] = 1
    while True:
        asking = group.step(pool)
        if asking:
            group.ask(engines)
        waiting = np.flatnonzero((group.games["waits"] == 1) & (group.games["over"] == 0))
        if len(waiting) and rival is not None:
            positions = [group.games["position"][i : i + 1].copy() for i in waiting]
            seeds = [seed * 1_000_003 + int(i) for i in waiting]
            codes = pool.map(rival, [edition] * len(waiting), positions, seeds)
            for i, code in zip(waiting, codes, strict=True):
                games.play_rival(group.games, int(i), table.editions, code)
        if asking:
            group.wait()
        if not asking and not len(waiting):
            return _tally(group.games[:count], edition)


def _tally(played: Array, edition: Edition) -> Tally:
    from quiltwork.rules import entry

    wins, leads, empties = [], [], []
    for number in range(len(played)):
        position = played["position"][number : number + 1].copy()
        seat = number % 2
        scores = [entry.score(position, edition.compiled, player) for player in range(2)]
        wins.append(entry.winner(position, edition.compiled) == seat)
        leads.append(scores[seat] - scores[1 - seat])
        empties.append(entry.empty_spaces(position, seat))
    pairs = np.array(wins, float).reshape(-1, 2).mean(1)
    spread = float(pairs.std(ddof=1)) if len(pairs) > 1 else 0.5
    return Tally(
        len(wins), sum(wins), float(np.mean(leads)), float(np.mean(empties)), 1.96 * spread / math.sqrt(len(pairs))
    )
