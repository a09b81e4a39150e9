"""The ten levels of play: the folk of the sewing basket, each an agent with limits of its own.

`level:5` and `level:bobbin` name the same agent.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from quiltwork.agents.agent import Agent, Analysis, Limits, Watch
from quiltwork.errors import QuiltworkError
from quiltwork.position import Position

FILE = Path(__file__).parent / "levels.toml"


@dataclass(frozen=True)
class Level:
    """One level, as data."""

    id: str
    name: str
    level: int
    sentence: str
    agent: str
    """the spec of the agent that thinks"""
    seconds: float | None = None
    simulations: int | None = None
    simulations_in: Mapping[str, int] = field(default_factory=dict)
    """other limits in some editions, so that the steps between levels are alike there"""

    def simulations_for(self, edition: str) -> int | None:
        return self.simulations_in.get(edition, self.simulations)


@dataclass(frozen=True)
class Levels:
    """All levels by id, weakest first, the one that beginners are offered, and the one that gives hints."""

    all: Mapping[str, Level]
    default: str
    hint: str


@lru_cache(maxsize=1)
def load_levels() -> Levels:
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    levels = {identifier: Level(identifier, **entry) for identifier, entry in data["levels"].items()}
    return Levels(levels, data["default"], data["hint"])


def level_of(text: str) -> Level:
    """A level by number or id; raises QuiltworkError."""
    word = text.strip().lower()
    for level in load_levels().all.values():
        if word in (str(level.level), level.id):
            return level
    known = ", ".join(f"{level.level} ({level.id})" for level in load_levels().all.values())
    raise QuiltworkError(f"agent level:{text[:40]}: there is no such level; there are {known}")


class LevelAgent:
    """An agent that keeps the limits of its level, whatever limits a caller gives."""

    def __init__(self, level: Level, agent: Agent) -> None:
        self.level = level
        self.name = f"level:{level.level}"
        self._agent = agent

    def think(self, position: Position, limits: Limits | None = None, watch: Watch | None = None) -> Analysis:
        simulations = self.level.simulations_for(position.edition.id)
        own = replace(limits or Limits(), seconds=None, simulations=simulations, infinite=False)
        return self._agent.think(position, own, watch)

    def close(self) -> None:
        self._agent.close()
