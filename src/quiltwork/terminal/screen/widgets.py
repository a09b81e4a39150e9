"""Widgets that show sheets of characters and tell which character was pressed."""

from __future__ import annotations

from functools import lru_cache
from itertools import zip_longest

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.events import Click
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from quiltwork.render.sheet import Ink, Sheet


class SheetView(Widget):
    """Shows one sheet, and posts where it is pressed."""

    class Pressed(Message):
        """A place on the sheet was pressed with a button of the mouse."""

        def __init__(self, view: SheetView, x: int, y: int, button: int) -> None:
            super().__init__()
            self.view = view
            self.x = x
            self.y = y
            self.button = button

    class Wheeled(Message):
        """The wheel was turned over the sheet."""

        def __init__(self, view: SheetView, forward: bool) -> None:
            super().__init__()
            self.view = view
            self.forward = forward

    def __init__(self, id: str) -> None:  # noqa: A002
        super().__init__(id=id)
        self._rows: list[Strip] = []
        self._drawn: list[list[tuple[str, Ink]]] = []

    def show(self, sheet: Sheet) -> None:
        """Shows another sheet; only the lines that look different are drawn anew."""
        rows, drawn = sheet.rows, self._drawn
        changed = [y for y, (row, before) in enumerate(zip_longest(rows, drawn)) if row != before]
        if not changed:
            return
        self._drawn = rows
        self._rows = [_strip(row) if y in changed else self._rows[y] for y, row in enumerate(rows)]
        self.refresh(*(Region(0, y, self.size.width, 1) for y in changed))

    def render_line(self, y: int) -> Strip:
        base = self.rich_style
        if y >= len(self._rows):
            return Strip.blank(self.size.width, base)
        return self._rows[y].apply_style(base).adjust_cell_length(self.size.width, base)

    def on_click(self, event: Click) -> None:
        self.post_message(self.Pressed(self, event.x, event.y, event.button))

    def on_mouse_scroll_down(self) -> None:
        self.post_message(self.Wheeled(self, True))

    def on_mouse_scroll_up(self) -> None:
        self.post_message(self.Wheeled(self, False))


def text_of(sheet: Sheet) -> Text:
    """A sheet as a text that can be scrolled in a dialog."""
    return Text("\n").join(Text.assemble(*((mark, _style(ink)) for mark, ink in row)) for row in sheet.rows)


def _strip(row: list[tuple[str, Ink]]) -> Strip:
    segments: list[Segment] = []
    text, current = "", None
    for character, ink in row:
        if ink != current and text:
            segments.append(Segment(text, _style(current)))
            text = ""
        text, current = text + character, ink
    if text:
        segments.append(Segment(text, _style(current)))
    return Strip(segments)


@lru_cache(maxsize=1024)
def _style(ink: Ink | None) -> Style:
    if ink is None:
        return Style.null()
    return Style(color=ink.text, bgcolor=ink.ground, bold=ink.bold or None)
