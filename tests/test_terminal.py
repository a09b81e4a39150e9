"""The game in the terminal, played by scripts."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from quiltwork import Cell, Game, Orientation, Placement, Player, Position, load_edition, load_theme
from quiltwork.agents import warm
from quiltwork.cli import terminal
from quiltwork.cli.main import main
from quiltwork.editions import available_editions
from quiltwork.speech import Speech
from quiltwork.telling import Telling
from quiltwork.terminal import storage, study
from quiltwork.terminal.placing import Lifted, changed
from quiltwork.terminal.session import Session
from quiltwork.terminal.table import Table, Thinker

DEAL_3 = "5i 7a 4c"


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUILTWORK_DATA_DIR", str(tmp_path))


def played(
    game: Game,
    *answers: str,
    confirm: bool = False,
    names: tuple[str, str] = ("Player 1", "Player 2"),
    thinkers: dict[Player, Thinker] | None = None,
    review: str = "",
    language: str = "en",
) -> tuple[Game, str]:
    """The game after the answers are given to its prompts, and all that was told."""
    told: list[str] = []
    script: Iterator[str] = iter(answers)

    def ask(prompt: str) -> str:
        told.append(prompt)
        try:
            return next(script)
        except StopIteration:
            raise EOFError from None

    table = Table(game, random.Random(1), thinkers)
    speech = Speech(game.edition, load_theme(game.edition.theme), language)
    telling = Telling(speech, names, table.you)
    session = Session(
        table,
        telling,
        ask=ask,
        tell=told.append,
        confirm=confirm,
        review=(lambda game, speech: review) if review else None,
    )
    session.run()
    return game, "\n".join(told)


def new() -> Game:
    return Game.new("patchwork", deal=3)


def test_a_move_by_notation_tells_what_it_will_do() -> None:
    game, told = played(new(), "5i@d4", "", confirm=True)
    assert [str(move) for move in game.moves] == ["5i@d4"]
    assert "5i@d4: 5 → 2 buttons · Space 0 → 5 · −157 → −150 points · Income +2 · Then Player 2 moves" in told


def test_a_refused_move_is_not_played() -> None:
    game, told = played(new(), "5i@d4", "n", confirm=True)
    assert game.moves == ()
    assert "Not played." in told


def test_a_patch_is_laid_step_by_step() -> None:
    game, _ = played(new(), "1", "d4", "r f", "down left", "")
    assert [str(move) for move in game.moves] == ["5i@c5r3"]


def test_a_lifted_patch_can_be_put_back() -> None:
    game, _ = played(new(), "2", "x")
    assert game.moves == ()


def test_mistakes_are_answered_and_nothing_is_lost() -> None:
    game, told = played(new(), "5i@i9", "nonsense", "9", "s@a1", "save", "undo", "redo", "6j@a1", "+", "help")
    assert [str(move) for move in game.moves] == ["+1"]
    for sentence in (
        "5i@i9: 5i lies off the board there",
        "expected a move",
        "There are 3 patches to choose from",
        "player 1 has no special patch to place",
        "save needs a file name",
        "There is no move to take back.",
        "There is nothing to play again.",
        "6j is not among the choices",
        "choose one of these and lay it step by step",
    ):
        assert sentence in told


def test_undo_and_redo() -> None:
    game, told = played(new(), "+", "+", "undo", "undo", "redo")
    assert [str(move) for move in game.moves] == ["+1"]
    assert "Taken back: +2" in told


def test_leaving_keeps_the_game() -> None:
    game, told = played(new(), "+", "quit")
    assert "The game is kept" in told
    again = storage.kept()
    assert again is not None
    assert again.moves == game.moves


def test_saving_asks_before_it_writes_over(tmp_path: Path) -> None:
    file = tmp_path / "mine.quilt"
    game, _ = played(new(), "+", f"save {file}")
    assert Game.parse(file.read_text()).moves == game.moves
    file.write_text("precious")
    _, told = played(new(), f"save {file}", "n")
    assert file.read_text() == "precious"
    assert "Not saved." in told


def test_resigning_ends_the_game() -> None:
    game, told = played(new(), "+", "resign", "n", "resign", "y")
    assert (game.tags["Termination"], game.tags["Winner"]) == ("resign", "1")
    assert "Player 1 wins by resignation." in told
    assert storage.kept() is None
    assert Game.parse(game.text).text == game.text


@pytest.mark.parametrize("name", ["patchwork", "express"])
def test_a_whole_game(name: str) -> None:
    game = Game.new(name, deal=3)
    rng = random.Random(2)
    scout = Game.new(name, deal=3)
    answers = []
    reserve_rng = random.Random(1)
    while scout.position.turn is not None:
        moves = scout.position.legal_moves()
        if moves:
            move = rng.choice(moves)
            answers.append(str(move).removeprefix("s@") if str(move) != "s@-" else "s@-")
        else:
            move = scout.position.deal(reserve_rng)
        scout.play(move)
    done, told = played(game, *answers)
    assert done.position == scout.position
    outcome = done.position.outcome()
    assert outcome is not None
    assert f"Player {outcome.winner} wins" in told


def test_too_dear_says_how_many_are_missing() -> None:
    game = Game.parse('[Position "patchwork 1 0/1/- 0/5/- - 5i2a"]\n')
    _, told = played(game, "1")
    assert "You need 4 buttons more." in told


def test_flipping_a_turned_patch_mirrors_it_as_it_lies() -> None:
    edition = load_edition("patchwork")
    for code in ("5c", "6b", "4c", "6g"):
        patch = edition.patches[code]
        for orientation in patch.orientations:
            lifted = Lifted(patch, Placement(Cell(3, 3), orientation))
            flipped = changed(lifted, edition, "f")
            assert flipped is not None
            width = max(c for _, c in patch.oriented(orientation))
            mirrored = sorted((r, width - c) for r, c in patch.oriented(orientation))
            assert sorted((r - 3, c - 3) for r, c in flipped.cells) == mirrored


def test_a_patch_in_the_hand_stays_on_the_board() -> None:
    edition = load_edition("patchwork")
    lifted = Lifted(edition.patches["5a"], Placement(Cell(0, 4), Orientation.PLAIN))
    turned = changed(lifted, edition, "i9")
    assert turned is not None
    assert turned.placement.cell == Cell(8, 4)


def test_players_have_names() -> None:
    _, told = played(new(), "quit", names=("Ada", "Bo"))
    assert "Patchwork: Ada to move" in told


def test_the_question_fits_the_move() -> None:
    _, told = played(new(), "+", "n", "5i@d4", "n", confirm=True)
    assert "Advance? [Enter, n]" in told
    assert "Sew? [Enter, n]" in told
    _, told = played(Game.new("stack-and-stuff", deal=3), "3", "", "n", confirm=True)
    assert "Stow? [Enter, n]" in told


@pytest.mark.parametrize(
    ("thinkers", "answer"),
    [
        ({Player.TWO: lambda position: position.legal_moves()[0]}, "every move was fine"),
        ({}, "Between two people the review waits for the end of the game."),
    ],
    ids=["computer", "two people"],
)
def test_a_review_waits_for_the_end_between_people(thinkers: dict[Player, Thinker], answer: str) -> None:
    _, told = played(new(), "review", "+", "review", "quit", thinkers=thinkers, review="every move was fine")
    assert "There is nothing to review yet." in told
    assert told.count(answer) == 1


def test_a_review_is_told_in_the_language_of_the_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(study, "REVIEW_SIMULATIONS", 10)
    monkeypatch.setattr("sys.stdin", io.StringIO("+\nreview\nquit\n"))
    given = ["terminal", "--plain", "--quick", "--deal", "3", "--against", "level:1", "--language", "de"]
    assert main(given) == 0
    told = capsys.readouterr().out
    assert "Genauigkeit" in told
    assert "accuracy" not in told


@pytest.mark.parametrize("name", available_editions())
@pytest.mark.parametrize("language", ["en", "de"])
def test_everything_is_said_in_the_words_of_the_box(name: str, language: str) -> None:
    game = Game.new(name, deal=3)
    cheapest = min(range(3), key=lambda i: game.position.choices()[i].buttons) + 1
    _, told = played(
        game, "help", "rules", "score", "1", "x", f"{cheapest}", "", "show", "+", "undo", "redo", "resign", "y",
        confirm=True, language=language,
    )  # fmt: skip
    foreign = {
        "stack-and-stuff": r"\b(button|quilt|sew|patches|Knopf|Knöpfe|Flicken|[Nn]ähen?)",
        "halloween": r"\b(buttons?|Knöpfe)\b",
    }
    mine = load_theme(load_edition(name).theme).words_in(language)
    assert mine.button.many in told
    assert mine.time_board.one[1:] in told
    if name in foreign:
        assert not re.search(foreign[name], told), re.search(foreign[name], told)


def test_a_small_screen_is_played_line_by_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("textual")
    monkeypatch.setattr(terminal, "_has_screen", lambda: True)
    monkeypatch.setattr(terminal, "_full_screen", lambda options, wishes, colour: 7)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    assert main(["terminal", "--deal", "3"]) == 7
    monkeypatch.setenv("LINES", "23")
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert main(["terminal", "--deal", "3"]) == 0
    shown = capsys.readouterr()
    assert shown.err == "quiltwork: playing line by line; for the whole screen: 80 columns and 24 lines or more\n"
    assert "Type a move" in shown.out


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("unsinn", "„unsinn“ sagt hier nichts. Tippe einen Zug, oder `help`."),
        ("z9", "„z9“ sagt hier nichts."),
        ("2a@a1", "Zur Wahl stehen 3 Flicken"),
        ("5i@i9", "Hier passt es nicht."),
        ("5i@a1", "Das hohe rostrote T: Dir fehlen noch 4 Knöpfe."),
        ("s@a1", "Player 1 beginnt."),
    ],
)
def test_a_refusal_is_told_in_the_language_of_the_game(typed: str, sentence: str) -> None:
    poor = typed == "5i@a1"
    start = "patchwork 1 0/1/- 0/0/- - 5i2a3a4a" if poor else "patchwork 1 0/5/- 0/5/- - 5i7a4c2a"
    _, told = played(Game(Position.parse(start)), typed, language="de")
    assert sentence in told


@pytest.mark.parametrize(
    ("against", "typed", "compiled"),
    [
        ([], "+\n\n+\n\nquit\n", []),
        (["--against", "level:1"], "+\n\nquit\n", ["level:1"]),
        ([], "hint\nquit\n", ["strongest"]),
    ],
    ids=["two people", "an easy level", "a hint"],
)
def test_only_who_needs_an_agent_waits_until_it_is_compiled(
    monkeypatch: pytest.MonkeyPatch, against: list[str], typed: str, compiled: list[str]
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(warm, "ready", lambda: asked.append("all"))
    monkeypatch.setattr(warm, "ready_for", lambda *specs: asked.extend(specs))
    monkeypatch.setattr(study, "HINT_SECONDS", 0.05)
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    study.ready_for.cache_clear()
    assert main(["terminal", "--deal", "3", *against]) == 0
    assert asked == compiled
    study.ready_for.cache_clear()


@pytest.mark.parametrize("compiled", [False, True])
def test_the_whole_screen_begins_while_agents_are_compiled(
    monkeypatch: pytest.MonkeyPatch, compiled: bool
) -> None:
    pytest.importorskip("textual")
    from quiltwork.terminal.screen.app import QuiltworkApp

    happened: list[str] = []

    class Compiling:
        def __init__(self) -> None:
            happened.append("compiling begins")

        def close(self) -> None:
            happened.append("compiling is stopped")

    monkeypatch.setattr(warm, "is_ready", lambda: compiled)
    monkeypatch.setattr("quiltwork.agents.preparation.Preparation", Compiling)
    monkeypatch.setattr(QuiltworkApp, "run", lambda app: happened.append("the game"))
    monkeypatch.setattr(terminal, "_has_screen", lambda: True)
    monkeypatch.setattr(terminal, "get_terminal_size", lambda: (80, 24))
    assert main(["terminal"]) == 0
    assert happened == (["the game"] if compiled else ["compiling begins", "the game", "compiling is stopped"])
