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
class NetSize:
    """How large the net is; see `training.network.Architecture`."""

    blocks: int = 8
    channels: int = 96
    hidden: int = 192
    patch_hidden: int = 32
    maps: int = 8


@dataclass(frozen=True)
class SelfPlay:
    """How games are played."""

    rows: int = 4096
    """games of a group; there are two groups, so that the device and the processors work at the same time"""
    simulations: int = 32
    considered: int = 16
    quick_simulations: int = 16
    full_share: float = 1.0
    """of the searches with all simulations; the others teach only the outcome"""
    early_simulations: int = 16
    early_minutes: float = 0.0
    """so long, at the start of the run, games are searched with the early simulations"""
    playouts: int = 0
    """quick playouts from every leaf, whose results are mixed with what the net says"""
    candidates: int = 32
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

    batch: int = 4096
    rate: float = 2e-3
    final_rate: float = 1e-4
    warm_up_steps: int = 200
    decay: float = 1e-4
    average: float = 0.998
    reuse: float = 2.5
    """how often each position is learned from, on average"""
    window: float = 0.33
    """the share of all samples, the newest, that is learned from"""
    room: int = 6_000_000
    """samples kept, at most"""
    least: int = 100_000
    """samples before learning begins"""
    search: float = 0.3
    """the share of the search's own value in the targets"""
    points: float = 0.5
    quilts: float = 0.5


@dataclass(frozen=True)
class Evaluation:
    """How checkpoints are measured."""

    every_minutes: float = 2.0
    simulations: int = 16
    rival_simulations: int = 500
    rival_games: int = 256
    edition: str = "patchwork"


@dataclass(frozen=True)
class Config:
    """All settings of a run."""

    minutes: float = 8.0
    device: str = "cuda"
    workers: int = 15
    seed: int = 1
    compiled: bool = True
    """whether torch compiles the net"""
    net: NetSize = field(default_factory=NetSize)
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
