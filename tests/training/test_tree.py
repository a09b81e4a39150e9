"""The search that a net guides, with a stand-in for the net that knows nothing."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from quiltwork import Position
from quiltwork.agents.agent import Limits
from quiltwork.agents.net import inputs, tree
from quiltwork.agents.net.agent import NetAgent
from quiltwork.agents.net.model import Answers, unpacked
from quiltwork.agents.net.root import halving_schedule
from quiltwork.setup import Phase

EDITIONS = ("patchwork", "express")


class Ignorance:
    """A net that finds all legal moves equally likely and every game even."""

    def answers(self, words: Any, numbers: Any) -> Answers:
        views = unpacked(words, numbers)
        rows, options = len(words), views["options"]
        places = views["planes"][:, inputs.PLACES : inputs.OWN_COVER].reshape(rows, -1)
        legal = np.concatenate([places, options[:, :1], options[:, 4:7], options[:, 7:8]], 1) > 0
        scores = np.where(legal, -np.log(legal.sum(1, keepdims=True)), -30_000).astype(np.float32)
        moves = np.argsort(-scores, axis=1, kind="stable")[:, : tree.CHILDREN].astype(np.int32)
        outcome = np.tile(np.array([0.5, 0.0], np.float32), (rows, 1))
        return Answers(moves, np.take_along_axis(scores, moves, 1), outcome, np.zeros((rows, 2, 9, 9), np.float32))


class Doubt(Ignorance):
    """A net that would advance every second time, and otherwise has no preference."""

    def answers(self, words: Any, numbers: Any) -> Answers:
        known = super().answers(words, numbers)
        moves, scores = known.moves.copy(), np.full(known.scores.shape, np.log(0.5 / 20), np.float32)
        scores[:, 21:] = -30_000
        moves[:, 0], scores[:, 0] = inputs.ADVANCE_MOVE, np.log(0.5)
        return Answers(moves, scores, known.outcome, known.quilts)


def ignorant(exact: bool = False) -> NetAgent:
    return NetAgent("net", Ignorance(), seed=1, exact=exact)  # type: ignore[arg-type]


def test_sequential_halving_tries_all_then_the_better_half() -> None:
    assert halving_schedule(4, 12) == [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert halving_schedule(1, 3) == [0, 1, 2]
    assert len(halving_schedule(16, 400)) == 400


def test_wins_count_more_than_points() -> None:
    assert tree.utility_of(1.0, 0.0) == pytest.approx(0.75)
    assert tree.utility_of(1.0, 1.0) > tree.utility_of(1.0, 0.0) > tree.utility_of(0.0, 60.0)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_is_played_to_its_end_with_legal_moves(edition: str) -> None:
    rng, agent = Random(1), ignorant()
    position = Position.initial(edition, deal=1)
    while position.phase is not Phase.OVER:
        if position.phase is Phase.DEAL:
            position = position.play(position.deal(rng))
            continue
        analysis = agent.think(position, Limits(simulations=6))
        assert all(position.why_illegal(ranked.move) is None for ranked in analysis.moves)
        position = position.play(analysis.best.move)
    assert position.outcome() is not None


def test_the_same_seed_gives_the_same_analysis() -> None:
    position = Position.initial("patchwork", deal=2)
    limits = Limits(simulations=24)
    assert ignorant().think(position, limits) == ignorant().think(position, limits)


def test_all_simulations_are_counted_at_the_moves_of_the_root() -> None:
    analysis = ignorant().think(Position.initial("patchwork", deal=2), Limits(simulations=24))
    assert analysis.simulations == 24
    assert sum(ranked.visits for ranked in analysis.moves) == 24


def test_a_line_of_play_is_legal() -> None:
    position = Position.initial("patchwork", deal=5)
    for move in ignorant().think(position, Limits(simulations=40)).best.line:
        assert position.why_illegal(move) is None
        position = position.play(move)


def test_near_the_end_the_answer_is_exact() -> None:
    rng = Random(3)
    position = Position.initial("patchwork", deal=3)
    while sum(player.space for player in position.players) < 104:
        position = position.play(rng.choice(position.legal_moves()))
    assert position.phase is not Phase.OVER
    assert ignorant(exact=True).think(position, Limits(simulations=8)).exact


def grown(simulations: int) -> Any:
    """The nodes of a tree, its first position one in which a patch can be taken."""
    agent = NetAgent("net", Doubt(), seed=1, exact=False, playouts=0)  # type: ignore[arg-type]
    agent.think(Position.initial("patchwork", deal=4), Limits(simulations=simulations))
    return agent.nodes


def test_what_is_done_has_the_sums_of_its_placements() -> None:
    nodes = grown(200)
    seen = 0
    for node in nodes:
        if int(node["state"]) != tree.OPEN or int(node["visits"]) < 3:
            continue
        seen += 1
        count = int(node["children"])
        for what in range(tree.WHATS):
            same = [i for i in range(count) if int(node["what"][i]) == what]
            below = [nodes[int(node["child"][i])] for i in same if int(node["child"][i]) >= 0]
            assert int(node["what_visits"][what]) == sum(int(child["visits"]) for child in below)
            assert int(node["what_pending"][what]) == 0
            assert float(node["what_utility"][what]) == pytest.approx(
                sum(float(child["utility"]) for child in below), abs=1e-3
            )
            assert float(node["what_prior"][what]) == pytest.approx(sum(float(node["prior"][i]) for i in same))
    assert seen > 5


def test_below_the_root_one_advance_is_not_drowned_by_many_placements() -> None:
    nodes = grown(1)
    root = nodes[0]
    advance = tree.what_of_move(inputs.ADVANCE_MOVE)
    assert float(root["what_prior"][advance]) == pytest.approx(0.5)
    # All values alike: what is tried follows what is likely, however many placements share it.
    tried = 0
    for _ in range(100):
        edge = int(tree.choose_below(nodes, 0))
        what = int(root["what"][edge])
        root["what_pending"][what] += 1
        root["pending"] += 1
        tried += what == advance
        if int(root["child"][edge]) == -1:
            root["child"][edge] = 0
    assert tried == pytest.approx(50, abs=5)


def test_leaning_moves_what_and_leaves_where() -> None:
    nodes = grown(1)
    root = nodes[0]
    before = root["prior"].copy()
    shares = np.zeros(tree.WHATS, np.float32)
    shares[0] = 0.25
    shares[tree.what_of_move(inputs.ADVANCE_MOVE)] = 0.75
    tree.lean(nodes, 0, shares, 1.0)
    assert root["what_prior"] == pytest.approx(shares)
    first = [i for i in range(int(root["children"])) if int(root["what"][i]) == 0]
    assert root["prior"][first].sum() == pytest.approx(0.25)
    assert root["prior"][first] / root["prior"][first].sum() == pytest.approx(before[first] / before[first].sum())
