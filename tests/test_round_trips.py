"""Every notation reads what it writes, and reads more than it writes."""

from __future__ import annotations

import pickle
from random import Random

import pytest

import oracle
from games import random_game
from oracle.edition import ORIENTATIONS
from quiltwork import Game, LayPatch, Position, TakePatch

EDITIONS = ("patchwork", "patchwork-2014", "halloween", "express", "stack-and-stuff")


def texts(edition: str) -> list[str]:
    """The positions of a random game."""
    return [oracle.text(state) for state, _ in random_game(edition, Random(f"round trip {edition}"))]


@pytest.mark.parametrize("edition", EDITIONS)
def test_positions(edition: str) -> None:
    for text in texts(edition):
        position = Position.parse(text)
        assert position.text == text
        assert Position.parse(text.upper().replace(edition.upper(), edition) + "  id=x best=+1") == position
        assert eval(repr(position), {"Position": Position}) == position
        assert pickle.loads(pickle.dumps(position)) == position
        assert hash(Position.parse(text)) == hash(position)
        assert Position.from_setup(position.setup) == position


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_order_of_a_quilt_does_not_matter(edition: str) -> None:
    text = texts(edition)[-1]
    name, turn, *players, tile, circle = text.split()
    shuffled = [
        f"{player.rpartition('/')[0]}/{','.join(player.rpartition('/')[2].split(',')[::-1])}" for player in players
    ]
    assert " ".join([name, turn, *shuffled, tile, circle]) != text
    assert Position.parse(" ".join([name, turn, *shuffled, tile, circle])).text == text


@pytest.mark.parametrize("edition", EDITIONS)
def test_moves(edition: str) -> None:
    for text in texts(edition)[::4]:
        position = Position.parse(text)
        for move in position.legal_moves():
            assert position.move(str(move)) == move
            assert position.move(f" {str(move).upper()} ") == move
        if position.legal_moves() and str(position.legal_moves()[0]).startswith("+"):
            assert position.move("+") == position.legal_moves()[0]


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_name_of_a_placement_is_the_same_move(edition: str) -> None:
    """Where the shape allows, one set of cells has up to eight names; the writer uses the first."""
    box = oracle.read_edition(edition)
    several = 0
    for code in box.circle:
        position = Position.parse(f"{edition} 1 0/99/- 0/0/- - {code}")
        for orientation in ORIENTATIONS:
            move = position.move(f"{code}@b2{orientation}")
            assert isinstance(move, TakePatch | LayPatch)
            _, cells = oracle.notation.parse_placement(box, f"{code}@b2{orientation}")
            assert str(move) == f"{code}@{box.names(code)[cells]}"
            several += str(move) != f"{code}@b2{orientation}"
    assert several > len(box.circle)


@pytest.mark.parametrize("edition", EDITIONS)
def test_records(edition: str) -> None:
    rng = Random(f"record {edition}")
    for _ in range(3):
        states = random_game(edition, rng)
        game = decorated_game(states, rng)
        again = Game.parse(game.text)
        assert again.text == game.text
        assert [str(node.move) for node in again.root.main_line()] == [move for _, move in states[:-1]]
        assert again.end.position.text == oracle.text(states[-1][0])
        assert max(len(line) for line in game.text.splitlines() if not line.startswith("[")) <= 100


def decorated_game(states: list[tuple[oracle.State, str]], rng: Random) -> Game:
    """A game with variations, comments and marks strewn in."""
    game = Game(Position.parse(oracle.text(states[0][0])), {"Player1": "Ada", "Player2": "Bo"})
    for state, move in states[:-1]:
        before = game.node
        game.play(move)
        game.node.suffix = rng.choice(["", "", "!", "?!"])
        other = rng.choice([text for text in oracle.legal_moves(state) if text != move] or [move])
        if rng.random() < 0.3 and other != move:
            variation = before.add(before.position.move(other))
            variation.comment = "[%clk 4:59] [%eval 0.83 +7.5] a thought; or two (or three)"
    return game
