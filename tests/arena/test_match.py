"""Matches: the same deal for both sides, saved as they are played, and resumed where they stopped."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import DEVNULL

import pytest

from quiltwork import Game, QuiltworkError
from quiltwork.agents import Limits
from quiltwork.arena import Match, Pairing, PairResult, play_match
from quiltwork.arena.pair import play_pair
from quiltwork.arena.report import match_table
from quiltwork.arena.statistics import SequentialTest
from quiltwork.arena.storage import MatchFolder
from quiltwork.arena.tournament import pairings_of, ratings
from quiltwork.cli.main import main

FEW = (Limits(simulations=10), Limits(simulations=10))
BOT = f"cmd:{sys.executable} {Path(__file__).parents[1] / 'agents' / 'bots.py'}"


def pairing(first: str = "greedy", second: str = "random", edition: str = "express", seed: int = 0) -> Pairing:
    return Pairing(first, second, edition, FEW, seed)


def test_both_games_of_a_pair_have_the_same_deal_and_reserve() -> None:
    pair = play_pair(pairing("random", "random"), 3)
    one, two = (Game.parse(record) for record in pair.records)
    assert one.start == two.start
    deals = [
        str(node.move) for game in (one, two) for node in game.root.main_line() if str(node.move).startswith("=")
    ]
    assert len(deals) == 2
    assert deals[0] == deals[1]
    assert [game.began for game in pair.games] == [0, 1]


def test_a_pair_is_the_same_again_and_another_with_another_number() -> None:
    assert play_pair(pairing(), 1).records == play_pair(pairing(), 1).records
    assert play_pair(pairing(), 1).records != play_pair(pairing(), 2).records


def test_results_are_those_of_the_records() -> None:
    pair = play_pair(pairing(), 0)
    for result, record in zip(pair.games, pair.records, strict=True):
        outcome = Game.parse(record).end.position.outcome()
        assert outcome is not None
        first = result.began
        assert result.points == (outcome.scores[first].total, outcome.scores[1 - first].total)
        assert result.won is (int(outcome.winner) - 1 == first)


def test_greedy_beats_random() -> None:
    match = play_match(pairing(edition="patchwork"), 20)
    assert match.games == 20
    assert sum(match.wins) >= 19


def test_a_match_goes_on_where_it_stopped(tmp_path: Path) -> None:
    whole = play_match(pairing(), 8, folder=MatchFolder(tmp_path / "whole"))
    stopped = tmp_path / "stopped"

    def interrupt(match: Match, pair: PairResult) -> None:
        if match.games == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_match(pairing(), 8, folder=MatchFolder(stopped), played=interrupt)
    # An interrupt may also cut the last line and leave a record that no result names.
    with (stopped / "pairs.jsonl").open("a") as results:
        results.write('{"number": 2, "ga')
    with (stopped / "games.quilt").open("a") as records:
        records.write("[Edition")
    played: list[int] = []
    resumed = play_match(
        pairing(), 8, folder=MatchFolder(stopped), played=lambda match, pair: played.append(pair.number)
    )
    assert played == [2, 3]
    assert resumed.wins == whole.wins
    saved = (stopped / "games.quilt").read_text(encoding="utf-8")
    assert saved == (tmp_path / "whole" / "games.quilt").read_text(encoding="utf-8")
    assert len(list(Game.parse_many(saved))) == 8


def test_a_folder_of_another_match_is_refused(tmp_path: Path) -> None:
    MatchFolder(tmp_path / "match").open(pairing())
    with pytest.raises(QuiltworkError, match=r"holds a match with other settings \(second\)"):
        MatchFolder(tmp_path / "match").open(pairing(second="greedy"))
    with pytest.raises(QuiltworkError, match="is not empty and holds no match"):
        MatchFolder(Path(__file__).parent).open(pairing())


def test_a_sequential_test_ends_a_match_early() -> None:
    match = play_match(pairing(edition="patchwork"), 400, test=SequentialTest(0, 300))
    assert match.verdict == "accepted"
    assert match.games < 400


@pytest.mark.parametrize(
    ("kind", "fault"), [("crash", "crash"), ("illegal", "illegal move"), ("garbage", "garbage")]
)
def test_a_program_that_fails_loses_and_is_told(kind: str, fault: str) -> None:
    match = play_match(pairing(f"{BOT} {kind}", "random"), 2)
    assert match.wins == [0]
    assert match.faults(0) == {fault: 2}
    assert match.faults(1) == {}
    assert f"{fault} in 2 games" in match_table(match)
    record = Game.parse(match.pairs[0].records[0])
    assert record.tags["Termination"] == "abandoned"


def test_a_program_that_plays_well_finishes_its_games() -> None:
    match = play_match(pairing(f"{BOT} good", "greedy"), 2)
    assert match.faults(0) == {}
    assert match.wins == [0]


def test_the_command_plays_in_processes_and_prints_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["match", "greedy", "random", "--games", "4", "--edition", "express", "--workers", "2", "--json"]
    assert main([*arguments, "--folder", str(tmp_path / "match")]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["games"], result["first"], result["edition"]) == (4, "greedy", "express")
    assert result["pentanomial"][0] + result["pentanomial"][2] + result["pentanomial"][4] == 2


def test_the_command_counts_processor_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["match", "search", "greedy", "--games", "2", "--edition", "express", "--workers", "1", "--json"]
    arguments += ["--seconds", "0.02", "--clock", "processor"]
    assert main([*arguments, "--folder", str(tmp_path / "match")]) == 0
    result = json.loads(capsys.readouterr().out)
    assert [limits["clock"] for limits in result["limits"]] == ["processor", "processor"]
    assert 0.01 < result["seconds_a_move"][0] < 0.03


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nobody", "random"], "agent 'nobody': unknown"),
        (["random", "random", "--edition", "chess"], "edition 'chess': unknown"),
        (["random", "random", "--seconds", "x"], "--seconds: expected one number"),
        (["random", "random", "--sprt", "10,0"], "--sprt: expected two Elo differences"),
    ],
)
def test_wrong_arguments_are_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", *arguments]) == 1
    assert sentence in capsys.readouterr().err


def test_a_tournament_rates_everyone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["tournament", "random", "greedy", "greedy:waver=40", "--games", "4", "--edition", "express"]
    assert main([*arguments, "--workers", "1", "--folder", str(tmp_path), "--json"]) == 0
    table = json.loads(capsys.readouterr().out)["ratings"]
    assert [row["agent"] for row in table][-1] == "random"
    assert [row["games"] for row in table] == [8, 8, 8]
    assert sum(row["elo"] for row in table) == pytest.approx(0, abs=1e-6)


def test_ratings_are_those_that_make_the_results_likeliest() -> None:
    def result(first: str, second: str, wins: list[int]) -> Match:
        games = play_pair(pairing("random", "random"), 0)
        pairs = [_with_wins(games, won) for won in wins]
        return Match(Pairing(first, second), pairs)

    assert pairings_of(["a", "b", "c"]) == [("a", "b"), ("a", "c"), ("b", "c")]
    # 300 of 400 is 191 Elo.
    table = ratings(["a", "b"], [result("a", "b", [2] * 100 + [1] * 100)])
    assert [row.agent for row in table] == ["a", "b"]
    assert table[0].elo - table[1].elo == pytest.approx(190.4, abs=0.5)


def _with_wins(pair: PairResult, wins: int) -> PairResult:
    from dataclasses import replace

    one, two = (replace(game, won=number < wins) for number, game in enumerate(pair.games))
    return replace(pair, games=(one, two))


@pytest.mark.skipif(not Path("/proc").exists(), reason="children are looked up in /proc")
def test_workers_end_when_the_match_is_killed(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "quiltwork",
        "match",
        "greedy",
        "greedy",
        "--games",
        "100000",
        "--workers",
        "2",
    ]
    match = subprocess.Popen([*command, "--folder", str(tmp_path / "match")], stdout=DEVNULL, stderr=DEVNULL)
    try:
        workers = until(lambda: [pid for pid in children(match.pid) if "spawn_main" in command_line(pid)], count=2)
    finally:
        match.kill()
        match.wait()
    until(lambda: [pid for pid in workers if not command_line(pid)], count=2)


def until(look: Callable[[], list[int]], count: int) -> list[int]:
    for _ in range(600):
        found = look()
        if len(found) >= count:
            return found
        time.sleep(0.1)
    raise AssertionError(f"after a minute {len(found)} of {count}")


def children(pid: int) -> list[int]:
    return [int(number) for number in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def command_line(pid: int) -> str:
    """Empty when the process has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def test_what_a_program_wrote_to_its_stderr_is_kept_in_the_folder(tmp_path: Path) -> None:
    match = play_match(pairing(f"{BOT} complain", "greedy"), 2, folder=MatchFolder(tmp_path / "match"))
    assert match.faults(0) == {"crash": 2}
    kept = (tmp_path / "match" / "stderr.txt").read_text(encoding="utf-8")
    assert kept.startswith("== pair 0, game 1, agent 1\nthinking hard\n")
    assert kept.count("ValueError: I cannot go on") == 2
    assert "its stderr ends with 'ValueError: I cannot go on'" in (tmp_path / "match" / "pairs.jsonl").read_text()


@pytest.mark.parametrize("program", ["./no-such-bot", f"{sys.executable} no-such-file.py"])
def test_a_program_that_cannot_be_started_ends_the_match_at_once(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quiltwork.programs.program.SETTLE_SECONDS", 10.0)
    assert main(["match", f"cmd:{program}", "greedy", "--games", "4", "--folder", str(tmp_path / "m")]) == 1
    assert "cannot be started" in capsys.readouterr().err
    assert not (tmp_path / "m").exists()
