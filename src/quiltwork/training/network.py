"""The net in torch, and its way to the compiled net of the agents."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from quiltwork.agents.engine.layer import laid_out
from quiltwork.agents.engine.memory import SUMS
from quiltwork.agents.engine.net import (
    HIDDEN,
    MOST,
    MOST_OF_BYTE,
    NET,
    OUTPUTS,
    SECOND,
    UNIT,
    WEIGHT_UNIT,
    WINDOW_UNIT,
)
from quiltwork.agents.engine.sight import NUMBERS
from quiltwork.agents.engine.windows import KINDS

TINY = 1e-9
COUNT_UNIT = 10.0
"""windows of one kind; the net learns better from numbers of about 1"""


class Net(nn.Module):
    """The same as `agents.engine.net`, for many positions at once."""

    def __init__(self) -> None:
        super().__init__()
        self.windows = nn.Linear(KINDS, SUMS)
        self.first = nn.Linear(NUMBERS + 2 * SUMS, HIDDEN)
        self.second = nn.Linear(HIDDEN, SECOND)
        self.last = nn.Linear(SECOND, OUTPUTS)

    def forward(self, numbers: Tensor, counts: Tensor) -> Tensor:
        """What is said of positions: `numbers` by row, `counts` of windows by row and side."""
        quilts = torch.relu(self.windows(counts / COUNT_UNIT)).flatten(1)
        hidden = torch.relu(self.first(torch.cat([numbers, quilts], 1)))
        return self.last(torch.relu(self.second(hidden)))

    def compiled(self) -> np.ndarray[Any, Any]:
        """The net for the agents."""
        net = np.zeros(1, NET)
        for name in ("windows", "first", "second", "last"):
            layer = getattr(self, name)
            weight = layer.weight.detach().float().cpu().numpy()
            bias = layer.bias.detach().float().cpu().numpy()
            if name in ("first", "second"):
                unit = MOST_OF_BYTE / np.maximum(np.abs(weight).max(axis=1), TINY)
                net[f"{name}_scale"][0] = 1.0 / unit
                net[name][0] = laid_out(np.rint(weight * unit[:, None]))
                net[f"{name}_bias"][0] = UNIT * bias
                continue
            if name == "windows":
                weight, bias = WINDOW_UNIT / COUNT_UNIT * weight, WINDOW_UNIT * bias
            else:
                weight, bias = WEIGHT_UNIT * weight, UNIT * WEIGHT_UNIT * bias
            net[name][0] = np.clip(np.rint(weight), -MOST, MOST)
            net[f"{name}_bias"][0] = np.rint(bias)
        # As nets from files are: compiled code tells arrays that can be written apart.
        net.flags.writeable = False
        return net
