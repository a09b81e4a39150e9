"""One step of learning, and the averaged weights that play."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from quiltwork.training.network import POINTS, Net, log_policy, unpack


@dataclass(frozen=True)
class Weights:
    """How much each target counts."""

    policy: float = 1.0
    win: float = 1.0
    points: float = 0.5
    quilts: float = 0.5
    search: float = 0.3
    """the share of the search's own value in the targets of win and points"""


def losses(
    net: Net,
    words: Tensor,
    numbers: Tensor,
    moves: Tensor,
    shares: Tensor,
    outcome: Tensor,
    quilts: Tensor,
    w: Weights,
) -> tuple[Tensor, Tensor]:
    """The loss, and its parts: policy, win, points, quilts."""
    dtype = torch.bfloat16 if words.device.type == "cuda" else torch.float32
    v = unpack(words, numbers, dtype)
    opinion = net(v)
    known = moves >= 0
    logs = log_policy(opinion, v).gather(1, moves.clamp(min=0)).clamp(min=-30.0)
    listed = (logs.exp() * known).sum(1).clamp(max=1 - 1e-4)
    rest = (1.0 - (shares * known).sum(1)).clamp(min=0.0)
    taught = known.any(1).float()
    policy = -((shares * known * logs).sum(1) + rest * torch.log1p(-listed)) * taught
    # Less the entropy of the target, so that 0 is a policy that has nothing left to learn.
    entropy = -(torch.special.xlogy(shares, shares).sum(1) + torch.special.xlogy(rest, rest))
    policy = (policy - entropy * taught).sum() / taught.sum().clamp(min=1.0)
    win = (1 - w.search) * outcome[:, 0] + w.search * outcome[:, 2]
    points = ((1 - w.search) * outcome[:, 1] + w.search * outcome[:, 3]) / POINTS
    win_loss = functional.binary_cross_entropy_with_logits(opinion.win.float(), win)
    points_loss = functional.smooth_l1_loss(opinion.points.float(), points)
    marks = quilts.float()
    on_board = (marks < 1.5).float()
    logits = opinion.quilts.float().flatten(2)
    each = functional.binary_cross_entropy_with_logits(logits, marks.clamp(max=1.0), reduction="none")
    quilt_loss = (each * on_board).sum() / on_board.sum()
    total = w.policy * policy + w.win * win_loss + w.points * points_loss + w.quilts * quilt_loss
    return total, torch.stack([policy, win_loss, points_loss, quilt_loss]).detach()


@dataclass(frozen=True)
class Memory:
    """A state of learning to return to."""

    net: dict[str, Tensor]
    average: dict[str, Tensor]
    moments: list[tuple[Tensor, Tensor]]


class Learner:
    """The net that learns, its optimiser, and the averaged net that plays."""

    def __init__(
        self, net: Net, device: str, rate: float, weights: Weights, decay: float, average: float, compiled: bool
    ) -> None:
        self.device = torch.device(device)
        self.net = net.to(self.device)
        if self.device.type == "cuda":
            self.net = self.net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.average = Net(net.architecture).to(self.device)
        if self.device.type == "cuda":
            self.average = self.average.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.average.load_state_dict(self.net.state_dict())
        self.rate = rate
        self.keep = average
        self.weights = weights
        self.steps = 0
        decayed = [p for p in net.parameters() if p.ndim > 1]
        others = [p for p in net.parameters() if p.ndim <= 1]
        self.optimiser = torch.optim.AdamW(
            [{"params": decayed, "weight_decay": decay}, {"params": others, "weight_decay": 0.0}],
            lr=rate,
            betas=(0.9, 0.99),
            eps=1e-7,
            fused=self.device.type == "cuda",
        )
        self._losses: Any = torch.compile(losses, dynamic=False) if compiled else losses

    def step(self, batch: tuple[Tensor, ...], rate: float) -> Tensor:
        """Learns from one batch; returns the parts of the loss, on the device."""
        self.net.train()
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            total, parts = self._losses(self.net, *batch, self.weights)
        self.optimiser.zero_grad(set_to_none=True)
        total.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimiser.step()
        self.steps += 1
        self._follow()
        return torch.as_tensor(parts)

    @torch.no_grad()
    def _follow(self) -> None:
        # The average begins short and grows longer, so that it does not lag at the start.
        keep = min(self.keep, (1 + self.steps) / (10 + self.steps))
        torch._foreach_lerp_(_floats(self.average), _floats(self.net), 1 - keep)

    def rehearse(self, batch: tuple[Tensor, ...]) -> None:
        """Takes one step and takes it back: what is compiled on the way is ready when play begins."""
        before = {name: value.clone() for name, value in self.net.state_dict().items()}
        average = {name: value.clone() for name, value in self.average.state_dict().items()}
        steps, memory = self.steps, dict(self.optimiser.state)
        self.optimiser.state.clear()
        self.step(batch, 0.0)
        self.optimiser.state.clear()
        self.optimiser.state.update(memory)
        self.net.load_state_dict(before)
        self.average.load_state_dict(average)
        self.steps = steps

    def remember(self) -> Memory:
        """A copy of all that learning changes."""
        return Memory(
            {name: value.clone() for name, value in self.net.state_dict().items()},
            {name: value.clone() for name, value in self.average.state_dict().items()},
            self.optimiser_moments(),
        )

    def return_to(self, memory: Memory) -> None:
        """Takes back all that was learned since."""
        self.net.load_state_dict(memory.net)
        self.average.load_state_dict(memory.average)
        self.optimiser.state.clear()
        self.load_optimiser(memory.moments)

    def optimiser_moments(self) -> list[tuple[Tensor, Tensor]]:
        """The optimiser's memory of each parameter, in half precision: it need not be exact."""
        state = self.optimiser.state
        found = [state[p] for group in self.optimiser.param_groups for p in group["params"] if p in state]
        return [(s["exp_avg"].bfloat16().cpu(), s["exp_avg_sq"].bfloat16().cpu()) for s in found]

    def load_optimiser(self, moments: list[tuple[Tensor, Tensor]] | None) -> None:
        """Takes the optimiser's memory back."""
        if not moments:
            return
        parameters = [p for group in self.optimiser.param_groups for p in group["params"]]
        for p, (mean, square) in zip(parameters, moments, strict=True):
            self.optimiser.state[p] = {
                "step": torch.tensor(float(max(1, self.steps)), device=p.device),
                "exp_avg": torch.zeros_like(p).copy_(mean),
                "exp_avg_sq": torch.zeros_like(p).copy_(square),
            }


def _floats(net: Net) -> list[Tensor]:
    return [t for t in net.state_dict().values() if t.is_floating_point()]


def cosine(start: float, end: float, progress: float) -> float:
    """A rate that falls from `start` to `end` like a cosine, for a progress from 0 to 1."""
    return end + (start - end) * 0.5 * (1 + math.cos(math.pi * min(1.0, max(0.0, progress))))
