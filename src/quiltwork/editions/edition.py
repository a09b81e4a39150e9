"""An edition: the board, the patches and the rule switches of one box, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote, unquote

from quiltwork.errors import EditionError
from quiltwork.geometry import Cell, Orientation, cells_of_drawing, orient
from quiltwork.rules import layout, tables

EDITIONS_FOLDER = Path(__file__).parent
DEFAULT_EDITION = "patchwork"


class Confidence(Enum):
    """How sure the data of an edition is."""

    VERIFIED = "verified"
    PARTLY_VERIFIED = "partly verified"
    RECONSTRUCTED = "reconstructed"
    HOME_MADE = "home-made"


@dataclass(frozen=True)
class Source:
    """Where an edition's data comes from."""

    rulebook: str
    established_by: str
    confidence: Confidence
    unverified: tuple[str, ...] = ()


@dataclass(frozen=True)
class Patch:
    """A patch: its permanent code, its shape as drawn, what it costs and what it brings."""

    code: str
    """permanent in its edition"""
    shape: tuple[str, ...]
    """rows as drawn, `#` a cell, `.` none"""
    buttons: int
    """its price"""
    time: int
    """spaces that the time token moves"""
    income: int
    """buttons at each income mark"""
    reserve: bool = False
    """whether it joins the circle later"""

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells as drawn, in reading order."""
        return cells_of_drawing(self.shape)

    @cached_property
    def orientations(self) -> tuple[Orientation, ...]:
        """The canonical orientations: one for each different set of cells."""
        return tuple(dict.fromkeys(self._canonical))

    @cached_property
    def _canonical(self) -> tuple[Orientation, ...]:
        first: dict[tuple[Cell, ...], Orientation] = {}
        return tuple(first.setdefault(self._oriented[o], o) for o in Orientation)

    def canonical(self, orientation: Orientation) -> Orientation:
        """The first orientation that gives the same cells."""
        return self._canonical[orientation]

    def oriented(self, orientation: Orientation) -> tuple[Cell, ...]:
        """The cells, turned, relative to the top left corner of their bounding box."""
        return self._oriented[orientation]

    @cached_property
    def _oriented(self) -> tuple[tuple[Cell, ...], ...]:
        return tuple(orient(self.cells, orientation) for orientation in Orientation)


@dataclass(frozen=True)
class SpecialTile:
    """The tile for the first completely filled square of spaces."""

    square: int
    points: int


@dataclass(frozen=True)
class Edition:
    """Everything in which one box differs from another, as data.

    `name` is what the notation calls it: the id of a built-in edition, the path of a file, or the name of a
    content that a server keeps (`quiltwork.editions.content`).
    """

    name: str
    """what the notation calls it"""
    id: str
    """its name in the file"""
    title: str
    """as on the box"""
    theme: str
    """the name of its theme"""
    source: Source
    """where its data comes from, and how sure it is"""
    board: tuple[str, ...]
    """the drawing of the quilt board, `#` a space, `.` none"""
    points_per_empty_space: int
    """at the end, 0 or negative"""
    last_space: int
    """of the time board, which begins at 0"""
    income_spaces: tuple[int, ...]
    """whoever reaches or passes one receives income"""
    special_patch_spaces: tuple[int, ...]
    """where special patches lie at the start"""
    special_patch_may_be_removed: bool
    """instead of being placed"""
    special_tile: SpecialTile | None
    """None where the box has none"""
    start_patch: str
    """the code of the patch after which the neutral token starts"""
    choices: int
    """how many patches in front of the neutral token may be taken"""
    reserve_enters_when_left: int | None
    """patches left in the circle when the reserve is dealt; None without a reserve"""
    start_buttons: int
    """that each player has at the start"""
    patches: Mapping[str, Patch]
    """by code, in the order of the file, the reserve last"""

    def __hash__(self) -> int:
        # Asked for whenever something is looked up by edition, and one name is hardly ever two editions.
        return hash(self.name)

    def __repr__(self) -> str:
        return f"load_edition({self.name!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        if self.name not in _REGISTERED:
            return load_edition, (self.name,)
        from quiltwork.editions.content import content_of, edition_of_content

        return edition_of_content, (content_of(self),)

    @property
    def rows(self) -> int:
        """The rows of the quilt board."""
        return len(self.board)

    @property
    def columns(self) -> int:
        """The columns of the quilt board."""
        return len(self.board[0])

    @cached_property
    def spaces(self) -> tuple[Cell, ...]:
        """The spaces of the quilt board, in reading order."""
        return cells_of_drawing(self.board)

    @cached_property
    def circle(self) -> tuple[str, ...]:
        """The codes that begin in the circle, sorted, the start patch last."""
        others = sorted(p.code for p in self.patches.values() if not p.reserve and p.code != self.start_patch)
        return (*others, self.start_patch)

    @cached_property
    def reserve(self) -> tuple[str, ...]:
        """The codes that begin in the reserve, sorted."""
        return tuple(sorted(p.code for p in self.patches.values() if p.reserve))

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """The codes of all patches; a patch's number in the rules kernel is its place here."""
        return tuple(self.patches)

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each patch in the rules kernel."""
        return MappingProxyType({code: number for number, code in enumerate(self.codes)})

    @cached_property
    def compiled(self) -> layout.EditionArray:
        """The edition as the rules kernel reads it."""
        return tables.compile_edition(
            board=self.board,
            points_per_empty_space=self.points_per_empty_space,
            last_space=self.last_space,
            income_spaces=self.income_spaces,
            special_patch_spaces=self.special_patch_spaces,
            special_patch_may_be_removed=self.special_patch_may_be_removed,
            tile_square=self.special_tile.square if self.special_tile else 0,
            tile_points=self.special_tile.points if self.special_tile else 0,
            choices=self.choices,
            reserve_enters_when_left=self.reserve_enters_when_left,
            start_buttons=self.start_buttons,
            patches=[
                tables.PatchData(
                    buttons=patch.buttons,
                    time=patch.time,
                    income=patch.income,
                    reserve=patch.reserve,
                    orientations=[(int(o), patch.oriented(o)) for o in patch.orientations],
                )
                for patch in self.patches.values()
            ],
        )


def available_editions() -> tuple[str, ...]:
    """The ids of the built-in editions, the default first."""
    ids = sorted(path.stem for path in EDITIONS_FOLDER.glob("*.toml"))
    return (DEFAULT_EDITION, *(i for i in ids if i != DEFAULT_EDITION))


def edition_of(edition: Edition | str) -> Edition:
    """The edition itself, or that of an id or `.toml` file; raises EditionError or TypeError."""
    if isinstance(edition, Edition):
        return edition
    if not isinstance(edition, str):
        raise TypeError(f"edition: expected an Edition or its id, found {type(edition).__name__}")
    return load_edition(edition)


def load_edition(name_or_path: str | Path = DEFAULT_EDITION) -> Edition:
    """The edition of that id, or of that `.toml` file; raises EditionError with all its problems.

    In a text, a path's spaces may be percent-encoded, as in a position.
    """
    name = str(name_or_path)
    if not name.lower().endswith(".toml"):
        if (registered := _REGISTERED.get(name.lower())) is not None:
            return registered
        if name.lower() in available_editions():
            return _load(EDITIONS_FOLDER / f"{name.lower()}.toml", name.lower(), 0)
        if "@" in name:
            raise EditionError(
                f"edition {_shortened(name)!r}",
                ["unknown here; this names an edition of a server: put the path of its file in its place"],
            )
        known = ", ".join(available_editions())
        raise EditionError(
            f"edition {_shortened(name)!r}",
            [f"unknown; built in are {known}, and a path to a .toml file works too"],
        )
    path = Path(name)
    if not path.exists():
        path = Path(unquote(name))
    try:
        changed = path.stat().st_mtime_ns
    except (OSError, ValueError):
        raise EditionError(f"edition {_shortened(name)!r}", ["no such file"]) from None
    return _load(path, quote(str(path), safe="/\\:~@!$&'()*+,;=-._"), changed)


_REGISTERED: dict[str, Edition] = {}
"""by name: editions that have no file"""


def register_edition(edition: Edition, name: str = "") -> None:
    """Lets an edition without a file be found by its name, or by another, as long as this process runs."""
    name = name or edition.name
    if name in available_editions() or name.endswith(".toml"):
        raise ValueError(f"{name!r} names a built-in edition or a file")
    _REGISTERED[name] = edition


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


@lru_cache(maxsize=64)
def _load(path: Path, name: str, changed: int) -> Edition:
    # `changed` is part of the key, so that an edited file is read anew.
    from quiltwork.editions.file import read_edition

    return read_edition(path, name)
