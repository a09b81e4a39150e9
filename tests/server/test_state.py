"""Clocks, takebacks and the reserve, as the events add up."""

from __future__ import annotations

from random import Random

import pytest

from quiltwork import Position
from quiltwork.server.answers import Refusal
from quiltwork.server.decide import decide
from quiltwork.server.events import Event, Kind
from quiltwork.server.setups import Clock, DaysClock, GameSetup, Human, LiveClock
from quiltwork.server.state import GameState
from quiltwork.server.tokens import Role

BEFORE_RESERVE = "express 1 5/9/- 9/5/- - 3a4a4b4c5a5b+2a2b2c3b3c3d4d4e"


def game(start: str = "", clock: Clock | None = None, shared: bool = True) -> GameState:
    text = start or Position.initial("patchwork", deal=1).text
    seats = (Human(kind="human"), Human(kind="human", remote=not shared))
    return GameState.of(
        GameSetup(edition=text.split()[0], theme="patchwork", start=text, seats=seats, shared=shared, clock=clock)
    )


def play(state: GameState, move: str, at: float, role: Role = Role.BOTH, chance: int = 1) -> list[Event]:
    events = decide(state, role, "move", f"key-{state.version}-{at}", at, Random(chance), move)
    for event in events:
        state.apply(event)
    return events


def test_a_live_clock_starts_with_the_first_move_and_adds_the_increment_for_each_turn() -> None:
    state = game(clock=LiveClock(kind="live", seconds=60, increment=5))
    assert state.time_left(1, 1000.0) == 60.0
    play(state, "+1", 1000.0)
    assert state.time_left(2, 1010.0) == 50.0
    play(state, "+2", 1010.0)
    assert (state.time_left(1, 1010.0), state.time_left(2, 1010.0)) == (60.0, 55.0)
    assert state.deadline == 1070.0


def test_running_out_of_time_loses_a_live_game() -> None:
    state = game(clock=LiveClock(kind="live", seconds=60))
    play(state, "+1", 0.0)
    state.apply(Event(Kind.TIME, 2, 61.0))
    assert state.result is not None
    assert (state.result.winner, state.result.by) == (1, "time")


def test_days_a_move_have_no_deadline() -> None:
    state = game(clock=DaysClock(kind="days", days=2))
    play(state, "+1", 0.0)
    assert state.time_left(2, 86_400.0) == 86_400.0
    assert state.time_left(2, 4 * 86_400.0) == -2 * 86_400.0
    assert state.deadline is None


def test_time_that_the_server_was_away_costs_nobody() -> None:
    state = game(clock=LiveClock(kind="live", seconds=60))
    play(state, "+1", 0.0)
    state.apply(Event(Kind.RESTART, 0, 5000.0))
    assert state.time_left(2, 5010.0) == 50.0


def test_a_takeback_does_not_deal_the_reserve_anew() -> None:
    state = game(BEFORE_RESERVE)
    first = play(state, "3a", 0.0, chance=1)
    assert [event.player for event in first] == [1, 0]
    order = first[1].body["move"]
    for _ in range(2):
        target = state.takeback_target(1)
        state.apply(Event(Kind.TAKEBACK, 1, 1.0, {"to": target}))
    assert state.position.text == BEFORE_RESERVE
    again = play(state, "4b", 2.0, chance=99)
    assert again[1].body["move"] == order


def test_the_reserve_does_not_follow_from_the_deal() -> None:
    orders = {play(game(BEFORE_RESERVE), "3a", 0.0, chance=seed)[1].body["move"] for seed in range(4)}
    assert len(orders) == 4


def test_nobody_deals_the_reserve_but_the_server() -> None:
    state = game(BEFORE_RESERVE)
    state.apply(Event(Kind.MOVE, 1, 0.0, {"move": "3a"}))
    with pytest.raises(Refusal, match="dealt by the server"):
        play(state, "=2a2b2c3b3c3d4d4e", 1.0)


def test_versions_count_events() -> None:
    state = game()
    play(state, "+1", 0.0)
    state.apply(Event(Kind.TAKEBACK, 1, 1.0, {"to": 0}))
    play(state, "+1", 2.0)
    assert state.version == 3
    assert len(state.steps) == 1


def test_a_takeback_asked_for_before_the_other_moved_is_gone_with_that_move() -> None:
    state = game(shared=False)
    play(state, "+1", 0.0, Role.PLAYER_1)
    for event in decide(state, Role.PLAYER_1, "takeback", "key-take", 1.0, Random(1)):
        state.apply(event)
    play(state, "+2", 2.0, Role.PLAYER_2)
    assert state.request is None
