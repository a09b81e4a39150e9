"""The table on the screen: keys and mouse change the hand, Enter plays what it holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.events import Resize
from textual.screen import Screen
from textual.style import Style
from textual.widgets import Static
from textual.worker import get_current_worker

from quiltwork.agents.preparation import Preparation
from quiltwork.agents.warm import stage_of
from quiltwork.errors import QuiltworkError
from quiltwork.geometry import Cell
from quiltwork.move import Move, Player
from quiltwork.speech import capital
from quiltwork.telling import Telling
from quiltwork.terminal import storage, study
from quiltwork.terminal.hand import Hand, Kind, options_of
from quiltwork.terminal.lookback import LookBack
from quiltwork.terminal.screen import sheets
from quiltwork.terminal.screen.dialogs import AskDialog, NameDialog, TextDialog
from quiltwork.terminal.screen.rules import keys_text, rules_text
from quiltwork.terminal.screen.sheets import Look
from quiltwork.terminal.screen.widgets import SheetView, text_of
from quiltwork.terminal.start import LEAST_SIZE
from quiltwork.terminal.table import Table

if TYPE_CHECKING:
    from quiltwork.analysis.hint import Hint
    from quiltwork.analysis.review import Review

LARGE = (112, 34)
"""columns and lines from which quilts are drawn large"""
DIALOG_WIDTH = 68
"""columns for a text in a dialog, its bar for scrolling left out"""
LARGE_CELL, SMALL_CELL = (4, 2), (2, 1)
LOOK_AGAIN = 0.1
"""seconds between two looks at what is compiled"""


def _keys() -> list[BindingType]:
    table = {
        "tab": "step(1)",
        "shift+tab": "step(-1)",
        "up": "move(-1, 0)",
        "down": "move(1, 0)",
        "left": "move(0, -1)",
        "right": "move(0, 1)",
        "r,full_stop": "turn(1)",
        "R,comma": "turn(3)",
        "f": "flip",
        "n": "place(1)",
        "N": "place(-1)",
        "enter,space": "sew",
        "plus,a": "advance",
        "h": "hint",
        "u,backspace": "undo",
        "y": "redo",
        "b": "back",
        "v": "review",
        "c": "circle",
        "e": "rules",
        "question_mark,f1": "help",
        "s": "save",
        "x": "resign",
        "d": "dark",
        "g": "app.new",
        "q": "app.quit",
        "escape": "leave",
        "home": "first",
        "end": "last",
    }
    digits = {str(number): f"choose({number - 1})" for number in range(1, 10)}
    return [
        Binding(key, action, show=False, priority=key.startswith("tab"))
        for key, action in (table | digits).items()
    ]


class TableScreen(Screen[None]):
    """One game, from its first move to looking back at it."""

    BINDINGS: ClassVar[list[BindingType]] = _keys()

    def __init__(self, table: Table, look: Look, preparation: Preparation | None = None) -> None:
        super().__init__()
        self.table = table
        self.preparation = preparation
        self.look = look
        self.hand: Hand | None = None
        self.said = ""
        """what was told last: a hint, or why something was refused"""
        self.back: LookBack | None = None
        self._room = 34, 13
        """columns and lines for the choices"""
        self._written: dict[str, Text | Content] = {}

    @property
    def telling(self) -> Telling:
        return self.look.telling

    def say(self, key: str, **figures: int | str) -> str:
        return self.telling.speech.say(key, **figures)

    def compose(self) -> ComposeResult:
        yield Static(id="top", markup=False)
        with Horizontal(id="middle"):
            yield SheetView("seat1")
            yield SheetView("seat2")
            yield SheetView("choices")
        yield SheetView("track")
        yield Static(id="told")
        yield Static(id="keys")

    def on_mount(self) -> None:
        self.go_on()

    def on_resize(self, event: Resize) -> None:
        width, height = event.size
        self.look = replace(self.look, large=width >= LARGE[0] and height >= LARGE[1])
        cell = LARGE_CELL if self.look.large else SMALL_CELL
        edition = self.table.position.edition
        seat = max(23 if not self.look.large else 30, edition.columns * cell[0] + 4)
        for name in ("#seat1", "#seat2"):
            self.query_one(name).styles.width = seat
        lines = sheets.HEAD + 1 + edition.rows * cell[1] + (1 if self.look.large else 0)
        lines = max(lines, 13)
        self.query_one("#middle").styles.height = lines
        self._room = width - 2 * seat, lines
        self.show()

    # Whose turn it is

    def go_on(self) -> None:
        """After every change: lets the reserve in, lets the computer think, or gives the hand to a person."""
        dealt = self.table.deal() if self.back is None else None
        if dealt is not None:
            self.said = ""
        person = not self.table.over and self.table.thinker is None
        self.hand = Hand.of(self.table.position) if person else None
        if self.table.thinker is not None and not self.table.over:
            self.think()
        self.show()

    @work(thread=True, exclusive=True, group="thinking")
    def think(self) -> None:
        worker, thinker, position = get_current_worker(), self.table.thinker, self.table.position
        if thinker is None:
            return
        try:
            if not self.awaited(self.table.opponent, lambda: not self.table.over):
                return
            move = thinker(position)
        except QuiltworkError as error:
            self.app.call_from_thread(self.refuse, str(error))
            return
        if not worker.is_cancelled:
            self.app.call_from_thread(self.answered, position, move)

    def awaited(self, spec: str, wanted: Callable[[], bool], then: str = "") -> bool:
        """Waits, in a worker, until an agent is compiled, and tells how far that is.

        False if the worker is called off meanwhile, or the agent is not wanted any more.
        """
        worker, told = get_current_worker(), ""
        while self.preparation is not None and not self.preparation.has_done(stage_of(spec)):
            if worker.is_cancelled or not wanted():
                return False
            step = self.preparation.step
            sentence = f"{self.say(f'preparing.{step[0]}')} {step[1]} / {step[2]}" if step else told
            if sentence != told:
                told = sentence
                self.app.call_from_thread(self.refuse, told)
            sleep(LOOK_AGAIN)
        if told and not worker.is_cancelled and wanted():
            self.app.call_from_thread(self.refuse, then)
        return True

    def answered(self, position: object, move: Move) -> None:
        """The computer has found its move; the game may have gone elsewhere meanwhile."""
        if self.table.position is position and self.back is None and not self.table.over:
            self.said = ""
            self.table.play(move)
            self.go_on()

    # What the keys do

    def action_step(self, by: int) -> None:
        self.change(lambda hand: hand.step(by))

    def action_choose(self, index: int) -> None:
        if self.hand is not None and index < len(options_of(self.hand.position)):
            self.change(lambda hand: hand.choose(index))

    def action_advance(self) -> None:
        self.change(lambda hand: hand.choose(-1))

    def action_move(self, down: int, across: int) -> None:
        if self.back is not None:
            self.back.step(across + down)
            self.show()
        else:
            self.change(lambda hand: hand.moved(down, across))

    def action_turn(self, quarters: int) -> None:
        self.change(lambda hand: hand.turned(quarters))

    def action_flip(self) -> None:
        self.change(Hand.flipped)

    def action_place(self, by: int) -> None:
        self.change(lambda hand: hand.next_place(by))

    def change(self, changed: Callable[[Hand], Hand]) -> None:
        if self.hand is not None and self.back is None:
            self.hand, self.said = changed(self.hand), ""
            self.show()

    def action_sew(self) -> None:
        """Plays what the hand holds; while looking back, goes on from there."""
        if self.back is not None:
            self.back.adopt()
            self.action_leave()
            return
        hand = self.hand
        if hand is None or hand.move is None:
            return
        if hand.illegality is not None:
            self.refuse(self.why_not(hand))
            return
        self.said = ""
        self.table.play(hand.move)
        self.go_on()

    def action_undo(self) -> None:
        if self.back is None:
            undone = self.table.undo()
            self.said = "" if undone else self.say("refused.nothing-to-take-back")
            self.go_on()

    def action_redo(self) -> None:
        if self.back is None:
            self.said = "" if self.table.redo() else self.say("screen.nothing_to_redo")
            self.go_on()

    def action_hint(self) -> None:
        if self.hand is not None and self.back is None:
            self.refuse(self.say("screen.hinting"))
            self.find_hint()

    @work(thread=True, exclusive=True, group="hint")
    def find_hint(self) -> None:
        position = self.table.position
        try:
            if not self.awaited(
                study.ADVISER, lambda: self.table.position is position, self.say("screen.hinting")
            ):
                return
            found, move = study.hint(position)
        except QuiltworkError as error:
            self.app.call_from_thread(self.refuse, str(error))
            return
        self.app.call_from_thread(self.hinted, position, found, move)

    def hinted(self, position: object, found: Hint, move: Move) -> None:
        if self.hand is not None and self.table.position is position:
            self.hand = Hand.making(self.table.position, move)
            self.refuse(found.sentence(self.telling.speech))

    def refuse(self, sentence: str) -> None:
        """Tells something that is not about the move in the hand."""
        self.said = sentence
        self.show()

    def action_rules(self) -> None:
        title = self.say("rules.title", edition=self.table.position.edition.title)
        self.app.push_screen(TextDialog(title, rules_text(self.telling.speech)))

    def action_circle(self) -> None:
        title = capital(self.telling.speech.noun("circle").one)
        price = self.say("picture.then").removesuffix(":").partition(" ")[2]
        position = self.back.position if self.back else self.table.position
        sheet = sheets.circle_sheet(self.look, position, DIALOG_WIDTH)
        self.app.push_screen(TextDialog(f"{title} {price}", text_of(sheet)))

    def action_help(self) -> None:
        self.app.push_screen(TextDialog(self.say("screen.keys"), keys_text(self.telling.speech)))

    @work
    async def action_save(self) -> None:
        name = await self.app.push_screen_wait(NameDialog(self.say("screen.save"), "game.quilt"))
        if not name:
            return
        path = Path(name).expanduser()
        if path.exists() and not await self.ask(self.say("screen.overwrite", file=str(path))):
            return
        try:
            storage.write(self.table.game, path)
        except QuiltworkError as error:
            self.refuse(str(error))
            return
        self.refuse(self.say("screen.saved", file=str(path)))

    @work
    async def action_resign(self) -> None:
        loser = self.table.you or self.table.position.turn
        if loser is not None and not self.table.over and await self.ask(self.say("menu.resign_sure")):
            self.table.resign(loser)
            self.go_on()

    async def ask(self, question: str) -> bool:
        answer: Any = await self.app.push_screen_wait(AskDialog(self.telling.speech, question))
        return bool(answer)

    def action_dark(self) -> None:
        self.look = replace(self.look, dark=not self.look.dark)
        self.app.theme = "quilt-dark" if self.look.dark else "quilt-light"
        self.show()

    # Looking back

    def action_back(self) -> None:
        if self.back is None and not self.table.game.moves:
            self.refuse(self.say("plain.nothing_to_review"))
        elif self.back is None:
            self.hand, self.said = None, ""
            self.back = LookBack(self.table.game)
            self.show()

    def action_first(self) -> None:
        self.step_to(0)

    def action_last(self) -> None:
        self.step_to(-1)

    def step_to(self, ply: int) -> None:
        if self.back is not None:
            self.back.go_to(ply)
            self.show()

    def action_leave(self) -> None:
        if self.back is not None:
            self.back, self.said = None, ""
            self.go_on()

    def action_review(self) -> None:
        if not self.table.may_review:
            self.refuse(self.say("screen.review_waits"))
            return
        self.action_back()
        if self.back is not None and self.back.review is None:
            self.refuse(self.say("screen.reviewing", percent=0))
            self.find_review(self.back)

    @work(thread=True, exclusive=True, group="review")
    def find_review(self, back: LookBack) -> None:
        def tell(done: int, total: int) -> None:
            if self.back is back:
                sentence = self.say("screen.reviewing", percent=100 * done // total)
                self.app.call_from_thread(self.refuse, sentence)
            else:
                raise QuiltworkError("nobody waits for this review any more")

        try:
            if not self.awaited(study.ADVISER, lambda: self.back is back, self.say("screen.reviewing", percent=0)):
                return
            found = study.review(self.table.game, tell)
        except QuiltworkError as error:
            if self.back is back:
                self.app.call_from_thread(self.refuse, str(error))
            return
        self.app.call_from_thread(self.reviewed, back, found)

    def reviewed(self, back: LookBack, found: Review) -> None:
        if self.back is back:
            back.review = found
            self.refuse("")

    # The mouse

    def on_sheet_view_pressed(self, event: SheetView.Pressed) -> None:
        """Chooses an option, or puts the patch there; a second press at its place sews it."""
        if self.hand is None:
            return
        if event.view.id == "choices":
            options = options_of(self.hand.position)
            for index in reversed(range(len(options))):
                if event.y >= sheets.option_line(options, index):
                    again = self.hand.option == options[index] and options[index].patch is None
                    self.action_choose(index)
                    if again:
                        self.action_sew()
                    return
        elif event.view.id == f"seat{self.hand.position.turn}":
            cell = self.cell_at(event.x, event.y)
            if event.button == 3:
                self.action_flip()
            elif cell is not None and cell in self.hand.cells and self.hand.illegality is None:
                self.action_sew()
            elif cell is not None:
                self.change(lambda hand: hand.around(cell))

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The cell of a quilt that is drawn at this place of a seat."""
        if self.look.large:
            row, column = (y - sheets.HEAD - 1) // 2, (x - 3) // 4
        else:
            row, column = y - sheets.HEAD - 1, (x - 2) // 2
        edition = self.table.position.edition
        return Cell(row, column) if 0 <= row < edition.rows and 0 <= column < edition.columns else None

    def on_sheet_view_wheeled(self, event: SheetView.Wheeled) -> None:
        if event.view.id != "choices":
            self.action_turn(1 if event.forward else 3)
        else:
            self.action_step(1 if event.forward else -1)

    # Showing

    def show(self) -> None:
        """Draws everything as it is now."""
        if not self.is_mounted:
            return
        position = self.back.position if self.back else self.table.position
        latest = self.table.game.node.move if self.back is None else self.back.move
        hand = self.back.better if self.back is not None else self.hand
        for player in Player:
            view = self.query_one(f"#seat{int(player)}", SheetView)
            view.show(sheets.seat_sheet(self.look, position, player, hand, latest))
        choices = self.query_one("#choices", SheetView)
        width, height = self._room
        choices.show(sheets.choices_sheet(self.look, position, hand, width, height))
        track = sheets.track_sheet(self.look, position, self.size.width, self.landing(hand))
        self.query_one("#track", SheetView).show(track)
        self.write("top", Text(self.top_line(), no_wrap=True, overflow="ellipsis"))
        self.write("told", self.told(hand))
        self.write("keys", self.key_line())

    def write(self, name: str, text: Text | Content) -> None:
        """Shows a text; nothing is drawn anew if it is the same, and nothing else is moved by it."""
        if self._written.get(name) != text:
            self._written[name] = text
            self.query_one(f"#{name}", Static).update(text, layout=False)

    def landing(self, hand: Hand | None) -> int | None:
        if hand is None or hand.move is None or hand.illegality is not None or hand.position.turn is None:
            return None
        there = hand.position.play(hand.move).player(hand.position.turn).space
        return there if there != hand.position.player(hand.position.turn).space else None

    def top_line(self) -> str:
        edition = self.table.position.edition
        if any(has < needed for has, needed in zip(self.size, LEAST_SIZE, strict=True)):
            return f" {self.say('screen.small')}"
        if self.back is not None:
            return f" {edition.title}  {self.say('review.title')}: {self.back.ply} / {self.back.last}"
        if self.table.over:
            turn = self.telling.result(self.table.position, self.table.resigned)
        elif self.table.thinker is not None and self.table.position.turn is not None:
            turn = self.say("turn.thinking", name=self.telling.name(self.table.position.turn))
        else:
            turn = self.telling.turn(self.table.position)
        return f" {edition.title}  {turn}"

    def told(self, hand: Hand | None) -> Text:
        """What happened, what was said, and what the move in the hand would do."""
        if self.back is not None:
            return Text("\n".join([*self.back.told(self.telling), self.said]))
        text = Text()
        if self.said:
            text.append(self.said, style="bold")
        else:
            text.append(" ".join(self.latest()))
        text.append("\n")
        if self.table.over:
            text.append("\n".join(self.scores()))
        elif hand is not None and hand.move is not None:
            considered = self.considered(hand)
            # A refusal is told once.
            if considered.plain != self.said:
                text.append(considered)
        return text

    def latest(self) -> list[str]:
        """What the last player did, in all the moves of that turn."""
        steps: list[str] = []
        node = self.table.game.node
        mover = None
        while node.parent is not None and node.move is not None and len(steps) < 4:
            before = node.parent.position
            if mover is not None and before.turn is not mover and node.move is not None:
                break
            mover = before.turn
            steps.append(self.telling.did(before, node.move))
            node = node.parent
        return steps[::-1]

    def considered(self, hand: Hand) -> Text:
        move = hand.move
        assert move is not None
        if hand.illegality is not None:
            return Text(self.why_not(hand), style=self.look.palette.warning if self.look.colour else "bold")
        name = ""
        if hand.lifted is not None:
            patch = hand.lifted.patch.code
            name = f"{capital(self.telling.speech.patch(patch))} {hand.lifted.placement.cell}: "
        return Text(name + " · ".join(self.telling.preview(hand.position, move)))

    def why_not(self, hand: Hand) -> str:
        """Why the move in the hand cannot be made, in the words of the edition."""
        patch = hand.option.patch if hand.option else None
        if patch is not None and patch.code != "s" and hand.option is not None:
            why = self.telling.why_not(hand.position, patch) if hand.position.held is None else None
            if why is not None:
                return f"{capital(self.telling.speech.patch(patch.code))}: {why}"
        return self.say("preview.blocked")

    def scores(self) -> list[str]:
        return [self.telling.score(self.table.position, player) for player in Player]

    def verb(self) -> str:
        """What Enter does now."""
        if self.hand is None or self.hand.option is None or self.hand.lifted is not None:
            return "sew"
        kinds = {Kind.ADVANCE: "advance", Kind.REMOVE: "remove", Kind.TAKE: "take"}
        return kinds.get(self.hand.option.kind, "sew")

    def key_line(self) -> Content:
        """The keys that matter now; each can be pressed with the mouse."""
        if self.back is not None:
            shown = [("←", "earlier", "move(0, -1)"), ("→", "later", "move(0, 1)"), ("v", "review", "review")]
            shown += [("Enter", "adopt", "sew"), ("Esc", "leave", "leave")]
        elif self.table.over:
            shown = [
                ("b", "back", "back"),
                ("v", "review", "review"),
                ("u", "undo", "undo"),
                ("s", "save", "save"),
            ]
            shown += [("g", "new", "app.new"), ("q", "quit", "app.quit")]
        else:
            shown = [("Tab", "choose", "step(1)"), ("r", "turn", "turn(1)"), ("f", "flip", "flip")]
            shown += [
                ("Enter", self.verb(), "sew"),
                ("h", "hint", "hint"),
                ("u", "undo", "undo"),
                ("?", "help", "help"),
            ]
            shown.append(("q", "quit", "app.quit"))
        parts: list[Content | tuple[str, Style]] = []
        for key, label, action in shown:
            pressed = Style.from_meta({"@click": action if action.startswith("app.") else f"screen.{action}"})
            parts += [(f" {key}", pressed + Style(bold=True)), (f" {self.say(f'screen.short.{label}')} ", pressed)]
        return Content.assemble(*parts)
