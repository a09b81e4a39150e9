"""Reviews: losses that add up, labels, reasons that are facts of the table, and the command."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest

from quiltwork import Game, Player, Position, load_edition
from quiltwork.analysis.review import Analyst, Label, Review, annotated, review, turn_of
from quiltwork.analysis.review.page import review_page
from quiltwork.analysis.review.reasons import Comparison, Reason, reason_of
from quiltwork.analysis.review.report import review_table, summary_table
from quiltwork.analysis.room import room_of
from quiltwork.cli.main import main
from quiltwork.move import piece_of

RECORDS = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="module", params=["express", "patchwork"])
def reviewed(request: pytest.FixtureRequest) -> Review:
    game = Game.parse((RECORDS / f"{request.param}.quilt").read_text())
    return review(game, analyst=Analyst(60))


def test_losses_add_up_and_are_never_negative(reviewed: Review) -> None:
    for turn in reviewed.turns:
        assert turn.loss_what >= 0
        assert turn.loss_where >= 0
        assert turn.points_lost >= 0
        assert turn.loss == pytest.approx(turn.loss_what + turn.loss_where)


def test_every_move_of_a_player_is_reviewed_and_no_chance_move(reviewed: Review) -> None:
    line = reviewed.game.end.line()
    assert [turn.ply for turn in reviewed.turns] == [
        ply for ply, move in enumerate(line) if not str(move).startswith("=")
    ]
    assert [luck.ply for luck in reviewed.luck] == [
        ply for ply, move in enumerate(line) if str(move).startswith("=")
    ]


def test_the_kind_of_move_says_which_loss_it_may_have(reviewed: Review) -> None:
    for turn in reviewed.turns:
        if piece_of(turn.move) == piece_of(turn.best):
            assert turn.loss_what == 0
        if str(turn.move).startswith("+") or "@" not in str(turn.move):
            assert turn.loss_where == 0


def test_a_review_is_the_same_every_time() -> None:
    game = Game.parse((RECORDS / "express.quilt").read_text())
    first, second = (review(game, analyst=Analyst(40), player=Player.ONE).as_json() for _ in range(2))
    assert first == second


# After most places of the special patch player 2 has an answer that only a close look finds.
SPECIAL = (
    "patchwork 1s 33/15/5d@a1,5i@b2r3,6f@f2r1,6g@d1fr1,6i@a4r1,6j@d4r2,s@f2 "
    "28/11/4c@e4f,5b@b3r3,6b@a1,6e@g1fr1,7a@c2r1,7b@e1 - 4f5g8a6h6a5c5h4a3a5a2a6d4e5e3b5f3c4d6c4g4b"
)
# Player 1 wins in one way only, which the net does not see.
NARROW = (
    "patchwork 1 40/16/3a@e1,3c@c6r3,4c@a3fr1,4g@f1r2,5i@a1,6b@a5r3,6f@e4r3,6i@c4r1,8a@c1r1,s@a2,s@e7,s@f3 "
    "41/25/4a@a6r1,5a@e5,5b@d1r1,5d@a1,5g@b3,6c@a2r3,6e@e6f,6h@e1r3,7a@b5,7b@g1r1 - 5h6d4b3b6j5c4e4d5f6a6g5e4f2a"
)


@pytest.mark.parametrize("text", [SPECIAL, NARROW])
def test_a_position_is_worth_what_it_is_worth_after_its_best_move(text: str) -> None:
    position = Position.parse(text)
    analyst = Analyst()
    after = position.play(analyst.analysis(position).best.move)
    assert analyst.value(position, Player.ONE).win == pytest.approx(analyst.value(after, Player.ONE).win, abs=0.03)


def test_a_move_as_good_as_the_best_is_the_best() -> None:
    won = Position.parse("patchwork 1 50/30/- 52/0/- - 2a")
    for text in ("2a@a1", "2a@d5", "2a@h9"):
        turn = turn_of(0, won, won.move(text), Analyst(200))
        assert (turn.loss, str(turn.best)) == (0, text)


def test_every_labelled_move_is_explained_in_a_sentence(reviewed: Review) -> None:
    page, table = review_page([reviewed]), review_table(reviewed)
    assert "Reason(" not in page + table
    marked = reviewed.moments(len(reviewed.turns))
    assert marked
    for turn in marked:
        assert f"{turn.best}. {escape(turn.why)}" in page
        assert f"{turn.best}: {turn.why}" in table
    assert replace(marked[0], reason=None).why == f"The search prefers {marked[0].best}."


def test_it_is_told_whether_the_game_could_be_won(reviewed: Review) -> None:
    loser = reviewed.loser
    assert loser is not None
    lost = next(turn for turn in reviewed.turns if turn.player is loser)

    def told(win: float, loss: float) -> str:
        return str(replace(reviewed, turns=(replace(lost, win=win, loss_what=loss, loss_where=0.0),)))

    name = reviewed.game.tags.get(f"Player{int(loser)}") or f"Player {int(loser)}"
    assert f"until then {name} could still win (70 %)" in told(0.3, 0.4)
    assert f"{name} was never ahead: 35 % at best, at move {lost.ply + 1}" in told(0.3, 0.05)


def test_a_review_is_told_in_german(reviewed: Review) -> None:
    table, page = review_table(reviewed, "de"), review_page([reviewed], "de")
    assert "Genauigkeit" in table
    assert "Die Suche zieht" in replace(reviewed.moments()[0], reason=None).sentence("de")
    shown = re.sub(r"<style>.*?</style>|<[^>]*>", " ", page)
    for told in (table, summary_table([reviewed], "de"), shown):
        english = r"\b(the|this|move|lost|better|accuracy|what|where|played|player|decisions|game)\b"
        assert not re.search(english, told, re.IGNORECASE), re.search(english, told, re.IGNORECASE)


def test_of_a_player_who_was_not_reviewed_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["review", str(RECORDS / "express.quilt"), "--simulations", "20", "--player", "1"]
    assert main([*given, "--json"]) == 0
    (game,) = json.loads(capsys.readouterr().out)["games"]
    one, two = game["players"]
    assert 0 <= one["accuracy"] <= 100
    assert two == {"accuracy": None, "loss": None, "loss_what": None, "loss_where": None}
    assert {turn["player"] for turn in game["turns"]} == {1}


def test_values_after_the_last_move_are_the_result() -> None:
    over = Position.parse("patchwork - 53!/7/- 53/0/- - 2a")
    value = Analyst(10).value(over, Player.TWO)
    assert (value.win, value.points, value.exact) == (0.0, -7.0, True)


@pytest.mark.parametrize(
    ("loss", "label"),
    [(0.0, "best"), (0.02, "good"), (0.03, "inaccuracy"), (0.07, "mistake"), (0.15, "blunder"), (1.0, "blunder")],
)
def test_labels_follow_the_loss(loss: float, label: str) -> None:
    assert Label.of(loss) is Label(label)


def compared(text: str, better: str, played: str) -> str | None:
    position = Position.parse(text)
    assert position.turn is not None
    found = reason_of(Comparison(position, position.turn, (position.move(better),), (position.move(played),)))
    return found.sentence(position.edition) if found else None


def test_a_reason_counts_the_income_until_the_end() -> None:
    # 6f earns 3 at each of the nine marks ahead, 2a nothing.
    text = "patchwork 1 0/20/- 0/5/- - 6f2a4a"
    income = Position.parse(text).edition.patches["6f"].income
    assert compared(text, "6f@a1", "2a@a1") == f"The better move earns {9 * income} buttons more until the end."


def test_a_reason_names_the_spaces_that_nothing_covers_any_more() -> None:
    text = "patchwork 1 1/20/2a@b1 1/5/- - 4a5a6a"
    told = "This move leaves 1 space that no patch can fill any more (a1)."
    assert compared(text, "4a@a5", "4a@a2") == told


def test_a_reason_calls_a_patch_by_its_name_in_each_language_and_edition_s_words() -> None:
    reason = Reason("short", {"count": 2, "patch": "5a"})
    told = "This move leaves you 2 buttons short of the long rust bar, which the better line takes."
    assert reason.sentence(load_edition("patchwork")) == told
    german = reason.sentence(load_edition("stack-and-stuff"), "de")
    assert german.startswith("Nach diesem Zug fehlen dir 2 Münzen, um danach ")
    assert "5a" not in german


def test_without_a_fact_there_is_no_reason() -> None:
    assert compared("patchwork 1 0/20/- 0/5/- - 2a4a4c", "2a@a1", "2a@h1") is None


def test_a_reason_counts_the_parts_of_the_quilt_and_the_room_on_it() -> None:
    assert compared("patchwork 1 0/20/- 0/5/- - 2a4a4c", "2a@a1", "2a@e5").endswith("in 29 more places.")  # type: ignore[union-attr]
    row = ",".join(f"s@{column}2" for column in "abcdefg")
    told = compared(f"patchwork 1 20/20/{row} 21/5/- - 2a4a6i", "2a@a9", "2a@h2")
    assert told == "This move leaves the empty spaces in 2 separate parts."


def test_dead_spaces_are_those_that_no_patch_still_to_be_had_covers() -> None:
    open_corner = Position.parse("patchwork 1 0/20/2a@b1 0/5/- - 4a4c5a")
    assert room_of(open_corner, Player.ONE).dead == frozenset()
    closed = Position.parse("patchwork 1 0/20/2a@b1,4a@a2 0/5/- - 5a6a")
    assert [str(cell) for cell in room_of(closed, Player.ONE).dead] == ["a1"]


def test_an_annotated_record_reads_back_with_its_evaluations(reviewed: Review) -> None:
    game = Game.parse(annotated(reviewed).text)
    nodes = list(game.root.main_line())
    for turn in reviewed.turns:
        evaluation = nodes[turn.ply].evaluation
        assert evaluation is not None
        assert evaluation[0] == pytest.approx(turn.win, abs=0.006)
    assert game.end.position == reviewed.game.end.position


def test_the_command_prints_the_promised_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, record = tmp_path / "review.html", tmp_path / "review.quilt"
    given = ["review", str(RECORDS / "express.quilt"), "--simulations", "30", "--json"]
    assert main([*given, "--html", str(page), "--annotate", str(record)]) == 0
    (game,) = json.loads(capsys.readouterr().out)["games"]
    assert game["edition"] == "express"
    assert [set(player) for player in game["players"]] == [{"accuracy", "loss", "loss_what", "loss_where"}] * 2
    for turn in game["turns"]:
        assert list(turn) == [
            "ply",
            "player",
            "move",
            "best",
            "win",
            "loss",
            "loss_what",
            "loss_where",
            "points_lost",
            "label",
            "reason",
        ]
        assert turn["loss"] == pytest.approx(turn["loss_what"] + turn["loss_where"], abs=1e-9)
    text = page.read_text()
    assert "http" not in text.replace("http://www.w3.org/", "")
    assert text.count("<svg") >= 1
    assert "[%eval" in record.read_text()


def test_the_command_speaks_the_language_of_the_environment_and_makes_folders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    page, record = tmp_path / "new" / "pages" / "review.html", tmp_path / "records" / "out.quilt"
    given = ["review", str(RECORDS / "express.quilt"), "--simulations", "20"]
    assert main([*given, "--html", str(page), "--annotate", str(record)]) == 0
    assert "Genauigkeit" in capsys.readouterr().out
    assert '<html lang="de">' in page.read_text(encoding="utf-8")
    assert "[%eval" in record.read_text(encoding="utf-8")


def test_many_games_end_with_a_line_for_each_player(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = (RECORDS / "express.quilt").read_text()
    names = '[Player1 "Ann"]\n[Player2 "Bob"]\n'
    edition, rest = record.split("\n", 1)
    file = tmp_path / "games.quilt"
    plain = "".join(line for line in rest.splitlines(keepends=True) if not line.startswith("[Player"))
    file.write_text(f"{edition}\n{names}{plain}\n{edition}\n{names}{plain}")
    assert main(["review", str(file), "--simulations", "20", "--workers", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-3].split()[:4] == ["player", "games", "decisions", "accuracy"]
    assert [line.split()[:2] for line in lines[-2:]] == [["Ann", "2"], ["Bob", "2"]]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["missing.quilt"], "missing.quilt: No such file or directory"),
        ([str(RECORDS / "express.quilt"), "--html", str(RECORDS)], "data: is a folder, not a file"),
        (
            [str(RECORDS / "express.quilt"), "--html", str(RECORDS / "express.quilt" / "out.html")],
            "express.quilt: File exists",
        ),
        ([str(RECORDS / "express.quilt"), "--agent", "nobody"], "agent 'nobody': unknown"),
    ],
)
def test_wrong_usage_is_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["review", *arguments]) == 1
    assert sentence in capsys.readouterr().err
