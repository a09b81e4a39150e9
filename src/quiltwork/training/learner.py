"""One step of learning, and the averaged net that plays."""

from __future__ import annotations

import copy
import math
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from quiltwork.agents.net.forward import POINTS, POLICY, WIN
from quiltwork.training.config import Learning
from quiltwork.training.network import Net
from quiltwork.training.replay import Batch


def cosine(first: float, last: float, progress: float) -> float:
    """A rate that falls from first to last as progress goes from 0 to 1."""
    return last + (first - last) * 0.5 * (1 + math.cos(math.pi * min(1.0, max(0.0, progress))))


def losses(said: Tensor, batch: Batch) -> Tensor:
    """How far the net is from the targets: in the win, in points, and in the policy (0 at best)."""
    win = functional.binary_cross_entropy_with_logits(said[:, WIN], batch.win)
    points = functional.smooth_l1_loss(said[:, POINTS], batch.points, beta=0.5)
    policy = functional.log_softmax(said[:, POLICY:], dim=1)
    distance = (batch.policy * (batch.policy.clamp_min(1e-6).log() - policy)).sum(1)
    return torch.stack([win, points, (batch.policy_weight * distance).mean()])


class Learner:
    """The net that learns, its optimiser, and the average of its weights over time."""

    def __init__(self, net: Net, device: str, settings: Learning) -> None:
        self.settings = settings
        self.net = net.to(device)
        self.average = copy.deepcopy(self.net).requires_grad_(False)
        self.optimiser = torch.optim.AdamW(self.net.parameters(), settings.rate, weight_decay=settings.decay)
        self.steps = 0
        self._shares = torch.tensor([1.0, settings.points_weight, settings.policy_weight], device=device)

    def step(self, batch: Batch, rate: float) -> Tensor:
        """Learns from one batch; returns the losses."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        parts = losses(self.net(batch.features, batch.counts), batch)
        self.optimiser.zero_grad(set_to_none=True)
        (parts * self._shares).sum().backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimiser.step()
        self.steps += 1
        keep = min(self.settings.average, (1 + self.steps) / (10 + self.steps))
        with torch.no_grad():
            for slow, fast in zip(self.average.parameters(), self.net.parameters(), strict=True):
                slow.lerp_(fast, 1 - keep)
        return parts.detach()

    def state(self) -> dict[str, Any]:
        """All that is needed to go on."""
        return {
            "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "steps": self.steps,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Goes on from a state."""
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.steps = state["steps"]
