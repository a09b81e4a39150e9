"""Agents: who chooses moves. `agent_of("search").think(position, Limits(seconds=0.2))`."""

from __future__ import annotations

from quiltwork.agents.agent import Agent as Agent
from quiltwork.agents.agent import Analysis as Analysis
from quiltwork.agents.agent import Limits as Limits
from quiltwork.agents.agent import RankedMove as RankedMove
from quiltwork.agents.agent import Watch as Watch
from quiltwork.agents.registry import agent_of as agent_of
from quiltwork.agents.registry import available_agents as available_agents

__all__ = ["Agent", "Analysis", "Limits", "RankedMove", "Watch", "agent_of", "available_agents"]
