"""A finished quilt of each edition, for the start page."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from random import Random

from quiltwork import Edition, LayPatch, Orientation, Patch, Placement
from quiltwork.geometry import Cell

FILE = Path(__file__).parent / "showcase.json"
_TRIES = 4


@lru_cache(maxsize=64)
def showcase(edition: Edition) -> list[str]:
    """Placements that cover much of the quilt board: kept for the built-in editions, found for others."""
    kept: dict[str, list[str]] = json.loads(FILE.read_text(encoding="utf-8"))
    return kept.get(edition.name) or sew(edition, _TRIES)


def sew(edition: Edition, tries: int) -> list[str]:
    """The best of some quilts sewn at random; the same for ever."""
    chance = Random(7)
    best: list[str] = []
    most = -1
    for _ in range(tries):
        placements, covered = _fill(edition, chance)
        if covered > most:
            best, most = placements, covered
    return best


def _fill(edition: Edition, chance: Random) -> tuple[list[str], int]:
    free = set(edition.spaces)
    waiting = list(edition.patches.values())
    chance.shuffle(waiting)
    placements: list[str] = []
    for cell in edition.spaces:
        if cell not in free:
            continue
        for patch in waiting:
            placed = _at(patch, cell, free)
            if placed is not None:
                free -= set(placed[1])
                placements.append(str(placed[0]))
                waiting.remove(patch)
                break
    return placements, len(edition.spaces) - len(free)


def _at(patch: Patch, cell: Cell, free: set[Cell]) -> tuple[LayPatch, list[Cell]] | None:
    """A way to lay the patch so that its first cell in reading order is this one."""
    for orientation in patch.orientations:
        shape = patch.oriented(orientation)
        corner = Cell(cell.row - shape[0].row, cell.column - shape[0].column)
        cells = [Cell(corner.row + c.row, corner.column + c.column) for c in shape]
        if corner.column >= 0 and all(c in free for c in cells):
            return LayPatch(patch.code, Placement(corner, Orientation(orientation))), cells
    return None
