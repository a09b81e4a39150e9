"""Fixed opponents for measuring: the agents that need no net."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from quiltwork.agents.agent import Limits
from quiltwork.agents.registry import agent_of
from quiltwork.edition import Edition
from quiltwork.position import Position
from quiltwork.training.matches import Rival

Array = np.ndarray[Any, Any]


def search_rival(simulations: int) -> Rival:
    """The net-free tree search with a fixed number of simulations, from nothing for every move."""
    local = threading.local()

    def choose(edition: Edition, record: Array, seed: int) -> int:
        if not hasattr(local, "agent"):
            local.agent = agent_of(f"search:room={32 * simulations + 4096}", seed)
        local.agent.close()
        position = Position(edition, record)
        best = local.agent.think(position, Limits(simulations=simulations)).best.move
        code = position.code(best)
        assert code is not None
        return code

    return choose
