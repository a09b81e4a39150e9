"""Checkpoints: a folder with the nets, the optimiser and what the run has done so far."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from quiltwork.agents.net.features import FEATURES_VERSION
from quiltwork.errors import QuiltworkError
from quiltwork.training.learner import Learner

LEARNER = "learner.pt"
STATE = "run.json"
BEST = "best.npz"


@dataclass(frozen=True)
class Checkpoint:
    """What a run continues from."""

    state: dict[str, Any]
    """of the learner"""
    past: dict[str, Any]
    """minutes, games and lessons so far"""
    config: dict[str, Any]


def save_checkpoint(folder: Path, learner: Learner, past: dict[str, Any], config: dict[str, Any]) -> None:
    """Writes a checkpoint, each file whole or not at all."""
    part = folder / f"{LEARNER}.part"
    torch.save(learner.state(), part)
    os.replace(part, folder / LEARNER)
    part = folder / f"{STATE}.part"
    state = {"features_version": FEATURES_VERSION, "past": past, "config": config}
    part.write_text(json.dumps(state, indent=1), "utf-8")
    os.replace(part, folder / STATE)


def load_checkpoint(folder: Path) -> Checkpoint:
    """Reads a checkpoint; raises QuiltworkError where it is missing or of other inputs."""
    if not (folder / STATE).exists():
        raise QuiltworkError(f"{folder}: no checkpoint there ({STATE} is missing)")
    state = json.loads((folder / STATE).read_text("utf-8"))
    if state.get("features_version") != FEATURES_VERSION:
        raise QuiltworkError(
            f"{folder}: the checkpoint is for features of version {state.get('features_version')}, "
            f"not {FEATURES_VERSION}"
        )
    learner = torch.load(folder / LEARNER, map_location="cpu", weights_only=True)
    return Checkpoint(learner, state["past"], state["config"])
