"""The settings of a run: one TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar

from quiltwork.errors import QuiltworkError

T = TypeVar("T")


@dataclass(frozen=True)
class SelfPlay:
    """How games are played."""

    simulations: int = 600
    quick_simulations: int = 0
    """if above 0, two of three searches have this many and give no lessons (playout cap randomization, KataGo)"""
    others: int = 3
    """positions of the tree that are kept for every move, beside the position of the game"""
    net_share: float = 0.8
    """the net's share in the priors; before the first lessons are learned there is no net"""
    root_placements: int = 4
    rivals: float = 0.0
    """the share of games in which `search` has one of the seats, as soon as there is a net"""
    rival_simulations: int = 800
    editions: Mapping[str, int] = field(
        default_factory=lambda: {
            "patchwork": 10,
            "patchwork-2014": 2,
            "halloween": 1,
            "express": 3,
            "stack-and-stuff": 2,
        }
    )
    """in these proportions"""


@dataclass(frozen=True)
class Learning:
    """How the net learns."""

    batch: int = 8192
    rate: float = 2e-3
    final_rate: float = 2e-5
    warm_up_steps: int = 200
    decay: float = 0.02
    average: float = 0.999
    reuse: float = 8.0
    """how often each position is learned from, on average"""
    capacity: int = 12_000_000
    """of the replay buffer, in lessons: the newest are kept"""
    least: int = 500_000
    """lessons before learning begins"""
    search_share: float = 0.6
    """of the values that the search found, in the targets of win and points; the rest is how the game ended"""
    points_weight: float = 0.5
    policy_weight: float = 0.5
    """of the losses in points and policy; the loss in the win has weight 1"""


@dataclass(frozen=True)
class Evaluation:
    """How checkpoints are measured."""

    every_minutes: float = 3.0
    games: int = 60
    simulations: int = 400
    rival: str = "search"
    rival_simulations: int = 800
    edition: str = "patchwork"
    workers: int = 4


@dataclass(frozen=True)
class Config:
    """All settings of a run."""

    minutes: float = 8.0
    device: str = "cuda"
    workers: int = 15
    seed: int = 1
    selfplay: SelfPlay = field(default_factory=SelfPlay)
    learning: Learning = field(default_factory=Learning)
    evaluation: Evaluation = field(default_factory=Evaluation)


def read_config(path: Path) -> Config:
    """The settings of a file; raises QuiltworkError for a setting that does not exist."""
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise QuiltworkError(f"{path}: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        raise QuiltworkError(f"{path}: {error}") from None
    return _filled(Config, data, "")


def _filled(kind: type[T], data: Mapping[str, Any], where: str) -> T:
    assert is_dataclass(kind)
    known = {f.name: f for f in fields(kind)}
    values: dict[str, Any] = {}
    for key, value in data.items():
        if key not in known:
            raise QuiltworkError(f"unknown setting {where}{key}; known are {', '.join(known)}")
        default = getattr(kind(), key)
        values[key] = _filled(type(default), value, f"{key}.") if is_dataclass(default) else value
    return kind(**values)  # type: ignore[return-value]


def config_dict(config: Config) -> dict[str, Any]:
    """The settings as plain data, for the log and for checkpoints."""
    return asdict(config)
