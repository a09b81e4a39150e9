"""The net on a device, for many positions at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from quiltwork.agents.net import inputs
from quiltwork.errors import QuiltworkError
from quiltwork.training.network import POINTS, Net, fold_into, folded, log_policy, unpack

Array = np.ndarray[Any, Any]


def gumbel_noise(seeds: Tensor, length: int) -> Tensor:
    """Gumbel noise [B, length] that depends on the seeds alone; none where the seed is 0.

    It is computed from a hash and not drawn, so that it works in a captured graph.
    """
    index = torch.arange(length, device=seeds.device)
    x = (seeds[:, None] * 1_000_003 + index * 7_919 + 12_345) & 0x7FFFFFFF
    for multiplier in (0x45D9F3B, 0x2C1B3C6D):
        x = ((x ^ (x >> 15)) * multiplier) & 0x7FFFFFFF
    x = x ^ (x >> 13)
    uniform = (x.float() + 0.5) / float(0x80000000)
    noise = -torch.log(-torch.log(uniform.clamp(1e-9, 1 - 1e-7)))
    return torch.where(seeds[:, None] != 0, noise, torch.zeros_like(noise))


def ask(net: Net, words: Tensor, numbers: Tensor, candidates: int, dtype: torch.dtype) -> tuple[Tensor, ...]:
    """Moves, logarithms of their probabilities, their noise, and the outcome (win share, points)."""
    v = unpack(words, numbers, dtype)
    opinion = net(v)
    policy = log_policy(opinion, v)
    noise = gumbel_noise(words[:, inputs.SEED], policy.shape[1])
    _, moves = torch.topk(policy + noise, candidates, dim=1)
    outcome = torch.stack([torch.sigmoid(opinion.win.float()), opinion.points.float() * POINTS], 1)
    return moves.to(torch.int32), policy.gather(1, moves), noise.gather(1, moves), outcome


class Engine:
    """Answers for a fixed number of rows; on a GPU in half precision through a captured graph."""

    def __init__(self, net: Net, rows: int, candidates: int, device: str, compiled: bool) -> None:
        self.device = torch.device(device)
        self.cuda = self.device.type == "cuda"
        self.dtype = torch.bfloat16 if self.cuda else torch.float32
        self.net = folded(net).to(self.device, self.dtype).eval()
        if self.cuda:
            self.net = self.net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.candidates = candidates
        self.words = torch.zeros(rows, inputs.WORDS, dtype=torch.int64, device=self.device)
        self.numbers = torch.zeros(rows, inputs.NUMBERS, dtype=torch.float32, device=self.device)
        self._ask = torch.compile(ask, dynamic=False) if compiled else ask
        self._graph: Any = None
        self._answers: tuple[Tensor, ...] = ()
        if self.cuda:
            self._capture()

    def _run(self) -> tuple[Tensor, ...]:
        with torch.inference_mode():
            return self._ask(self.net, self.words, self.numbers, self.candidates, self.dtype)

    def _capture(self) -> None:
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self._run()
        torch.cuda.current_stream().wait_stream(side)
        torch.cuda.synchronize()
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph):
            self._answers = self._run()

    def answers(self) -> tuple[Tensor, ...]:
        """The answers to what lies in `words` and `numbers`, on the device."""
        if self._graph is None:
            return self._run()
        self._graph.replay()
        return self._answers

    def learn_from(self, net: Net) -> None:
        """Takes over the weights of a net; the graph stays."""
        fold_into(self.net, net)


class Desk:
    """The rows of a group of games: what they ask and what is answered, in memory that the device reaches."""

    def __init__(self, rows: int, candidates: int, cuda: bool) -> None:
        def host(*shape: int, dtype: torch.dtype) -> Tensor:
            return torch.zeros(*shape, dtype=dtype, pin_memory=cuda)

        self.words = host(rows, inputs.WORDS, dtype=torch.int64)
        self.numbers = host(rows, inputs.NUMBERS, dtype=torch.float32)
        self.moves = host(rows, candidates, dtype=torch.int32)
        self.scores = host(rows, candidates, dtype=torch.float32)
        self.noise = host(rows, candidates, dtype=torch.float32)
        self.outcome = host(rows, 2, dtype=torch.float32)
        self.nets = np.zeros(rows, np.int32)
        self._done = torch.cuda.Event() if cuda else None

    def arrays(self) -> tuple[Array, ...]:
        """The same memory for compiled code: words, numbers, nets, moves, scores, noise, outcome."""
        return (
            self.words.numpy().view(np.uint64),
            self.numbers.numpy(),
            self.nets,
            self.moves.numpy(),
            self.scores.numpy(),
            self.noise.numpy(),
            self.outcome.numpy(),
        )

    def send(self, engines: tuple[Engine, ...]) -> None:
        """Asks the engines; with two, each row is answered by its own. Returns at once on a GPU."""
        first = engines[0]
        first.words.copy_(self.words, non_blocking=True)
        first.numbers.copy_(self.numbers, non_blocking=True)
        answers = first.answers()
        if len(engines) == 2:
            second = engines[1]
            second.words.copy_(first.words)
            second.numbers.copy_(first.numbers)
            others = second.answers()
            mine = torch.from_numpy(self.nets == 0).to(first.device)
            answers = tuple(torch.where(mine[:, None], a, b) for a, b in zip(answers, others, strict=True))
        for host, answer in zip((self.moves, self.scores, self.noise, self.outcome), answers, strict=True):
            host.copy_(answer, non_blocking=True)
        if self._done is not None:
            self._done.record()

    def wait(self) -> None:
        """Waits for the answers; raises QuiltworkError when the net has lost its mind."""
        if self._done is not None:
            self._done.synchronize()
        if not bool(torch.isfinite(self.outcome).all()):
            raise QuiltworkError("the net answers with numbers that are none: the learning rate is too high")
