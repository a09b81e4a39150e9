"""Agents by name: `net`, `search:cores=2`, `level:3`, `cmd:./my_bot --flag`, `strongest`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from quiltwork.agents.agent import Agent
from quiltwork.errors import QuiltworkError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from quiltwork.agents.search.config import SearchConfig

STRONGEST = "net"
MAX_CORES = 64
MAX_NUMBER = 10**9
Numbers = TypeVar("Numbers", bound="DataclassInstance")
Number = TypeVar("Number", int, float)


def available_agents() -> tuple[str, ...]:
    """The names of the built-in agents, the weakest first."""
    return tuple(_MAKERS)


def agent_of(spec: str, seed: int = 0) -> Agent:
    """A new agent; the same spec and seed give the same moves under a limit of simulations.

    A spec is a name, with options after a colon (`search:cores=2,placements=6`), `strongest`, `level:` and a
    level's number or name, `cmd:` and the command of a program that speaks the analysis protocol, or `codingame:`
    and that of a bot of the public arena there. Raises QuiltworkError for anything else.
    """
    name, _, rest = spec.strip().partition(":")
    if name == "cmd":
        from quiltwork.programs.external import ExternalAgent

        return ExternalAgent(rest)
    if name == "codingame":
        from quiltwork.programs.codingame.bot import CodinGameBot

        return CodinGameBot(rest)
    if name == "level":
        from quiltwork.agents.levels import LevelAgent, level_of

        level = level_of(rest)
        return LevelAgent(level, agent_of(level.agent, seed))
    options = _options(spec, rest)
    if name == "strongest":
        name = STRONGEST
    if name not in _MAKERS:
        known = ", ".join((*_MAKERS, "strongest", "level:1 to level:10", "cmd:PROGRAM", "codingame:PROGRAM"))
        raise QuiltworkError(f"agent {spec[:60]!r}: unknown; there are {known}")
    return _MAKERS[name](options, seed)


def _options(spec: str, text: str) -> dict[str, str]:
    options = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key or not value:
            raise QuiltworkError(f"agent {spec[:60]!r}: expected options as key=value after the colon")
        options[key.strip()] = value.strip()
    return options


def _random(options: dict[str, str], seed: int) -> Agent:
    from quiltwork.agents.random_agent import RandomAgent

    if options:
        raise QuiltworkError(f"agent random: takes no options, not {next(iter(options))!r}")
    return RandomAgent(seed)


def _greedy(options: dict[str, str], seed: int) -> Agent:
    from quiltwork.agents.greedy import GreedyAgent, Habits

    return GreedyAgent(_replaced("greedy", Habits(), options), seed)


def _search(options: dict[str, str], seed: int) -> Agent:
    from quiltwork.agents.search.agent import SearchAgent
    from quiltwork.agents.search.config import SEARCH

    config, cores = _configured("search", SEARCH, options)
    return SearchAgent("search", config, seed=seed, cores=cores)


def _net(options: dict[str, str], seed: int) -> Agent:
    from quiltwork.agents.net.weights import DEFAULT, load_net
    from quiltwork.agents.search.agent import SearchAgent
    from quiltwork.agents.search.config import NET

    weights = load_net(options.pop("weights", DEFAULT))
    config, cores = _configured("net", NET, options)
    return SearchAgent("net", config, seed=seed, cores=cores, net=weights)


def _configured(name: str, config: SearchConfig, options: dict[str, str]) -> tuple[SearchConfig, int]:
    """The numbers of a spec in place of the agent's own, and the number of cores."""
    cores = _number(name, "cores", int, options.pop("cores", "1"))
    if not 1 <= cores <= MAX_CORES:
        raise QuiltworkError(f"agent {name}: cores must be from 1 to {MAX_CORES}, not {cores}")
    return _replaced(name, config, options, "cores"), cores


def _replaced(name: str, numbers: Numbers, options: dict[str, str], *others: str) -> Numbers:
    """The numbers of a spec in place of the agent's own; `others` are options beside them."""
    kinds = {field.name: type(getattr(numbers, field.name)) for field in fields(numbers)}
    for key, text in options.items():
        if key not in kinds:
            known = ", ".join((*others, *kinds))
            raise QuiltworkError(f"agent {name}: unknown option {key!r}; there are {known}")
        numbers = replace(numbers, **{key: _number(name, key, kinds[key], text)})
    return numbers


def _number(name: str, key: str, kind: Callable[[str], Number], text: str) -> Number:
    try:
        value = kind(text)
        if abs(value) <= MAX_NUMBER:
            return value
    except ValueError:
        pass
    raise QuiltworkError(f"agent {name}: {key} must be a number, not {text!r}")


_MAKERS: MappingProxyType[str, Callable[[dict[str, str], int], Agent]] = MappingProxyType(
    {"random": _random, "greedy": _greedy, "search": _search, "net": _net}
)
"""the built-in agents, the weakest first; their modules load when one is made"""
