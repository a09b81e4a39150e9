"""Thousands of games as one array."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from quiltwork import IllegalMove, Phase, Player, Position, QuiltworkError, available_editions, load_edition
from quiltwork.envs import (
    BatchedGames,
    Observation,
    OnIllegal,
    action_of,
    notation_of,
    observation_layout,
    opponent_of,
)
from quiltwork.envs.one_game import OneGame


@pytest.mark.parametrize("edition", available_editions())
def test_a_batch_plays_in_lockstep_with_positions(edition: str) -> None:
    games = BatchedGames(edition, 8, seed=3, threads=1)
    positions = [Position.initial(edition, deal=int(deal)) for deal in games.deals]
    finished = 0
    while finished < 8:
        mask = games.legal_mask()
        seen = games.observe()
        actions = games.sample_actions()
        for game, position in enumerate(positions):
            assert games.position(game).text == position.text
            legal = sorted(code for move in position.legal_moves() if (code := position.code(move)) is not None)
            assert np.flatnonzero(mask[game]).tolist() == legal
            assert mask[game, actions[game]]
            assert Player(games.turn[game] + 1) is position.turn
            assert seen.scalars[game, games.layout.scalar("to_move")] == 1
        result = games.step(actions)
        for game, position in enumerate(positions):
            after = position.play(position.move_of_code(int(actions[game])))
            if after.phase is Phase.DEAL:
                # Chance is drawn by the game's own source: take over what it dealt.
                after = games.position(game)
                assert sorted(patch.code for patch in after.circle) == sorted(
                    [*(patch.code for patch in position.circle if patch is not after.held)]
                    + [patch.code for patch in position.reserve]
                )
            outcome = after.outcome()
            assert bool(result.done[game]) == (outcome is not None)
            if outcome is None:
                assert result.rewards[game].tolist() == [0, 0]
                positions[game] = after
            else:
                finished += 1
                sign = 1 if outcome.winner is Player.ONE else -1
                assert result.rewards[game].tolist() == [sign, -sign]
                assert result.scores[game].tolist() == [score.total for score in outcome.scores]
                positions[game] = Position.initial(edition, deal=int(games.deals[game]))


def test_points_pay_the_lead() -> None:
    games = BatchedGames("express", 64, reward="points")
    ends = 0
    for _ in range(60):
        result = games.step(games.sample_actions())
        ends += int(result.done.sum())
        lead = result.scores[:, 0] - result.scores[:, 1]
        assert (result.rewards[:, 0] == np.where(result.done, lead, 0)).all()
        assert (result.rewards[:, 1] == -result.rewards[:, 0]).all()
    assert ends >= 64


def played(games: BatchedGames, plies: int = 40) -> list[str]:
    for _ in range(plies):
        games.step(games.sample_actions())
    return [games.position(game).text for game in range(games.count)]


def test_a_game_depends_on_its_seed_alone() -> None:
    alone = played(BatchedGames("express", 200, seed=11, threads=1))
    assert played(BatchedGames("express", 200, seed=11, threads=3)) == alone
    assert played(BatchedGames("express", 130, seed=11, threads=2)) == alone[:130]
    assert played(BatchedGames("express", 200, seed=12, threads=1)) != alone


def test_seeds_can_be_given_game_by_game() -> None:
    games = BatchedGames("express", 3)
    games.reset(np.array([5, 6, 5], np.uint64))
    assert games.deals[0] == games.deals[2] != games.deals[1]
    before = games.deals.copy()
    games.reset(np.array([9, 6, 9], np.uint64), where=np.array([True, False, False]))
    assert (games.deals == before).tolist() == [False, True, True]


def test_one_game_is_a_batch_of_one() -> None:
    game, games = OneGame("express", seed=4), BatchedGames("express", 1, seed=4, auto_reset=False)
    assert game.deal == games.deals[0]
    while not game.over:
        action = int(games.sample_actions()[0])
        look, seen = game.look(game.turn), games.observe()
        assert (look.planes == seen.planes[0]).all()
        assert (look.scalars == seen.scalars[0]).all()
        assert (look.mask == games.legal_mask()[0]).all()
        assert game.look(1 - game.turn).mask.sum() == 0
        games.step(np.array([action]))
        game._source["state"] = games._sources["state"]  # the batch's own draws came between
        if games.positions["held"][0] >= 0:
            return
        game.play(action)
        assert game.position.text == games.position(0).text


def test_random_play_ends_as_many_games_as_it_says() -> None:
    games = BatchedGames("patchwork", 100, threads=1)
    ended = games.play_at_random(300)
    # A random game has about 42.8 plies.
    assert 600 < ended < 800


def test_without_auto_reset_a_finished_game_stays() -> None:
    games = BatchedGames("express", 4, auto_reset=False)
    while not games.over.all():
        result = games.step(games.sample_actions())
    last = [games.position(game).text for game in range(4)]
    again = games.step(np.full(4, 999))
    assert again.done.all()
    assert (again.rewards == result.rewards).all() or again.rewards.any()
    assert [games.position(game).text for game in range(4)] == last
    games.reset(where=np.array([True, False, False, False]))
    assert games.over.tolist() == [False, True, True, True]


# Illegal actions


def test_an_illegal_action_raises_and_no_game_has_moved() -> None:
    games = BatchedGames("patchwork", 3)
    before = [games.position(game).text for game in range(3)]
    with pytest.raises(IllegalMove, match=r"^game 1: action 2026: "):
        games.step(np.array([0, 2026, 0]))
    with pytest.raises(IllegalMove, match=r"^game 2: action 5000: patchwork has the actions 0 to 2026$"):
        games.step(np.array([0, 0, 5000]))
    assert [games.position(game).text for game in range(3)] == before


def test_a_masked_action_is_counted_and_a_legal_one_played() -> None:
    games = BatchedGames("patchwork", 3, on_illegal=OnIllegal.MASK)
    before = [games.position(game) for game in range(3)]
    result = games.step(np.array([0, 2026, -7]))
    assert games.mistakes.tolist() == [0, 1, 1]
    assert not result.done.any()
    for game, position in enumerate(before):
        assert games.position(game).text in {position.play(move).text for move in position.legal_moves()}


# Wrong shapes and types


@pytest.mark.parametrize(
    ("actions", "error", "sentence"),
    [
        (np.zeros(3, np.int64), ValueError, r"actions: expected shape \(4,\), found \(3,\)"),
        (np.zeros((4, 1), np.int64), ValueError, r"actions: expected shape \(4,\), found \(4, 1\)"),
        (np.zeros(4), TypeError, "actions: expected dtype integer, found float64"),
        ([0, 0, 0], ValueError, r"actions: expected shape \(4,\), found \(3,\)"),
    ],
)
def test_wrong_actions_say_what_was_expected(actions: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        BatchedGames("express", 4).step(actions)


def test_wrong_buffers_say_what_was_expected() -> None:
    games = BatchedGames("express", 4)
    with pytest.raises(ValueError, match=r"out: expected shape \(4, 1230\), found \(4, 5\)"):
        games.legal_mask(np.zeros((4, 5), np.bool_))
    with pytest.raises(TypeError, match="out: expected dtype bool, found float64"):
        games.legal_mask(np.zeros((4, 1230)))
    with pytest.raises(ValueError, match="out: expected a contiguous, writeable array"):
        games.legal_mask(np.zeros((1230, 4), np.bool_).T)
    with pytest.raises(TypeError, match="out: expected dtype uint8, found float32"):
        games.observe(Observation(np.zeros((4, 10, 7, 7), np.float32), np.zeros((4, 146), np.float32)))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"games": 0}, "games: expected at least 1, found 0"),
        ({"threads": 0}, "threads: expected at least 1, found 0"),
        ({"reward": "gold"}, "reward: expected one of win, points, found 'gold'"),
    ],
)
def test_wrong_options_say_what_was_expected(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        BatchedGames("express", **options)


def test_a_game_that_there_is_not_says_so() -> None:
    with pytest.raises(IndexError, match="game 4: the batch has the games 0 to 3"):
        BatchedGames("express", 4).position(4)


def test_buffers_are_filled_and_returned() -> None:
    games = BatchedGames("express", 4)
    mask = np.ones((4, 1230), np.bool_)
    assert games.legal_mask(mask) is mask
    assert (mask == games.legal_mask()).all()
    assert not mask.all()


def test_actions_and_notation_agree_with_the_batch() -> None:
    games = BatchedGames("express", 2, seed=8)
    position = games.position(0)
    text = notation_of(position, int(games.sample_actions()[0]))
    games.step(np.array([action_of(position, text), 0]))
    assert games.position(0).text == position.play(position.move(text)).text


COPIES: dict[str, Callable[[BatchedGames], BatchedGames]] = {
    "clone": BatchedGames.clone,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda games: pickle.loads(pickle.dumps(games)),
}


@pytest.mark.parametrize("way", COPIES)
def test_a_copy_plays_on_by_itself_and_alike(way: str) -> None:
    games = BatchedGames("express", 4096, seed=5, on_illegal="mask", threads=2)
    games.play_at_random(20)
    before = games.positions.copy()
    copied = COPIES[way](games)
    copied.play_at_random(30)
    assert (games.positions == before).all()
    games.play_at_random(30)
    assert (copied.positions == games.positions).all()
    assert (copied.deals == games.deals).all()


def test_some_games_are_copied_by_number() -> None:
    games = BatchedGames("express", 10, seed=5)
    some = games.clone([7, 2])
    assert [some.position(0), some.position(1)] == [games.position(7), games.position(2)]
    with pytest.raises(IndexError, match="games: expected numbers from 0 to 9"):
        games.clone([10])


def test_a_batch_goes_on_from_positions() -> None:
    late = Position.parse("patchwork 1 52/1/- 53!/0/- - 2a")
    games = BatchedGames.from_positions([late, Position.initial(deal=3)], auto_reset=False)
    assert games.step([0, 0]).done.tolist() == [True, False]
    games.put([0], [late])
    assert games.position(0) == late
    with pytest.raises(QuiltworkError, match="game 1: expected a position of patchwork, found one of express"):
        games.put([1], [Position.initial("express")])
    with pytest.raises(QuiltworkError, match="game 0: the reserve of this position is still to be dealt"):
        BatchedGames.from_positions([_waits_for_the_deal()])
    with pytest.raises(QuiltworkError, match="positions: expected at least one"):
        BatchedGames.from_positions([])


def test_one_position_can_be_put_and_a_text_is_none() -> None:
    games = BatchedGames("express", 2)
    end = Position.parse("express - 29/9/- 29!/6/- - -")
    games.put(1, end)
    assert games.over.tolist() == [False, True]
    with pytest.raises(TypeError, match=r"expected positions, found 'express .*; Position.parse reads a text"):
        games.put([0], [end.text])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="expected positions, found"):
        BatchedGames.from_positions([end.text])  # type: ignore[list-item]


def test_saved_games_are_restored_with_their_chance() -> None:
    games = BatchedGames("express", 100, seed=5)
    games.play_at_random(15)
    saved = pickle.loads(pickle.dumps(games.save()))
    games.play_at_random(60)
    once = games.positions.copy()
    games.restore(saved)
    assert (games.positions == saved.positions).all()
    games.play_at_random(60)
    assert (games.positions == once).all()
    games.restore(saved, where=np.arange(100) == 7)
    assert games.positions[7] == saved.positions[7]
    assert games.positions[8] == once[8]
    with pytest.raises(QuiltworkError, match="saved games: expected patchwork, found express"):
        BatchedGames("patchwork", 100).restore(saved)
    with pytest.raises(ValueError, match="saved games: expected 3 games, found 100"):
        BatchedGames("express", 3).restore(saved)


def test_a_copy_with_new_sources_deals_something_else() -> None:
    games = BatchedGames("express", 100, seed=5, auto_reset=False)
    copied = games.clone()
    copied.reseed(6)
    assert (copied.positions == games.positions).all()
    dealt = set()
    for batch in (games, copied):
        while (waiting := ~batch.over).any():
            # The last legal action takes a patch where one can, so that the reserve comes in.
            mask = batch.legal_mask()
            batch.step(mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1), where=waiting)
        dealt.add(batch.scores().tobytes())
    assert len(dealt) == 2


def test_arrays_are_shared_with_torch_not_copied() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: it is an extra")
    games = BatchedGames("express", 3, seed=5)
    seen = Observation(*(torch.from_numpy(array).numpy() for array in games.observe()))
    mask = torch.zeros((3, games.action_count), dtype=torch.bool)
    planes, scalars = torch.from_numpy(seen.planes), torch.from_numpy(seen.scalars)
    actions = torch.from_numpy(games.sample_actions())
    assert games.legal_mask(mask.numpy()).ctypes.data == mask.data_ptr()
    assert mask[torch.arange(3), actions].all()
    games.step(actions)
    before = scalars.clone()
    games.observe(seen)
    assert seen.planes.ctypes.data == planes.data_ptr()
    assert (scalars != before).any()


def _waits_for_the_deal() -> Position:
    position = Position.initial("express", deal=1)
    while position.phase is not Phase.DEAL:
        position = position.play(position.legal_moves()[-1])
    return position


def test_actions_may_be_a_list() -> None:
    games, alike = (BatchedGames("express", 2, seed=1) for _ in range(2))
    actions = games.sample_actions()
    games.step(actions.tolist())
    alike.sample_actions()
    alike.step(actions)
    assert (games.positions == alike.positions).all()


def test_an_edition_is_named_or_given() -> None:
    assert observation_layout("express") is observation_layout(load_edition("express"))
    with pytest.raises(TypeError, match="edition: expected an Edition or its id, found int"):
        observation_layout(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("opponent", ["random", "greedy"])
@pytest.mark.parametrize(
    ("seats", "sentence"),
    [([2, 0, 1], "seats: expected 0 or 1, found 2"), ([0, 0], r"seats: expected shape \(3,\), found \(2,\)")],
)
def test_nobody_waits_for_a_seat_that_there_is_not(opponent: str, seats: list[int], sentence: str) -> None:
    games = BatchedGames("express", 3, seed=1)
    with pytest.raises(ValueError, match=sentence):
        opponent_of(opponent).answer_all(games, np.array(seats, np.int8))
    with pytest.raises(ValueError, match=sentence):
        games.observe(seats=seats)
