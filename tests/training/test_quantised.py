"""The way of the weights to whole numbers and back; it needs no torch."""

from __future__ import annotations

import numpy as np

from quiltwork.agents.net.weights import load_net
from quiltwork.training.quantised import LAYERS, floats, quantised


def test_the_shipped_net_as_floats_is_the_same_net() -> None:
    shipped = load_net()
    again = quantised(floats(shipped))
    for name in LAYERS:
        np.testing.assert_array_equal(again[name], shipped[name])
        np.testing.assert_allclose(again[f"{name}_bias"], shipped[f"{name}_bias"], rtol=1e-6)


def test_eight_bits_keep_a_weight_within_half_a_step() -> None:
    rng = np.random.default_rng(1)
    layers = {
        name: (
            rng.normal(0, 0.1, size=weight.shape) * np.ones(1),
            rng.normal(0, 0.1, size=bias.shape) * np.ones(1),
        )
        for name, (weight, bias) in floats(load_net()).items()
    }
    found = floats(quantised(layers))
    for name in ("first", "second"):
        step = np.abs(layers[name][0]).max(axis=1, keepdims=True) / 127
        assert (np.abs(found[name][0] - layers[name][0]) <= 0.51 * step).all()
