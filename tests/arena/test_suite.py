"""Suites of positions, and the counts over records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quiltwork import Game, Position
from quiltwork.agents import Limits, agent_of
from quiltwork.agents.endgame.solver import Endgame
from quiltwork.arena.record_statistics import RecordStatistics
from quiltwork.arena.suite import SUITES, attempts, read_suite
from quiltwork.cli.main import main
from quiltwork.editions import available_editions, load_edition
from quiltwork.errors import QuiltworkError

WON = "patchwork 2 53!/9/- 48/4/- - 2a3a"
"""2a wins by a point; who advances at once loses the tie, as player 1 was at the end first"""


def test_a_task_is_solved_by_the_right_moves_alone() -> None:
    task = read_suite(f"# a comment\n{WON} best=2a avoid=2a@h1 id=tie\n")[0]
    play = task.position.move
    assert (task.id, task.best, task.avoid) == ("tie", ("2a",), ("2a@h1",))
    assert task.solved_by(play("2a@a1"))
    assert not task.solved_by(play("2a@h1"))
    assert not task.solved_by(play("+"))
    assert read_suite(f"{WON} avoid=2a")[0].solved_by(play("+5"))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (f"{WON} id=1", "suite, line 1: expected best= or avoid=, found neither"),
        (f"{WON} best=2a@z9", "suite, line 1: '2a@z9':"),
        ("patchwork - 53!/9/- 53/4/- - 2a best=+", "suite, line 1: no player has a move to choose"),
        ("# nothing", "the suite has no positions"),
    ],
)
def test_what_is_wrong_in_a_suite_is_told_with_its_line(line: str, sentence: str) -> None:
    with pytest.raises(QuiltworkError) as caught:
        read_suite(line)
    assert str(caught.value).startswith(sentence)


def test_an_agent_is_examined_with_each_effort() -> None:
    tasks = read_suite(f"{WON} best=2a\n{WON} avoid=2a")
    found = list(attempts(tasks, [Limits(simulations=20), Limits(simulations=50)], lambda: agent_of("search")))
    assert [(each.effort.simulations, each.solved) for each in found] == [
        (20, True), (50, True), (20, False), (50, False),
    ]  # fmt: skip


def test_the_shipped_endgames_are_in_all_editions_and_right() -> None:
    tasks = read_suite((SUITES / "endgames.txt").read_text(encoding="utf-8"))
    assert {task.position.edition.id for task in tasks} == set(available_editions())
    assert len({task.id for task in tasks}) == len(tasks)
    for task in tasks[::6]:
        mover = task.position.turn
        for move in {task.position.move(text) for text in task.best} | {task.position.legal_moves()[0]}:
            after = task.position.play(move)
            outcome = after.outcome()
            if outcome is not None:
                won = outcome.winner is mover
            else:
                analysis = Endgame().solve(after, nodes=300_000)
                assert analysis is not None
                won = (analysis.win > 0.5) == (analysis.turn is mover)
            assert won == (str(move) in task.best), f"{task.id}: {move}"


def test_the_command_tells_shares(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "suite.txt"
    file.write_text(f"{WON} best=2a id=good\n{WON} avoid=2a id=bad\n")
    assert main(["suite", str(file), "--agent", "search", "--simulations", "20", "--failed"]) == 0
    out = capsys.readouterr().out
    assert "20 simulations           1   50.0 %" in out
    assert "bad: played 2a@" in out
    assert main(["suite", str(file), "--agent", "search", "--simulations", "20", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)["efforts"][0]
    assert (row["tried"], row["solved"], row["failed"]) == (2, 1, ["bad"])
    assert main(["suite", str(file), "--simulations", "ten"]) == 1
    assert "expected numbers with commas between them, found 'ten'" in capsys.readouterr().err


DATA = Path(__file__).parents[1] / "data"


def test_records_are_counted() -> None:
    counts = RecordStatistics(load_edition("patchwork"))
    game = Game(Position.parse("patchwork 1 47/9/- 48/9/- - 2a3a4a"))
    for move in ("3a@a1", "2a@a1"):
        game.play(move)
    while game.position.turn is not None:
        game.play(game.position.legal_moves()[0])
    counts.add(game)
    outcome = game.position.outcome()
    assert outcome is not None
    assert (counts.games, counts.decided, counts.first_player_won) == (1, 1, int(outcome.winner == 1))
    assert counts.moves == len(game.moves)
    assert {code: (each.bought, each.turns) for code, each in counts.patches.items()} == {
        "3a": (1, 1),
        "2a": (1, 1),
    }
    assert sorted(counts.empty_spaces.elements()) == sorted(each.empty_spaces for each in outcome.scores)
    with pytest.raises(QuiltworkError, match="these are counts of patchwork, not of express"):
        counts.add(Game.new("express"))


def test_the_command_counts_editions_apart_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(DATA / f"{name}.quilt") for name in ("patchwork", "express", "patchwork")]
    plots = tmp_path / "new" / "plots"
    assert main(["stats", *files, "--svg", str(plots), "--json"]) == 0
    patchwork, express = json.loads(capsys.readouterr().out)
    assert (patchwork["games"], express["games"]) == (2, 1)
    assert sum(patchwork["empty_spaces"].values()) == 4
    assert patchwork["income"]["0"] >= 0
    assert {file.name for file in plots.iterdir()} == {
        f"{edition}-{plot}.svg"
        for edition in ("patchwork", "express")
        for plot in ("bought", "buyers-win", "income", "empty-spaces")
    }
    bad = tmp_path / "bad.quilt"
    bad.write_text((DATA / "express.quilt").read_text().replace("5k@b1", "5k@b9"))
    assert main(["stats", str(bad), "--svg", str(bad)]) == 1
    assert "bad.quilt: is a file, not a folder" in capsys.readouterr().err
    assert main(["stats", str(bad)]) == 1
    assert "record, line" in capsys.readouterr().err
    assert main(["stats", files[0], "--edition", "express"]) == 1
