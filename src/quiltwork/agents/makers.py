"""Makes the built-in agents from the options of their specs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, TypeVar

from quiltwork.agents.agent import Agent
from quiltwork.agents.search.config import NET, SEARCH, SearchConfig
from quiltwork.errors import QuiltworkError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MAX_CORES = 64
MAX_NUMBER = 10**9
Numbers = TypeVar("Numbers", bound="DataclassInstance")
Number = TypeVar("Number", int, float)


def random(options: Mapping[str, str], seed: int) -> Agent:
    from quiltwork.agents.random_agent import RandomAgent

    if options:
        raise QuiltworkError(f"agent random: takes no options, not {next(iter(options))!r}")
    return RandomAgent(seed)


def greedy(options: Mapping[str, str], seed: int) -> Agent:
    from quiltwork.agents.greedy import GreedyAgent, Habits

    return GreedyAgent(_replaced("greedy", Habits(), options), seed)


def search(options: Mapping[str, str], seed: int) -> Agent:
    from quiltwork.agents.search.agent import SearchAgent

    config, cores = _configured("search", SEARCH, options)
    return SearchAgent("search", config, seed=seed, cores=cores)


def net(options: Mapping[str, str], seed: int) -> Agent:
    from quiltwork.agents.net.weights import DEFAULT, load_net
    from quiltwork.agents.search.agent import SearchAgent

    rest = dict(options)
    weights = load_net(rest.pop("weights", DEFAULT))
    config, cores = _configured("net", NET, rest)
    return SearchAgent("net", config, seed=seed, cores=cores, net=weights)


def _configured(name: str, config: SearchConfig, options: Mapping[str, str]) -> tuple[SearchConfig, int]:
    """The numbers of a spec in place of the agent's own, and the number of cores."""
    rest = dict(options)
    cores = _number(name, "cores", int, rest.pop("cores", "1"))
    if not 1 <= cores <= MAX_CORES:
        raise QuiltworkError(f"agent {name}: cores must be from 1 to {MAX_CORES}, not {cores}")
    return _replaced(name, config, rest, "cores"), cores


def _replaced(name: str, numbers: Numbers, options: Mapping[str, str], *others: str) -> Numbers:
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
