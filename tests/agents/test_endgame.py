"""The exact endgame equals brute force with the oracle, and says when it gives up."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import oracle
import toys
from quiltwork import Position
from quiltwork.agents import Watch
from quiltwork.agents.endgame import alpha_beta as engine
from quiltwork.agents.endgame.solver import Endgame
from toys import Switches

WITHOUT_RESERVE = [switches for switches in toys.every_combination() if not switches.reserve]


def brute_force(state: oracle.State) -> tuple[int, int]:
    """The lead of player 1 and the winner (0 or 1) under best play: the win first, then points."""

    @cache
    def value(text: str) -> tuple[int, int]:
        here = oracle.parse(text)
        if here.mover is None:
            lead = oracle.score(here, 0) - oracle.score(here, 1)
            winner = oracle.winner(here)
            assert winner is not None
            return lead, winner
        results = [value(oracle.text(oracle.play(here, move))) for move in oracle.legal_moves(here)]
        # Equal points are won or lost by who arrived first: of equal leads that comes last.
        key = (lambda result: (result[0], -result[1])) if here.mover == 0 else (lambda r: (-r[0], r[1]))
        return max(results, key=key)

    return value(oracle.text(state))


@pytest.mark.parametrize("switches", WITHOUT_RESERVE[::3], ids=str)
def test_toy_games_are_solved_from_the_start_as_by_brute_force(switches: Switches, tmp_path: Path) -> None:
    edition = toys.write(switches, tmp_path)
    text = toys.initial_text(switches, edition)
    lead, winner = brute_force(oracle.parse(text))
    analysis = Endgame().solve(Position.parse(text), nodes=1_000_000)
    assert analysis is not None
    assert analysis.exact
    assert analysis.points == lead
    assert analysis.win == (1.0 if winner == 0 else 0.0)


def test_a_line_of_best_play_reaches_the_value(tmp_path: Path) -> None:
    switches = Switches(tile=True)
    position = Position.parse(toys.initial_text(switches, toys.write(switches, tmp_path)))
    analysis = Endgame().solve(position, nodes=1_000_000)
    assert analysis is not None
    for move in analysis.best.line:
        position = position.play(move)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.scores[0].total - outcome.scores[1].total == analysis.points


REAL = (Path(__file__).parent / "endgames.txt").read_text(encoding="utf-8").splitlines()


def test_nearly_all_real_endgames_are_solved() -> None:
    # The file holds 200 positions from games with both tokens at most 6 spaces from the end.
    solved = [Endgame().solve(Position.parse(text), nodes=300_000) for text in REAL[::10]]
    assert len(solved) == 20
    assert sum(analysis is not None for analysis in solved) >= 17


@pytest.mark.parametrize("text", REAL[3::50])
def test_a_search_that_halts_often_finds_the_same(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Endgame().solve(Position.parse(text), nodes=300_000)
    monkeypatch.setattr(engine, "SLICE", 7)
    halting = Endgame().solve(Position.parse(text), nodes=300_000)
    assert whole is not None
    assert whole.simulations > 7
    assert halting == whole


def test_too_few_nodes_are_admitted() -> None:
    assert Endgame().solve(Position.parse(REAL[0]), nodes=1) is None


def test_a_stop_or_the_end_of_its_time_ends_it() -> None:
    hard = Position.initial("patchwork", deal=1)
    watch = Watch()
    watch.stop()
    assert Endgame().solve(hard, nodes=10**12, watch=watch) is None
    assert Endgame().solve(hard, nodes=10**12, seconds=0.05) is None


def test_the_reserve_ahead_is_admitted() -> None:
    start = Position.initial("express", deal=1)
    assert Endgame().solve(start, nodes=100_000) is None
