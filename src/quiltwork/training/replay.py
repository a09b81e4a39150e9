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
from quiltwork.training.lessons import ACTIONS


@dataclass(frozen=True)
class Batch:
    """Lessons for one step; the targets are from the mover's side."""

    features: Tensor
    counts: Tensor
    win: Tensor
    points: Tensor
    """in units of the net"""
    policy: Tensor
    policy_weight: Tensor


class Replay:
    """A ring of lessons."""

    def __init__(self, capacity: int, device: str, search_share: float) -> None:
        self.capacity, self.device, self.search_share = capacity, device, search_share
        self.written = 0
        self._features = torch.zeros((capacity, FEATURE_COUNT), dtype=torch.float16, device=device)
        self._counts = torch.zeros((capacity, 2, KINDS), dtype=torch.uint8, device=device)
        self._targets = torch.zeros((capacity, 3 + ACTIONS), device=device)

    def add(self, lessons: np.ndarray[Any, Any]) -> None:
        """Keeps lessons in place of the oldest."""
        # A position that was not played has no end of its own.
        share = np.where(lessons["played"] > 0, self.search_share, 1.0)
        win = share * lessons["search_win"] + (1 - share) * lessons["win"]
        points = (share * lessons["search_points"] + (1 - share) * lessons["points"]) / POINTS_UNIT
        targets = np.column_stack([win, points, lessons["policy_weight"], lessons["policy"]]).astype(np.float32)
        where = (torch.arange(len(lessons)) + self.written) % self.capacity
        where = where.to(self.device)
        self._features[where] = _sent(lessons["features"]["row"].astype(np.float16), self.device)
        self._counts[where] = _sent(lessons["windows"], self.device)
        self._targets[where] = _sent(targets, self.device)
        self.written += len(lessons)

    def draw(self, size: int) -> Batch:
        """Lessons by chance."""
        chosen = torch.randint(min(self.written, self.capacity), (size,), device=self.device)
        targets = self._targets[chosen]
        return Batch(
            features=self._features[chosen].float(),
            counts=self._counts[chosen].float(),
            win=targets[:, 0],
            points=targets[:, 1],
            policy_weight=targets[:, 2],
            policy=targets[:, 3:],
        )


def _sent(array: np.ndarray[Any, Any], device: str) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(array)).to(device)
