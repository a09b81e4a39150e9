"""The weights of the net between floats, which learn, and the whole numbers of the compiled net."""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.agents.net.forward import MAX_BYTE, MAX_SHORT, NET, UNIT, WEIGHT_UNIT, WINDOW_UNIT
from quiltwork.agents.net.layer import BLOCK, laid_out

Array = np.ndarray[Any, Any]
TINY = 1e-9
COUNT_UNIT = 10.0
"""windows of one kind; the net learns better from numbers of about 1"""
BYTE_LAYERS = ("first", "second")
UNITS = {
    "windows": (WINDOW_UNIT / COUNT_UNIT, float(WINDOW_UNIT)),
    "last": (float(WEIGHT_UNIT), float(UNIT * WEIGHT_UNIT)),
}
"""of the weights and of the bias of the layers with 16 bits"""
LAYERS = ("windows", *BYTE_LAYERS, "last")


def quantised(layers: dict[str, tuple[Array, Array]]) -> Array:
    """The compiled net of float weights and biases by layer."""
    net = np.zeros(1, NET)
    for name in LAYERS:
        weight, bias = layers[name]
        if name in BYTE_LAYERS:
            unit = MAX_BYTE / np.maximum(np.abs(weight).max(axis=1), TINY)
            net[f"{name}_scale"][0] = 1.0 / unit
            net[name][0] = laid_out(np.rint(weight * unit[:, None]))
            net[f"{name}_bias"][0] = UNIT * bias
        else:
            of_weight, of_bias = UNITS[name]
            net[name][0] = np.clip(np.rint(of_weight * weight), -MAX_SHORT, MAX_SHORT)
            net[f"{name}_bias"][0] = np.rint(of_bias * bias)
    # As nets from files are: compiled code tells arrays that can be written apart.
    net.flags.writeable = False
    return net


def floats(net: Array) -> dict[str, tuple[Array, Array]]:
    """The float weights and biases by layer of a compiled net; `quantised` of them is the same net."""
    layers: dict[str, tuple[Array, Array]] = {}
    for name in LAYERS:
        weight, bias = net[name][0].astype(np.float32), net[f"{name}_bias"][0].astype(np.float32)
        if name in BYTE_LAYERS:
            sums, inputs = weight.shape
            rows = weight.reshape(sums // BLOCK, inputs // 2, BLOCK, 2).transpose(0, 2, 1, 3).reshape(sums, inputs)
            layers[name] = rows * net[f"{name}_scale"][0][:, None], bias / UNIT
        else:
            of_weight, of_bias = UNITS[name]
            layers[name] = weight / np.float32(of_weight), bias / np.float32(of_bias)
    return layers
