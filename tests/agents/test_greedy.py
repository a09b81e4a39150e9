"""The greedy player: each habit shows in what it takes and where it lays it; it never plays at random."""

from __future__ import annotations

from random import Random

import pytest

from quiltwork import Advance, Phase, Position, QuiltworkError, TakePatch, available_editions
from quiltwork.agents import Limits, agent_of
from quiltwork.agents.levels import load_levels

EARLY = "patchwork 1 0/9/- 0/5/- - 4d8a6e2a"
"""4d: 7 buttons for 4 spaces and income 3; 8a: 5 buttons for 8 spaces and income 1; 6e: 2 buttons, 1 time"""


def taken(spec: str, text: str = EARLY, seed: int = 0) -> str:
    move = agent_of(spec, seed).think(Position.parse(text)).best.move
    return move.patch if isinstance(move, TakePatch) else str(move)


@pytest.mark.parametrize(
    ("habits", "patch"),
    [
        ("size=200", "8a"),
        ("income=200", "4d"),
        ("hurry=200,income=0", "6e"),
        ("thrift=200,size=0,income=0,hurry=0", "+1"),
        ("foresight=0,size=0,income=900", "+1"),
    ],
)
def test_it_takes_what_its_habits_look_at(habits: str, patch: str) -> None:
    assert taken(f"greedy:{habits}") == patch


def test_a_sure_and_tidy_player_is_the_same_with_every_seed() -> None:
    assert len({taken("greedy", seed=seed) for seed in range(20)}) == 1


def test_a_wavering_player_takes_what_is_nearly_as_good_and_never_what_is_far_worse() -> None:
    seen = {taken("greedy:waver=20", seed=seed) for seed in range(60)}
    assert len(seen) > 1
    # An advance of one space at the start is worth far less than any patch here.
    assert "+1" not in seen


def test_an_untidy_player_leaves_more_holes() -> None:
    def empty(spec: str) -> int:
        position, agent = Position.initial("patchwork", deal=3), agent_of(spec, 1)
        while position.phase is not Phase.OVER:
            position = position.play(agent.think(position).best.move)
        return sum(state.empty_spaces for state in position.players)

    assert empty("greedy:untidy=150") > empty("greedy")


@pytest.mark.parametrize("edition", available_editions())
@pytest.mark.parametrize("spec", [o.agent for o in load_levels().all.values() if o.agent.startswith("greedy")])
def test_the_opponents_made_of_habits_play_whole_games(spec: str, edition: str) -> None:
    position, agent, rng = Position.initial(edition, deal=5), agent_of(spec, 1), Random(1)
    advances = moves = 0
    while position.phase is not Phase.OVER:
        if position.phase is Phase.DEAL:
            position = position.play(position.deal(rng))
            continue
        move = agent.think(position, Limits(seconds=0.1)).best.move
        advances, moves = advances + isinstance(move, Advance), moves + 1
        position = position.play(move)
    assert 0 < advances < moves


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("greedy:mood=3", "agent greedy: unknown option 'mood'; there are size, income, foresight, thrift, hurry"),
        ("greedy:waver=much", "agent greedy: waver must be a number, not 'much'"),
        ("greedy:waver=nan", "agent greedy: waver must be a number, not 'nan'"),
        ("greedy:size=99999999999999999999", "agent greedy: size must be a number, not '99999999999999999999'"),
    ],
)
def test_habits_are_checked(spec: str, sentence: str) -> None:
    with pytest.raises(QuiltworkError, match=sentence):
        agent_of(spec)
