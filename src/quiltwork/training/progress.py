"""The progress of a run: a bar on a terminal, the lines of the log elsewhere."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Lines:
    """Prints every line of the log."""

    def note(self, line: dict[str, Any]) -> None:
        print(json.dumps(line), flush=True)

    def show(self, progress: float, games: int) -> None:
        """Nothing to draw."""


class Bar(Lines):
    """Draws a bar, and prints what was measured above it."""

    def __init__(self, bar: Any) -> None:
        self._bar = bar
        self._task = bar.add_task("", total=1.0)
        self._words = "playing the first games"

    def note(self, line: dict[str, Any]) -> None:
        if line["event"] == "progress" and line["steps"]:
            losses = " ".join(f"{loss:.3f}" for loss in line["loss"])
            self._words = f"{line['games_per_second']:g} games a second, {line['steps']:,} steps, loss {losses}"
        elif line["event"] == "measured":
            rival = line["rival"]
            kept = "kept" if line["promoted"] else "not kept"
            self._bar.console.print(f"measured: {100 * rival['share']:.1f} % against the rival; {kept}")

    def show(self, progress: float, games: int) -> None:
        self._bar.update(self._task, completed=progress, description=f"{games:,} games, {self._words}")


@contextmanager
def shown() -> Iterator[Lines]:
    """What shows a run, as long as it goes on."""
    if not sys.stdout.isatty():
        yield Lines()
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (BarColumn(), TimeElapsedColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns) as bar:
        yield Bar(bar)
