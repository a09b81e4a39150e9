"""Metrics: counters, gauges and histograms of seconds, in the Prometheus text format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

_BOUNDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)

COUNTERS = {
    "games_created_total": "Games created since the server started.",
    "moves_total": "Moves written since the server started.",
    "messages_total": "Websocket messages received.",
    "tellings_total": "Websocket messages that told someone what happened at a table.",
    "reconnects_total": "Players who sat down in a seat where somebody sat before.",
    "refused_total": "Messages and requests refused, by reason.",
    "dropped_total": "Connections dropped, by reason.",
    "engine_thoughts_total": "Jobs finished by the engine.",
    "engine_failures_total": "Jobs that failed or ran out of time.",
    "news_gaps_total": "Times that news of other processes may have been missed.",
}
GAUGES = {
    "tables_open": "Games in memory.",
    "connections_open": "Websocket connections.",
    "engine_waiting": "Jobs that wait for a worker or are being done.",
}
HISTOGRAMS = {
    "move_seconds": "From a move's arrival to both players told.",
    "engine_wait_seconds": "From a job being asked for to a worker taking it.",
    "news_seconds": "From a decision at another process to its being told here.",
}


class Histogram:
    """How many durations were below each bound."""

    def __init__(self) -> None:
        self._buckets = [0] * (len(_BOUNDS) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        self._sum += seconds
        self._buckets[next((i for i, bound in enumerate(_BOUNDS) if seconds <= bound), len(_BOUNDS))] += 1

    def lines(self, name: str) -> Iterator[str]:
        below = 0
        for bound, number in zip((*_BOUNDS, "+Inf"), self._buckets, strict=True):
            below += number
            yield f'{name}_bucket{{le="{bound}"}} {below}'
        yield f"{name}_sum {self._sum:.6f}"
        yield f"{name}_count {below}"


class Metrics:
    """What one server counts; gauges are asked when someone looks."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._gauges: dict[str, Callable[[], float]] = {}
        self._histograms = {name: Histogram() for name in HISTOGRAMS}

    def count(self, name: str, reason: str = "", number: int = 1) -> None:
        self._counts[name, reason] += number

    def gauge(self, name: str, ask: Callable[[], float]) -> None:
        self._gauges[name] = ask

    def observe(self, name: str, seconds: float) -> None:
        """Notes how long something took."""
        self._histograms[name].observe(seconds)

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        for name, told in COUNTERS.items():
            found = sorted((reason, value) for (other, reason), value in self._counts.items() if other == name)
            if found:
                yield from _head(name, told, "counter")
            for reason, value in found:
                label = f'{{reason="{reason}"}}' if reason else ""
                yield f"quiltwork_{name}{label} {value}"
        for name, ask in self._gauges.items():
            yield from _head(name, GAUGES[name], "gauge")
            yield f"quiltwork_{name} {ask()}"
        for name, histogram in self._histograms.items():
            yield from _head(name, HISTOGRAMS[name], "histogram")
            yield from histogram.lines(f"quiltwork_{name}")


def _head(name: str, told: str, kind: str) -> tuple[str, str]:
    return f"# HELP quiltwork_{name} {told}", f"# TYPE quiltwork_{name} {kind}"
