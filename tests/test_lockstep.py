"""Random games of every edition, move by move, in the library and the oracle."""

from __future__ import annotations

from pathlib import Path
from random import Random
from urllib.parse import quote

import pytest

import oracle
from games import random_game
from lockstep import same
from oracle import State
from oracle.edition import BUILT_IN
from quiltwork import IllegalMove, Player, Position
from quiltwork.events import (
    Advanced,
    Laid,
    MovedToken,
    Next,
    Paid,
    ReceivedIncome,
    TookSpecialPatch,
    WonSpecialTile,
)

EDITIONS = ("patchwork", "patchwork-2014", "halloween", "express", "stack-and-stuff")
GAMES = 6


def games(edition: str) -> list[list[tuple[State, str]]]:
    rng = Random(f"lockstep {edition}")
    return [random_game(edition, rng) for _ in range(GAMES)]


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_position_of_a_random_game_is_equal(edition: str) -> None:
    for game in games(edition):
        position = Position.parse(oracle.text(game[0][0]))
        for state, move in game:
            moves = same(position, state)
            assert Position.parse(position.text) == position
            if move:
                chosen = moves[move] if move in moves else position.move(move)
                assert str(chosen) == move
                assert_explained(position, move)
                position = position.play(chosen)


OWN_EDITIONS = {
    "eight choices": [("choices = 3", "choices = 8")],
    "wide board": [("#########\n" * 5, ""), ("square = 7", "square = 3")],
    "narrow board with holes": [("#########", "####.##..")],
    "tall board": [("#########", "#####"), ("square = 7", "square = 3")],
    "small tile": [("square = 7", "square = 3"), ("points = 7", "points = -4")],
}


@pytest.mark.parametrize("changes", OWN_EDITIONS.values(), ids=OWN_EDITIONS.keys())
def test_every_position_of_a_players_own_edition_is_equal(changes: list[tuple[str, str]], tmp_path: Path) -> None:
    text = (BUILT_IN / "patchwork.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    for game in games(quote(str(path)))[:2]:
        for state, _ in game:
            same(Position.parse(oracle.text(state)), state)


@pytest.mark.parametrize(
    "empty", ["f9 g9 h9 i9", "f9 g9 h9 a1 b1 c1", "a1 b1 c1 d1", "a8 b8 c8 d8", "a8 b8 c8 i7"]
)
def test_a_large_board_with_a_reserve(empty: str, tmp_path: Path) -> None:
    """Whether a patch fits decides whether it may be taken before the reserve is dealt, in any row."""
    text = (BUILT_IN / "patchwork.toml").read_text(encoding="utf-8")
    reserve = '[reserve]\nenters_when_left = 9\n\n[reserve.patches]\n1a = { shape = "#", buttons = 0, time = 1, income = 0 }\n'
    path = tmp_path / "own.toml"
    path.write_text(text.replace("[players]", f"{reserve}\n[players]"), encoding="utf-8")
    cells = [f"{column}{row}" for row in range(1, 10) for column in "abcdefghi"]
    quilt = ",".join(f"s@{cell}" for cell in cells if cell not in empty.split())
    text = f"{quote(str(path))} 1 0/9/{quilt} 0/9/- 1 4a5a3a+1a"
    position, state = Position.parse(text), oracle.parse(text)
    moves = same(position, state)
    assert moves.keys() == {"+1", "3a"} | ({"4a"} if oracle.rules.placements_that_fit(state, "4a") else set())
    for move in moves:
        same(position.play(moves[move]), oracle.play(state, move))


def assert_explained(before: Position, text: str) -> None:
    """The events of a move add up to the difference between the positions."""
    move, mover = before.move(text), before.turn
    assert mover is not None
    after, events = before.play(move), before.explain(move)
    seat_before, seat_after = before.player(mover), after.player(mover)
    paid = sum(event.buttons for event in events if isinstance(event, Paid))
    received = sum(event.buttons for event in events if isinstance(event, Advanced | ReceivedIncome))
    assert seat_after.buttons - seat_before.buttons == received - paid, text
    spaces = sum(event.end - event.start for event in events if isinstance(event, MovedToken))
    assert seat_after.space - seat_before.space == spaces, text
    cells = sum(len(event.cells) for event in events if isinstance(event, Laid))
    assert seat_before.empty_spaces - seat_after.empty_spaces == cells, text
    taken = sum(isinstance(event, TookSpecialPatch) for event in events)
    assert after.setup.pending - before.setup.pending == (-1 if text.startswith("s") else taken), text
    assert any(isinstance(event, WonSpecialTile) for event in events) == (after.tile is not before.tile), text
    following = [event.player for event in events if isinstance(event, Next)]
    assert following in ([], [after.turn]), text


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_illegal_move_has_the_same_first_reason(edition: str) -> None:
    rng = Random(f"illegal {edition}")
    reasons = set()
    for game in games(edition)[:3]:
        for state, _ in game[::2]:
            position = Position.parse(oracle.text(state))
            for move in some_moves(state, rng):
                found = reason_of(position, move)
                assert found == oracle.why_illegal(state, move), f"{position.text} {move}"
                reasons.add(found)
    assert reasons >= {None, "phase", "choice", "cost", "board", "overlap"}


def reason_of(position: Position, move: str) -> str | None:
    try:
        position.move(move)
    except IllegalMove as error:
        return error.reason.value
    return None


def some_moves(state: State, rng: Random) -> list[str]:
    """Moves of the edition, most of them illegal: anything anywhere, and near the legal ones."""
    edition = state.edition
    size = max(row for row, _ in edition.board) + 1
    cells = [f"{'abcdefghi'[rng.randrange(size)]}{rng.randint(1, size)}" for _ in range(9)]
    codes = [rng.choice(list(edition.patches)[:-1]), *state.circle[:4], *([state.held] if state.held else [])]
    moves = [f"{code}@{cell}{rng.choice(['', 'r1', 'f'])}" for code in codes for cell in cells[:4]]
    moves += [f"s@{cell}" for cell in cells[4:]] + ["s@-", f"+{rng.randint(0, 9)}"]
    if edition.reserve:
        moves += [rng.choice(codes), "=" + "".join(sorted(edition.reserve)), "=2a"]
    legal = oracle.legal_moves(state)
    return moves + rng.sample(legal, min(3, len(legal)))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_parts_of_a_score_add_up(edition: str) -> None:
    for game in games(edition)[:2]:
        for state, _ in game[::5]:
            position = Position.parse(oracle.text(state))
            for player in Player:
                score = position.score(player)
                assert score.buttons + score.empty_points + score.tile == score.total
                assert score.empty_spaces == len(oracle.empty_cells(state.edition, state.seats[player - 1]))
