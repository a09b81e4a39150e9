"""The opponents: the folk of the sewing basket, each with a level and an agent behind it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).parent / "opponents.toml"


@dataclass(frozen=True)
class Opponent:
    """One opponent, as data."""

    id: str
    name: str
    level: int
    sentence: str
    agent: str
    """how the agents' package names who thinks"""
    seconds: float | None
    simulations: int | None
    simulations_in: Mapping[str, int] = field(default_factory=dict)
    """other limits in some editions, so that a level is as far above the one below there, too"""

    def simulations_for(self, edition: str) -> int | None:
        return self.simulations_in.get(edition, self.simulations)


@dataclass(frozen=True)
class Opponents:
    """All of them, weakest first, the one that beginners are offered, and the one that gives hints."""

    all: Mapping[str, Opponent]
    default: str
    hint: str


@lru_cache(maxsize=1)
def load_opponents() -> Opponents:
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    found = [
        Opponent(
            id=identifier,
            name=entry["name"],
            level=entry["level"],
            sentence=entry["sentence"],
            agent=entry["agent"],
            seconds=entry.get("seconds"),
            simulations=entry.get("simulations"),
            simulations_in=entry.get("simulations_in", {}),
        )
        for identifier, entry in data["opponents"].items()
    ]
    found.sort(key=lambda opponent: opponent.level)
    return Opponents({o.id: o for o in found}, data["default"], data["hint"])
