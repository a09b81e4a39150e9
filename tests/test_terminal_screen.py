"""The game full screen, driven by keys and mouse; what it shows is in `data/screens/`, to be read.

QUILTWORK_WRITE_SCREENS=1 writes the screens anew: read them before they are committed.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("textual")

from textual.app import App
from textual.pilot import Pilot
from textual.strip import Strip
from textual.worker import WorkerCancelled

from quiltwork import Game, Move, Position, Review
from quiltwork.agents.preparation import Preparation
from quiltwork.agents.warm import QUICK, STAGES
from quiltwork.analysis.review.reasons import Reason
from quiltwork.editions import available_editions
from quiltwork.terminal import storage, study
from quiltwork.terminal.screen.dialogs import StartDialog
from quiltwork.terminal.screen.run import app_of
from quiltwork.terminal.screen.table_screen import TableScreen
from quiltwork.terminal.screen.widgets import SheetView
from quiltwork.terminal.start import Wishes
from quiltwork.terminal.table import Table, Thinker

SCREENS = Path(__file__).parent / "data" / "screens"
Play = Callable[[Pilot[None]], Awaitable[None]]


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUILTWORK_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture
def first_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer that plays its first legal move at once."""

    def thinker_of(spec: str, seconds: float) -> Thinker:
        return lambda position: position.legal_moves()[0]

    monkeypatch.setattr(study, "thinker_of", thinker_of)


def played(
    *keys: str,
    edition: str = "patchwork",
    size: tuple[int, int] = (80, 24),
    then: Play | None = None,
    start: str = "",
    colour: bool = True,
    language: str = "en",
    against: str | None = None,
) -> tuple[TableScreen, str]:
    """The table after these keys, and what the screen shows."""
    wishes = Wishes(edition=edition, deal=3, against=against, language=language)
    if start:
        file = storage.kept_file().with_name("start.quilt")
        storage.write(Game(Position.parse(start)), file)
        wishes = Wishes(load=str(file), against=against, language=language)
    app = app_of(wishes, colour=colour)

    async def run() -> tuple[TableScreen, str]:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await pilot.press(*keys)
            if then is not None:
                await then(pilot)
            await settled(pilot)
            await pilot.pause()
            return screen_of(app), shown(app)

    return asyncio.run(run())


async def settled(pilot: Pilot[None]) -> None:
    """Waits for what goes on in the background. A computer that moves twice calls off its first worker."""
    while running := [worker for worker in pilot.app.workers if not worker.is_finished]:
        for worker in running:
            with suppress(WorkerCancelled):
                await worker.wait()


def shown(app: App[None]) -> str:
    """The characters on the screen, without spaces at the ends of lines."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips) + "\n"


def screen_of(app: App[None]) -> TableScreen:
    return next(screen for screen in app.screen_stack if isinstance(screen, TableScreen))


def kept_moves() -> list[str]:
    """The moves of the game that is kept for next time."""
    return [str(move) for move in storage.read(storage.kept_file()).end.line()]


@pytest.mark.parametrize(
    ("name", "keys", "settings"),
    [
        ("patchwork-start", "", {}),
        ("patchwork-ghost", "2 r down down right", {}),
        ("patchwork-large", "2 r down down right", {"size": (140, 45)}),
        ("patchwork-between", "1 f", {"size": (100, 30)}),
        ("patchwork-without-colour", "2 enter 1 down down down enter", {"colour": False}),
        ("express-german", "2 enter", {"edition": "express", "language": "de"}),
        ("halloween-advance", "plus", {"edition": "halloween"}),
        ("stack-and-stuff-special", "", {"start": "stack-and-stuff 1s 8/4/4a@a1 3/1/- - 2b3a4b2a"}),
        ("patchwork-over", "", {"start": "patchwork - 53!/9/- 53/6/- - 2a3a"}),
        ("rules-express", "e", {"edition": "express", "size": (80, 40)}),
        ("keys", "question_mark", {}),
    ],
    ids=lambda value: value if isinstance(value, str) and "-" in value else "",
)
def test_the_screen_looks_as_it_should(name: str, keys: str, settings: dict[str, object]) -> None:
    _, screen = played(*keys.split(), **settings)  # type: ignore[arg-type]
    file = SCREENS / f"{name}.txt"
    if os.environ.get("QUILTWORK_WRITE_SCREENS"):
        file.write_text(screen, encoding="utf-8")
    assert screen == file.read_text(encoding="utf-8")


def test_keys_move_turn_flip_and_sew() -> None:
    _at, screen = played("2", "down", "down", "right", "r", "f", "enter")
    assert kept_moves() == ["7a@b3r1"]
    assert "sewed the great blue cross" in screen


def test_what_does_not_fit_is_told_and_not_played() -> None:
    _, screen = played("1", "enter", start="patchwork 1 0/1/- 0/0/- - 5i2a3a4a")
    assert screen.count("The tall rust T: You need 4 buttons more.") == 1
    _, screen = played("2", "left", "up", "enter", start="patchwork 1 0/2/5c@a1 0/0/- - 5i2a3a4a")
    assert "It does not fit here." in screen
    assert not storage.kept_file().exists()


def test_undo_redo_and_a_look_back_from_which_one_goes_on() -> None:
    at, _ = played("plus", "enter", "plus", "enter", "u")
    assert len(at.table.game.moves) == 1
    at, _ = played("plus", "enter", "plus", "enter", "u", "y")
    assert len(at.table.game.moves) == 2
    at, screen = played("plus", "enter", "plus", "enter", "b", "left")
    assert "Looking back: 1 / 2" in screen
    at, screen = played("plus", "enter", "plus", "enter", "b", "left", "enter")
    assert len(at.table.game.moves) == 1


def test_the_mouse_chooses_places_and_sews() -> None:
    async def press(pilot: Pilot[None]) -> None:
        await pilot.click("#choices", offset=(20, 5))
        await pilot.click("#seat1", offset=(10, 8))
        await pilot.click("#seat1", offset=(10, 8))

    _at, _ = played(then=press)
    assert kept_moves() == ["7a@c4"]


def test_the_keys_at_the_bottom_can_be_pressed() -> None:
    async def press(pilot: Pilot[None]) -> None:
        await pilot.click("#keys", offset=(2, 0))

    _, before = played()
    _, after = played(then=press)
    assert "▶ 1" in before
    assert "▶ 2" in after


@pytest.mark.usefixtures("first_move")
def test_the_computer_answers_and_leaving_keeps_the_game() -> None:
    _at, screen = played("1", "enter", against="level:3")
    assert [move[0] for move in kept_moves()] == ["5", "+"]
    assert "Button advanced" in screen
    assert "You" in screen
    again = app_of(Wishes(against=None))

    async def run() -> str:
        async with again.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            assert isinstance(again.screen, StartDialog)
            assert re.search("▶ Go on: Patchwork", shown(again))
            assert re.search("▶  5  Bobbin", shown(again))
            await pilot.press("enter")
            await settled(pilot)
            await pilot.pause()
            return shown(again)

    assert "Button advanced" in asyncio.run(run())


def test_a_hint_takes_the_move_in_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    from quiltwork.agents import agent_of
    from quiltwork.analysis.hint import hint_of

    def quick(position: Position) -> tuple[object, Move]:
        analysis = agent_of("greedy").think(position)
        return hint_of(position, analysis), analysis.best.move

    monkeypatch.setattr(study, "hint", quick)
    at, screen = played("h", edition="stack-and-stuff")
    assert re.search(r"I would stow .* here", screen)
    assert at.hand is not None
    assert at.hand.illegality is None


def test_a_review_tells_what_each_move_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "REVIEW_SIMULATIONS", 20)
    monkeypatch.setattr(Table, "may_review", True)
    late = "patchwork 2 53!/9/- 48/4/- - 2a3a"

    async def look(pilot: Pilot[None]) -> None:
        await settled(pilot)
        await pilot.press("home")
        await pilot.pause()

    _at, screen = played("plus", "enter", "v", start=late, then=look)
    assert "Next: Player 2 advanced" in screen
    assert "Better:" in screen


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "This move lets the other player take the blue zigzag."),
        ("de", "Nach diesem Zug kann die andere Seite die blaue Schlange nehmen."),
    ],
)
def test_a_review_gives_its_reason_in_the_language_of_the_game(
    monkeypatch: pytest.MonkeyPatch, language: str, sentence: str
) -> None:
    monkeypatch.setattr(study, "REVIEW_SIMULATIONS", 20)
    monkeypatch.setattr(Table, "may_review", True)
    real = study.review

    def blamed(game: Game, progress: study.Progress | None = None) -> Review:
        found = real(game, progress)
        turn = replace(found.turns[0], loss_what=0.2, reason=Reason("opens", {"patch": "4d"}))
        return replace(found, turns=(turn,))

    monkeypatch.setattr(study, "review", blamed)

    async def look(pilot: Pilot[None]) -> None:
        await settled(pilot)
        await pilot.press("home")

    start = "patchwork 2 53!/9/- 48/4/- - 2a3a"
    _, screen = played("plus", "enter", "v", start=start, then=look, language=language)
    assert sentence in " ".join(screen.split())


class Compiling(Preparation):
    """Agents that are being compiled, without a process."""

    def __init__(self) -> None:
        self._stage, self._done, self._total = STAGES.index(QUICK), 1, 2

    def go_on(self) -> None:
        self._stage += 1


async def until(pilot: Pilot[None], shows: str) -> None:
    """Waits until a sentence is shown, which may be broken into lines."""
    async with asyncio.timeout(60):
        while shows not in " ".join(shown(pilot.app).split()):
            await pilot.pause(0.05)


@pytest.mark.usefixtures("first_move")
def test_who_plays_against_an_agent_that_is_compiled_sees_how_far_it_is() -> None:
    compiling = Compiling()
    app = app_of(Wishes(edition="patchwork", deal=3, against="level:7"), preparation=compiling)

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await pilot.press("plus", "enter")
            await until(pilot, "The first opponents are being prepared. 1 / 2")
            compiling.go_on()
            await until(pilot, "The strong opponents are being prepared, for about half a minute. 1 / 2")
            assert kept_moves() == ["+1"]
            compiling.go_on()
            await settled(pilot)
            await pilot.pause()
            assert "prepared" not in shown(app)

    asyncio.run(run())
    assert len(kept_moves()) > 1


@pytest.mark.usefixtures("first_move")
def test_an_easy_level_does_not_wait_for_the_strong_ones() -> None:
    compiling = Compiling()
    compiling.go_on()
    app = app_of(Wishes(edition="patchwork", deal=3, against="level:1"), preparation=compiling)

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await pilot.press("plus", "enter")
            await settled(pilot)

    asyncio.run(run())
    assert len(kept_moves()) > 1


@pytest.mark.parametrize("needs", ["h", "v"])
def test_two_people_play_while_a_hint_and_a_review_wait_for_their_agent(
    monkeypatch: pytest.MonkeyPatch, needs: str
) -> None:
    monkeypatch.setattr(Table, "may_review", True)
    app = app_of(Wishes(edition="patchwork", deal=3, new=True), preparation=Compiling())

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await pilot.press("plus", "enter", needs)
            await until(pilot, "The first opponents are being prepared. 1 / 2")
            await pilot.press("escape", "plus", "enter")
            await settled(pilot)
            assert kept_moves() == ["+1", "+2"]
            await pilot.press(needs)
            await until(pilot, "The first opponents are being prepared. 1 / 2")

    # It ends, though nothing was compiled.
    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_key_draws_only_the_lines_that_change(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[str | None, int]] = []
    real = SheetView.render_line

    def noted(view: SheetView, y: int) -> Strip:
        drawn.append((view.id, y))
        return real(view, y)

    async def look(pilot: Pilot[None]) -> None:
        await pilot.pause()
        laid_out = pilot.app.screen._layout_updates
        drawn.clear()
        await pilot.press("right")
        await pilot.pause()
        assert pilot.app.screen._layout_updates == laid_out

    monkeypatch.setattr(SheetView, "render_line", noted)
    played("2", "down", size=(140, 45), then=look)
    # The cross in the hand is three cells high: with the seams around it, seven lines of one quilt.
    assert {view for view, _ in drawn} == {"seat1"}
    assert len(drawn) <= 8


@pytest.mark.parametrize("opened", [(), ("s",), ("e",), ("x",), ("g",)])
def test_ctrl_c_leaves_from_the_table_and_from_every_dialog(opened: tuple[str, ...]) -> None:
    app = app_of(Wishes(edition="patchwork", deal=3))

    async def run() -> bool:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await pilot.press(*opened)
            await pilot.pause()
            await pilot.press("ctrl+c")
            await pilot.pause()
            return app._exit

    assert asyncio.run(run())


def test_between_people_a_review_waits_for_the_end() -> None:
    _, screen = played("plus", "enter", "v")
    assert "the review waits for the end of the game" in screen


def test_saving_resigning_and_the_rules(tmp_path: Path) -> None:
    async def save(pilot: Pilot[None]) -> None:
        await pilot.press("s")
        await pilot.pause()
        await pilot.press(*["backspace"] * 10, *str(tmp_path / "mine"), "enter")
        await pilot.pause()
        await pilot.press("x")
        await pilot.pause()
        await pilot.press("y")

    _, screen = played("plus", "enter", then=save)
    assert [str(move) for move in storage.read(tmp_path / "mine").moves] == ["+1"]
    assert "Player 1 wins by resignation." in screen


@pytest.mark.usefixtures("first_move")
@pytest.mark.parametrize("name", available_editions())
def test_a_whole_game_of_each_edition(name: str) -> None:
    rng = random.Random(5)

    async def play(pilot: Pilot[None]) -> None:
        table = screen_of(pilot.app).table
        for _ in range(200):
            if table.over:
                return
            await pilot.press(*rng.choices(["tab", "n", "r", "f"], k=2), "n", "enter")
            await settled(pilot)
        raise AssertionError("the game does not end")

    at, screen = played(edition=name, then=play, against="level:1")
    assert at.telling.result(at.table.position) in screen
    assert kept_moves() == [str(move) for move in at.table.game.moves]


def test_the_circle_opens_with_all_its_shapes() -> None:
    _, screen = played("c", edition="express", size=(80, 45))
    assert "Circle (buttons/time+income)" in screen
    codes = re.findall(r"\b([2-5][a-k]) +\d+/\d\+\d", screen)
    at, _ = played(edition="express")
    position = at.table.position
    assert codes == [patch.code for patch in (*position.circle, *position.reserve)]
    assert "later, in random order, 8 blue patches" in screen


@pytest.mark.usefixtures("first_move")
def test_without_a_move_there_is_nothing_to_look_back_at() -> None:
    for key in ("b", "v"):
        at, screen = played(key, against="level:1")
        assert at.back is None
        assert "There is nothing to review yet." in screen


def test_a_window_that_became_too_small_says_what_it_needs() -> None:
    _, screen = played(size=(70, 20))
    assert screen.startswith(" The window is small: 80 columns and 24 lines show everything.")
    _, screen = played(size=(80, 24))
    assert "The window is small" not in screen


def test_a_long_name_of_the_waiting_game_stays_on_one_line() -> None:
    game = Game.new("patchwork-2014", deal=3)
    game.play("+1")
    game.tags.update(Player1="Wilhelmine Antonia", Player2="Old Selvedge")
    storage.keep(game)
    app = app_of(Wishes())

    async def look() -> str:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            return shown(app)

    screen = asyncio.run(look())
    (waiting,) = [line for line in screen.splitlines() if "Go on" in line]
    assert "▶ Go on: Patchwork, first printings (2014…  Two people" in waiting
    below = screen.splitlines()[screen.splitlines().index(waiting) + 1]
    assert "  Patchwork " in below


def test_the_screen_imports_nothing_that_draws_svg() -> None:
    program = "import sys, quiltwork.terminal.screen.run; print('quiltwork.render.svg' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
