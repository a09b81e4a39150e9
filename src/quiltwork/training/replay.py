"""What was played: the newest samples, and batches of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from quiltwork.agents.net.games import KEPT
from quiltwork.agents.net.inputs import CELLS, NUMBERS, WORDS

Array = np.ndarray[Any, Any]


class Batch:
    """Room for one batch, in memory that a GPU reads fast."""

    def __init__(self, rows: int, cuda: bool) -> None:
        def host(*shape: int, dtype: torch.dtype) -> torch.Tensor:
            return torch.zeros(*shape, dtype=dtype, pin_memory=cuda)

        self.words = host(rows, WORDS, dtype=torch.int64)
        self.numbers = host(rows, NUMBERS, dtype=torch.float32)
        self.moves = host(rows, KEPT, dtype=torch.int64)
        self.shares = host(rows, KEPT, dtype=torch.float32)
        self.outcome = host(rows, 4, dtype=torch.float32)
        self.quilts = host(rows, 2, CELLS, dtype=torch.int8)
        self._sent = torch.cuda.Event() if cuda else None

    def arrays(self) -> tuple[Array, ...]:
        """The memory of the batch for `write_batch`."""
        return (
            self.words.numpy().view(np.uint64),
            self.numbers.numpy(),
            self.moves.numpy(),
            self.shares.numpy(),
            self.outcome.numpy(),
            self.quilts.numpy(),
        )

    def tensors(self, device: torch.device) -> tuple[torch.Tensor, ...]:
        """The batch on the device."""
        parts = (self.words, self.numbers, self.moves, self.shares, self.outcome, self.quilts)
        sent = tuple(part.to(device, non_blocking=True) for part in parts)
        if self._sent is not None:
            self._sent.record()
        return sent

    def wait(self) -> None:
        """Waits until the memory may be written again."""
        if self._sent is not None:
            self._sent.synchronize()


def choose(rng: np.random.Generator, written: Array, room: int, share: float, least: int, rows: int) -> Array:
    """Rows of [shelves, room] samples at random from the newest `share` of all ever written, flattened."""
    total = int(written.sum())
    window = np.minimum(np.minimum(written, room), np.maximum(least, written * share)).astype(np.int64)
    if total == 0:
        return np.zeros(0, np.int64)
    shelf = rng.choice(len(written), rows, p=window / window.sum())
    back = (rng.random(rows) * window[shelf]).astype(np.int64)
    return np.asarray(shelf * room + (written[shelf] - 1 - back) % room)
