"""A match: pairs of games on all cores or a cluster, until enough are played or a sequential test decides."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any

from quiltwork.arena.pair import Pairing, PairResult, play_pair
from quiltwork.arena.statistics import (
    Estimate,
    SequentialTest,
    elo_estimate,
    pentanomial,
    score_estimate,
)
from quiltwork.arena.storage import MatchFolder

Played = Callable[["Match", PairResult], None]


@dataclass
class Match:
    """A pairing and the pairs played so far."""

    pairing: Pairing
    pairs: list[PairResult] = field(default_factory=list)
    test: SequentialTest | None = None

    @property
    def wins(self) -> list[int]:
        """The games that the first agent won, pair by pair."""
        return [pair.wins for pair in self.pairs]

    @property
    def games(self) -> int:
        return 2 * len(self.pairs)

    @property
    def score(self) -> Estimate:
        return score_estimate(self.wins)

    @property
    def elo(self) -> Estimate:
        return elo_estimate(self.wins)

    @property
    def verdict(self) -> str | None:
        return self.test.verdict(self.wins) if self.test else None

    def mean(self, name: str, which: int) -> float:
        """The mean of `points` or `empty_spaces` of an agent (0 or 1)."""
        values = [getattr(game, name)[which] for pair in self.pairs for game in pair.games]
        return sum(values) / len(values) if values else 0.0

    def seconds_a_move(self, which: int) -> float:
        games = [game for pair in self.pairs for game in pair.games]
        return sum(g.seconds[which] for g in games) / max(1, sum(g.moves[which] for g in games))

    def faults(self, which: int) -> dict[str, int]:
        """How often a program failed, by what it did."""
        found: dict[str, int] = {}
        for pair in self.pairs:
            for game in pair.games:
                fault = game.faults[which]
                if fault is not None:
                    kind = fault.partition(":")[0]
                    found[kind] = found.get(kind, 0) + 1
        return found

    def as_json(self) -> dict[str, Any]:
        """The match in numbers."""
        result: dict[str, Any] = {
            **self.pairing.as_json(),
            "games": self.games,
            "wins": sum(self.wins),
            "score": [self.score.value, self.score.low, self.score.high],
            "elo": [self.elo.value, self.elo.low, self.elo.high],
            "pentanomial": list(pentanomial(self.wins)),
            "points": [self.mean("points", 0), self.mean("points", 1)],
            "empty_spaces": [self.mean("empty_spaces", 0), self.mean("empty_spaces", 1)],
            "seconds_a_move": [self.seconds_a_move(0), self.seconds_a_move(1)],
            "faults": [self.faults(0), self.faults(1)],
        }
        if self.test:
            result["sprt"] = {
                "elo": [self.test.elo0, self.test.elo1],
                "ratio": self.test.ratio(self.wins),
                "bound": self.test.bound,
                "verdict": self.verdict,
            }
        return result


def play_match(
    pairing: Pairing,
    games: int,
    *,
    workers: int = 1,
    test: SequentialTest | None = None,
    folder: MatchFolder | None = None,
    ray: str | None = None,
    played: Played | None = None,
) -> Match:
    """Plays pairs until there are `games` games, or the test is decided; goes on where the folder left off.

    `ray` is the address of a cluster (`local` for this machine); `played` is called for every pair.
    """
    match = Match(pairing, folder.open(pairing) if folder else [], test)
    done = {pair.number for pair in match.pairs}
    missing = [number for number in range((games + 1) // 2) if number not in done]
    if match.verdict is not None or not missing:
        return match
    for pair in _played(pairing, missing, workers, ray):
        if folder:
            folder.add(pair)
        match.pairs.append(pair)
        if played:
            played(match, pair)
        if match.verdict is not None:
            break
    return match


def _played(pairing: Pairing, numbers: Sequence[int], workers: int, ray: str | None) -> Iterator[PairResult]:
    if ray is not None:
        from quiltwork.arena.cluster import played_on_cluster

        yield from played_on_cluster(pairing, numbers, ray)
    elif workers == 1:
        for number in numbers:
            yield play_pair(pairing, number)
    else:
        yield from _played_in_processes(pairing, numbers, workers)


def _played_in_processes(pairing: Pairing, numbers: Iterable[int], workers: int) -> Iterator[PairResult]:
    """Pairs as they end; when the caller stops, waiting ones are dropped and running ones left alone."""
    context = get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_follow_the_parent)
    waiting = iter(numbers)
    running: set[Future[PairResult]] = set()
    try:
        while True:
            while len(running) < workers + 1:
                number = next(waiting, None)
                if number is None:
                    break
                running.add(pool.submit(play_pair, pairing, number))
            if not running:
                return
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for each in ended:
                yield each.result()
    finally:
        for each in running:
            each.cancel()
        for process in (getattr(pool, "_processes", None) or {}).values():
            process.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


def _follow_the_parent() -> None:
    """Leaves interrupts to the parent process, and ends when the parent has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
