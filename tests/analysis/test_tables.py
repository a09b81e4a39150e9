"""Analyses and hints for people."""

from __future__ import annotations

import pytest

from quiltwork import Player, Position
from quiltwork.agents.agent import Analysis, RankedMove
from quiltwork.agents.table import analysis_table
from quiltwork.analysis.hint import hint_of
from quiltwork.analysis.move_picture import move_picture
from quiltwork.speech import Speech
from quiltwork.themes import theme_of

START = Position.parse(
    "patchwork 1 0/5/- 0/5/- - 5i4e5d6e6c6j5c6h6b4c5f6i5h5a3c5g6g3b3a8a5b4f6a4d6d6f7b4a4g4b5e7a2a"
)


def analysis_of(
    *moves: tuple[str, int, float, float], exact: bool = False, position: Position = START
) -> Analysis:
    ranked = [
        RankedMove(position.move(text), visits, win, points, (position.move(text),))
        for text, visits, win, points in moves
    ]
    return Analysis(Player.ONE, tuple(ranked), 100, exact=exact)


def test_the_table_ranks_moves() -> None:
    table = analysis_table(analysis_of(("5d@a1", 90, 0.625, 7.25), ("+", 10, 0.5, -1.0)), lines=5)
    assert table.splitlines() == [
        "Player 1 to move, 100 simulations",
        "",
        "move     win  points  visits  line",
        "5d@a1   62 %    +7.2      90",
        "+1      50 %    -1.0      10",
    ]


def test_the_picture_shows_the_cells_of_the_move() -> None:
    picture = move_picture(START, START.move("5d@a1"))
    assert picture is not None
    assert picture.count("▓▓▓") == 5
    assert move_picture(START, START.move("+")) is None


def said(position: Position, analysis: Analysis) -> str:
    speech = Speech(position.edition, theme_of(position.edition))
    return hint_of(position, analysis).sentence(speech)


def test_a_hint_names_the_move_and_a_reason() -> None:
    assert said(START, analysis_of(("5d@a1", 90, 0.62, 7.0))) == (
        "I would sew the long green zigzag here: it earns 9 buttons until the end and covers 5 spaces "
        "for only 2 buttons. Chance to win: about 62 %."
    )
    assert said(START, analysis_of(("+", 90, 0.4, -3.0), ("5d@a1", 9, 0.39, -3.0))) == (
        "I would advance 1 space: it brings 1 button. Chance to win: about 40 %. "
        "The long green zigzag is about as good."
    )


def test_a_hint_tells_what_lies_on_the_way_and_how_clear_it_is() -> None:
    near = Position.parse("patchwork 1 25/9/- 25/5/- - 5c4a2a")
    told = said(near, analysis_of(("5c@a1", 90, 0.7, 3.0), ("+1", 30, 0.4, -1.0), position=near))
    assert "you pick up a special patch on the way, and it" in told
    assert told.endswith("Chance to win: about 70 %. Nothing else comes close.")


def test_a_hint_is_never_quite_sure_of_what_was_not_searched_to_the_end() -> None:
    # 11 % against 13 % is a fifth more: that is no draw between two moves.
    assert "about as good" not in said(START, analysis_of(("+", 90, 0.13, -9.0), ("5d@a1", 9, 0.11, -9.5)))
    assert "You are far ahead." in said(START, analysis_of(("5d@a1", 90, 1.0, 30.0)))
    assert "It will be hard to win." in said(START, analysis_of(("5d@a1", 90, 0.0, -30.0)))


def test_an_exact_hint_says_so() -> None:
    told = said(START, analysis_of(("+", 90, 1.0, 1.0), exact=True))
    assert told.endswith("With the best moves you win by 1 point.")


@pytest.mark.parametrize(
    ("position", "move", "told"),
    [
        (
            "patchwork 1 30/0/- 31/5/- - 7a8a6d",
            "+2",
            "I would advance 2 spaces: there is no patch that you can pay for now, "
            "and you pick up a special patch on the way.",
        ),
        (
            "patchwork 1 10/0/- 11/5/- - 7a8a6d",
            "+2",
            "I would advance 2 spaces: there is no patch that you can pay for now, and it brings 2 buttons.",
        ),
        (
            "patchwork 1s 27/5/4a@b1,5a@a2 20/5/- - 7a8a6d",
            "s@a1",
            "I would sew the special patch here: nothing else can fill that space. Chance",
        ),
    ],
)
def test_reasons_are_told_as_a_friend_would(position: str, move: str, told: str) -> None:
    before = Position.parse(position)
    assert said(before, analysis_of((move, 90, 0.5, 0.0), position=before)).startswith(told)


def test_the_subject_of_two_reasons_is_said_once_in_german_too() -> None:
    hint = hint_of(START, analysis_of(("5d@a1", 90, 0.62, 7.0)))
    assert hint.sentence(Speech(START.edition, theme_of(START.edition), "de")) == (
        "Ich würde die lange grüne Schlange hier aufnähen, denn das bringt dir bis zum Ende 9 Knöpfe "
        "und füllt 5 Felder für nur 2 Knöpfe. Gewinnchance: etwa 62 %."
    )
