"""Metrics: counters, gauges and one histogram, in the Prometheus text format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

_BOUNDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)

_HELP = {
    "games_created_total": "Games created since the server started.",
    "moves_total": "Moves written since the server started.",
    "messages_total": "Websocket messages received.",
    "refused_total": "Messages and requests refused, by reason.",
    "dropped_total": "Connections dropped, by reason.",
    "engine_thoughts_total": "Thoughts finished by the engine.",
    "engine_failures_total": "Thoughts that failed or ran out of time.",
    "news_gaps_total": "Times that news of other processes may have been missed.",
    "tables_open": "Games in memory.",
    "connections_open": "Websocket connections.",
    "engine_waiting": "Thoughts that wait for a worker or are being thought.",
}


class Metrics:
    """What one server counts; gauges are asked when someone looks."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._gauges: dict[str, Callable[[], float]] = {}
        self._buckets = [0] * (len(_BOUNDS) + 1)
        self._seconds = 0.0

    def count(self, name: str, label: str = "") -> None:
        self._counts[name, label] += 1

    def gauge(self, name: str, ask: Callable[[], float]) -> None:
        self._gauges[name] = ask

    def observe_move(self, seconds: float) -> None:
        """Notes the time from a move's arrival to the last player told."""
        self._seconds += seconds
        self._buckets[next((i for i, bound in enumerate(_BOUNDS) if seconds <= bound), len(_BOUNDS))] += 1

    def text(self) -> str:
        lines: list[str] = []
        for name in sorted({name for name, _ in self._counts}):
            lines += [f"# HELP quiltwork_{name} {_HELP[name]}", f"# TYPE quiltwork_{name} counter"]
            for (other, label), value in sorted(self._counts.items()):
                if other == name:
                    lines.append(
                        f'quiltwork_{name}{{reason="{label}"}} {value}' if label else f"quiltwork_{name} {value}"
                    )
        for name, ask in sorted(self._gauges.items()):
            lines += [
                f"# HELP quiltwork_{name} {_HELP[name]}",
                f"# TYPE quiltwork_{name} gauge",
                f"quiltwork_{name} {ask()}",
            ]
        lines += [
            "# HELP quiltwork_move_seconds From a move's arrival to both players told.",
            "# TYPE quiltwork_move_seconds histogram",
        ]
        below = 0
        for bound, number in zip(_BOUNDS, self._buckets, strict=False):
            below += number
            lines.append(f'quiltwork_move_seconds_bucket{{le="{bound}"}} {below}')
        total = sum(self._buckets)
        lines += [
            f'quiltwork_move_seconds_bucket{{le="+Inf"}} {total}',
            f"quiltwork_move_seconds_sum {self._seconds:.6f}",
            f"quiltwork_move_seconds_count {total}",
        ]
        return "\n".join(lines) + "\n"
