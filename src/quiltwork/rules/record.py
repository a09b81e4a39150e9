"""Records of the compiled code: a class states the fields once, for the type checker and for NumPy.

    class NodeRecord:
        visits: Int32                             # one number
        children: Annotated[Int32s, 2, 8]         # an array of them, with its shape
        entries: Annotated[Records[EntryRecord], 64]
        root: PositionRecord                      # a record within the record

    NODE = record_type(NodeRecord)

Such a class types the records of an array of `NODE`. Only one that is a dataclass of numbers has objects, too.
"""

from __future__ import annotations

from dataclasses import fields
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Protocol,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np

from quiltwork.rules.compiler import PLAIN

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

R = TypeVar("R")
Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

WHOLE = -1
"""the shape of a field that is all memory of its record, seen as one row"""

Word: TypeAlias = Annotated[Any, np.uint64]
"""64 bits; never mixed with signed numbers, which would make it a float"""
Int64: TypeAlias = Annotated[int, np.int64]
Int32: TypeAlias = Annotated[int, np.int32]
Int16: TypeAlias = Annotated[int, np.int16]
Int8: TypeAlias = Annotated[int, np.int8]
UInt8: TypeAlias = Annotated[int, np.uint8]
Float64: TypeAlias = Annotated[float, np.float64]
Float32: TypeAlias = Annotated[float, np.float32]
Words: TypeAlias = Annotated[Array, np.uint64]
Int64s: TypeAlias = Annotated[Array, np.int64]
Int32s: TypeAlias = Annotated[Array, np.int32]
Int16s: TypeAlias = Annotated[Array, np.int16]
Int8s: TypeAlias = Annotated[Array, np.int8]
UInt16s: TypeAlias = Annotated[Array, np.uint16]
UInt8s: TypeAlias = Annotated[Array, np.uint8]
Float64s: TypeAlias = Annotated[Array, np.float64]
Float32s: TypeAlias = Annotated[Array, np.float32]


class Records(Protocol[R]):
    """An array of records."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: Any) -> R: ...
    def __setitem__(self, index: Any, value: R) -> None: ...


def record_type(kind: type[Any]) -> np.dtype[np.void]:
    """The NumPy type of a record class; where the kernel runs as plain Python, its fields are attributes."""
    found: list[Any] = []
    view: tuple[str, Any] | None = None
    for name, hint in get_type_hints(kind, include_extras=True).items():
        unit, shape = _unit_and_shape(hint)
        if shape == (WHOLE,):
            view = name, unit
        else:
            found.append((name, unit, shape) if shape else (name, unit))
    dtype = np.dtype(found, align=True)
    if view:
        dtype = _with_view(dtype, *view)
    return np.dtype((np.record, dtype)) if PLAIN else dtype


def write(numbers: DataclassInstance, record: Array) -> None:
    """Writes the fields of a dataclass into those of a record that have the same names."""
    for field in fields(numbers):
        record[field.name] = getattr(numbers, field.name)


def _with_view(dtype: np.dtype[np.void], name: str, unit: Any) -> np.dtype[np.void]:
    """A record with one field more: all of its memory as one row."""
    names: Any = dtype.names
    offsets: Any = dtype.fields
    layout: Any = {
        "names": [*names, name],
        "formats": [*(offsets[each][0] for each in names), (unit, (dtype.itemsize // np.dtype(unit).itemsize,))],
        "offsets": [*(offsets[each][1] for each in names), 0],
        "itemsize": dtype.itemsize,
    }
    return np.dtype(layout, align=True)


def _unit_and_shape(hint: Any) -> tuple[Any, tuple[int, ...]]:
    """The NumPy type of one number or record of a field, and the shape of the field."""
    base, *notes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    shape = tuple(note for note in notes if isinstance(note, int))
    units = [note for note in notes if not isinstance(note, int)]
    if units:
        return units[0], shape
    return record_type(get_args(base)[0] if get_origin(base) is Records else base), shape
