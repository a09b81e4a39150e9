"""`quiltwork analyse` and `quiltwork hint`, for people and as JSON."""

from __future__ import annotations

import json
import re

import pytest

from quiltwork.cli.main import main

WON = "patchwork 1 52/40/- 53!/0/- - 2a"
FEW = ("--simulations", "30")


def test_analyse_prints_a_table_and_a_picture(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", WON, *FEW]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Player 1 to move, searched out\n")
    assert "100 %" in out
    assert "▓▓▓" in out


def test_analyse_as_json_is_a_reply_of_the_protocol(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", WON, *FEW, "--json", "--lines", "1"]) == 0
    reply = json.loads(capsys.readouterr().out)
    assert (reply["turn"], reply["win"], reply["exact"], len(reply["moves"])) == (1, 1.0, True, 1)


def test_a_hint_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hint", WON, *FEW]) == 0
    out = capsys.readouterr().out
    assert re.search(r"With the best moves you win by \d+ points\. \[\S+\]\n$", out)
    assert out.count("\n") == 1


def test_analyse_tells_whether_quilts_can_be_finished(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "--finish", WON]) == 0
    assert capsys.readouterr().out == (
        "Player 1: This quilt cannot be finished any more.\nPlayer 2: This quilt cannot be finished any more.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["analyse"], "expected a position, or --stdio"),
        (["analyse", WON, "--agent", "nobody"], "agent 'nobody': unknown"),
        (["analyse", WON, "--seconds", "-1"], "seconds must be from 0 to 1000000, not -1.0"),
        (["hint", "patchwork - 53!/7/- 53/0/- - 2a"], "the game is over: there is no move to choose"),
    ],
)
def test_wrong_usage_is_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 1
    assert sentence in capsys.readouterr().err
