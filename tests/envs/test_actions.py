"""The action integers and their notation."""

from __future__ import annotations

import pytest

from envs.walk import positions_of_random_games
from quiltwork import IllegalMove, NotationError, Position, Reason, available_editions, load_edition
from quiltwork.envs import action_count, action_of, describe, notation_of, why_illegal

START = "patchwork 1 0/5/- 0/5/- - 5c4a3a2a"


@pytest.mark.parametrize(
    ("edition", "count"),
    [
        ("patchwork", 2027),
        ("patchwork-2014", 2027),
        ("halloween", 2027),
        ("express", 1230),
        ("stack-and-stuff", 1230),
    ],
)
def test_the_number_of_actions_is_that_of_the_design(edition: str, count: int) -> None:
    assert action_count(load_edition(edition)) == count


@pytest.mark.parametrize(
    ("notation", "action"),
    [
        ("+", 0),
        ("5c@a1", 1),
        ("5c@d4", 1 + 3 * 9 + 3),
        ("5c@d4r1", 1 + 81 + 3 * 9 + 3),
        ("5c@d4fr1", 1 + 5 * 81 + 3 * 9 + 3),
        ("4a@a1", 1 + 8 * 81),
        ("3a@b9", 1 + 16 * 81 + 8 * 9 + 1),
    ],
)
def test_an_action_counts_slot_orientation_row_and_column(notation: str, action: int) -> None:
    position = Position.parse(START)
    assert action_of(position, notation) == action
    assert position.move(notation_of(position, action)) == position.move(notation)


def test_special_patches_and_their_removal_come_after_the_choices() -> None:
    special = Position.parse("patchwork 1s 26/5/- 0/5/- - 5c4a3a2a")
    assert action_of(special, "s@a1") == 1 + 24 * 81
    assert action_of(special, "s@i9") == 1 + 24 * 81 + 80
    assert notation_of(special, 1 + 24 * 81 + 80) == "s@i9"
    removing = Position.parse("halloween 1s 26/5/- 0/5/- - 5c4a3a2a")
    assert action_of(removing, "s@-") == 2026


def test_taking_before_the_reserve_is_dealt_comes_last() -> None:
    position = Position.parse("express 1 0/5/- 0/5/- - 5a5b5c3a5d5e+2a2b2c3b3c3d4d4e")
    assert [notation_of(position, action) for action in (0, 1227, 1228, 1229)] == ["+1", "5a", "5b", "5c"]


@pytest.mark.parametrize("edition", available_editions())
def test_every_legal_action_goes_to_notation_and_back(edition: str) -> None:
    for position in positions_of_random_games(edition, games=3):
        for move in position.legal_moves():
            action = position.code(move)
            assert action is not None
            assert action_of(position, notation_of(position, action)) == action


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (0, "advance"),
        (1, "slot 0, plain, a1"),
        (1 + (8 + 5) * 81 + 10, "slot 1, fr1, b2"),
        (1 + 24 * 81 + 80, "special patch, i9"),
        (2026, "remove the special patch"),
    ],
)
def test_an_action_can_be_described_without_a_position(action: int, words: str) -> None:
    assert describe(load_edition("patchwork"), action) == words


def test_describing_an_action_that_there_is_not_says_how_many_there_are() -> None:
    with pytest.raises(ValueError, match="patchwork has the actions 0 to 2026"):
        describe(load_edition("patchwork"), 2027)


@pytest.mark.parametrize(
    ("action", "reason", "sentence"),
    [
        (-1, Reason.CHOICE, "patchwork has the actions 0 to 2026"),
        (2027, Reason.CHOICE, "patchwork has the actions 0 to 2026"),
        (1 + 24 * 81, Reason.PHASE, "special patch"),
        (1 + 8, Reason.BOARD, "5c"),
        (1 + (8 + 2) * 81, Reason.BOARD, "4a@a1r2 is not canonical; the same cells are action 649"),
    ],
)
def test_an_illegal_action_says_why(action: int, reason: Reason, sentence: str) -> None:
    illegality = why_illegal(Position.parse(START), action)
    assert illegality is not None
    assert illegality.reason is reason
    assert sentence in illegality.sentence


def test_a_slot_beyond_the_circle_and_a_finished_game_say_so() -> None:
    short = why_illegal(Position.parse("patchwork 1 0/5/- 0/5/- - 2a"), 1 + 8 * 81)
    assert short is not None
    assert short.sentence == "slot 1, plain, a1: there is no patch in this slot"
    over = why_illegal(Position.parse("patchwork - 53!/5/- 53/5/- - 2a"), 0)
    assert over is not None
    assert over.sentence == "the game is over"


def test_asking_for_an_action_of_what_is_no_move_raises() -> None:
    with pytest.raises(NotationError):
        action_of(Position.parse(START), "hello")
    with pytest.raises(IllegalMove, match="action 2026"):
        notation_of(Position.parse(START), 2026)


def test_a_move_has_its_action_as_its_notation_does() -> None:
    position = Position.initial("express", deal=3)
    assert [action_of(position, move) for move in position.legal_moves()] == [
        action_of(position, str(move)) for move in position.legal_moves()
    ]
