"""Set-ups that play seldom reaches are the same to the library and the oracle, and so is what follows."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings

import oracle
from lockstep import same
from oracle import State
from quiltwork import Position
from setups import can_only_advance, held_patches, pending_special_patches, tables

settings.register_profile(
    "proof",
    derandomize=True,
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
proof = settings.get_profile("proof")
MOST = 30


def assert_alike_with_successors(state: State) -> None:
    """The same position, moves and scores, and the same again after each of some moves."""
    position = Position.parse(oracle.text(state))
    moves = same(position, state)
    if state.reserve_is_to_be_dealt:
        deal = "=" + "".join(sorted(state.reserve, reverse=True))
        moves = {deal: position.move(deal)}
    for text in Random(0).sample(sorted(moves), min(MOST, len(moves))):
        after = position.play(moves[text])
        same(after, oracle.play(state, text))


@proof
@given(tables())
def test_any_table(state: State) -> None:
    assert_alike_with_successors(state)


@proof
@given(tables(nearly_full=True))
def test_nearly_full_quilts(state: State) -> None:
    assert_alike_with_successors(state)


@proof
@given(tables(most_patches=2))
def test_fewer_than_three_patches(state: State) -> None:
    assert_alike_with_successors(state)


@proof
@given(tables(most_patches=0))
def test_an_empty_circle(state: State) -> None:
    assert can_only_advance(state)
    assert_alike_with_successors(state)


@proof
@given(tables())
def test_nothing_affordable(state: State) -> None:
    poor = tuple(replace(seat, buttons=0) for seat in state.seats)
    state = replace(state, seats=(poor[0], poor[1]))
    assume(can_only_advance(state))
    assert_alike_with_successors(state)


@proof
@given(tables())
def test_one_player_at_the_last_space(state: State) -> None:
    assert state.mover is not None
    there = replace(state.seats[1 - state.mover], space=state.edition.last_space, reached_last_space_first=True)
    here = state.seats[state.mover]
    state = replace(state, seats=(here, there) if state.mover == 0 else (there, here))
    assert_alike_with_successors(state)


@proof
@given(pending_special_patches())
def test_several_special_patches_pending(state: State) -> None:
    assert_alike_with_successors(state)


@proof
@given(pending_special_patches(empty=0))
def test_special_patches_pending_with_a_full_quilt(state: State) -> None:
    assert oracle.legal_moves(state) == ["s@-"]
    assert_alike_with_successors(state)


@proof
@given(held_patches())
def test_a_patch_held_before_and_after_the_deal(state: State) -> None:
    assert_alike_with_successors(state)


@pytest.mark.parametrize("first", [0, 1])
@proof
@given(state=tables())
def test_finished_games(first: int, state: State) -> None:
    last = state.edition.last_space
    seats = [replace(seat, space=last, reached_last_space_first=i == first) for i, seat in enumerate(state.seats)]
    assert_alike_with_successors(replace(state, mover=None, seats=(seats[0], seats[1])))
