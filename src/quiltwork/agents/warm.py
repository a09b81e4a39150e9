"""Compiles the agents once, with progress, so that their first move is quick.

`python -m quiltwork.agents.warm` does it by hand. With `--report` it compiles what a first game needs first, and
prints a line a step: the stage, the steps done, and how many there are.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from pathlib import Path

from quiltwork.agents.agent import Limits
from quiltwork.agents.levels import level_of
from quiltwork.agents.registry import agent_of
from quiltwork.position import Position
from quiltwork.rules import warm
from quiltwork.rules.compiler import PLAIN, RULES_FOLDER, complete_mark

NEAR_THE_END = "patchwork 1 46/9/2a@a1 48/9/3a@a1 - 4a4c5a6a"
"""near enough for the exact search"""
AGENTS_FOLDER = Path(__file__).parent
RULES, QUICK, STRONG = "rules", "quick", "strong"
STAGES = (RULES, QUICK, STRONG)
"""in the order in which a first game needs them: the rules, agents that do not search, agents that do"""


@lru_cache(maxsize=64)
def load(spec: str) -> None:
    """Lets an agent think briefly, so that loading takes no time of its first move in a game."""
    agent, few = agent_of(spec), Limits(simulations=20)
    start = Position.initial("express", deal=1)
    best = agent.think(start, few).best
    for position in (start.play(best.move), Position.parse(NEAR_THE_END)):
        agent.think(position, few)
    agent.close()


def ready() -> None:
    """Makes sure that rules and agents are compiled; if they have to be, says so on stderr."""
    _ready((QUICK, STRONG))


def ready_for(*specs: str) -> None:
    """Makes sure that what these agents need is compiled."""
    _ready({stage_of(spec) for spec in specs} - {RULES})


def _ready(stages: Iterable[str]) -> None:
    warm.ready()
    for stage in sorted(stages):
        warm.compile_once(f"the {stage} agents", _mark(stage), partial(_steps, stage))


def is_ready(*stages: str) -> bool:
    """Whether these stages are compiled; without any, all of them."""
    return PLAIN or all(_mark(stage).exists() for stage in stages or STAGES)


def stage_of(spec: str) -> str:
    """The stage that an agent needs; other programs need the rules alone."""
    name, _, rest = spec.strip().partition(":")
    if name == "level":
        return stage_of(level_of(rest).agent)
    return {"cmd": RULES, "codingame": RULES, "random": QUICK, "greedy": QUICK}.get(name, STRONG)


def report() -> None:
    """Compiles everything, and prints each step."""
    for stage in STAGES:
        mark = _mark(stage)
        with warm.in_turn(mark):
            steps = () if mark.exists() else _steps(stage)
            for done, step in enumerate(steps):
                print(stage, done, len(steps), flush=True)
                step()
            warm.set_mark(mark)
        print(stage, len(steps), len(steps), flush=True)


def _steps(stage: str) -> Sequence[warm.Step]:
    if stage == RULES:
        return tuple(warm.doors())
    names = ("random", "greedy") if stage == QUICK else ("search", "net")
    return [partial(load, name) for name in names]


def _mark(stage: str) -> Path:
    return complete_mark(RULES_FOLDER) if stage == RULES else complete_mark(AGENTS_FOLDER / "search", stage)


if __name__ == "__main__":
    report() if "--report" in sys.argv[1:] else ready()
