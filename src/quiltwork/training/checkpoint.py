"""Checkpoints: a folder with the nets, the optimiser and what the run has done so far."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from quiltwork.agents.net.inputs import INPUTS_VERSION
from quiltwork.errors import QuiltworkError
from quiltwork.training.network import Net

if TYPE_CHECKING:
    from quiltwork.training.learner import Learner

NET = "net.pt"
AVERAGE = "average.pt"
BEST = "best.pt"
OPTIMISER = "optimiser.pt"
STATE = "run.json"


@dataclass(frozen=True)
class Checkpoint:
    """What a run continues from."""

    net: dict[str, Tensor]
    average: dict[str, Tensor]
    optimiser: list[tuple[Tensor, Tensor]] | None
    past: dict[str, float]
    config: dict[str, Any]


def save_checkpoint(
    folder: Path, learner: Learner, best: Net, past: dict[str, float], config: dict[str, Any]
) -> None:
    """Writes a checkpoint, each file whole or not at all."""
    _write(folder / NET, learner.net.state_dict())
    _write(folder / AVERAGE, learner.average.state_dict())
    _write(folder / BEST, best.state_dict())
    _write(folder / OPTIMISER, learner.optimiser_moments())
    state = {"inputs_version": INPUTS_VERSION, "past": past, "config": config}
    part = folder / (STATE + ".part")
    part.write_text(json.dumps(state, indent=1), "utf-8")
    part.replace(folder / STATE)


def _write(path: Path, content: Any) -> None:
    part = path.with_suffix(".part")
    torch.save(_on_host(content), part)
    part.replace(path)


def _on_host(content: Any) -> Any:
    if isinstance(content, dict):
        return {name: value.detach().cpu().contiguous() for name, value in content.items()}
    return content


def load_checkpoint(folder: Path) -> Checkpoint:
    """Reads a checkpoint; raises QuiltworkError where it is missing or of other inputs.

    Where only the averaged net is kept, learning goes on from it.
    """
    if not (folder / STATE).exists():
        raise QuiltworkError(f"{folder}: no checkpoint there ({STATE} is missing)")
    state = json.loads((folder / STATE).read_text("utf-8"))
    if state["inputs_version"] != INPUTS_VERSION:
        raise QuiltworkError(
            f"{folder}: the checkpoint is for inputs of version {state['inputs_version']}, not {INPUTS_VERSION}"
        )
    average = _read(folder / AVERAGE)
    net = _read(folder / NET) if (folder / NET).exists() else average
    moments = _read(folder / OPTIMISER) if (folder / OPTIMISER).exists() else None
    return Checkpoint(net, average, moments, state["past"], state["config"])


def _read(path: Path) -> Any:
    content = torch.load(path, map_location="cpu", weights_only=True)
    if isinstance(content, dict):
        return {k: v.float() if v.is_floating_point() else v for k, v in content.items()}
    return content


def load_net(folder: Path, file: str = BEST) -> Net:
    """The net of a checkpoint."""
    from quiltwork.training.network import Architecture

    state = json.loads((folder / STATE).read_text("utf-8"))
    net = Net(Architecture(**state["config"]["net"]))
    net.load_state_dict(_read(folder / file))
    return net.eval()
