"""A trained net through onnxruntime, on the processor."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from quiltwork.agents.net import inputs
from quiltwork.agents.net.sight import WINDOW
from quiltwork.errors import QuiltworkError

Array = np.ndarray[Any, Any]
WEIGHTS_FOLDER = Path(__file__).parent.parent / "weights"
DEFAULT = "quiltwork"
TAPS = WINDOW * WINDOW


@dataclass(frozen=True)
class Answers:
    """What a net says of positions, from the mover's side."""

    moves: Array  # [B, candidates] moves of the net, the most likely first
    scores: Array  # [B, candidates] logarithms of their probabilities
    outcome: Array  # [B, 2] win share and points
    quilts: Array  # [B, 2, 9, 9] how likely each space is empty at the end, own quilt first


class Model:
    """A net that answers for many positions at once."""

    def __init__(self, path: Path, threads: int) -> None:
        try:
            import onnxruntime
        except ImportError:
            raise QuiltworkError("the agent net needs onnxruntime: pip install onnxruntime") from None
        if not path.exists():
            raise QuiltworkError(f"no net there: {path}")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self.card: dict[str, str] = dict(self._session.get_modelmeta().custom_metadata_map)
        version = self.card.get("inputs_version")
        if version != str(inputs.INPUTS_VERSION):
            needed = inputs.INPUTS_VERSION
            raise QuiltworkError(f"{path.name}: the net is for inputs of version {version}, not {needed}")

    def answers(self, words: Array, numbers: Array) -> Answers:
        """The answers to views; see `net.inputs`."""
        moves, scores, outcome, quilts = self._session.run(None, unpacked(words, numbers))
        return Answers(moves, scores, outcome, quilts)


def unpacked(words: Array, numbers: Array) -> dict[str, Array]:
    """Views as the floats that go into a net."""
    rows = len(words)
    bits = np.unpackbits(words.view(np.uint8).reshape(rows, inputs.WORDS, 8), axis=2, bitorder="little")
    planes = bits[:, : inputs.FILTERS].reshape(rows, inputs.PLANES, 128)[:, :, : inputs.CELLS]
    windows = bits[:, inputs.FILTERS : inputs.OPTIONS, :TAPS].astype(np.float32)
    filters = 2 * inputs.SLOTS * 8
    return {
        "planes": planes.reshape(rows, inputs.PLANES, inputs.SIDE, inputs.SIDE).astype(np.float32),
        "filters": windows[:, :filters].reshape(rows, 2, inputs.SLOTS * 8, TAPS),
        "drawings": windows[:, filters:],
        "numbers": numbers,
        "options": bits[:, inputs.OPTIONS, :8].astype(np.float32),
    }


@lru_cache(maxsize=4)
def load_model(name: str = DEFAULT, threads: int = 1) -> Model:
    """The net of that name in the package, or of an `.onnx` file."""
    path = Path(name) if name.endswith(".onnx") else WEIGHTS_FOLDER / f"{name}.onnx"
    return Model(path, threads)
