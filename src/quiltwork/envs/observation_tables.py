"""The observation as tables and pictures for the documentation; a test keeps docs/observation.md equal to them.

`python -m quiltwork.envs.observation_tables docs` writes them anew.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np

from quiltwork.editions import Edition, load_edition
from quiltwork.envs.batched import BatchedGames
from quiltwork.envs.observation import Feature, observation_layout

PAGE = "observation.md"
PICTURE = "pictures/observation-planes.svg"
MASK_PICTURE = "pictures/action-planes.svg"
_CELL = 11
_GAP = 16
_SQUARE = f"h{_CELL - 1}v{_CELL - 1}h{1 - _CELL}z"


def tables(edition: Edition) -> dict[str, str]:
    """The tables of the page by name: planes, scalars and actions."""
    layout = observation_layout(edition)
    circle = [feature for feature in layout.scalars if feature.name.startswith("circle_")]
    single = [f for f in layout.scalars if not re.match(r"circle_\d+_", f.name)]
    places = [Feature(f.name.replace("_0_", "_N_"), f.high, f.unit, f.why) for f in circle if "_0_" in f.name]
    return {
        "planes": _table(layout.planes, 0, np.ones(len(layout.planes))),
        "scalars": _table((*single, *places), 0, np.array([f.high for f in (*single, *places)])),
    }


def _table(features: tuple[Feature, ...], start: int, highs: np.ndarray[tuple[int], np.dtype[np.float64]]) -> str:
    lines = ["| index | name | range | unit | why it is there |", "|---:|---|---|---|---|"]
    for index, (feature, high) in enumerate(zip(features, highs, strict=True), start):
        number = f"{index}" if "_N_" not in feature.name else f"31 + 5 N + {index - 31}"
        lines.append(f"| {number} | `{feature.name}` | 0 to {high:g} | {feature.unit} | {feature.why} |")
    return "\n".join(lines)


def with_tables(page: str, found: dict[str, str]) -> str:
    """A page with its tables between `<!-- table NAME -->` and `<!-- end -->` replaced."""
    for name, table in found.items():
        begin = f"<!-- table {name} -->\n"
        start = page.index(begin) + len(begin)
        page = page[:start] + table + "\n" + page[page.index("<!-- end -->", start) :]
    return page


def planes_svg(edition: Edition) -> str:
    """The planes of one position of a random game, named."""
    games = BatchedGames(edition, 1, seed=5, threads=1)
    games.play_at_random(16)
    layout = games.layout
    named = zip((feature.name for feature in layout.planes), games.observe().planes[0], strict=True)
    return _grid(list(named), 5)


def mask_svg(edition: Edition) -> str:
    """The placement actions of the same position, reshaped to planes: a row a slot, a column an orientation."""
    games = BatchedGames(edition, 1, seed=5, threads=1)
    games.play_at_random(16)
    size = edition.choices * 8 * edition.rows * edition.columns
    planes = games.legal_mask()[0, 1 : 1 + size].reshape(edition.choices * 8, edition.rows, edition.columns)
    names = [f"{slot} {o or 'plain'}" for slot in range(edition.choices) for o in _ORIENTATIONS]
    return _grid(list(zip(names, planes, strict=True)), 8)


_ORIENTATIONS = ("", "r1", "r2", "r3", "f", "fr1", "fr2", "fr3")


def _grid(planes: list[tuple[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]]], across: int) -> str:
    rows, columns = planes[0][1].shape
    wide, high = columns * _CELL + _GAP, rows * _CELL + _GAP + 18
    down = -(-len(planes) // across)
    parts = []
    for place, (name, plane) in enumerate(planes):
        left, top = _GAP + place % across * wide, _GAP + place // across * high
        parts.append(f'<text x="{left}" y="{top + 10}">{name}</text>')
        for colour, value in (("#efe7d8", False), ("#9c4221", True)):
            cells = zip(*np.nonzero(plane.astype(bool) == value), strict=True)
            path = "".join(f"M{left + c * _CELL} {top + 16 + r * _CELL}{_SQUARE}" for r, c in cells)
            parts.append(f'<path fill="{colour}" d="{path}"/>')
    width, height = across * wide + _GAP, down * high + _GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'font-family="sans-serif" font-size="11"><rect width="{width}" height="{height}" fill="#fff"/>'
        + "".join(parts)
        + "</svg>\n"
    )


def write(docs: Path) -> None:
    """Writes tables and pictures into a folder of documentation."""
    edition = load_edition("patchwork")
    page = docs / PAGE
    page.write_text(with_tables(page.read_text(encoding="utf-8"), tables(edition)), encoding="utf-8")
    (docs / PICTURE).write_text(planes_svg(edition), encoding="utf-8")
    (docs / MASK_PICTURE).write_text(mask_svg(edition), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
