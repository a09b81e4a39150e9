"""Makes the agent `net` from the options of its spec."""

from __future__ import annotations

from collections.abc import Mapping

from quiltwork.agents.agent import Agent
from quiltwork.errors import QuiltworkError

MAX_CORES = 64


def net(options: Mapping[str, str], seed: int) -> Agent:
    """The agent `net`; options: `weights` (a name in the package or an `.onnx` file), `cores`, `batch`."""
    from quiltwork.agents.net.agent import BATCH, NetAgent
    from quiltwork.agents.net.model import DEFAULT, load_model

    known = ("weights", "cores", "batch", "playouts", "trust", "lean", "considered")
    for key in options:
        if key not in known:
            raise QuiltworkError(f"agent net: unknown option {key!r}; there are {', '.join(known)}")
    cores = _number(options, "cores", 1, MAX_CORES)
    batch = _number(options, "batch", BATCH, 256)
    return NetAgent(
        "net",
        load_model(options.get("weights", DEFAULT), cores),
        seed=seed,
        batch=batch,
        considered=_number(options, "considered", 16, 48),
        playouts=int(options.get("playouts", "200")),
        trust=float(options.get("trust", "0.5")),
        lean=float(options.get("lean", "0.3")),
    )


def _number(options: Mapping[str, str], key: str, default: int, most: int) -> int:
    text = options.get(key, str(default))
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise QuiltworkError(f"agent net: {key} must be a number from 1 to {most}, not {text!r}")
    return int(text)
