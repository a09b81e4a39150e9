"""The outline of a set of cells as SVG path data, and where a patch shows its buttons."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from itertools import combinations

from quiltwork.editions import Patch
from quiltwork.geometry import Cell, Orientation
from quiltwork.render.markup import number

_Point = tuple[int, int]
_CORNER = 0.09
_SEAM = 0.13
_CLOCKWISE = ((1, 0), (0, 1), (-1, 0), (0, -1))


def patch_path(cells: Collection[Cell], size: float, inset: float = 0.0) -> str:
    """The outline of the cells as one path with slightly rounded corners, holes included.

    `size` is the side of a cell; the corner of cell (0, 0) is the origin. Fill it by either rule.
    """
    return " ".join(_loop_path(loop, size, inset, size * _CORNER) for loop in _loops(frozenset(cells)))


def seam_path(cells: Collection[Cell], size: float, inset: float | None = None) -> str:
    """The line just inside the outline along which a patch is stitched on; for a dashed stroke."""
    return patch_path(cells, size, size * _SEAM if inset is None else inset)


@lru_cache(maxsize=1024)
def button_cells(patch: Patch, orientation: Orientation = Orientation.PLAIN) -> tuple[tuple[Cell, int], ...]:
    """Which cells of a turned patch show buttons, and how many; always the same cells of the cloth."""
    if patch.income == 0:
        return ()
    if patch.income == 1 or patch.income > len(patch.cells):
        chosen = [(_middle(patch.cells), patch.income)]
    else:
        chosen = [(cell, 1) for cell in max(combinations(patch.cells, patch.income), key=_spread)]
    return tuple((_follow(patch.cells, cell, orientation), buttons) for cell, buttons in chosen)


def _middle(cells: tuple[Cell, ...]) -> Cell:
    row = sum(c.row for c in cells) / len(cells)
    column = sum(c.column for c in cells) / len(cells)
    return min(cells, key=lambda c: (round((c.row - row) ** 2 + (c.column - column) ** 2, 6), c))


def _spread(cells: tuple[Cell, ...]) -> tuple[int, int]:
    distances = [(a.row - b.row) ** 2 + (a.column - b.column) ** 2 for a, b in combinations(cells, 2)]
    return min(distances), sum(distances)


def _follow(cells: tuple[Cell, ...], cell: Cell, orientation: Orientation) -> Cell:
    height = max(c.row for c in cells) + 1
    width = max(c.column for c in cells) + 1
    row, column = cell
    if orientation >= Orientation.F:
        column = width - 1 - column
    for _ in range(orientation % 4):
        row, column, height, width = column, height - 1 - row, width, height
    return Cell(row, column)


@lru_cache(maxsize=4096)
def _loops(cells: frozenset[Cell]) -> tuple[tuple[_Point, ...], ...]:
    """The corners of the outline, one tuple for each closed line, the cells always on the right hand."""
    edges: dict[_Point, list[_Point]] = {}
    for row, column in sorted(cells):
        corners = ((column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1))
        neighbours = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
        for side, neighbour in enumerate(neighbours):
            if neighbour not in cells:
                edges.setdefault(corners[side], []).append(_CLOCKWISE[side])
    loops = []
    while edges:
        start = min(edges, key=lambda point: (point[1], point[0]))
        loops.append(_follow_edge(edges, start))
    return tuple(loops)


def _follow_edge(edges: dict[_Point, list[_Point]], start: _Point) -> tuple[_Point, ...]:
    corners = []
    point, direction = start, (0, 0)
    while point in edges:
        ways = edges[point]
        # Where two cells touch only at a corner, turning right keeps to the same cell.
        right = (-direction[1], direction[0])
        step = right if right in ways else ways[0]
        ways.remove(step)
        if not ways:
            del edges[point]
        if step != direction:
            corners.append(point)
        point, direction = (point[0] + step[0], point[1] + step[1]), step
    return tuple(corners)


def _loop_path(corners: tuple[_Point, ...], size: float, inset: float, radius: float) -> str:
    parts: list[str] = []
    for index, corner in enumerate(corners):
        before, after = corners[index - 1], corners[(index + 1) % len(corners)]
        into, out = _direction(before, corner), _direction(corner, after)
        # The inner side is the right-hand one: (dx, dy) turned right is (-dy, dx).
        x = corner[0] * size + inset * (-into[1] - out[1])
        y = corner[1] * size + inset * (into[0] + out[0])
        enter = f"{number(x - into[0] * radius)} {number(y - into[1] * radius)}"
        leave = f"{number(x + out[0] * radius)} {number(y + out[1] * radius)}"
        parts.append(f"{'L' if parts else 'M'}{enter}Q{number(x)} {number(y)} {leave}")
    return "".join(parts) + "Z"


def _direction(start: _Point, end: _Point) -> _Point:
    dx, dy = end[0] - start[0], end[1] - start[1]
    return (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
