"""Makes the built-in agents from the options of their specs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, TypeVar

from quiltwork.agents.agent import Agent
from quiltwork.agents.tuning import NET, PLANNER, SEARCH, Tuning
from quiltwork.errors import QuiltworkError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MAX_CORES = 64
MAX_NUMBER = 10**9
Numbers = TypeVar("Numbers", bound="DataclassInstance")
Number = TypeVar("Number", int, float)


def random(options: Mapping[str, str], seed: int) -> Agent:
    from quiltwork.agents.random_agent import RandomAgent

    _no_options("random", options)
    return RandomAgent(seed)


def greedy(options: Mapping[str, str], seed: int) -> Agent:
    from quiltwork.agents.greedy import GreedyAgent

    _no_options("greedy", options)
    return GreedyAgent(seed)


def casual(options: Mapping[str, str], seed: int) -> Agent:
    from quiltwork.agents.casual import CasualAgent, Habits

    return CasualAgent(_replaced("casual", Habits(), options), seed)


def simple(options: Mapping[str, str], seed: int) -> Agent:
    from quiltwork.agents.simple import ITERATIONS, SimpleAgent

    unknown = [key for key in options if key != "iterations"]
    if unknown:
        raise QuiltworkError(f"agent simple: unknown option {unknown[0]!r}; there is iterations")
    text = options.get("iterations", str(ITERATIONS))
    if not text.isdecimal() or not 1 <= int(text) <= 10_000_000:
        raise QuiltworkError(f"agent simple: iterations must be from 1 to 10000000, not {text!r}")
    return SimpleAgent(seed, int(text))


def search(options: Mapping[str, str], seed: int) -> Agent:
    from quiltwork.agents.tree_search import TreeSearch

    tuning, cores = _tuned("search", SEARCH, options)
    return TreeSearch("search", tuning, seed=seed, cores=cores)


def planner(options: Mapping[str, str], seed: int) -> Agent:
    from quiltwork.agents.tree_search import TreeSearch

    tuning, cores = _tuned("planner", PLANNER, options)
    return TreeSearch("planner", tuning, late=SEARCH, seed=seed, cores=cores)


def net(options: Mapping[str, str], seed: int) -> Agent:
    from quiltwork.agents.tree_search import TreeSearch
    from quiltwork.agents.weights import DEFAULT, load_net

    rest = dict(options)
    weights = load_net(rest.pop("weights", DEFAULT))
    tuning, cores = _tuned("net", NET, rest)
    return TreeSearch("net", tuning, seed=seed, cores=cores, net=weights)


def _no_options(name: str, options: Mapping[str, str]) -> None:
    if options:
        raise QuiltworkError(f"agent {name}: takes no options, not {next(iter(options))!r}")


def _tuned(name: str, tuning: Tuning, options: Mapping[str, str]) -> tuple[Tuning, int]:
    """The numbers of a spec in place of the agent's own, and the number of cores."""
    rest = dict(options)
    cores = _number(name, "cores", int, rest.pop("cores", "1"))
    if not 1 <= cores <= MAX_CORES:
        raise QuiltworkError(f"agent {name}: cores must be from 1 to {MAX_CORES}, not {cores}")
    return _replaced(name, tuning, rest, "cores"), cores


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
