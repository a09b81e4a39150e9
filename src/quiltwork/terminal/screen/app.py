"""The game full screen: begins games, and shows the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.theme import Theme as Colours

from quiltwork.agents.preparation import Preparation
from quiltwork.speech import Speech
from quiltwork.telling import Telling
from quiltwork.terminal.screen.dialogs import Choice, StartDialog
from quiltwork.terminal.screen.sheets import Look
from quiltwork.terminal.screen.table_screen import TableScreen
from quiltwork.terminal.table import Table
from quiltwork.themes import Palette

Begin = Callable[[Choice], tuple[Table, Telling]]
"""makes the game that was chosen"""
Offer = Callable[[Speech], StartDialog]

CSS = """
Screen { background: $background; color: $foreground; }
#top { height: 1; background: $primary; color: $button-color-foreground; text-style: bold; }
#middle { height: auto; }
#choices { width: 1fr; height: 100%; }
#seat1, #seat2 { height: 100%; }
#track { height: 4; }
#told { height: 1fr; padding: 0 1; }
#keys {
    height: 1; background: $surface;
    link-color: $foreground; link-style: none; link-background-hover: $primary;
}
ModalScreen { align: center middle; background: $background 60%; }
.dialog {
    width: 76; max-width: 100%; height: auto; max-height: 90%;
    background: $surface; padding: 0 2 1 2; border: round $primary;
}
.dialog.small { width: 50; }
.title { text-style: bold; color: $primary; padding-bottom: 1; }
.muted { color: $secondary; }
.buttons { height: auto; padding-top: 1; }
.buttons Button { margin-right: 2; }
.start Horizontal, .start Vertical { height: auto; }
.start .editions { width: 3fr; }
.start Vertical { width: 2fr; }
.start OptionList {
    height: auto; max-height: 14; background: $surface; border: none; padding: 0;
    text-wrap: nowrap; text-overflow: ellipsis;
}
"""


class QuiltworkApp(App[None]):
    """Begins with the game that is given, or asks which one."""

    CSS = CSS
    # Before any dialog or field: whoever presses it wants to leave.
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", show=False, priority=True)]
    ENABLE_COMMAND_PALETTE = False
    TITLE = "Quiltwork"

    def __init__(
        self,
        begin: Begin,
        offer: Offer,
        speech: Speech,
        *,
        choice: Choice | None = None,
        dark: bool = True,
        colour: bool = True,
        preparation: Preparation | None = None,
    ) -> None:
        # Without colours, what is left to textual must not become shades of grey.
        super().__init__(ansi_color=None if colour else True)
        self._begin = begin
        self._offer = offer
        self._speech = speech
        self._choice = choice
        self._dark = dark
        self._colour = colour
        self._preparation = preparation

    def on_mount(self) -> None:
        self.dress(self._speech)
        if self._choice is None:
            self.action_new()
        else:
            self.begin(self._choice)

    def dress(self, speech: Speech) -> None:
        """Puts on the colours of a theme."""
        for dark in (False, True):
            self.register_theme(_colours(speech.theme.palette(dark=dark), dark))
        self.theme = "quilt-dark" if self._dark else "quilt-light"
        self.refresh_css(animate=False)

    @work
    async def action_new(self) -> None:
        """Asks what to play; leaving that leaves the program where there is no game yet."""
        choice = await self.push_screen_wait(self._offer(self._speech))
        if choice is not None:
            self.begin(choice)
        elif not isinstance(self.screen, TableScreen):
            self.exit()

    def begin(self, choice: Choice) -> None:
        table, telling = self._begin(choice)
        self._speech = telling.speech
        self.dress(telling.speech)
        screen: Screen[None] = TableScreen(table, Look(telling, self._dark, self._colour), self._preparation)
        if isinstance(self.screen, TableScreen):
            self.switch_screen(screen)
        else:
            self.push_screen(screen)


def _colours(palette: Palette, dark: bool) -> Colours:
    return Colours(
        name="quilt-dark" if dark else "quilt-light",
        primary=palette.accent,
        secondary=palette.muted,
        accent=palette.accent,
        warning=palette.warning,
        error=palette.warning,
        foreground=palette.ink,
        background=palette.ground,
        surface=palette.panel,
        panel=palette.panel,
        dark=dark,
        variables={"button-color-foreground": palette.accent_ink},
    )
