"""Reading an edition's TOML file, with all its problems reported at once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from quiltwork.editions.edition import Confidence, Edition, Patch, Source, SpecialTile
from quiltwork.errors import EditionError
from quiltwork.geometry import cells_of_drawing
from quiltwork.rules import layout

FORMAT = 1
MAX_FILE_BYTES = 1_000_000
_CODE = re.compile(r"([1-9][0-9]?)([a-z])")


def read_edition(path: Path, name: str) -> Edition:
    """The edition in a file; raises EditionError with every problem found."""
    return edition_of_table(read_toml(path, "edition", name), name)


def edition_of_table(data: Mapping[str, Any], name: str) -> Edition:
    """The edition of a table with the fields of an edition file; raises EditionError with every problem found."""
    reader = _Reader(data)
    edition = _edition(reader, name)
    if reader.problems:
        raise EditionError(f"edition {name}", reader.problems)
    return edition


def read_toml(path: Path, kind: str, name: str) -> dict[str, Any]:
    """The table in a TOML file; an unreadable one is an EditionError."""
    subject = f"{kind} {name}"
    try:
        if path.is_dir():
            raise EditionError(subject, ["is a folder, not a file"])
        if path.stat().st_size > MAX_FILE_BYTES:
            raise EditionError(subject, [f"is larger than {MAX_FILE_BYTES:,} bytes"])
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise EditionError(subject, [error.strerror or "cannot be read"]) from None
    except UnicodeDecodeError as error:
        raise EditionError(subject, [f"is not UTF-8 text (byte {error.start})"]) from None
    except tomllib.TOMLDecodeError as error:
        raise EditionError(subject, [f"is not TOML: {error}"]) from None
    except RecursionError:
        raise EditionError(subject, ["is not TOML: nested too deeply"]) from None


class _Reader:
    """Takes typed values out of nested tables and collects what is wrong with them."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.problems: list[str] = []
        self._known: dict[str, set[str]] = {}

    def has(self, table: str) -> bool:
        self._known.setdefault("", set()).add(table)
        return table in self.data

    def table(self, name: str) -> Mapping[str, Any]:
        self._known.setdefault("", set()).add(name)
        value = self.data.get(name, {})
        if isinstance(value, dict):
            return value
        self.problems.append(f"[{name}] should be a table")
        return {}

    def _value(self, table: str, key: str, default: Any) -> Any:
        self._known.setdefault(table, set()).add(key)
        source = self.table(table) if table else self.data
        if key in source:
            return source[key]
        if default is None:
            self.problems.append(f"{self._at(table, key)} is missing")
        return default

    @staticmethod
    def _at(table: str, key: str) -> str:
        return f"[{table}] {key}" if table else key

    def integer(self, table: str, key: str, low: int, high: int, default: int | None = None) -> int:
        value = self._value(table, key, default)
        if value is None:
            return low
        if type(value) is not int or not low <= value <= high:
            self.problems.append(
                f"{self._at(table, key)} should be a whole number from {low} to {high}, is {value!r}"
            )
            return low
        return value

    def text(self, table: str, key: str, default: str | None = None) -> str:
        value = self._value(table, key, default)
        if isinstance(value, str):
            return value
        if value is not None:
            self.problems.append(f"{self._at(table, key)} should be a text, is {value!r}")
        return ""

    def truth(self, table: str, key: str) -> bool:
        value = self._value(table, key, None)
        if value is not None and not isinstance(value, bool):
            self.problems.append(f"{self._at(table, key)} should be true or false, is {value!r}")
        return value is True

    def spaces(self, table: str, key: str, last_space: int) -> tuple[int, ...]:
        value = self._value(table, key, None)
        if value is None:
            return ()
        if not isinstance(value, list) or any(type(v) is not int for v in value):
            self.problems.append(f"{self._at(table, key)} should be a list of whole numbers")
            return ()
        for space in value:
            if not 1 <= space <= last_space:
                self.problems.append(
                    f"{self._at(table, key)}: {space} is not a space that a token can reach (1 to {last_space})"
                )
        if len(set(value)) < len(value):
            self.problems.append(f"{self._at(table, key)} names a space twice")
        return tuple(sorted(set(value)))

    def texts(self, table: str, key: str) -> tuple[str, ...]:
        value = self._value(table, key, [])
        if not isinstance(value, list) or any(not isinstance(v, str) for v in value):
            self.problems.append(f"{self._at(table, key)} should be a list of texts")
            return ()
        return tuple(value)

    def unknown_keys(self) -> None:
        """Reports keys that nothing asked for: most often a slip of the pen."""
        for table, known in self._known.items():
            source = self.table(table) if table else self.data
            self.problems.extend(f"{self._at(table, key)} is not known" for key in source if key not in known)


def _edition(reader: _Reader, name: str) -> Edition:
    reader.integer("", "format", FORMAT, FORMAT)
    identity = reader.text("", "id")
    if identity and not re.fullmatch(r"[a-z0-9][a-z0-9-]*", identity):
        reader.problems.append(f"id should be lower-case letters, digits and hyphens, is {identity!r}")
    title = reader.text("", "title")
    theme = reader.text("", "theme", "patchwork")
    source = _source(reader)
    board = _drawing(reader, reader.text("quilt_board", "drawing"))
    points = reader.integer("quilt_board", "points_per_empty_space", -100, 100)
    before = len(reader.problems)
    last_space = reader.integer("time_board", "last_space", 1, layout.MAX_LAST_SPACE)
    # A wrong last space is one problem, not one for each mark too.
    reachable = last_space if len(reader.problems) == before else layout.MAX_LAST_SPACE
    income_spaces = reader.spaces("time_board", "income_spaces", reachable)
    special_spaces = reader.spaces("time_board", "special_patch_spaces", reachable)
    removable = reader.truth("special_patch", "may_be_removed")
    tile = None
    if reader.has("special_tile"):
        tile = SpecialTile(
            square=reader.integer("special_tile", "square", 1, max(1, min(len(board), len(board[0])))),
            points=reader.integer("special_tile", "points", -1000, 1000),
        )
    start_patch = reader.text("circle", "start_patch")
    choices = reader.integer("circle", "choices", 1, layout.MAX_CHOICES)
    patches = _patches(reader, "patches", reader.table("patches"), board, reserve=False)
    enters = None
    if reader.has("reserve"):
        enters = reader.integer("reserve", "enters_when_left", 0, layout.MAX_PATCHES)
        reserve = reader._value("reserve", "patches", None)
        if isinstance(reserve, dict):
            for code, patch in _patches(reader, "reserve.patches", reserve, board, reserve=True).items():
                if code in patches:
                    reader.problems.append(f"patch {code} is in the circle and in the reserve")
                patches[code] = patch
        elif reserve is not None:
            reader.problems.append("[reserve.patches] should be a table")
    if not 1 <= len(patches) <= layout.MAX_PATCHES:
        reader.problems.append(f"there are {len(patches)} patches; 1 to {layout.MAX_PATCHES} are possible")
    if start_patch and (start_patch not in patches or patches[start_patch].reserve):
        reader.problems.append(f"[circle] start_patch {start_patch!r} is not a patch of the circle")
    start_buttons = reader.integer("players", "start_buttons", 0, 999)
    incomes = sum(patch.income for patch in patches.values())
    most = start_buttons + last_space + incomes * len(income_spaces)
    if most > layout.MAX_BUTTONS:
        reader.problems.append(
            f"a player could come to have {most:,} buttons; {layout.MAX_BUTTONS:,} are possible at most"
        )
    reader.unknown_keys()
    return Edition(
        name=name,
        id=identity,
        title=title,
        theme=theme,
        source=source,
        board=board,
        points_per_empty_space=points,
        last_space=last_space,
        income_spaces=income_spaces,
        special_patch_spaces=special_spaces,
        special_patch_may_be_removed=removable,
        special_tile=tile,
        start_patch=start_patch,
        choices=choices,
        reserve_enters_when_left=enters,
        start_buttons=start_buttons,
        patches=MappingProxyType(patches),
    )


def _source(reader: _Reader) -> Source:
    if not reader.has("source"):
        return Source("", "", Confidence.HOME_MADE)
    confidence = reader.text("source", "confidence", Confidence.HOME_MADE.value)
    known = [c.value for c in Confidence]
    if confidence not in known:
        reader.problems.append(f"[source] confidence should be one of {', '.join(known)}, is {confidence!r}")
        confidence = Confidence.HOME_MADE.value
    return Source(
        rulebook=reader.text("source", "rulebook", ""),
        established_by=reader.text("source", "established_by", ""),
        confidence=Confidence(confidence),
        unverified=reader.texts("source", "unverified"),
    )


def _drawing(reader: _Reader, text: str) -> tuple[str, ...]:
    rows = tuple(line.strip() for line in text.strip().splitlines())
    where = "[quilt_board] drawing"
    width = max((len(row) for row in rows), default=0)
    if not rows or not any("#" in row for row in rows):
        if text or not any(where in p for p in reader.problems):
            reader.problems.append(f"{where} has no space (`#`)")
        return ("#",)
    if set("".join(rows)) - set("#."):
        reader.problems.append(f"{where} should have only `#` (a space) and `.` (none)")
    if any(len(row) != width for row in rows):
        reader.problems.append(f"{where}: all rows should be equally long")
    if len(rows) > layout.MAX_SIDE or width > layout.MAX_SIDE:
        reader.problems.append(
            f"{where} is {len(rows)} x {width}; at most {layout.MAX_SIDE} x {layout.MAX_SIDE} is possible"
        )
        return ("#",)
    return tuple(row.ljust(width, ".") for row in rows)


def _patches(
    reader: _Reader, table: str, patches: Mapping[str, Any], board: tuple[str, ...], *, reserve: bool
) -> dict[str, Patch]:
    found = {}
    for code, values in patches.items():
        patch = _patch(reader, f"patch {code}", code, values, reserve=reserve)
        if patch is not None:
            found[code] = patch
    if not found and not reader.problems:
        reader.problems.append(f"[{table}] has no patch")
    return found


def _patch(reader: _Reader, where: str, code: str, values: Any, *, reserve: bool) -> Patch | None:
    if not isinstance(values, dict):
        reader.problems.append(f"{where} should be a table {{ shape, buttons, time, income }}")
        return None
    numbers = {}
    for key, high in (("buttons", 999), ("time", layout.MAX_LAST_SPACE), ("income", 99)):
        value = values.get(key)
        low = 1 if key == "time" else 0
        if type(value) is not int or not low <= value <= high:
            found = "is missing" if value is None else f"is {value!r}"
            reader.problems.append(f"{where}: {key} should be a whole number from {low} to {high}, {found}")
            value = low
        numbers[key] = value
    for key in values.keys() - {"shape", "buttons", "time", "income"}:
        reader.problems.append(f"{where}: {key} is not known")
    drawn = values.get("shape")
    rows = tuple(drawn.split("/")) if isinstance(drawn, str) else ()
    problem = _shape_problem(rows)
    if problem:
        reader.problems.append(f"{where}: {problem}")
        return None
    match = _CODE.fullmatch(code)
    size = len(cells_of_drawing(rows))
    if match is None:
        reader.problems.append(f"{where}: a code is the number of cells and a letter, such as {size}a")
    elif int(match.group(1)) != size:
        reader.problems.append(f"{where}: the code says {match.group(1)} cells, the shape has {size}")
    return Patch(code, rows, numbers["buttons"], numbers["time"], numbers["income"], reserve)


def _shape_problem(rows: tuple[str, ...]) -> str | None:
    if not rows or not rows[0]:
        return "shape is missing: rows of `#` and `.`, separated by `/`"
    if set("".join(rows)) - set("#."):
        return "shape should have only `#`, `.` and `/`"
    if any(len(row) != len(rows[0]) for row in rows):
        return "all rows of the shape should be equally long"
    if len(rows) > layout.MAX_SIDE or len(rows[0]) > layout.MAX_SIDE:
        return f"shape is larger than {layout.MAX_SIDE} x {layout.MAX_SIDE}"
    cells = set(cells_of_drawing(rows))
    if not 1 <= len(cells) <= layout.MAX_CELLS:
        return f"shape has {len(cells)} cells; 1 to {layout.MAX_CELLS} are possible"
    empty_edge = "#" not in rows[0] + rows[-1] or not all(any(row[i] == "#" for row in rows) for i in (0, -1))
    if "#" not in rows[0] or "#" not in rows[-1] or empty_edge:
        return "shape has an empty row or column at its edge"
    reached, todo = set(), [next(iter(cells))]
    while todo:
        cell = todo.pop()
        if cell in cells and cell not in reached:
            reached.add(cell)
            row, column = cell
            todo += [type(cell)(row + r, column + c) for r, c in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    return None if reached == cells else "shape is not in one piece"
