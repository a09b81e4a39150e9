"""Moves and their integer codes in the kernel, which are also the actions of the environments."""

from __future__ import annotations

from functools import lru_cache

from quiltwork.editions import Edition
from quiltwork.geometry import Cell, Orientation
from quiltwork.move import Advance, LayPatch, Placement, PlaceSpecialPatch, TakePatch

ADVANCE = 0


class MoveCodes:
    """The codes of one edition; equal moves are one object, so that listing them is fast."""

    def __init__(self, edition: Edition) -> None:
        cells = edition.rows * edition.columns
        self.cells = cells
        self.slot = 8 * cells
        """codes of one slot"""
        self.special = 1 + edition.choices * self.slot
        """the first code of a special patch"""
        self.removal = self.special + cells
        self.take = self.removal + 1
        """the first code of taking a patch before the reserve is dealt"""
        self.count = self.take + (edition.choices if edition.reserve_enters_when_left is not None else 0)
        self._rows, self._columns = edition.rows, edition.columns
        self.takes = {code: _Placed(TakePatch, code, cells, edition.columns) for code in edition.patches}
        self.lays = {code: _Placed(LayPatch, code, cells, edition.columns) for code in edition.patches}
        self.bare_takes = {code: TakePatch(code) for code in edition.patches}
        self.specials = [PlaceSpecialPatch(Cell(*divmod(i, edition.columns))) for i in range(cells)]
        self.specials.append(PlaceSpecialPatch(None))
        self.advances = [Advance(spaces) for spaces in range(edition.last_space + 1)]

    def within(self, cell: Cell) -> bool:
        """Whether a cell is in the board's drawing; beyond it, its code would be that of another cell."""
        return 0 <= cell.row < self._rows and 0 <= cell.column < self._columns

    def corner(self, cell: Cell) -> int:
        """The number of a cell."""
        return cell.row * self._columns + cell.column

    def of_placement(self, slot: int, placement: Placement) -> int | None:
        """The code for taking the patch of a slot, or laying a held one (slot 0); None beyond the board."""
        if not self.within(placement.cell):
            return None
        return 1 + slot * self.slot + placement.orientation * self.cells + self.corner(placement.cell)

    def of_special(self, cell: Cell | None) -> int | None:
        """The code for a special patch; None beyond the board."""
        if cell is None:
            return self.removal
        return self.special + self.corner(cell) if self.within(cell) else None


class _Placed(dict[int, TakePatch | LayPatch]):
    """The moves of one patch, by orientation * cells + corner, made when first asked for."""

    def __init__(self, kind: type[TakePatch] | type[LayPatch], patch: str, cells: int, columns: int) -> None:
        super().__init__()
        self._kind, self._patch, self._cells, self._columns = kind, patch, cells, columns

    def __missing__(self, index: int) -> TakePatch | LayPatch:
        orientation, corner = divmod(index, self._cells)
        placement = Placement(Cell(*divmod(corner, self._columns)), Orientation(orientation))
        move = self[index] = self._kind(self._patch, placement)
        return move


@lru_cache(maxsize=64)
def codes_of(edition: Edition) -> MoveCodes:
    """The codes of an edition."""
    return MoveCodes(edition)
