"""The net in torch, and its conversion to the compiled net."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from quiltwork.agents.heuristics.windows import KINDS
from quiltwork.agents.net.features import FEATURE_COUNT
from quiltwork.agents.net.forward import HIDDEN, OUTPUTS, SECOND
from quiltwork.agents.net.quilt_cache import EMBEDDING
from quiltwork.training.quantised import COUNT_UNIT, LAYERS, floats, quantised


class Net(nn.Module):
    """The same as `agents.net.forward`, for many positions at once."""

    def __init__(self) -> None:
        super().__init__()
        self.windows = nn.Linear(KINDS, EMBEDDING)
        self.first = nn.Linear(FEATURE_COUNT + 2 * EMBEDDING, HIDDEN)
        self.second = nn.Linear(HIDDEN, SECOND)
        self.last = nn.Linear(SECOND, OUTPUTS)

    def forward(self, features: Tensor, counts: Tensor) -> Tensor:
        """The outputs for positions: `features` by row, `counts` of windows by row and side."""
        quilts = torch.relu(self.windows(counts / COUNT_UNIT)).flatten(1)
        hidden = torch.relu(self.first(torch.cat([features, quilts], 1)))
        return self.last(torch.relu(self.second(hidden)))

    def compiled(self) -> np.ndarray[Any, Any]:
        """The net for the agents."""
        return quantised({name: self._floats(name) for name in LAYERS})

    def load_compiled(self, net: np.ndarray[Any, Any]) -> None:
        """Loads the weights of a compiled net."""
        with torch.no_grad():
            for name, (weight, bias) in floats(net).items():
                layer = getattr(self, name)
                layer.weight.copy_(torch.from_numpy(weight))
                layer.bias.copy_(torch.from_numpy(bias))

    def _floats(self, name: str) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        layer = getattr(self, name)
        return layer.weight.detach().float().cpu().numpy(), layer.bias.detach().float().cpu().numpy()
