"""What the agents know of an edition beyond the rules: masks, marks ahead, symmetries."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, TypeAlias

import numpy as np

from quiltwork.rules.compiler import compiled_inline
from quiltwork.rules.layout import EDITION, MAX_SIDE, EditionArray
from quiltwork.rules.record import Int16s, Int64, UInt8s, Word, Words, record_type

MAX_BOARD = MAX_SIDE * MAX_SIDE


class TablesRecord:
    """What is looked up of an edition."""

    not_first_column: Annotated[Words, 2]
    not_last_column: Annotated[Words, 2]
    columns: Word
    carry: Word  # 64 - columns
    symmetries: Int64  # of the board, without the identity
    image: Annotated[UInt8s, 7, MAX_BOARD]  # [symmetry, cell]
    income_marks_after: Annotated[Int16s, 64]  # income marks beyond a space


TABLES = record_type(TablesRecord)

TablesArray: TypeAlias = np.ndarray[tuple[int], np.dtype[np.void]]

_WORD = 0xFFFF_FFFF_FFFF_FFFF


@compiled_inline
def signed(value: Any) -> Any:
    """A signed 64-bit number: mixed with unsigned ones it would become a float."""
    return np.int64(value)


def tables_of(edition: EditionArray) -> TablesArray:
    """The tables of a compiled edition."""
    return _tables_of(edition.tobytes())


@lru_cache(maxsize=16)
def _tables_of(content: bytes) -> TablesArray:
    edition = np.frombuffer(content, EDITION)[0]
    rows, columns = int(edition["rows"]), int(edition["columns"])
    array = np.zeros(1, TABLES)
    record = array[0]
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    record["not_first_column"] = _words(sum(1 << r * columns + c for r, c in cells if c > 0))
    record["not_last_column"] = _words(sum(1 << r * columns + c for r, c in cells if c < columns - 1))
    record["columns"], record["carry"] = columns, 64 - columns
    board = int(edition["board"][0]) | int(edition["board"][1]) << 64
    found = 0
    for turn in range(1, 8):
        images = [_image(row, column, rows, columns, turn) for row, column in cells]
        if turn & 1 and rows != columns:
            continue
        numbers = [r * columns + c for r, c in images]
        if sum(1 << numbers[i] for i in range(len(cells)) if board >> i & 1) != board:
            continue
        record["image"][found, : len(numbers)] = numbers
        found += 1
    record["symmetries"] = found
    marks = int(edition["income_marks"])
    record["income_marks_after"] = [(marks >> space + 1).bit_count() for space in range(64)]
    array.flags.writeable = False
    return array


def _image(row: int, column: int, rows: int, columns: int, turn: int) -> tuple[int, int]:
    # Bit 0: across the diagonal; bit 1: top to bottom; bit 2: left to right.
    if turn & 1:
        row, column = column, row
    return rows - 1 - row if turn & 2 else row, columns - 1 - column if turn & 4 else column


def _words(bits: int) -> tuple[int, int]:
    return bits & _WORD, bits >> 64
