"""Makes the agent `net` from the options of its spec."""

from __future__ import annotations

from collections.abc import Mapping

from quiltwork.agents.agent import Agent
from quiltwork.errors import QuiltworkError

MAX_CORES = 64


def net(options: Mapping[str, str], seed: int) -> Agent:
    """The agent `net`; `weights` is a name in the package or an `.onnx` file."""
    from quiltwork.agents.net.agent import BATCH, PLAYOUTS, NetAgent
    from quiltwork.agents.net.model import DEFAULT, load_model

    known = ("weights", "cores", "batch", "playouts")
    for key in options:
        if key not in known:
            raise QuiltworkError(f"agent net: unknown option {key!r}; there are {', '.join(known)}")
    cores = _number(options, "cores", 1, 1, MAX_CORES)
    return NetAgent(
        "net",
        # With several cores, one is for the playouts.
        load_model(options.get("weights", DEFAULT), max(1, cores - 1)),
        seed=seed,
        batch=_number(options, "batch", BATCH, 1, 256),
        playouts=_number(options, "playouts", PLAYOUTS, 0, 100_000),
        side_by_side=cores > 1,
    )


def _number(options: Mapping[str, str], key: str, default: int, least: int, most: int) -> int:
    text = options.get(key, str(default))
    if not text.isdecimal() or not least <= int(text) <= most:
        raise QuiltworkError(f"agent net: {key} must be a number from {least} to {most}, not {text!r}")
    return int(text)
