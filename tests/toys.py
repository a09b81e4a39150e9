"""Editions so small that every position that play can reach is enumerated."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from urllib.parse import quote

BOARDS = {
    # drawing, side of the special tile's square: the board with the hole has no such square
    "plain": (("##", "##"), 2),
    "odd": ((".##", "##."), 1),
    "hole": (("#.#", "##."), 2),
}
LAST_SPACE = 4
MARKS = {
    # income spaces, special-patch spaces; dense ones are crossed several at once, also by reaching the last space
    "sparse": ([3], [2]),
    "dense": ([1, 2, 4], [2, 4]),
}
RESERVE = """
[reserve]
enters_when_left = 2

[reserve.patches]
3c = { shape = "##/#.", buttons = 1, time = 2, income = 0 }
4a = { shape = "##/##", buttons = 1, time = 3, income = 0 }
"""
TILE = """
[special_tile]
square = {square}
points = 3
"""


@dataclass(frozen=True)
class Switches:
    """One setting of every rule switch that an edition file has."""

    board: str = "plain"
    marks: str = "dense"
    may_be_removed: bool = False
    tile: bool = False
    reserve: bool = False
    choices: int = 3
    points_per_empty_space: int = -2
    start_buttons: int = 2

    def __str__(self) -> str:
        flags = {"removable": self.may_be_removed, "tile": self.tile, "reserve": self.reserve}
        return "-".join([self.board, self.marks, *(name for name, on in flags.items() if on), str(self.choices)])


def every_combination() -> list[Switches]:
    """All 144 settings; points per empty space and start buttons, which change no step, vary along."""
    settings = product(BOARDS, MARKS, (False, True), (False, True), (False, True), (1, 2, 3))
    return [Switches(*setting, -(number % 4), 1 + (number % 5 > 2)) for number, setting in enumerate(settings)]


def toml(switches: Switches) -> str:
    """The edition file with these switches."""
    income_spaces, special_patch_spaces = MARKS[switches.marks]
    rows, square = BOARDS[switches.board]
    board = "\n".join(rows)
    return f'''format = 1
id = "toy"
title = "Toy {switches}"

[quilt_board]
drawing = """
{board}"""
points_per_empty_space = {switches.points_per_empty_space}

[time_board]
last_space = {LAST_SPACE}
income_spaces = {income_spaces}
special_patch_spaces = {special_patch_spaces}

[special_patch]
may_be_removed = {str(switches.may_be_removed).lower()}
{TILE.format(square=square) if switches.tile else ""}
[circle]
start_patch = "3a"
choices = {switches.choices}
{RESERVE if switches.reserve else ""}
[players]
start_buttons = {switches.start_buttons}

[patches]
2a = {{ shape = "##", buttons = 1, time = 1, income = 1 }}
3a = {{ shape = "#/#/#", buttons = 0, time = 2, income = 1 }}
3b = {{ shape = "##/#.", buttons = 2, time = 3, income = 2 }}
'''


def write(switches: Switches, folder: Path) -> str:
    """Writes the edition file and returns its name in a position text."""
    path = folder / f"{switches}.toml"
    path.write_text(toml(switches), encoding="utf-8")
    return quote(str(path))


def initial_text(switches: Switches, edition: str) -> str:
    """The initial position with the circle in one order."""
    buttons = switches.start_buttons
    reserve = "+3c4a" if switches.reserve else ""
    return f"{edition} 1 0/{buttons}/- 0/{buttons}/- - 3b2a3a{reserve}"
