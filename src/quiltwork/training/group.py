"""A group of games that are played at the same time, spread over the processors."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any

import numpy as np

from quiltwork.agents.engine.tables import tables_of
from quiltwork.agents.net import games, root, tree
from quiltwork.agents.net.sight import sight_of
from quiltwork.agents.tuning import Tuning
from quiltwork.edition import Edition
from quiltwork.rules.chance import source_of
from quiltwork.training.engine import Desk, Engine

Array = np.ndarray[Any, Any]


class Table:
    """The editions of a run as arrays for compiled code."""

    def __init__(self, editions: list[Edition], shares: list[int]) -> None:
        self.editions = np.concatenate([e.compiled for e in editions])
        self.sights = np.concatenate([sight_of(e) for e in editions])
        self.tables = np.concatenate([tables_of(e.compiled) for e in editions])
        self.policy = Tuning().policy()
        self.drawn_from = np.repeat(np.arange(len(editions)), shares)
        self.names = [e.name for e in editions]


class Shelves:
    """Samples and results, a shelf for each worker."""

    def __init__(self, workers: int, room: int) -> None:
        self.room = max(1, room // workers)
        self.samples = np.zeros((workers, self.room), games.SAMPLE)
        self.results = np.zeros((workers, 1 << 14), games.RESULT)
        self.marks = np.zeros(workers, games.SHELF)

    def total(self, field: str) -> int:
        """How many were ever written: `written`, `results`, `simulations` or `asked`."""
        return int(self.marks[field].sum())

    def newest_results(self, most: int = 4096) -> Array:
        """The newest results of all workers."""
        found = []
        for results, mark in zip(self.results, self.marks, strict=True):
            count = min(int(mark["results"]), len(results), most // len(self.marks))
            found.append(results[(int(mark["results"]) - 1 - np.arange(count)) % len(results)])
        return np.concatenate(found)


class Group:
    """Games side by side, all at once one step further."""

    def __init__(
        self,
        table: Table,
        rows: int,
        settings: Array,
        candidates: int,
        shelves: Shelves,
        seed: int,
        cuda: bool,
        deals: Array | None = None,
        editions: Array | None = None,
    ) -> None:
        self.table, self.settings, self.shelves = table, settings, shelves
        self.desk = Desk(rows, candidates, cuda)
        self.games = np.zeros(rows, games.GAME)
        rng = np.random.default_rng(seed)
        drawn = rng.choice(table.drawn_from, rows) if editions is None else editions
        shuffles = rng.integers(1, 1 << 62, rows).astype(np.uint64) if deals is None else deals
        self.games["source"] = source_of(*(int(s) for s in rng.integers(1, 1 << 62, rows)))
        games.start_games(self.games, table.editions, table.sights, drawn.astype(np.int64), shuffles)
        most = int(settings["simulations"].max())
        self.nodes = np.zeros((rows, 2 * most + 2), tree.NODE)
        match = bool(settings["match"][0])
        self.history = np.zeros((rows, 1 if match else games.MAX_PLIES), games.SAMPLE)
        self.plans = np.zeros((2, root.CONSIDERED + 1, most), np.int32)
        self.search_with(*(int(s) for s in settings["simulations"][0]))
        self._shares = self._share_out()

    def search_with(self, first: int, second: int) -> None:
        """Sets the simulations of both plans, at most as many as the group began with."""
        self.settings["simulations"] = (first, second)
        for plan, simulations in enumerate((first, second)):
            self.plans[plan, :, :simulations] = root.schedules(root.CONSIDERED, simulations)
            self.plans[plan, :, simulations:] = 0

    def _share_out(self) -> list[tuple[Any, ...]]:
        """The arguments of each worker's step: its slice of every array."""
        workers = len(self.shelves.marks)
        bounds = np.linspace(0, len(self.games), workers + 1).astype(int)
        arrays = self.desk.arrays()
        shares: list[tuple[Any, ...]] = []
        for worker in range(workers):
            part = slice(bounds[worker], bounds[worker + 1])
            shares.append(
                (
                    *(a[part] for a in (self.games, self.nodes, self.history)),
                    *(self.table.editions, self.table.sights, self.table.tables, self.table.policy),
                    *(self.table.drawn_from, self.plans, self.settings),
                    *(a[part] for a in arrays),
                    *(self.shelves.samples[worker], self.shelves.results[worker]),
                    self.shelves.marks[worker : worker + 1],
                )
            )
        return shares

    def step(self, pool: Executor) -> int:
        """Uses the answers and asks again; returns how many games ask."""
        return sum(job.result() for job in [pool.submit(games.step, *share) for share in self._shares])

    def ask(self, engines: tuple[Engine, ...]) -> None:
        """Sends the questions to the nets."""
        self.desk.send(engines)

    def wait(self) -> None:
        """Waits for the answers."""
        self.desk.wait()


def self_play_settings(simulations: int, considered: int, quick: int, full_share: float, playouts: int) -> Array:
    """Settings for games that teach."""
    settings = np.zeros(1, games.SETTINGS)
    settings["noise"] = 1
    settings["full_share"] = full_share
    settings["simulations"] = (simulations, quick)
    settings["considered"] = (considered, min(considered, 8))
    settings["playouts"] = playouts
    return settings


def match_settings(first: int, second: int) -> Array:
    """Settings for games that count, without noise; simulations of the first and the second net."""
    settings = np.zeros(1, games.SETTINGS)
    settings["match"] = 1
    settings["simulations"] = (first, second)
    settings["considered"] = (16 if first >= 32 else 8, 16 if second >= 32 else 8)
    return settings
