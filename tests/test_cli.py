"""The command line: results on stdout, sentences on stderr, exit codes, never a traceback."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from quiltwork import Position
from quiltwork.cli.main import COMMANDS, main

DATA = Path(__file__).parent / "data"
START = "patchwork 1 0/5/- 0/5/- - 5i4e5d6e6c6j5c6h6b4c5f6i5h5a3c5g6g3b3a8a5b4f6a4d6d6f7b4a4g4b5e7a2a"
LATE = "patchwork 2 53!/9/- 50/3/- - 2a3a"


class Result:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    def call(*arguments: str, stdin: str | bytes = "") -> Result:
        data = stdin if isinstance(stdin, bytes) else stdin.encode()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        try:
            code = main(list(arguments))
        except SystemExit as stop:
            code = int(stop.code or 0)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Result(code, captured.out, captured.err)

    return call


def test_new_prints_a_position(run) -> None:  # type: ignore[no-untyped-def]
    result = run("new", "--edition", "express", "--deal", "3")
    assert result.out == Position.initial("express", deal=3).text + "\n"
    assert (result.code, result.err) == (0, "")
    assert run("new", "--edition", "express", "--seed", "3").out == result.out
    data = json.loads(run("new", "--json").out)
    assert Position.parse(data["position"]) == Position.initial("patchwork", deal=data["deal"])


def test_moves_one_a_line(run) -> None:  # type: ignore[no-untyped-def]
    lines = run("moves", START).out.splitlines()
    assert (len(lines), lines[0]) == (805, "+1")
    # Unquoted, the six fields are six arguments; `-` reads the input.
    assert run("moves", *START.split()).out.splitlines() == lines
    assert run("moves", "-", stdin=f"# comment\n{START} id=1\n").out.splitlines() == lines
    data = json.loads(run("moves", LATE, "--json").out)
    assert data["moves"][0] == {"move": "+3", "code": 0}


def test_after_prints_the_position_reached(run) -> None:  # type: ignore[no-untyped-def]
    assert run("after", LATE, "+").out == "patchwork - 53!/9/- 53/6/- - 2a3a\n"
    assert run("after", *LATE.split(), "2a@a1", "+").out == "patchwork - 53!/9/- 53/3/2a@a1 - 3a\n"
    data = json.loads(run("after", LATE, "+3", "--json").out)
    assert data["played"][0]["events"][0]["text"] == "player 2 receives 3 for advancing"


def test_show_draws(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert "Patchwork" in run("show", START).out
    assert "Patchwork Express" in run("show", str(DATA / "express.quilt")).out
    picture = tmp_path / "p.svg"
    assert run("show", START, "--svg", str(picture), "--dark").code == 0
    assert picture.read_text().startswith("<svg")
    assert run("show", START, "--svg", "-").out.startswith("<svg")
    assert json.loads(run("show", START, "--json").out)[0]["choices"] == ["5i", "4e", "5d"]


def test_show_draws_a_whole_game(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    record, animation = str(DATA / "express.quilt"), tmp_path / "game.webp"
    film = run("show", record, "--film", "-", "--size", "600").out
    assert film.startswith("<svg")
    assert 'width="600"' in film
    short = tmp_path / "short.quilt"
    short.write_text('[Edition "express"]\n[Deal "3"]\n\n1: +1\n')
    assert run("show", str(short), "--animation", str(animation), "--size", "64").code == 0
    assert animation.read_bytes()[8:12] == b"WEBP"
    wrong = run("show", str(short), "--animation", str(tmp_path / "game.png"))
    assert (wrong.code, wrong.err) == (1, "quiltwork: an animated picture is webp or gif, not 'png'\n")


def test_perft_prints_the_count_last(run) -> None:  # type: ignore[no-untyped-def]
    assert run("perft", START, "--depth", "0").out == "1\n"
    assert run("perft", START, "--depth", "1").out == "805\n"
    assert run("perft", START, "--depth", "2").out == "458601\n"
    divided = run("perft", START, "--depth", "2", "--divide").out.splitlines()
    assert (len(divided), divided[-1]) == (806, "458601")
    assert json.loads(run("perft", START, "--depth", "1", "--json").out) == {"depth": 1, "count": 805}


def test_replay_checks_every_record(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    good = (DATA / "express.quilt").read_text()
    bad = good.replace("5k@b1", "5k@b9")
    file = tmp_path / "many.quilt"
    file.write_text(f"{good}\n{bad}\n{good}")
    result = run("replay", str(file))
    assert result.code == 1
    assert [line.split()[0:2] for line in result.out.splitlines()] == [["express", "-"]] * 2
    assert "record, line 19, column 7: expected a cell after '@', found 'b9' (the board ends at g7)" in result.err
    assert run("replay", "-", stdin=good).code == 0
    assert json.loads(run("replay", "-", "--json", stdin=good).out)["score"] == [-1, -6]


def test_editions_tell_how_sure_they_are(run) -> None:  # type: ignore[no-untyped-def]
    assert "halloween        Patchwork Halloween: partly verified" in run("editions").out
    assert json.loads(run("editions", "--json").out)[0]["id"] == "patchwork"


def test_an_edition_is_checked_and_shown(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    own = run("edition", "show", "halloween", "--id", "my-halloween").out
    shown = run("edition", "show", "halloween").out
    assert own == shown.replace('id = "halloween"', 'id = "my-halloween"', 1) != shown
    assert "--id express" in run("edition", "show", "halloween", "--id", "express").err
    own = tmp_path / "own.toml"
    own.write_text(shown.replace("last_space = 53", "last_space = 99"))
    result = run("edition", "check", str(own))
    assert (result.code, result.out) == (1, "")
    assert "last_space should be a whole number from 1 to 63, is 99" in result.err
    own.write_text(shown)
    assert "is fine: 33 patches with 166 cells" in run("edition", "check", str(own)).out
    assert len(run("moves", START.replace("patchwork", str(own))).out.splitlines()) == 805
    assert json.loads(run("edition", "check", str(tmp_path / "none.toml"), "--json").out)["ok"] is False


def test_bench_prints_what_it_promises(run) -> None:  # type: ignore[no-untyped-def]
    figures = json.loads(run("bench", "--seconds", "0.1", "--json").out)
    assert set(figures["random_games_per_second"]) == {
        "patchwork", "patchwork-2014", "halloween", "express", "stack-and-stuff",
    }  # fmt: skip


def test_help_and_version(run) -> None:  # type: ignore[no-untyped-def]
    assert run("--version").out.startswith("quiltwork ")
    text = run("--help").out
    assert all(f"\n  {name} " in text for name in COMMANDS)
    for name in COMMANDS:
        result = run(name, "--help")
        assert (result.code, result.out[:16]) == (0, "usage: quiltwork")


def test_help_imports_nothing_heavy() -> None:
    code = "import sys; from quiltwork.cli.main import main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
    code += "print([m for m in ('numpy', 'numba', 'rich', 'torch', 'fastapi') if m in sys.modules])"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.splitlines()[-1] == "[]"


BINARY = bytes(range(256)) * 10


@pytest.mark.parametrize(
    ("arguments", "stdin", "code"),
    [
        (["moves", "chess 1 0/5/- 0/5/- - -"], "", 1),
        (["moves", "garbage"], "", 1),
        (["moves", "-"], "", 1),
        (["moves", "-"], BINARY, 1),
        (["moves", "-"], f"{START}\n{START}\n", 1),
        (["moves", "patchwork 1 60/5/- 0/5/- - 2a"], "", 1),
        (["moves"], "", 2),
        (["after", START], "", 1),
        (["after", START, "+9"], "", 1),
        (["after", START, "\x00"], "", 1),
        (["perft", START, "--depth", "x"], "", 2),
        (["perft", START, "--depth", "-1"], "", 2),
        (["serve", "--port", "99999"], "", 2),
        (["play", "--port", "-1"], "", 2),
        (["perft", START], "", 2),
        (["replay", "/nonexistent/file"], "", 1),
        (["replay", "/"], "", 1),
        (["replay", "-"], "", 1),
        (["replay", "-"], BINARY, 1),
        (["replay", "-"], "no record at all", 1),
        (["replay", "-"], "[Edition", 1),
        (["show", "/"], "", 1),
        (["show", "x" * 100_000], "", 1),
        (["new", "--edition", "chess"], "", 1),
        (["new", "--edition", "/"], "", 1),
        (["new", "--edition", "none.toml"], "", 1),
        (["new", "--deal", "x"], "", 2),
        (["new", "--deal", "-1"], "", 2),
        (["edition", "check", "/"], "", 1),
        (["edition"], "", 2),
        (["nonsense"], "", 2),
        (["--nonsense"], "", 2),
        (["terminal", "--against", "nobody", "--new"], "", 1),
        (["terminal", "--load", "/nonexistent"], "", 1),
        (["terminal", "--edition", "chess"], "", 1),
    ],
)
def test_bad_input_gets_a_sentence(run, arguments: list[str], stdin: str | bytes, code: int) -> None:  # type: ignore[no-untyped-def]
    result = run(*arguments, stdin=stdin)
    assert (result.code, result.out) == (code, "")
    if code == 1:
        assert result.err.startswith("quiltwork: ")
        assert len(result.err) < 1000


def test_a_huge_file_is_refused(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "huge.quilt"
    with file.open("wb") as out:
        out.truncate(100_000_000)
    assert "larger than 64 MB" in run("replay", str(file)).err


def test_a_picture_is_not_written_over_for_a_bad_position(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    picture = tmp_path / "keep.svg"
    picture.write_text("mine")
    assert run("show", "garbage", "--svg", str(picture)).code == 1
    assert picture.read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["serve", "--port", "99999"], "argument --port: expected a whole number from 0 to 65535, found '99999'"),
        (["perft", START, "--depth", "x"], "argument --depth: expected a whole number from 0 to 20, found 'x'"),
        (["new", "--deal", "-1"], "argument --deal: expected a whole number of at least 0, found '-1'"),
    ],
)
def test_a_wrong_number_is_told_with_its_limits(run, arguments: list[str], sentence: str) -> None:  # type: ignore[no-untyped-def]
    assert run(*arguments).err.endswith(f"{sentence}\n")


def test_the_deal_that_new_draws_is_named_as_its_option(run) -> None:  # type: ignore[no-untyped-def]
    drawn = run("new")
    word, number = drawn.err.removeprefix("quiltwork: ").split()
    assert run("new", f"--{word}", number).out == drawn.out


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_drawings_fall_back_to_what_the_output_can_hold(encoding: str) -> None:
    drawn = subprocess.run(
        [sys.executable, "-m", "quiltwork", "show", START],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=True,
    )
    text = drawn.stdout.decode(encoding)
    assert ">  1  Player 1" in text
    assert "+-----------------------------------+" in text
    assert "?" not in text


def test_several_positions_of_the_input_are_answered_one_by_one(run) -> None:  # type: ignore[no-untyped-def]
    lines = f"{LATE}\n# a comment\n{LATE} id=2\n"
    answers = [
        json.loads(line) for line in run("hint", "-", "--agent", "greedy", "--json", stdin=lines).out.splitlines()
    ]
    assert len(answers) == 2
    assert run("analyse", "-", "--agent", "greedy", stdin=lines).out.count("Player 2 to move") == 2
    assert run("show", "-", stdin=lines).out.count("Patchwork: Player 2 to move") == 2
    assert "expected positions, found none" in run("hint", "-", stdin="# nothing\n").err


def test_colours_are_as_asked_for(run, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    assert "\x1b[" not in run("show", START).out
    assert "\x1b[" in run("show", START, "--color", "always").out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert "\x1b[" not in run("show", START, "--color", "never").out


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_a_shell_completes_every_command(run, shell: str) -> None:  # type: ignore[no-untyped-def]
    script = run("completion", shell).out
    assert all(name in script for name in COMMANDS)
    assert "against" in script


def test_every_command_has_a_manual_page(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert run("man", str(tmp_path)).code == 0
    pages = {page.stem: page.read_text() for page in tmp_path.iterdir()}
    assert set(pages) == {"quiltwork", *(f"quiltwork-{name}" for name in COMMANDS)}
    assert ".B \\-\\-simulations N\nhow many simulations" in pages["quiltwork-hint"]
    assert all(page.startswith(".TH QUILTWORK") for page in pages.values())
    # A new machine has no folder for them yet.
    assert run("man", str(tmp_path / "share" / "man1")).code == 0
    assert (tmp_path / "share" / "man1" / "quiltwork.1").exists()
    refused = run("man", str(tmp_path / "quiltwork.1"))
    assert (refused.code, refused.err) == (1, f"quiltwork: {tmp_path / 'quiltwork.1'}: is a file, not a folder\n")


def test_a_mistyped_command_or_file_is_named(run) -> None:  # type: ignore[no-untyped-def]
    mistyped = run("analse", START)
    assert mistyped.code == 2
    assert "there is no command 'analse'; did you mean 'analyse'?" in mistyped.err
    sentence = "no such file; a position has six fields, as `quiltwork new` prints it"
    assert run("show", "nope.quilt").err == f"quiltwork: nope.quilt: {sentence}\n"
