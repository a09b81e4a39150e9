"""What opens on top of the table: texts to read, questions, and the beginning of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, OptionList, Static

from quiltwork.speech import Speech


class TextDialog(ModalScreen[None]):
    """A text to read; any of the leaving keys closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,space,question_mark", "leave", show=False),
        Binding("down,j", "down", show=False),
        Binding("up,k", "up", show=False),
    ]

    def __init__(self, title: str, text: Text) -> None:
        super().__init__()
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog"):
            yield Label(self._title, classes="title", markup=False)
            yield Static(self._text)

    def action_leave(self) -> None:
        self.dismiss()

    def action_down(self) -> None:
        self.query_one(VerticalScroll).scroll_down(animate=False)

    def action_up(self) -> None:
        self.query_one(VerticalScroll).scroll_up(animate=False)


class AskDialog(ModalScreen[bool]):
    """A question with yes and no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,j", "answer(True)", show=False),
        Binding("n,escape", "answer(False)", show=False),
        Binding("left,right", "app.focus_next", show=False),
    ]

    def __init__(self, speech: Speech, question: str) -> None:
        super().__init__()
        self._speech = speech
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog small"):
            yield Label(self._question, markup=False)
            with Horizontal(classes="buttons"):
                yield Button(self._speech.say("request.no"), id="no", compact=True)
                yield Button(self._speech.say("request.yes"), id="yes", compact=True)

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")


class NameDialog(ModalScreen[str]):
    """Asks for the name of a file; empty if none is given."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]

    def __init__(self, title: str, suggestion: str) -> None:
        super().__init__()
        self._title = title
        self._suggestion = suggestion

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog small"):
            yield Label(self._title, markup=False)
            yield Input(self._suggestion, compact=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())

    def action_leave(self) -> None:
        self.dismiss("")


@dataclass(frozen=True)
class Choice:
    """What is to be played; without an edition, the game that waits goes on."""

    edition: str | None
    opponent: str | None
    """the spec of an agent, or None for two people"""


class MarkedList(OptionList):
    """A list with a mark before the line that is chosen, which is seen without colours, too."""

    _marked: int | None = None

    def __init__(self, titles: list[str], id: str) -> None:  # noqa: A002
        super().__init__(*(f"  {title}" for title in titles), id=id, markup=False, compact=True)

    def watch_highlighted(self, highlighted: int | None) -> None:
        super().watch_highlighted(highlighted)
        for index, mark in ((self._marked, "  "), (highlighted, "▶ ")):
            if index is not None:
                title = str(self.get_option_at_index(index).prompt)[2:]
                self.replace_option_prompt_at_index(index, mark + title)
        self._marked = highlighted


class StartDialog(ModalScreen[Choice | None]):
    """The beginning: which edition, and against whom. Enter alone goes on, or begins the usual game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", show=False),
        Binding("tab,right,left,shift+tab", "other", show=False),
    ]

    def __init__(
        self,
        speech: Speech,
        editions: list[tuple[str, str]],
        opponents: list[tuple[str, str]],
        *,
        waiting: str | None,
        opponent: str,
    ) -> None:
        super().__init__()
        self._speech = speech
        self._editions = editions
        self._opponents = opponents
        self._waiting = waiting
        self._opponent = opponent

    def compose(self) -> ComposeResult:
        say = self._speech.say
        with Vertical(classes="dialog start"):
            yield Label("Quiltwork", classes="title")
            with Horizontal():
                with Vertical(classes="editions"):
                    yield Label(say("new.edition"), classes="muted")
                    waiting = [] if self._waiting is None else [self._waiting]
                    yield MarkedList([*waiting, *(title for _, title in self._editions)], "editions")
                with Vertical():
                    yield Label(say("new.opponent"), classes="muted")
                    yield MarkedList([title for _, title in self._opponents], "opponents")
            yield Label(say("screen.start_keys"), classes="muted", markup=False)

    def on_mount(self) -> None:
        opponents = self.query_one("#opponents", OptionList)
        opponents.highlighted = next(
            (i for i, (spec, _) in enumerate(self._opponents) if spec == self._opponent), 0
        )
        editions = self.query_one("#editions", OptionList)
        editions.highlighted = 0
        editions.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        place = self.query_one("#editions", OptionList).highlighted or 0
        if self._waiting is not None:
            if place == 0 and event.option_list.id == "editions":
                self.dismiss(Choice(None, None))
                return
            place = max(0, place - 1)
        against = self.query_one("#opponents", OptionList).highlighted or 0
        self.dismiss(Choice(self._editions[place][0], self._opponents[against][0] or None))

    def action_other(self) -> None:
        other = "#opponents" if self.query_one("#editions").has_focus else "#editions"
        self.query_one(other).focus()

    def action_leave(self) -> None:
        self.dismiss(None)
