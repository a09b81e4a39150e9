"""Compiles the agents once, with progress, so that their first move is quick.

`python -m quiltwork.agents.warm` does it by hand; `make setup` and the server do it too.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from quiltwork.agents.agent import Limits
from quiltwork.agents.registry import agent_of, available_agents
from quiltwork.position import Position
from quiltwork.rules.compiler import PLAIN, cache_folder

NEAR_THE_END = "patchwork 1 46/9/2a@a1 48/9/3a@a1 - 4a4c5a6a"
"""near enough for the exact search"""


@lru_cache(maxsize=64)
def load(spec: str) -> None:
    """Lets an agent think a little: what it loads first does not count as time of its first move in a game."""
    agent, few = agent_of(spec), Limits(simulations=20)
    start = Position.initial("express", deal=1)
    best = agent.think(start, few).best
    for position in (start.play(best.move), Position.parse(NEAR_THE_END)):
        agent.think(position, few)
    agent.close()


def ready() -> None:
    """Makes sure that the agents are compiled; if they have to be, says so on stderr."""
    mark = cache_folder(Path(__file__).parent / "engine") / "complete"
    if PLAIN or mark.exists():
        return
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    if not console.is_terminal:
        print("quiltwork: compiling the agents, once ...", file=sys.stderr, flush=True)
    shown, names = "compiling the agents, once", available_agents()
    for name in track(names, shown, console=console, transient=True, disable=not console.is_terminal):
        load(name)
    with suppress(OSError):
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()


if __name__ == "__main__":
    ready()
