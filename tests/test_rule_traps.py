"""Cases that public implementations of the game got wrong, and questions that the rulebooks leave open."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest

from quiltwork import IllegalMove, Player, Position

NINE_BY_NINE = ("patchwork", "patchwork-2014", "halloween")
SEVEN_BY_SEVEN = ("express", "stack-and-stuff")
ALL = NINE_BY_NINE + SEVEN_BY_SEVEN
TOY = quote(str(Path(__file__).parent / "editions" / "toy.toml"))

FULL_9X9 = (
    "2a@h9,3a@f1,3b@h4r3,3c@d5,4a@c6r1,4c@a1,4e@c3r3,4f@g3f,5b@h6r1,5c@a7fr1,5d@a2fr1,5e@a4r3,5f@f1r2,5i@c1,"
    "6a@e2fr1,6c@d8r2,6h@f4r3,6i@d6r2"
)
FULL_7X7 = "2a@d2,2b@b7,2c@f4,3a@d6r1,3b@e2,4a@f1fr1,4b@a1fr1,4c@b4r1,5a@c3r1,5b@f5r1,5e@d4r1,5i@b1r2,5k@a3r1"
FULL_BUT_D4_7X7 = (
    "2a@g1r1,2b@a5,2c@e1,3a@a6r2,3b@b1r3,3c@a1r1,3d@e7,4a@a2r1,4b@f2fr1,4c@e5,4d@e4,4e@b6r2,5b@d1fr3,5j@c3r3"
)
# The 7x7 square from c2 to i8, without f5, and without f5 and g5.
SQUARE_BUT_F5 = "2a@h4r1,3a@c5r1,3b@h6r1,4a@d4r1,4e@g7r2,4g@e3r2,5a@d2,5e@h2r1,5f@c7r2,6h@c2,7b@e5r1"
SQUARE_BUT_F5_G5 = "3a@i2r1,3b@h6r2,3c@c7,4a@f8,4c@d7f,4f@c2fr2,4g@c4r3,5d@d2,5e@e6f,6d@d4,6g@g2fr1"


def after(text: str, *moves: str) -> str:
    position = Position.parse(text)
    for move in moves:
        position = position.play(position.move(move))
    return position.text


def moves(text: str) -> list[str]:
    return [str(move) for move in Position.parse(text).legal_moves()]


def patches_to_take(text: str) -> set[str]:
    return {move.partition("@")[0] for move in moves(text) if not move.startswith("+")}


# Income


@pytest.mark.parametrize("edition", NINE_BY_NINE)
def test_every_income_mark_crossed_by_one_advance_is_paid(edition: str) -> None:
    # 14 buttons for 14 spaces, and an income of 3 at each of the spaces 5, 11 and 17
    assert after(f"{edition} 1 4/0/4d@a1 17/0/- - -", "+") == f"{edition} 2 18/23/4d@a1 17/0/- - -"


@pytest.mark.parametrize("edition", SEVEN_BY_SEVEN)
def test_every_income_mark_crossed_by_one_advance_is_paid_on_the_small_board(edition: str) -> None:
    # 6 buttons for 6 spaces, and an income of 2 at each of the spaces 5 and 9; the special patch of 7 is gone
    assert after(f"{edition} 1 4/0/4c@a1 9/0/- - -", "+") == f"{edition} 2 10/10/4c@a1 9/0/- - -"


@pytest.mark.parametrize("edition", ALL)
def test_only_the_active_player_receives_income(edition: str) -> None:
    assert after(f"{edition} 2 4/0/4b@a1 4/0/- - -", "+1") == f"{edition} 1 4/0/4b@a1 5/1/- - -"


@pytest.mark.parametrize("edition", NINE_BY_NINE)
def test_the_patch_just_laid_counts_for_the_income_of_the_same_move(edition: str) -> None:
    # 4a costs 3 buttons and 3 time and brings 1 at space 5
    assert after(f"{edition} 1 4/3/- 4/0/- - 4a", "4a@a1") == f"{edition} 2 7/1/4a@a1 4/0/- - -"


@pytest.mark.parametrize("edition", NINE_BY_NINE)
def test_an_income_mark_is_paid_on_landing_on_it_and_not_again_on_leaving(edition: str) -> None:
    landed = after(f"{edition} 1 4/0/4d@a1 4/0/- - -", "+1")
    assert landed == f"{edition} 2 5/4/4d@a1 4/0/- - -"
    assert after(f"{edition} 1 5/4/4d@a1 5/0/- - -", "+1") == f"{edition} 2 6/5/4d@a1 5/0/- - -"


@pytest.mark.parametrize("edition", NINE_BY_NINE)
def test_income_is_paid_once_to_each_who_reaches_the_last_space(edition: str) -> None:
    first = after(f"{edition} 1 52/0/4d@a1 52/0/5h@a1 - -", "+1")
    assert first == f"{edition} 2 53!/4/4d@a1 52/0/5h@a1 - -"
    assert after(first, "+1") == f"{edition} - 53!/4/4d@a1 53/4/5h@a1 - -"


# The time board


@pytest.mark.parametrize("edition", NINE_BY_NINE)
def test_a_token_that_would_pass_the_last_space_stops_there(edition: str) -> None:
    # 4d costs 7 buttons and 6 time and brings 3 on reaching space 53
    assert after(f"{edition} 1 50/9/- 52/0/- - 4d", "4d@a1") == f"{edition} 2 53!/5/4d@a1 52/0/- - -"


@pytest.mark.parametrize("edition", NINE_BY_NINE)
def test_an_advance_pays_only_the_spaces_really_moved(edition: str) -> None:
    assert moves(f"{edition} 1 50/0/- 53!/0/- - -") == ["+3"]
    assert after(f"{edition} 1 50/0/- 53!/0/- - -", "+3") == f"{edition} - 53/3/- 53!/0/- - -"


@pytest.mark.parametrize("edition", ALL)
def test_an_advance_from_the_opponents_space_moves_one(edition: str) -> None:
    assert after(f"{edition} 2 3/0/- 3/0/- - -", "+") == f"{edition} 1 3/0/- 4/1/- - -"


@pytest.mark.parametrize("edition", NINE_BY_NINE)
def test_landing_on_the_opponent_gives_another_turn(edition: str) -> None:
    assert after(f"{edition} 1 0/5/- 2/5/- - 3a", "3a@a1") == f"{edition} 1 2/3/3a@a1 2/5/- - -"


@pytest.mark.parametrize("edition", NINE_BY_NINE)
def test_a_player_who_stays_behind_goes_on(edition: str) -> None:
    assert after(f"{edition} 2 9/5/- 0/5/- - 3a", "3a@a1") == f"{edition} 2 9/5/- 2/3/3a@a1 - -"


@pytest.mark.parametrize("edition", NINE_BY_NINE)
def test_who_waits_on_the_last_space_never_moves_again(edition: str) -> None:
    there = after(f"{edition} 1 52/9/- 52/9/- - 2a3a3b", "+1")
    assert there == f"{edition} 2 53!/10/- 52/9/- - 2a3a3b"
    assert after(there, "2a@a1") == f"{edition} - 53!/10/- 53/7/2a@a1 - 3a3b"


def test_the_printings_differ_in_one_special_patch() -> None:
    assert after("patchwork-2014 1 19/0/- 19/0/- - -", "+1") == "patchwork-2014 1s 20/1/- 19/0/- - -"
    assert after("patchwork 1 19/0/- 19/0/- - -", "+1") == "patchwork 2 20/1/- 19/0/- - -"
    assert after("patchwork-2014 1 37/0/- 37/0/- - -", "+1") == "patchwork-2014 2 38/1/- 37/0/- - -"
    assert after("patchwork 1 37/0/- 37/0/- - -", "+1") == "patchwork 1s 38/1/- 37/0/- - -"


# Special patches


@pytest.mark.parametrize("edition", NINE_BY_NINE)
def test_a_special_patch_belongs_to_who_passes_it_first_and_to_nobody_else(edition: str) -> None:
    taken = after(f"{edition} 1 25/0/- 25/0/- - -", "+1")
    assert taken == f"{edition} 1s 26/1/- 25/0/- - -"
    placed = after(taken, "s@e5")
    assert placed == f"{edition} 2 26/1/s@e5 25/0/- - -"
    assert after(placed, "+2") == f"{edition} 1 26/1/s@e5 27/2/- - -"


def test_several_special_patches_passed_at_once_are_placed_one_after_another() -> None:
    # 4a moves 5 spaces: over the income marks 2 and 4, and over the special patches of 3 and 5
    taken = after(f"{TOY} 1 1/0/- 1/0/- - 4a", "4a@a1")
    assert taken == f"{TOY} 1ss 6/4/4a@a1 1/0/- - -"
    assert moves(taken) == ["s@c1", "s@d1", "s@a2", "s@d2", "s@a3", "s@b3", "s@c3", "s@d3"]
    once = after(taken, "s@d3")
    assert once == f"{TOY} 1s 6/4/4a@a1,s@d3 1/0/- - -"
    assert after(once, "s@c1") == f"{TOY} 2 6/4/4a@a1,s@c1,s@d3 1/0/- - -"


def test_a_special_patch_on_the_last_space_is_placed_before_the_game_ends() -> None:
    taken = after(f"{TOY} 1 8/0/- 8/0/- - -", "+1")
    assert taken == f"{TOY} 1s 9!/1/- 8/0/- - -"
    assert after(taken, "s@a1", "+1") == f"{TOY} - 9!/1/s@a1 9/1/- - -"


@pytest.mark.parametrize("edition", NINE_BY_NINE)
def test_with_a_full_quilt_a_special_patch_can_only_be_removed(edition: str) -> None:
    text = f"{edition} 1s 27/0/{FULL_9X9} 20/0/- 1 -"
    assert moves(text) == ["s@-"]
    assert after(text, "s@-") == f"{edition} 2 27/0/{FULL_9X9} 20/0/- 1 -"


@pytest.mark.parametrize("edition", SEVEN_BY_SEVEN)
def test_with_a_full_small_quilt_a_special_patch_can_only_be_removed(edition: str) -> None:
    text = f"{edition} 2s 5/0/- 8/0/{FULL_7X7} - -"
    assert moves(text) == ["s@-"]
    assert after(text, "s@-") == f"{edition} 1 5/0/- 8/0/{FULL_7X7} - -"


@pytest.mark.parametrize("edition", SEVEN_BY_SEVEN)
def test_the_last_special_patch_of_two_fills_the_quilt_and_the_other_is_removed(edition: str) -> None:
    text = f"{edition} 1ss 12/0/{FULL_BUT_D4_7X7} 5/0/- - -"
    assert moves(text) == ["s@d4", "s@-"]
    assert moves(after(text, "s@d4")) == ["s@-"]
    assert moves(after(text, "s@-")) == ["s@d4", "s@-"]


@pytest.mark.parametrize("edition", NINE_BY_NINE)
def test_a_special_patch_may_be_removed_only_where_the_rulebook_says_so(edition: str) -> None:
    text = f"{edition} 1s 27/0/- 20/0/- - -"
    assert len(moves(text)) == (82 if edition == "halloween" else 81)
    if edition == "halloween":
        # It is gone: the opponent does not get it.
        assert after(text, "s@-", "+8") == f"{edition} 1 27/0/- 28/8/- - -"
    else:
        with pytest.raises(IllegalMove, match="a special patch must be placed"):
            Position.parse(text).move("s@-")


# The circle


@pytest.mark.parametrize("edition", NINE_BY_NINE)
def test_of_fewer_than_three_patches_those_left_are_offered_once(edition: str) -> None:
    assert patches_to_take(f"{edition} 1 0/9/- 0/9/- - 2a3a3b3c") == {"2a", "3a", "3b"}
    two = f"{edition} 1 0/9/- 0/9/- - 2a4b"
    # 72 + 72 ways to lay a domino, 64 for the square
    assert [m.partition("@")[0] for m in moves(two)] == ["+1"] + ["2a"] * 144 + ["4b"] * 64
    assert patches_to_take(f"{edition} 1 0/9/- 0/9/- - 4b") == {"4b"}
    assert moves(f"{edition} 1 0/9/- 0/9/- - -") == ["+1"]


@pytest.mark.parametrize("edition", NINE_BY_NINE)
def test_the_patches_skipped_go_to_the_end_of_the_circle(edition: str) -> None:
    assert after(f"{edition} 1 0/9/- 0/9/- - 2a3a3b3c", "3b@a1") == f"{edition} 2 3/8/3b@a1 0/9/- - 3c2a3a"


@pytest.mark.parametrize("edition", NINE_BY_NINE)
def test_a_patch_that_cannot_be_paid_or_does_not_fit_cannot_be_chosen(edition: str) -> None:
    assert patches_to_take(f"{edition} 1 0/2/- 0/9/- - 2a3a3c") == {"2a", "3a"}
    assert patches_to_take(f"{edition} 1 0/0/- 0/9/- - 2a3a3c") == set()
    full_but_two = FULL_9X9.replace("2a@h9,", "")
    assert moves(f"{edition} 1 0/99/{full_but_two} 0/0/- 1 4b2a7b") == ["+1", "2a@h9"]


@pytest.mark.parametrize("edition", NINE_BY_NINE)
def test_the_eight_cell_patch_has_eight_cells(edition: str) -> None:
    before = Position.parse(f"{edition} 1 0/5/- 0/5/- - 8a")
    laid = before.play(before.move("8a@a1"))
    assert laid.text == f"{edition} 2 3/0/8a@a1 0/5/- - -"
    assert (laid.players[0].empty_spaces, laid.players[0].income) == (73, 1)


@pytest.mark.parametrize(
    ("code", "placements"),
    [
        ("2a", 144),
        ("3a", 126),
        ("4b", 64),
        ("4c", 224),
        ("5g", 49),
        ("6f", 168),
        ("7b", 98),
        ("8a", 84),
        ("5c", 448),
    ],
)
def test_a_symmetric_patch_has_each_set_of_cells_once(code: str, placements: int) -> None:
    assert len(moves(f"patchwork 1 0/99/- 0/0/- - {code}")) == 1 + placements


# The special tile


@pytest.mark.parametrize("edition", NINE_BY_NINE)
def test_a_special_patch_can_win_the_special_tile(edition: str) -> None:
    text = f"{edition} 1s 27/0/{SQUARE_BUT_F5} 20/0/- - -"
    assert after(text, "s@f5") == f"{edition} 2 27/0/{SQUARE_BUT_F5},s@f5 20/0/- 1 -"
    assert after(text, "s@a1") == f"{edition} 2 27/0/{SQUARE_BUT_F5},s@a1 20/0/- - -"
    won = Position.parse(text).play(Position.parse(text).move("s@f5"))
    assert won.score(Player.ONE).tile == 7
    assert won.score(Player.ONE).total == 0 + 7 - 2 * 32


@pytest.mark.parametrize("edition", NINE_BY_NINE)
def test_a_patch_can_win_the_special_tile(edition: str) -> None:
    text = f"{edition} 2 9/0/- 4/2/{SQUARE_BUT_F5_G5} - 2a"
    assert after(text, "2a@f5") == f"{edition} 2 9/0/- 5/10/2a@f5,{SQUARE_BUT_F5_G5} 2 -"
    assert after(text, "2a@a1") == f"{edition} 2 9/0/- 5/10/2a@a1,{SQUARE_BUT_F5_G5} - -"


def test_the_second_full_square_wins_nothing() -> None:
    square = "2a@a2,3a@a1,3b@b2r2,s@a3"
    text = f"{TOY} 2s 4/0/{square} 6/0/4b@a1,s@b3,s@c1,s@c2,s@c3 1 -"
    assert after(text, "s@a3") == f"{TOY} 1 4/0/{square} 6/0/4b@a1,s@a3,s@b3,s@c1,s@c2,s@c3 1 -"


@pytest.mark.parametrize("edition", SEVEN_BY_SEVEN)
def test_a_full_7x7_wins_nothing_where_there_is_no_special_tile(edition: str) -> None:
    text = f"{edition} 1s 8/0/{FULL_BUT_D4_7X7} 5/0/- - -"
    assert after(text, "s@d4") == f"{edition} 2 8/0/{FULL_BUT_D4_7X7},s@d4 5/0/- - -"


# The reserve


@pytest.mark.parametrize("edition", SEVEN_BY_SEVEN)
def test_the_patch_that_leaves_five_brings_the_reserve_before_it_is_laid(edition: str) -> None:
    six = f"{edition} 1 0/5/- 0/5/- - 5g5c5a4c5b5i+2a2b2c3b3c3d4d4e"
    assert moves(six) == ["+1", "5g", "5c", "5a"]
    taken = after(six, "5a")
    assert taken == f"{edition} 1=5a 0/3/- 0/5/- - 4c5b5i5g5c+2a2b2c3b3c3d4d4e"
    assert moves(taken) == []
    dealt = after(taken, "=4e2b3d2a4d3b2c3c")
    assert dealt == f"{edition} 1@5a 0/3/- 0/5/- - 4c5b5i5g5c4e2b3d2a4d3b2c3c"
    assert patches_to_take(dealt) == {"5a"}
    assert after(dealt, "5a@c3r1") == f"{edition} 2 1/3/5a@c3r1 0/5/- - 4c5b5i5g5c4e2b3d2a4d3b2c3c"


@pytest.mark.parametrize("edition", SEVEN_BY_SEVEN)
def test_the_patch_that_leaves_six_does_not_bring_the_reserve(edition: str) -> None:
    seven = f"{edition} 1 0/5/- 0/5/- - 5g5c5a4c5b5i5k+2a2b2c3b3c3d4d4e"
    assert after(seven, "5a@a1") == f"{edition} 2 1/3/5a@a1 0/5/- - 4c5b5i5k5g5c+2a2b2c3b3c3d4d4e"


@pytest.mark.parametrize("edition", SEVEN_BY_SEVEN)
def test_the_reserve_follows_the_five_even_when_the_take_wraps_around_the_circle(edition: str) -> None:
    eight = f"{edition} 1 0/9/- 0/9/- - 5c3a5i5a5k4b4a5j+2a2b2c3b3c3d4d4e"
    # Third, third, then third again: past the end of the circle as it was laid out.
    taken = after(eight, "5i@a1", "4b@a1", "5c")
    assert taken == f"{edition} 1=5c 1/6/5i@a1 3/7/4b@a1 - 3a5a5k4a5j+2a2b2c3b3c3d4d4e"
    assert after(taken, "=2a2b2c3b3c3d4d4e").endswith(" - 3a5a5k4a5j2a2b2c3b3c3d4d4e")


@pytest.mark.parametrize("edition", SEVEN_BY_SEVEN)
def test_the_reserve_comes_in_once(edition: str) -> None:
    assert "5g@a1" in moves(f"{edition} 1 0/5/- 0/5/- - 5g5c5a4c5b5i")


# The end


@pytest.mark.parametrize("edition", NINE_BY_NINE)
@pytest.mark.parametrize("first", [1, 2])
def test_a_tie_goes_to_who_reached_the_last_space_first(edition: str, first: int) -> None:
    there, there_too = ("53!/1/-", "53/1/-") if first == 1 else ("53/1/-", "53!/1/-")
    outcome = Position.parse(f"{edition} - {there} {there_too} - -").outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.by_tie_break) == (Player(first), True)
    assert [score.total for score in outcome.scores] == [1 - 162, 1 - 162]


def test_the_rulebooks_examples_of_scoring() -> None:
    # Patchwork: 14 buttons, the special tile and 5 empty spaces are 11 points.
    nearly_full = FULL_9X9.replace("2a@h9,", "").replace("3b@h4r3,", "")
    assert Position.parse(f"patchwork - 53!/14/{nearly_full} 53/0/- 1 -").score(Player.ONE).total == 11
    # Express: 14 buttons and 4 empty spaces are 6 points, 8 buttons and 1 empty space too.
    one = "2c@f6r1,3a@a1r2,3b@c1r1,3d@g1r1,4b@a2r1,4d@e1,4e@b6r2,5b@a5r3,5c@c3r1,5e@d4fr1,5j@f3r1,s@c3,s@d1"
    two = "2b@a2r1,3c@c6,4a@a5fr3,5a@f1r1,5d@b4f,5f@a1r3,5g@a2r3,5h@e4,5i@d1fr3,5k@c7,s@d1,s@d2,s@g2,s@g4"
    outcome = Position.parse(f"express - 29/14/{one} 29!/8/{two} - -").outcome()
    assert outcome is not None
    assert [score.total for score in outcome.scores] == [6, 6]
    assert outcome.winner is Player.TWO


@pytest.mark.parametrize("edition", NINE_BY_NINE)
def test_the_higher_score_wins_whoever_was_first(edition: str) -> None:
    for buttons, winner in [(2, Player.ONE), (0, Player.TWO)]:
        outcome = Position.parse(f"{edition} - 53/{buttons}/- 53!/1/- - -").outcome()
        assert outcome is not None
        assert (outcome.winner, outcome.by_tie_break) == (winner, False)
