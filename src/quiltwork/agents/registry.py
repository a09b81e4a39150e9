"""Agents by name: `net`, `search:cores=2`, `level:3`, `cmd:./my_bot --flag`, `strongest`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType

from quiltwork.agents.agent import Agent
from quiltwork.errors import QuiltworkError

STRONGEST = "net"

# Where each agent is made: a function `make(options, seed)`. Modules load when first asked for.
_HOME = MappingProxyType(
    {
        "random": "quiltwork.agents.makers:random",
        "greedy": "quiltwork.agents.makers:greedy",
        "search": "quiltwork.agents.makers:search",
        "net": "quiltwork.agents.makers:net",
    }
)

Maker = Callable[[Mapping[str, str], int], Agent]


def available_agents() -> tuple[str, ...]:
    """The names of the built-in agents, the weakest first."""
    return tuple(_HOME)


def agent_of(spec: str, seed: int = 0) -> Agent:
    """A new agent; the same spec and seed give the same moves under a limit of simulations.

    A spec is a name, with options after a colon (`search:cores=2,placements=6`), `strongest`, `level:` and a
    level's number or name, `cmd:` and the command of a program that speaks the analysis protocol, or `codingame:`
    and that of a bot of the public arena there. Raises QuiltworkError for anything else.
    """
    name, _, rest = spec.strip().partition(":")
    if name == "cmd":
        from quiltwork.agents.external import ExternalAgent

        return ExternalAgent(rest)
    if name == "codingame":
        from quiltwork.agents.codingame.bot import CodinGameBot

        return CodinGameBot(rest)
    if name == "level":
        from quiltwork.agents.levels import LevelAgent, level_of

        level = level_of(rest)
        return LevelAgent(level, agent_of(level.agent, seed))
    options = _options(spec, rest)
    if name == "strongest":
        name = STRONGEST
    if name not in _HOME:
        known = ", ".join((*_HOME, "strongest", "level:1 to level:10", "cmd:PROGRAM", "codingame:PROGRAM"))
        raise QuiltworkError(f"agent {spec[:60]!r}: unknown; there are {known}")
    module, _, function = _HOME[name].partition(":")
    maker: Maker = getattr(import_module(module), function)
    return maker(options, seed)


def _options(spec: str, text: str) -> dict[str, str]:
    options = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key or not value:
            raise QuiltworkError(f"agent {spec[:60]!r}: expected options as key=value after the colon")
        options[key.strip()] = value.strip()
    return options
