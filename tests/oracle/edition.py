"""What is in the box: an edition, read straight from its file."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

Cell = tuple[int, int]
"""Row and column, counted from 0."""
Cells = frozenset[Cell]

BUILT_IN = Path(__file__).parents[2] / "src" / "quiltwork" / "editions"
ORIENTATIONS = ("", "r1", "r2", "r3", "f", "fr1", "fr2", "fr3")
"""In the order in which a placement is named."""


@dataclass(frozen=True)
class Patch:
    cells: Cells
    buttons: int
    time: int
    income: int


SPECIAL_PATCH = Patch(frozenset({(0, 0)}), buttons=0, time=0, income=0)


@dataclass(frozen=True, eq=False)
class Edition:
    """The components of an edition; `name` is what a position text calls it."""

    name: str
    board: Cells
    patches: dict[str, Patch]
    """those of the circle, those of the reserve, and the special patch `s`"""
    circle: tuple[str, ...]
    reserve: tuple[str, ...]
    reserve_enters_when_left: int
    start_patch: str
    choices: int
    start_buttons: int
    last_space: int
    income_spaces: tuple[int, ...]
    special_patch_spaces: tuple[int, ...]
    special_patch_may_be_removed: bool
    tile_square: int | None
    tile_points: int
    points_per_empty_space: int

    @cache  # noqa: B019 - editions live as long as the test run
    def placements(self, code: str) -> dict[str, Cells]:
        """Every way to lay a patch on an empty quilt board, by its canonical name.

        Where several names give the same cells, the first orientation in the order above has it.
        """
        named: dict[Cells, str] = {}
        for orientation in ORIENTATIONS:
            shape = turned(self.patches[code].cells, orientation)
            for row, column in corners(self.board):
                cells = frozenset((row + r, column + c) for r, c in shape)
                if cells <= self.board:
                    named.setdefault(cells, f"{cell_name((row, column))}{orientation}")
        return {name: cells for cells, name in named.items()}

    @cache  # noqa: B019
    def names(self, code: str) -> dict[Cells, str]:
        """The canonical name of each set of cells that a patch can cover."""
        return {cells: name for name, cells in self.placements(code).items()}


def cell_name(cell: Cell) -> str:
    row, column = cell
    return f"{'abcdefghi'[column]}{row + 1}"


def corners(board: Cells) -> list[Cell]:
    """Every cell of the board's bounding box, in reading order; the corner of a placement may lie in a hole."""
    return [(r, c) for r in range(max(r for r, _ in board) + 1) for c in range(max(c for _, c in board) + 1)]


def turned(cells: Cells, orientation: str) -> Cells:
    """Flip left-right if asked, turn clockwise, and push against the top left corner (B4: turn it any way)."""
    if orientation.startswith("f"):
        cells = frozenset((r, -c) for r, c in cells)
    for _ in range(int(orientation[-1]) if "r" in orientation else 0):
        cells = frozenset((c, -r) for r, c in cells)
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    return frozenset((r - top, c - left) for r, c in cells)


def drawn(rows: list[str]) -> Cells:
    return frozenset((r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#")


def split_codes(text: str) -> tuple[str, ...]:
    """`5c2a` -> ("5c", "2a")."""
    codes = tuple(re.findall("[0-9]+[a-z]", text))
    assert "".join(codes) == text, text
    return codes


@cache
def read_edition(name: str) -> Edition:
    """Read a built-in edition by its id, or any edition by the (percent-encoded) path of its file."""
    path = Path(unquote(name)) if name.endswith(".toml") else BUILT_IN / f"{name}.toml"
    file = tomllib.loads(path.read_text(encoding="utf-8"))
    reserve: dict[str, Any] = file.get("reserve", {"enters_when_left": 0, "patches": {}})
    tile: dict[str, Any] = file.get("special_tile", {"square": None, "points": 0})
    patches = {
        code: Patch(drawn(patch["shape"].split("/")), patch["buttons"], patch["time"], patch["income"])
        for code, patch in (file["patches"] | reserve["patches"]).items()
    }
    return Edition(
        name=name,
        board=drawn(file["quilt_board"]["drawing"].split()),
        patches=patches | {"s": SPECIAL_PATCH},
        circle=tuple(file["patches"]),
        reserve=tuple(reserve["patches"]),
        reserve_enters_when_left=reserve["enters_when_left"],
        start_patch=file["circle"]["start_patch"],
        choices=file["circle"]["choices"],
        start_buttons=file["players"]["start_buttons"],
        last_space=file["time_board"]["last_space"],
        income_spaces=tuple(file["time_board"]["income_spaces"]),
        special_patch_spaces=tuple(file["time_board"]["special_patch_spaces"]),
        special_patch_may_be_removed=file["special_patch"]["may_be_removed"],
        tile_square=tile["square"],
        tile_points=tile["points"],
        points_per_empty_space=file["quilt_board"]["points_per_empty_space"],
    )
