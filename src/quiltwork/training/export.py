"""The net as ONNX, for the agent: floats in, the best moves and the outcome out."""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch
from torch import Tensor, nn

from quiltwork.agents.net import inputs
from quiltwork.training.checkpoint import load_checkpoint, load_net
from quiltwork.training.network import FILTERS, OPTIONS, POINTS, TAPS, Net, Views, folded, log_policy

CANDIDATES = 48
"""moves a position is searched with, at most"""


class Player(nn.Module):
    """The net with its outputs in the form that the search reads."""

    def __init__(self, net: Net, candidates: int = CANDIDATES) -> None:
        super().__init__()
        self.net = net
        self.candidates = candidates

    def forward(
        self, planes: Tensor, filters: Tensor, drawings: Tensor, numbers: Tensor, options: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Moves and the logarithms of their probabilities, best first; win share and points; the final quilts."""
        v = Views(planes, filters, drawings, numbers, options)
        opinion = self.net(v)
        scores, moves = torch.topk(log_policy(opinion, v), self.candidates, dim=1)
        outcome = torch.stack([torch.sigmoid(opinion.win), opinion.points * POINTS], 1)
        return moves.to(torch.int32), scores, outcome, torch.sigmoid(opinion.quilts)


def export(net: Net, path: Path, card: dict[str, str]) -> None:
    """Writes a net as ONNX, with its card as metadata."""
    import onnx

    player = Player(folded(net).cpu().float()).eval()
    example = (
        torch.rand(2, inputs.PLANES, inputs.SIDE, inputs.SIDE),
        torch.rand(2, 2, FILTERS, TAPS),
        torch.rand(2, inputs.DRAWN, TAPS),
        torch.rand(2, inputs.NUMBERS),
        torch.ones(2, OPTIONS),
    )
    names = ["planes", "filters", "drawings", "numbers", "options"]
    outputs = ["moves", "scores", "outcome", "quilts"]
    torch.onnx.export(
        player,
        example,
        str(path),
        input_names=names,
        output_names=outputs,
        dynamic_axes={name: {0: "positions"} for name in names + outputs},
        opset_version=17,
        dynamo=False,
    )
    model = onnx.load(str(path))
    for key, value in {"inputs_version": str(inputs.INPUTS_VERSION), **card}.items():
        entry = model.metadata_props.add()
        entry.key, entry.value = key, value
    onnx.save(model, str(path))


def export_checkpoint(folder: Path, file: str, path: Path) -> None:
    """Writes a net of a checkpoint as ONNX, in eight bits; the card tells its games and minutes."""
    from quiltwork.training.quantise import quantise

    past = load_checkpoint(folder).past
    card = {"games": f"{past['games']:.0f}", "minutes": f"{past['minutes']:.1f}", "steps": f"{past['steps']:.0f}"}
    with tempfile.TemporaryDirectory() as temporary:
        whole = Path(temporary) / path.name
        export(load_net(folder, file), whole, card)
        quantise(whole, path)
