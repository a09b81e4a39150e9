"""The newest lessons, on the device of the learner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from quiltwork.agents.heuristics.windows import KINDS
from quiltwork.agents.net.features import FEATURE_COUNT
from quiltwork.agents.net.forward import POINTS_UNIT
from quiltwork.training.lessons import WHATS


@dataclass(frozen=True)
class Batch:
    """Lessons for one step; the targets are from the mover's side."""

    features: Tensor
    counts: Tensor
    win: Tensor
    points: Tensor
    """in units of the net"""
    done: Tensor
    decided: Tensor


class Replay:
    """A ring of lessons."""

    def __init__(self, room: int, device: str, found: float) -> None:
        self.room, self.device, self.found = room, device, found
        self.written = 0
        self._features = torch.zeros((room, FEATURE_COUNT), dtype=torch.float16, device=device)
        self._counts = torch.zeros((room, 2, KINDS), dtype=torch.uint8, device=device)
        self._targets = torch.zeros((room, 3 + WHATS), device=device)

    def add(self, lessons: np.ndarray[Any, Any]) -> None:
        """Keeps lessons in place of the oldest."""
        # A position that was not played has no end of its own.
        share = np.where(lessons["played"] > 0, self.found, 1.0)
        win = share * lessons["found_win"] + (1 - share) * lessons["win"]
        points = (share * lessons["found_points"] + (1 - share) * lessons["points"]) / POINTS_UNIT
        targets = np.column_stack([win, points, lessons["decided"], lessons["done"]]).astype(np.float32)
        where = (torch.arange(len(lessons)) + self.written) % self.room
        where = where.to(self.device)
        self._features[where] = _sent(lessons["features"]["row"].astype(np.float16), self.device)
        self._counts[where] = _sent(lessons["windows"], self.device)
        self._targets[where] = _sent(targets, self.device)
        self.written += len(lessons)

    def draw(self, size: int) -> Batch:
        """Lessons by chance."""
        chosen = torch.randint(min(self.written, self.room), (size,), device=self.device)
        targets = self._targets[chosen]
        return Batch(
            features=self._features[chosen].float(),
            counts=self._counts[chosen].float(),
            win=targets[:, 0],
            points=targets[:, 1],
            decided=targets[:, 2],
            done=targets[:, 3:],
        )


def _sent(array: np.ndarray[Any, Any], device: str) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(array)).to(device)
