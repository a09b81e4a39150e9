"""Work on several machines, through Ray (extra `cluster`): pairs of games, or one function for many items."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, TypeVar

from quiltwork.arena.pair import Pairing, PairResult, play_pair
from quiltwork.errors import MissingExtra, QuiltworkError

LOCAL = "local"
Given = TypeVar("Given")
Found = TypeVar("Found")


@contextmanager
def ray_cluster(address: str) -> Iterator[Any]:
    """Ray, connected to a cluster; `local` starts one on this machine. An open connection is used, and kept."""
    try:
        ray: Any = import_module("ray")
    except ImportError:
        raise MissingExtra("playing on a cluster", "cluster") from None
    mine = not ray.is_initialized()
    if mine:
        try:
            ray.init(
                address=None if address == LOCAL else address, log_to_driver=False, logging_level=logging.ERROR
            )
        except (ConnectionError, ValueError, RuntimeError, OSError) as error:
            raise QuiltworkError(f"no Ray cluster at {address!r}: {error}") from None
    try:
        yield ray
    finally:
        if mine:
            ray.shutdown()


def room_on(ray: Any) -> int:
    """Jobs to keep running: one more than there are cores now, as machines may join."""
    return 1 + int(ray.cluster_resources().get("CPU", 1))


def played_on_cluster(pairing: Pairing, numbers: Sequence[int], address: str) -> Iterator[PairResult]:
    """Pairs as they end, one on each core of a Ray cluster; `local` starts one on this machine."""
    with ray_cluster(address) as ray:
        play: Any = ray.remote(play_pair)
        waiting = iter(numbers)
        running: list[Any] = []
        try:
            while True:
                while len(running) < room_on(ray):
                    number = next(waiting, None)
                    if number is None:
                        break
                    running.append(play.remote(pairing, number))
                if not running:
                    return
                ended, running = ray.wait(running, num_returns=1)
                for each in ended:
                    yield ray.get(each)
        finally:
            for each in running:
                ray.cancel(each, force=True)


def mapped_on_cluster(work: Callable[[Given], Found], items: Sequence[Given], address: str) -> Iterator[Found]:
    """The results of a function for each item, in the order of the items."""
    with ray_cluster(address) as ray:
        remote: Any = ray.remote(_call)
        waiting, running = iter(items), deque[Any]()
        try:
            while True:
                while len(running) < room_on(ray) and (item := next(waiting, None)) is not None:
                    running.append(remote.remote(work, item))
                if not running:
                    return
                yield ray.get(running.popleft())
        finally:
            for each in running:
                ray.cancel(each, force=True)


def _call(work: Callable[[Given], Found], item: Given) -> Found:
    return work(item)
