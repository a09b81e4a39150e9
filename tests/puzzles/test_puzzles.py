"""The puzzles shipped, what is said of answers, and how they are found."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from random import Random

import pytest

from quiltwork import Position, QuiltworkError, available_editions
from quiltwork.analysis.finish import finish_of
from quiltwork.cli.main import main
from quiltwork.move import Player, piece_of
from quiltwork.puzzles import Kind, Progress, Puzzle, Verdict, daily, judge, load_puzzles, next_puzzle
from quiltwork.puzzles.making import endgames, finishes
from quiltwork.puzzles.making.check import problem_of
from quiltwork.puzzles.making.rate import rated
from quiltwork.puzzles.puzzle import IMPOSSIBLE, parse_puzzle

SHIPPED = list(load_puzzles().values())
AN_ENDGAME = (
    "patchwork 1 48/33/4e@a3r3,4f@b1,5a@d7,5b@g5r2,5g@b2,5i@g1,6c@c5r2,6e@d1f,6h@f7r2,6i@g3r1,6j@d3fr2,s@i2 "
    "50/33/2a@d1,4c@f3r1,4g@a3,5d@c3fr2,5h@g3r1,6a@e1f,6b@c8,6d@a6r3,6f@a4,6g@a1,7a@c5,7b@f7,s@b1,s@c1,s@c9,s@i1 - "
    "4d3c5e8a5c4b4a3a3b5f"
)


def of_kind(kind: Kind) -> Puzzle:
    return next(puzzle for puzzle in SHIPPED if puzzle.kind is kind and IMPOSSIBLE not in puzzle.best)


def test_every_edition_has_puzzles_of_its_own() -> None:
    count = Counter(puzzle.edition for puzzle in SHIPPED)
    assert set(count) == set(available_editions())
    assert count["patchwork"] >= 500
    assert min(count.values()) >= 100


def test_every_shipped_puzzle_can_be_read_asked_and_answered() -> None:
    for puzzle in SHIPPED:
        assert str(parse_puzzle(str(puzzle))) == str(puzzle)
        if puzzle.kind is Kind.FINISH:
            answer = puzzle.best
        else:
            assert len(puzzle.line) > 0, puzzle.id
            assert len(puzzle.tempting) > 0, puzzle.id
            answer = (str(puzzle.line[0]),)
            assert judge(puzzle, [str(puzzle.tempting[0])]).verdict is Verdict.WRONG, puzzle.id
        if IMPOSSIBLE in answer or puzzle.kind is not Kind.FINISH:
            assert judge(puzzle, answer).verdict is Verdict.SOLVED, puzzle.id


def test_a_quilt_is_finished_in_an_order_that_can_be_played() -> None:
    for puzzle in SHIPPED:
        if puzzle.kind is Kind.FINISH and IMPOSSIBLE not in puzzle.best:
            assert judge(puzzle, [str(move) for move in puzzle.line]).verdict is Verdict.SOLVED, puzzle.id


def test_a_choice_is_answered_by_its_patch_wherever_it_is_laid() -> None:
    puzzle = next(p for p in SHIPPED if p.kind is Kind.CHOOSE and p.best != ("+",))
    code = puzzle.best[0]
    places = [move for move in puzzle.position.legal_moves() if str(move).startswith(f"{code}@")]
    assert {judge(puzzle, [str(move)]).verdict for move in [*places[:3], *places[-3:], code]} == {Verdict.SOLVED}


def test_a_place_is_asked_for_one_patch_only() -> None:
    puzzle = of_kind(Kind.PLACE)
    with pytest.raises(QuiltworkError, match=f"asks where to lay {puzzle.take}"):
        judge(puzzle, ["+"])


def test_a_quilt_is_finished_one_move_after_another_in_any_order_that_the_circle_allows() -> None:
    puzzle = of_kind(Kind.FINISH)
    position, moves = puzzle.position, list[str]()
    pieces = list(puzzle.best)
    while pieces:
        move = next(text for text in pieces if text.split("@")[0] in {patch.code for patch in position.choices()})
        pieces.remove(move)
        moves.append(move)
        position = position.play(position.move(move))
        assert judge(puzzle, moves).verdict is (Verdict.GO_ON if pieces else Verdict.SOLVED)
    assert judge(puzzle, [IMPOSSIBLE]).verdict is Verdict.WRONG


def test_advancing_to_the_end_does_not_finish_a_quilt() -> None:
    puzzle = of_kind(Kind.FINISH)
    assert judge(puzzle, ["+"]).verdict is Verdict.WRONG


def test_an_illegal_answer_is_an_error_and_no_verdict() -> None:
    with pytest.raises(QuiltworkError, match="expected a cell"):
        judge(of_kind(Kind.CHOOSE), ["5c@z9"])


def test_the_puzzle_of_the_day_is_the_same_for_all_and_changes_daily() -> None:
    today = date(2026, 11, 18)
    assert daily(today) is daily(today)
    days = [daily(today + timedelta(days=day)).id for day in range(100)]
    assert len(set(days)) == 100


def test_the_next_puzzle_is_near_the_rating_and_was_not_seen() -> None:
    easy, hard = (next_puzzle(rating, rng=Random(1)).rating for rating in (700, 2200))
    assert easy < 1000 < 1700 < hard
    first = next_puzzle(1200, rng=Random(1))
    again = {next_puzzle(1200, seen=[first.id], rng=Random(seed)).id for seed in range(50)}
    assert first.id not in again


def test_a_rating_follows_what_was_solved() -> None:
    progress = Progress()
    solved = progress.after("a", 1200, solved=True)
    assert (solved.rating, solved.streak, solved.tried, solved.solved) == (1230, 1, 1, 1)
    failed = solved.after("b", 1230, solved=False)
    assert (failed.rating, failed.streak, failed.best_streak, failed.seen) == (1200, 0, 1, ("a", "b"))


def test_an_endgame_is_found_and_its_proof_is_checked() -> None:
    puzzle = endgames.find(Position.parse(AN_ENDGAME))
    assert puzzle is not None
    assert "5e@d8fr2" in puzzle.best
    assert problem_of(puzzle) is None
    claimed = parse_puzzle(str(puzzle).replace(f"best={','.join(puzzle.best)}", "best=3c@a5r2"))
    assert problem_of(claimed) is not None
    assert rated(puzzle).rating >= 700


def test_a_quilt_to_finish_is_found_and_can_be_finished() -> None:
    position = Position.parse(AN_ENDGAME)
    found = [finishes.find(position, Random(seed)) for seed in range(8)]
    puzzles = [puzzle for puzzle in found if puzzle is not None]
    assert puzzles
    for puzzle in puzzles:
        possible = IMPOSSIBLE not in puzzle.best
        assert finish_of(puzzle.position, Player.ONE).possible is possible
        assert problem_of(puzzle) is None


def test_a_choice_is_checked_against_every_action() -> None:
    puzzle = max((each for each in SHIPPED if each.kind is Kind.CHOOSE), key=lambda each: each.loss)
    assert problem_of(puzzle, 400) is None
    claimed = replace(puzzle, best=(piece_of(puzzle.tempting[0]),), line_text=puzzle.tempting_text)
    problem = problem_of(claimed, 400)
    assert problem is not None
    assert problem.startswith(puzzle.best[0])


def test_puzzles_are_solved_in_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("QUILTWORK_DATA_DIR", str(tmp_path))
    puzzle = of_kind(Kind.CHOOSE)
    answers = iter(["nonsense", "hint", str(puzzle.line[0])])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    assert main(["puzzle", puzzle.id]) == 0
    told = capsys.readouterr().out
    assert "Right!" in told
    assert "streak 1" in told
    assert main(["puzzle", "no-such"]) == 1


def test_puzzles_are_made_and_checked_by_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "few.txt"
    file.write_text(
        "\n".join(str(p) for p in SHIPPED if p.kind is Kind.FINISH)[:2000].rpartition("\n")[0], "utf-8"
    )
    assert main(["puzzles", "check", str(file), "--workers", "1"]) == 0
    assert "keep their solution (100.0 %)" in capsys.readouterr().out
