"""The OpenSpiel game, with OpenSpiel's own tests.

The playthrough is written anew with `python -m tests.envs.test_openspiel`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quiltwork import Phase, Player, available_editions, circle_of_deal, load_edition

pyspiel = pytest.importorskip("pyspiel", reason="the OpenSpiel game needs the extra 'openspiel'")

from open_spiel.python.algorithms import generate_playthrough, mcts  # noqa: E402

import quiltwork.envs.openspiel  # noqa: E402
from quiltwork.errors import QuiltworkError  # noqa: E402

PLAYTHROUGH = Path(__file__).parent / "playthroughs" / "express.txt"
GAME = "quiltwork(edition=express)"


def told_anew() -> str:
    text: str = generate_playthrough.playthrough(GAME, None, seed=20260101)
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


@pytest.mark.parametrize("edition", available_editions())
def test_openspiels_own_random_simulation(edition: str) -> None:
    game = pyspiel.load_game(f"quiltwork(edition={edition},deal=1)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_openspiels_own_random_simulation_with_serialisation_and_a_dealt_circle() -> None:
    pyspiel.random_sim_test(pyspiel.load_game(GAME), num_sims=2, serialize=True, verbose=False)


def test_the_playthrough_is_told_as_before() -> None:
    assert told_anew() == PLAYTHROUGH.read_text(encoding="utf-8")


def test_the_circle_is_dealt_patch_by_patch() -> None:
    state = pyspiel.load_game(GAME).new_initial_state()
    edition = load_edition("express")
    wanted = circle_of_deal(edition, 5)
    for dealt, code in enumerate(wanted[:-2]):
        assert state.is_chance_node()
        outcomes = state.chance_outcomes()
        assert len(outcomes) == len(wanted) - 1 - dealt
        assert sum(chance for _, chance in outcomes) == pytest.approx(1)
        state.apply_action(edition.numbers[code])
    assert not state.is_chance_node()
    same = pyspiel.load_game("quiltwork(edition=express,deal=5)").new_initial_state()
    assert str(state) == str(same)


def test_the_reserve_is_dealt_by_chance_and_nobody_sees_its_order_before() -> None:
    rng = np.random.default_rng(1)
    state = pyspiel.load_game("quiltwork(edition=express,deal=2)").new_initial_state()
    while not state.is_chance_node():
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert state.position.phase == Phase.DEAL
    reserve = [patch.code for patch in state.position.reserve]
    codes = state.position.edition.codes
    order: list[str] = []
    while state.is_chance_node():
        assert sorted(codes[patch] for patch, _ in state.chance_outcomes()) == sorted(set(reserve) - set(order))
        order.append(codes[int(rng.choice([patch for patch, _ in state.chance_outcomes()]))])
        state.apply_action(state.position.edition.numbers[order[-1]])
    last = set(reserve) - set(order)
    assert [patch.code for patch in state.position.circle][-8:] == [*order, *last]
    assert state.position.phase == Phase.LAY


def test_actions_and_returns_are_those_of_the_position() -> None:
    rng = np.random.default_rng(7)
    state = pyspiel.load_game("quiltwork(edition=patchwork,deal=7,reward=points)").new_initial_state()
    while not state.is_terminal():
        position = state.position
        actions = state.legal_actions()
        assert [state.action_to_string(action) for action in actions] == [str(m) for m in position.legal_moves()]
        assert state.current_player() == position.turn - 1
        assert state.returns() == [0, 0]
        copy = state.clone()
        state.apply_action(int(rng.choice(actions)))
        assert str(copy) == position.text
    one, two = (state.position.score(player).total for player in Player)
    assert state.returns() == [one - two, two - one]


def test_openspiels_mcts_plays_the_game_and_beats_random() -> None:
    game = pyspiel.load_game("quiltwork(edition=express,deal=3,reward=points)")
    rng: Any = np.random.RandomState(5)
    bot = mcts.MCTSBot(game, 20.0, 30, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    leads = []
    for seat in (0, 1):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(int(rng.choice([patch for patch, _ in state.chance_outcomes()])))
            elif state.current_player() == seat:
                state.apply_action(bot.step(state))
            else:
                state.apply_action(int(rng.choice(state.legal_actions())))
        leads.append(state.returns()[seat])
    assert sum(leads) > 0


def test_wrong_parameters_say_what_was_expected() -> None:
    with pytest.raises((QuiltworkError, ValueError), match="unknown; built in are"):
        quiltwork.envs.openspiel.QuiltworkGame({"edition": "chess"})
    with pytest.raises(ValueError, match="reward: expected one of win, points, found 'gold'"):
        quiltwork.envs.openspiel.QuiltworkGame({"reward": "gold"})


if __name__ == "__main__":
    PLAYTHROUGH.write_text(told_anew(), encoding="utf-8")
