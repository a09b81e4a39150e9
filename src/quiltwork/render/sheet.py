"""A sheet of character cells, each with its colours, that becomes text with or without them."""

from __future__ import annotations

from typing import NamedTuple

from quiltwork.themes.colour import channels

ASCII = str.maketrans("─│┌┐└┘├┤┬┴┼·▒▓█▶×−…", "-|+++++++++.%@#>x-~") | {ord("±"): "+/-"}
"""what stands for a character where there is only ASCII"""


class Ink(NamedTuple):
    """How a character is printed; None leaves a colour to the terminal."""

    text: str | None = None
    ground: str | None = None
    bold: bool = False


PLAIN = Ink()
BOLD = Ink(bold=True)


class Sheet:
    """A sheet that grows as it is written on; what is pasted later covers what was there."""

    def __init__(self) -> None:
        self._rows: list[list[tuple[str, Ink]]] = []

    @property
    def width(self) -> int:
        return max(map(len, self._rows), default=0)

    @property
    def height(self) -> int:
        return len(self._rows)

    @property
    def rows(self) -> list[list[tuple[str, Ink]]]:
        """The characters, row by row, each with its colours."""
        return self._rows

    def write(self, x: int, y: int, content: str, ink: Ink = PLAIN) -> None:
        """Writes a text from that place to the right."""
        self._put(x, y, [(character, ink) for character in content])

    def paste(self, x: int, y: int, other: Sheet) -> None:
        """Copies another sheet, its top left corner at that place."""
        for down, row in enumerate(other._rows):
            self._put(x, y + down, row)

    def _put(self, x: int, y: int, written: list[tuple[str, Ink]]) -> None:
        while len(self._rows) <= y:
            self._rows.append([])
        row = self._rows[y]
        row.extend([(" ", PLAIN)] * (x + len(written) - len(row)))
        row[x : x + len(written)] = written

    def below(self, other: Sheet, gap: int = 0) -> None:
        """Copies another sheet under all that is written."""
        self.paste(0, self.height + gap if self.height else 0, other)

    def text(self, *, colour: bool = False, ascii_only: bool = False) -> str:
        """The lines, without spaces at their ends; colours as ANSI sequences."""
        lines = [
            _line(row) if colour else "".join(character for character, _ in row).rstrip() for row in self._rows
        ]
        joined = "\n".join(lines)
        return joined.translate(ASCII) if ascii_only else joined


def line_sheet(content: str, ink: Ink = PLAIN) -> Sheet:
    """A sheet of one line."""
    sheet = Sheet()
    sheet.write(0, 0, content, ink)
    return sheet


def in_rows(sheets: list[Sheet], width: int, gap: int) -> Sheet:
    """Sheets side by side, in a new row where the width does not hold them."""
    result = Sheet()
    x = y = 0
    for sheet in sheets:
        if x and x + sheet.width > width:
            x, y = 0, result.height + 1
        result.paste(x, y, sheet)
        x += sheet.width + gap
    return result


def _line(row: list[tuple[str, Ink]]) -> str:
    end = len(row)
    while end and row[end - 1][0] == " " and row[end - 1][1].ground is None:
        end -= 1
    parts: list[str] = []
    current = PLAIN
    for character, ink in row[:end]:
        if ink != current:
            parts.append(_sequence(ink))
            current = ink
        parts.append(character)
    if current != PLAIN:
        parts.append(_sequence(PLAIN))
    return "".join(parts)


def _sequence(ink: Ink) -> str:
    codes = ["0"]
    if ink.bold:
        codes.append("1")
    if ink.text is not None:
        codes.append("38;2;{};{};{}".format(*channels(ink.text)))
    if ink.ground is not None:
        codes.append("48;2;{};{};{}".format(*channels(ink.ground)))
    return f"\x1b[{';'.join(codes)}m"
