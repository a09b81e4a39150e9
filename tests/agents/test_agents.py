"""Every agent answers with legal moves, the same for the same seed, and says what it cannot do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from quiltwork import Advance, Phase, Player, Position, QuiltworkError, TakePatch, available_editions
from quiltwork.agents import Agent, Analysis, Limits, Watch, agent_of, available_agents
from quiltwork.agents.clock import Clock
from quiltwork.agents.net.weights import load_net
from quiltwork.agents.search.agent import SearchAgent
from quiltwork.agents.search.calibration import NET_SHARES, PLAYOUT_SHARES, Correction, calibrated
from quiltwork.agents.search.candidates import LATER
from quiltwork.agents.search.config import NET, SEARCH, SearchConfig
from quiltwork.agents.search.mcts import CHANCE, ROOT_PLACEMENTS, SOLVED
from quiltwork.agents.search.ranking import RootMoves
from quiltwork.agents.search.tree import Tree
from quiltwork.agents.warm import load
from quiltwork.codes import ADVANCE, codes_of

START = "patchwork 1 0/5/- 0/5/- - 5i4e5d6e6c6j5c6h6b4c5f6i5h5a3c5g6g3b3a8a5b4f6a4d6d6f7b4a4g4b5e7a2a"
THINKING = ("greedy", "greedy:waver=40,untidy=60", "search", "net")
FEW = Limits(simulations=60)


def played(spec: str, edition: str, moves: int, seed: int = 1) -> list[Analysis]:
    """The agent's first answers in a game against itself."""
    agent, rng = agent_of(spec, seed), Random(seed)
    found: list[Analysis] = []
    position = Position.initial(edition, deal=7)
    while position.phase is not Phase.OVER and len(found) < moves:
        if position.phase is Phase.DEAL:
            position = position.play(position.deal(rng))
            continue
        found.append(agent.think(position, FEW))
        # Playing checks that the move is legal.
        for ranked in found[-1].moves:
            assert position.why_illegal(ranked.move) is None
        position = position.play(found[-1].best.move)
    return found


@pytest.mark.parametrize("edition", available_editions())
@pytest.mark.parametrize("spec", ["random", *THINKING])
def test_a_whole_game_is_legal(spec: str, edition: str) -> None:
    answers = played(spec, edition, moves=99)
    assert 20 <= len(answers) < 99
    assert all(0 <= ranked.win <= 1 for answer in answers for ranked in answer.moves)


@pytest.mark.parametrize("spec", ["random", *THINKING])
def test_the_same_seed_gives_the_same_answers(spec: str) -> None:
    first, second = played(spec, "express", 12, seed=3), played(spec, "express", 12, seed=3)
    assert first == second


def test_another_seed_gives_another_random_game() -> None:
    moves = [[answer.best.move for answer in played("random", "express", 8, seed)] for seed in (1, 2)]
    assert moves[0] != moves[1]


@pytest.mark.parametrize("spec", ["search", "net"])
@pytest.mark.parametrize("simulations", [1, 5])
def test_fewer_simulations_than_moves_still_give_a_sensible_move(spec: str, simulations: int) -> None:
    position = Position.parse(START)
    assert len(position.legal_moves()) > 100
    best = agent_of(spec, 1).think(position, Limits(simulations=simulations)).best
    # 5d at the start is a gift: 5 spaces, income 1, for 2 buttons; the first legal move would be an advance.
    assert isinstance(best.move, TakePatch)
    assert best.move.patch == "5d"
    assert best.move.placement is not None


@pytest.mark.parametrize(
    ("text", "win"),
    [
        ("patchwork 1 52/40/- 53!/0/- - 2a", 1.0),
        ("patchwork 2 53!/0/- 52/40/- - 2a", 1.0),
        ("patchwork 1 52/0/- 53!/40/- - 2a", 0.0),
        ("patchwork 2 53!/40/- 52/0/- - 2a", 0.0),
    ],
)
@pytest.mark.parametrize("spec", ["search", "net"])
def test_values_are_for_the_mover_whoever_that_is(spec: str, text: str, win: float) -> None:
    answer = agent_of(spec).think(Position.parse(text), FEW)
    assert answer.win == win
    assert answer.turn is Position.parse(text).turn
    assert (answer.points > 0) is (win == 1.0)


def test_placements_that_a_symmetry_makes_equal_are_merged() -> None:
    # On the empty square board a domino has 144 placements; up to the 8 symmetries there are 20.
    start = Position.initial("patchwork", circle=("2a",))
    answer = agent_of("search:root_placements=64,widening=0,placement_temperature=10000,c_puct=9").think(
        start, Limits(simulations=400)
    )
    taken = [ranked.move for ranked in answer.moves if isinstance(ranked.move, TakePatch)]
    assert len([move for move in start.legal_moves() if isinstance(move, TakePatch)]) == 144
    assert len(taken) == 20


def test_what_was_thought_before_is_used_again() -> None:
    agent, position = agent_of("search", 1), Position.parse(START)
    best = agent.think(position, Limits(simulations=2000)).best
    after = position.play(best.line[0]).play(best.line[1])
    fresh = agent_of("search", 1).think(after, Limits(simulations=1))
    known = agent.think(after, Limits(simulations=1))
    assert fresh.simulations == 1
    assert known.simulations > 5


def test_the_root_of_a_tree_that_is_used_again_gets_the_places_of_a_root() -> None:
    agent, position = agent_of("search", 1), Position.parse(START)
    best = agent.think(position, Limits(simulations=2000)).best
    after = position.play(best.line[0]).play(best.line[1])
    fresh = agent_of("search", 1)
    places, others = (_places(each, after) for each in (agent, fresh))
    assert places == others
    assert max(places.values()) == ROOT_PLACEMENTS


def _places(agent: Agent, position: Position) -> Counter[str]:
    """How many placements of each patch the root of the agent's tree has."""
    agent.think(position, FEW)
    assert isinstance(agent, SearchAgent)
    moves = [position.move_of_code(int(code)) for code in agent.trees[0].children()["code"]]
    return Counter(move.patch for move in moves if isinstance(move, TakePatch))


def test_trees_of_several_cores_are_added_up_by_move() -> None:
    agent, position = agent_of("search:cores=2,widening=400", 1), Position.parse(START)
    answer = agent.think(position, Limits(simulations=1200))
    assert isinstance(agent, SearchAgent)
    one, two = agent.trees
    one.simulate(1200)
    # Now the first tree has more placements than the second.
    assert len(one.children()) > len(two.children())
    moves = agent._analysis(answer.turn, 0).moves
    assert {m.move for m in moves} == {
        position.move_of_code(int(child["code"]))
        for tree in (one, two)
        for child in tree.children()
        if child["visits"] > 0
    }
    for ranked in moves:
        code = position.code(ranked.move)
        assert code is not None
        assert ranked.visits == one.visits_of(code) + two.visits_of(code)
        assert ranked.line[0] == ranked.move


def nodes_of(tree: Tree) -> Iterator[int]:
    """The nodes below the root, and the root: a node that widened has left others behind."""
    open_nodes = [0]
    while open_nodes:
        yield (index := open_nodes.pop())
        first = int(tree.nodes[index]["first_child"])
        open_nodes += range(first, first + len(tree.children(index)))


def test_a_position_that_is_visited_often_gets_more_places_and_loses_nothing() -> None:
    position = Position.parse(START)
    codes = codes_of(position.edition)
    found = Tree(position, SearchConfig(placements=4, widening=50), seed=1)
    found.simulate(20_000)
    seen: set[int] = set()
    for index in nodes_of(found):
        node, children = found.nodes[index], found.children(index)
        if index > 0 and len(children) and node["turn"] != CHANCE:
            taken = [(int(code) - 1) // codes.slot for code in children["code"] if 0 < code < codes.special]
            places = max(Counter(taken).values(), default=0)
            # The visit that makes them 50 still finds one place of each patch.
            known = int(node["visits"]) - 1
            assert places <= (1 if known < 50 else 2 if known < 200 else 4)
            assert children["visits"].sum() == known
            seen.add(places)
    assert {1, 2, 4} <= seen


def test_places_are_chosen_for_what_is_tried() -> None:
    position = Position.parse(START)
    found = Tree(position, SearchConfig(widening=2400), seed=1)
    found.simulate(2000)
    used = found.nodes[: found.used]
    assert (found.children()["code"] > LATER).all()
    assert (used["code"][used["visits"] > 0] > LATER).all()
    assert (used["code"][used["visits"] == 0] <= LATER).any()
    # As a root a position has all its places.
    after = position.play(
        position.move_of_code(int(found.children()["code"][found.children()["visits"].argmax()]))
    )
    found.move_to(after)
    assert found.visits > 100
    assert (found.children()["code"] > LATER).all()


def test_the_net_judges_no_position_without_a_choice() -> None:
    # Nothing can be paid for at first: both advance until somebody has buttons.
    position = Position.parse("patchwork 1 0/0/- 0/0/- - 6a6b6c6d")
    own = {}
    for name, net in (("net", load_net()), ("search", None)):
        found = Tree(position, NET, 1, net) if net is not None else Tree(position, SearchConfig(widening=2400), 1)
        found.simulate(300)
        single = [i for i in nodes_of(found) if len(found.children(i)) == 1]
        own[name] = {int(found.nodes[i]["visits"] - found.children(i)["visits"][0]) for i in single if i > 0}
    assert own == {"net": {0}, "search": {1}}


def root_moves(
    position: Position, codes: list[int], visits: tuple[int, ...], values: tuple[float, ...]
) -> RootMoves:
    nothing = np.zeros(len(codes))
    return RootMoves(position, codes, np.array(visits), nothing, np.array(values), nothing, nothing)


def test_a_move_with_few_visits_is_not_chosen_for_its_value() -> None:
    position = Position.initial("patchwork", deal=1)
    codes = [code for move in position.legal_moves()[:2] if (code := position.code(move)) is not None]
    assert root_moves(position, codes, (900, 40), (0.5, 0.9)).order(NET, 0) == [0, 1]


@pytest.mark.parametrize(
    ("lcb", "visits", "values", "best"),
    [
        # by visits: two placements of a patch have more than the advance
        (0.0, (50, 30, 25, 0), (0.9, 0.5, 0.5, 0.0), 1),
        (0.0, (60, 30, 25, 0), (0.1, 0.5, 0.5, 0.0), 0),
        # by value less doubt: the best of enough visits, though others have more
        (1.0, (300, 100, 100, 0), (0.50, 0.54, 0.60, 0.0), 2),
        # a placement that was hardly visited does not speak for its patch
        (1.0, (99, 98, 2, 0), (0.55, 0.50, 0.90, 0.0), 0),
        # the doubt about a patch is that of all its placements
        (1.0, (60, 60, 60, 0), (0.50, 0.50, 0.50, 0.0), 1),
        # what was not visited comes last, whatever it might be worth
        (1.0, (1, 0, 0, 0), (0.0, 0.0, 0.0, 0.0), 0),
    ],
)
def test_what_is_done_is_decided_before_where(
    lcb: float, visits: tuple[int, ...], values: tuple[float, ...], best: int
) -> None:
    start = Position.initial("patchwork", deal=1)
    slot = codes_of(start.edition).slot
    # The advance, two placements of the first patch and one of the second.
    codes = [ADVANCE, 1, 2, 1 + slot]
    order = root_moves(start, codes, visits, values).order(replace(SEARCH, lcb=lcb), 0)
    assert sorted(order) == [0, 1, 2, 3]
    assert order[0] == best


def test_the_penalty_of_waiting_grows_with_the_waits() -> None:
    start = Position.initial("patchwork", deal=1)
    agent = agent_of("net:wait_penalty=0.01,repeated_wait_penalty=0.1,free_waits=1")
    assert isinstance(agent, SearchAgent)
    waiting = start
    waits: list[int] = []
    while len(waits) < 4:
        agent.think(waiting, Limits(simulations=20))
        waits.append(agent.waits.count(waiting))
        # To think about the same position again is not to wait for longer.
        agent.think(waiting, Limits(simulations=20))
        assert agent.waits.count(waiting) == waits[-1]
        agent.waits.add(waiting)
        waiting = waiting.play(next(move for move in waiting.legal_moves() if isinstance(move, Advance)))
        waiting = waiting.play(next(move for move in waiting.legal_moves() if isinstance(move, Advance)))
    assert waits == [0, 1, 2, 3]
    np.testing.assert_allclose([agent.config.penalty(wait) for wait in waits], [0.01, 0.01, 0.11, 0.21])
    taken = waiting.play(next(move for move in waiting.legal_moves() if isinstance(move, TakePatch)))
    agent.think(taken, Limits(simulations=20))
    assert agent.waits.count(taken) == 0


def test_a_player_who_has_waited_searches_what_to_take() -> None:
    start = Position.initial("patchwork", deal=1)
    visits = []
    for waits in (0, 10):
        tree = Tree(start, replace(NET, repeated_wait_penalty=1.0), 1, load_net())
        tree.set_waits(waits)
        tree.simulate(200)
        visits.append(int(tree.children()["visits"][tree.children()["code"] == ADVANCE].sum()))
    assert visits[1] < visits[0]


def test_two_cores_grow_two_trees_and_agree_on_the_number() -> None:
    answer = agent_of("search:cores=2", 1).think(Position.parse(START), Limits(simulations=400))
    assert answer.simulations == 400
    assert sum(ranked.visits for ranked in answer.moves) == 400


def test_a_limit_in_seconds_is_kept() -> None:
    import time

    agent, position = agent_of("search", 1), Position.parse(START)
    agent.think(position, Limits(simulations=10))
    before = time.monotonic()
    agent.think(position, Limits(seconds=0.1))
    # Telling the answer is a part of the limit, so growing ends a little earlier.
    assert 0.09 <= time.monotonic() - before < 2.0


@pytest.mark.parametrize("spec", ["search", "net"])
def test_a_limit_by_the_processor_is_kept_in_a_whole_game(spec: str) -> None:
    load(spec)
    limits, spent = Limits(seconds=0.05, clock=Clock.PROCESSOR), []
    agent, rng = agent_of(spec, 1), Random(1)
    position = Position.initial("express", deal=7)
    while position.phase is not Phase.OVER:
        if position.phase is Phase.DEAL:
            position = position.play(position.deal(rng))
            continue
        before = Clock.PROCESSOR.now()
        best = agent.think(position, limits).best
        spent.append(Clock.PROCESSOR.now() - before)
        position = position.play(best.move)
    # The exact endgame counts too. A single move may meet a collection of garbage.
    assert sorted(spent)[-2] < 0.06
    assert sum(spent) / len(spent) > 0.02


def test_a_stop_gives_the_best_so_far_and_reports_are_partial() -> None:
    agent, position = agent_of("search", 1), Position.parse(START)
    seen: list[Analysis] = []

    def report(analysis: Analysis) -> None:
        seen.append(analysis)
        if len(seen) == 2:
            watch.stop()

    watch = Watch(report, every=0.0)
    answer = agent.think(position, Limits(seconds=60), watch)
    assert [analysis.partial for analysis in seen] == [True, True]
    assert not answer.partial
    assert answer.simulations == seen[1].simulations
    assert answer.best.move in position.legal_moves()


@pytest.mark.parametrize("spec", available_agents())
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("patchwork - 53!/7/- 53/0/- - 2a", "the game is over: there is no move to choose"),
        ("toy-reserve", "the reserve is to be dealt: no player has a move to choose"),
    ],
)
def test_a_position_without_a_mover_is_refused(spec: str, text: str, sentence: str) -> None:
    if text == "toy-reserve":
        position = Position.initial("express", deal=1)
        while position.phase is not Phase.DEAL:
            moves = position.legal_moves()
            position = position.play(moves[-1] if position.phase is Phase.TURN else moves[0])
    else:
        position = Position.parse(text)
    with pytest.raises(QuiltworkError, match=sentence):
        agent_of(spec).think(position, FEW)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("nobody", "unknown; there are random, greedy, search, net"),
        ("random:x=1", "takes no options"),
        ("search:cores=0", "cores must be from 1 to 64, not 0"),
        ("search:cores=two", "cores must be a number, not 'two'"),
        ("net:shortlist=0", "shortlist must be above 0, not 0"),
        ("search:placement_temperature=0", "placement_temperature must be above 0, not 0.0"),
        ("search:depth=3", "unknown option 'depth'"),
        ("search:", None),
        ("search:cores", "expected options as key=value"),
        ("cmd:", "expected a program after the colon"),
        ("cmd:'", "the command cannot be read"),
    ],
)
def test_specs_are_checked(spec: str, sentence: str | None) -> None:
    if sentence is None:
        assert agent_of(spec).name == "search"
        return
    with pytest.raises(QuiltworkError, match=sentence):
        agent_of(spec)


@pytest.mark.parametrize(
    "limits", [{"seconds": -1.0}, {"seconds": float("nan")}, {"simulations": -1}, {"seconds": float("inf")}]
)
def test_limits_are_checked(limits: dict[str, float]) -> None:
    with pytest.raises(QuiltworkError, match="must be from 0 to"):
        Limits(**limits)  # type: ignore[arg-type]


def test_the_winner_of_a_tie_is_who_arrived_first() -> None:
    # Both end with equal points: player 2 is on the last space already.
    answer = agent_of("search").think(Position.parse("patchwork 1 52/0/- 53!/1/- - 2a"), FEW)
    assert answer.exact
    assert (answer.win, answer.points) == (0.0, 0.0)
    assert answer.turn is Player.ONE


LATE = "patchwork 1 38/6/4f@e4fr2,5a@a1,5b@a2,6c@a8r2,6e@d1f,6g@f3,6i@g1,7b@b3r1,8a@b5r1 39/7/2a@e5r1,4a@b1,4c@a3f,5c@b7f,5d@e1r3,6a@c3r1,6d@a5fr3,6h@a1 - 5i5g7a6f4d3a4e4g3c6b4b6j5h5f3b5e"


def means(tree: Tree, numbers: Any) -> tuple[Any, Any]:
    """Win shares and points of some nodes, for player 1."""
    nodes = tree.nodes[numbers]
    return nodes["win"] / nodes["visits"], nodes["points"] / nodes["visits"]


def test_positions_near_the_end_are_solved_in_the_tree_and_exact_there() -> None:
    position = Position.parse(LATE)
    tree = Tree(position, NET, 1, load_net())
    tree.simulate(3000)
    solved = np.flatnonzero(tree.nodes["turn"][: tree.used] == SOLVED)
    assert len(solved) > 5
    # Its values never change again: every visit counts the same.
    wins, points = means(tree, solved)
    assert set(wins) <= {0.0, 1.0}
    assert list(points) == [round(point) for point in points]
    tree.simulate(1000)
    np.testing.assert_allclose(means(tree, solved), (wins, points))


def test_the_sums_of_a_node_are_those_of_its_children_after_solving() -> None:
    tree = Tree(Position.parse(LATE), NET, 1, load_net())
    tree.simulate(3000)
    root, children = tree.nodes[0], tree.children()
    own = root["visits"] - children["visits"].sum()
    # What is left over are the evaluations of the root itself: shares from 0 to 1.
    assert own >= 0
    assert -1e-6 <= root["win"] - children["win"].sum() <= own + 1e-6


def test_the_last_simulations_go_to_the_best_place_of_a_special_patch() -> None:
    position = Position.parse(
        "patchwork 1s 26/6/3c@a1,4b@a8,4d@a2r1,6g@b1r1,7b@a5 22/10/4c@e1fr1,5e@a1,8a@b2 - 3b6i5b6j4f5g6f4e6c4a5d6e6a"
    )
    answer = agent_of("net").think(position, Limits(simulations=800))
    assert answer.best.visits >= 400
    assert answer.simulations == 800


@pytest.mark.parametrize("table", [NET_SHARES, PLAYOUT_SHARES])
def test_told_shares_grow_with_the_mean_and_leave_exact_values_alone(table: tuple[Correction, ...]) -> None:
    for visits in (0, 1, 40, 700, 5_000, 10**6):
        shares = [calibrated(win, visits, table) for win in (0.0, 0.01, 0.2, 0.5, 0.8, 0.99, 1.0)]
        assert shares == sorted(shares)
        assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert calibrated(0.3, 10**6, table) == pytest.approx(0.3)
    assert calibrated(0.3, 400, table) < 0.3
