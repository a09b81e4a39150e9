"""A cursor over a text that knows where it is, for errors that point."""

from __future__ import annotations

import re
from typing import NoReturn

from quiltwork.editions import Edition
from quiltwork.errors import NotationError
from quiltwork.geometry import ORIENTATION_OF_NAME, Cell, Orientation
from quiltwork.move import Placement

_NUMBER = re.compile(r"[0-9]+")
_CODE = re.compile(r"[0-9]+[a-z]")
_CELL = re.compile(r"([a-z])([0-9]+)")
_ORIENTATION = re.compile(r"f?(?:r[0-9]*)?")


class Scanner:
    """Reads pieces of notation from a text, of any case; `column` and `line` are where the text begins."""

    def __init__(self, text: str, subject: str, *, column: int = 1, line: int | None = None) -> None:
        self.given = text
        self.text = text.lower()
        self.subject = subject
        self.at = 0
        self._column = column
        self._line = line

    def done(self) -> bool:
        """Whether the whole text is read."""
        return self.at >= len(self.text)

    def fail(self, reason: str, at: int | None = None) -> NoReturn:
        """Raises NotationError at a place, by default where the cursor is."""
        column = self._column + (self.at if at is None else at)
        raise NotationError(self.subject, reason, column=column, line=self._line)

    def rest(self) -> str:
        """What follows, for an error: quoted and not too long."""
        following = self.given[self.at :]
        return "the end" if not following else repr(following if len(following) <= 20 else following[:17] + "...")

    def accept(self, mark: str) -> bool:
        """Whether the text goes on with a mark; if so, steps over it."""
        if not self.text.startswith(mark, self.at):
            return False
        self.at += len(mark)
        return True

    def expect(self, mark: str, what: str) -> None:
        if not self.accept(mark):
            self.fail(f"expected {what}, found {self.rest()}")

    def end(self) -> None:
        if not self.done():
            self.fail(f"expected nothing more, found {self.rest()}")

    def number(self, what: str) -> int:
        match = _NUMBER.match(self.text, self.at)
        if match is None:
            self.fail(f"expected {what}, found {self.rest()}")
        if len(match.group()) > 9:
            self.fail(f"{what} is far too large: {match.group()[:9]}...")
        self.at = match.end()
        return int(match.group())

    def code(self, edition: Edition) -> str:
        """The code of a patch of the edition."""
        match = _CODE.match(self.text, self.at)
        if match is None:
            self.fail(f"expected the code of a patch, such as {edition.start_patch}, found {self.rest()}")
        if match.group() not in edition.patches:
            self.fail(f"{edition.name} has no patch {match.group()[:20]}")
        self.at = match.end()
        return match.group()

    def codes(self, edition: Edition) -> tuple[str, ...]:
        """As many codes as follow, none or more."""
        found = []
        while _CODE.match(self.text, self.at):
            found.append(self.code(edition))
        return tuple(found)

    def cell(self, edition: Edition) -> Cell:  # noqa: RET503 (fail does not return)
        match = _CELL.match(self.text, self.at)
        if match is not None:
            cell = Cell(int(match.group(2)[:4]) - 1, ord(match.group(1)) - ord("a"))
            if 0 <= cell.row < edition.rows and cell.column < edition.columns:
                self.at = match.end()
                return cell
        end = Cell(edition.rows - 1, edition.columns - 1)
        self.fail(f"expected a cell after '@', found {self.rest()} (the board ends at {end})")

    def placement(self, edition: Edition) -> Placement:
        """A cell and an orientation."""
        cell = self.cell(edition)
        start = self.at
        match = _ORIENTATION.match(self.text, start)
        name = match.group() if match else ""
        self.at = start + len(name)
        if name not in ORIENTATION_OF_NAME:
            self.fail(f"expected an orientation (f, r1, r2, r3, fr1, fr2, fr3 or none), found {name!r}", start)
        return Placement(cell, ORIENTATION_OF_NAME[name])

    def canonical_placement(self, edition: Edition, code: str) -> Placement:
        """A cell and the first name of the orientation."""
        placement = self.placement(edition)
        orientation = edition.patches[code].canonical(placement.orientation)
        return Placement(placement.cell, Orientation(orientation))
