"""Analyses and reviews print in a few lines, and show themselves in notebooks."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from quiltwork import Analysis, Game, Player, Position, RankedMove
from quiltwork.analysis.review import Analyst, Review, review

RECORD = Path(__file__).parents[1] / "data/express.quilt"
POSITION = Position.parse("patchwork 1 0/5/- 0/5/- - 5d4a3a5c2a")


@pytest.fixture
def analysis() -> Analysis:
    advance, take = POSITION.move("+"), POSITION.move("5d@a1")
    cells = [f"{cell}" for cell in ("b1", "c1", "d1", "e1", "f1")]
    others = [RankedMove(POSITION.move(f"5d@{cell}"), 1, 0.5, 0.0, ()) for cell in cells]
    best = RankedMove(take, 90, 0.625, 7.25, (take, advance))
    return Analysis(Player.ONE, (best, RankedMove(advance, 10, 0.5, -1.0, (advance,)), *others), 105)


@pytest.fixture(scope="module")
def reviewed() -> Review:
    return review(Game.parse(RECORD.read_text()), analyst=Analyst(20))


def test_an_analysis_is_a_table_of_its_five_best_moves(analysis: Analysis) -> None:
    assert str(analysis).splitlines()[:5] == [
        "Player 1 to move, 105 simulations",
        "",
        "move     win  points  visits  line",
        "5d@a1   62 %    +7.2      90  +1",
        "+1      50 %    -1.0      10",
    ]
    assert len(str(analysis).splitlines()) == 3 + 5
    assert repr(analysis) == "<Analysis: 5d@a1, win 0.62, points +7.2, 105 simulations>"


def test_an_analysis_says_how_far_it_got(analysis: Analysis) -> None:
    exact = Analysis(Player.ONE, analysis.moves[:1], 1, exact=True)
    assert str(exact).startswith("Player 1 to move, searched out\n")
    assert repr(exact).endswith("1 simulations, exact>")
    assert repr(Analysis(Player.ONE, analysis.moves, 9, partial=True)).endswith("9 simulations, partial>")


def test_a_notebook_shows_the_same_table(analysis: Analysis) -> None:
    shown = ElementTree.fromstring(f"<div>{analysis._repr_html_()}</div>")
    rows = [["".join(cell.itertext()) for cell in row] for row in shown.iter("tr")]
    assert rows[:2] == [["move", "win", "points", "visits", "line"], ["5d@a1", "62 %", "+7.2", "90", "+1"]]
    assert len(rows) == 1 + 5


def test_a_review_is_told_in_a_few_lines(reviewed: Review) -> None:
    lines = str(reviewed).splitlines()
    assert lines[0] == "express, 20 simulations a position"
    costly = reviewed.moments()[0]
    assert f"Move {costly.ply + 1}, {costly.move}: {100 * costly.loss:.1f} % lost, better {costly.best}" in lines
    assert len(lines) < 20
    assert repr(reviewed) == f"<Review: express, {len(reviewed.turns)} decisions, 20 simulations>"


def test_a_notebook_shows_the_curve_and_the_costliest_moments_of_a_review(reviewed: Review) -> None:
    shown = reviewed._repr_html_()
    assert "The costliest moments" in shown
    assert shown.count("<h3>") == len(reviewed.moments())
    # The curve, and the quilts of what was played and of what was better.
    assert shown.count("<svg") >= 1 + 2
    assert "<html" not in shown
