"""Players of self-play: threads of this machine, or the machines of a Ray cluster (extra `cluster`)."""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from quiltwork.agents.net.weights import NO_NET, Net
from quiltwork.agents.search.config import NET, SEARCH
from quiltwork.editions import load_edition
from quiltwork.position import Position
from quiltwork.rules.chance import source_of
from quiltwork.rules.layout import MAX_LAST_SPACE, MAX_PATCHES
from quiltwork.training.config import SelfPlay
from quiltwork.training.lessons import LESSON, NO_RIVAL, SUMMARY, play_lessons

GAMES_AT_ONCE = 4
MOST_MOVES = 2 * MAX_LAST_SPACE + 2 * MAX_PATCHES
"""of a game in any edition: every advance goes on by a space, and every patch, special ones too, is laid once"""

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Played:
    """Some games."""

    edition: str
    lessons: Array
    summaries: Array
    """one for each game"""


class Players(Protocol):
    """Who plays, until they are closed."""

    def learn(self, net: Net) -> None:
        """Uses a net for the games that begin from now on."""

    def take(self, seconds: float) -> list[Played]:
        """The games played since; waits at most `seconds` for the first. Raises if a player failed."""

    def close(self) -> None:
        """Ends the games."""


def play_some(settings: SelfPlay, net: Net | None, seed: int, games: int = GAMES_AT_ONCE) -> Played:
    """Plays games of one edition, drawn at random, with a net or, without one, with playouts."""
    rng = np.random.default_rng(seed)
    names = list(settings.editions)
    weights = np.array([settings.editions[name] for name in names], float)
    name = names[rng.choice(len(names), p=weights / weights.sum())]
    config = SEARCH if net is None else replace(NET, net_share=settings.net_share)
    config = replace(config, root_placements=settings.root_placements)
    # A rival plays without a net, and with the same heuristics.
    rival = replace(SEARCH, shortlist=config.shortlist)
    rivals = np.where(rng.random(games) < settings.rivals, rng.integers(2, size=games), NO_RIVAL)
    deals = rng.integers(2**62, size=games + 1)
    starts = np.concatenate([Position.initial(name, deal=int(deal)).record for deal in deals[:games]])
    edition = load_edition(name)
    contexts = [each.context(edition, NO_NET if net is None else net) for each in (config, rival)]
    lessons = np.zeros(games * MOST_MOVES * (1 + settings.others), LESSON)
    summaries = np.zeros(games, SUMMARY)
    count = play_lessons(
        starts,
        np.concatenate(contexts),
        source_of(int(deals[games])),
        np.array([settings.simulations, settings.rival_simulations, settings.quick_simulations]),
        rivals if net is not None else np.full(games, NO_RIVAL),
        settings.others,
        lessons,
        summaries,
    )
    return Played(name, lessons[:count].copy(), summaries)


class Threads:
    """Players on this machine."""

    def __init__(self, settings: SelfPlay, workers: int, seed: int, net: Net | None) -> None:
        self.settings = settings
        self._net = net
        self._done: queue.Queue[Played | BaseException] = queue.Queue(maxsize=8 * workers)
        self._closed = threading.Event()
        self._threads = [
            threading.Thread(target=self._play, args=((seed << 40) + (worker << 24),), daemon=True)
            for worker in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    def _play(self, seed: int) -> None:
        try:
            while not self._closed.is_set():
                self._done.put(play_some(self.settings, self._net, seed))
                seed += 1
        except BaseException as error:
            self._done.put(error)

    def learn(self, net: Net) -> None:
        self._net = net

    def take(self, seconds: float) -> list[Played]:
        found: list[Played] = []
        try:
            while True:
                done = self._done.get(timeout=0 if found else seconds)
                if isinstance(done, BaseException):
                    raise done
                found.append(done)
        except queue.Empty:
            return found

    def close(self) -> None:
        self._closed.set()
        while any(thread.is_alive() for thread in self._threads):
            self.take(0.1)


class Cluster:
    """Players on the machines of a Ray cluster, one on each core; machines may join and leave."""

    def __init__(self, settings: SelfPlay, address: str, seed: int, net: Net | None) -> None:
        from quiltwork.arena.cluster import ray_cluster

        self.settings = settings
        self._seed = seed << 40
        self._connection = ray_cluster(address)
        self._ray = self._connection.__enter__()
        self._play = self._ray.remote(play_some)
        self._net = self._ray.put(net)
        self._running: list[Any] = []

    def learn(self, net: Net) -> None:
        self._net = self._ray.put(net)

    def take(self, seconds: float) -> list[Played]:
        from quiltwork.arena.cluster import room_on

        while len(self._running) < 2 * room_on(self._ray):
            self._seed += 1
            self._running.append(self._play.remote(self.settings, self._net, self._seed))
        ended, self._running = self._ray.wait(self._running, num_returns=len(self._running), timeout=seconds)
        return self._ray.get(ended)

    def close(self) -> None:
        for each in self._running:
            self._ray.cancel(each, force=True)
        self._connection.__exit__(None, None, None)
