"""Levels are agents: named like any other, with limits of their own."""

from __future__ import annotations

import pytest

from quiltwork import Position, available_editions
from quiltwork.agents import Limits, agent_of
from quiltwork.agents.levels import level_of, load_levels
from quiltwork.errors import QuiltworkError


def test_there_are_ten_levels_weakest_first() -> None:
    levels = load_levels()
    assert [level.level for level in levels.all.values()] == list(range(1, 11))
    assert levels.default in levels.all
    assert levels.hint in levels.all


def test_limits_by_edition_name_editions_that_exist() -> None:
    named = {edition for level in load_levels().all.values() for edition in level.simulations_in}
    assert named <= set(available_editions())


def test_a_level_has_a_number_and_a_name() -> None:
    assert level_of("5") is level_of("bobbin") is level_of("Bobbin")
    assert agent_of("level:bobbin").name == "level:5"


@pytest.mark.parametrize("spec", ["level:", "level:0", "level:11", "level:nobody", "level:5,cores=2"])
def test_an_unknown_level_is_told(spec: str) -> None:
    with pytest.raises(QuiltworkError, match="there is no such level; there are 1 "):
        agent_of(spec)


def test_limits_that_are_asked_for_do_not_change_a_level() -> None:
    position = Position.initial("express", deal=4)
    few, many = (agent_of("level:6", seed=3).think(position, limits) for limits in (Limits(simulations=1), None))
    assert few.simulations == many.simulations == level_of("6").simulations_for("express")
    assert few.moves == many.moves
