"""A theme: the words, the colours and the art of one box, as data; it cannot change play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from quiltwork.editions import Edition
from quiltwork.errors import EditionError
from quiltwork.themes.colour import contrast

THEMES_FOLDER = Path(__file__).parent
DEFAULT_THEME = "patchwork"
TEXT_CONTRAST = 4.5
PART_CONTRAST = 3.0


class Currency(StrEnum):
    """What buttons are drawn as."""

    BUTTON = "button"
    EYEBALL = "eyeball"
    COIN = "coin"


class NeutralToken(StrEnum):
    """What the neutral token is drawn as."""

    SPOOL = "spool"
    PUMPKIN = "pumpkin"
    TRUCK = "truck"


class SpecialPatch(StrEnum):
    """What special patches are drawn as."""

    LEATHER = "leather"
    BOX = "box"


class TokenShape(StrEnum):
    """What a time token is drawn as; the two players differ in it."""

    CIRCLE = "circle"
    SQUARE = "square"
    DIAMOND = "diamond"
    HEXAGON = "hexagon"
    TRIANGLE = "triangle"


class Fabric(StrEnum):
    """The weaves and prints that patches are cut from."""

    GINGHAM = "gingham"
    STRIPES = "stripes"
    DOTS = "dots"
    HERRINGBONE = "herringbone"
    FLORAL = "floral"
    PLAID = "plaid"
    PAISLEY = "paisley"
    CHEVRON = "chevron"
    HOUNDSTOOTH = "houndstooth"
    ARGYLE = "argyle"
    SCALLOPS = "scallops"
    SPRIGS = "sprigs"
    CROSSES = "crosses"
    COBWEBS = "cobwebs"
    MOONS = "moons"
    CONFETTI = "confetti"
    PLANKS = "planks"
    ARROWS = "arrows"


@dataclass(frozen=True)
class Word:
    """A noun of a theme's vocabulary."""

    one: str
    many: str
    gender: str = ""
    """`m`, `f` or `n` in a language that declines articles by it; empty elsewhere"""

    def count(self, number: int) -> str:
        """The number with the noun, such as `1 button` or `3 buttons`."""
        return f"{number} {self.one if number == 1 else self.many}"


@dataclass(frozen=True)
class Words:
    """A theme's vocabulary in one language."""

    button: Word
    patch: Word
    special_patch: Word
    special_tile: Word
    quilt: Word
    quilt_board: Word
    time_board: Word
    time_token: Word
    neutral_token: Word
    space: Word
    income: Word
    circle: Word
    reserve: Word
    point: Word


@dataclass(frozen=True)
class Colourway:
    """The three colours that a fabric is printed in: the ground, the figures, and their details."""

    name: str
    base: str
    figure: str
    detail: str


@dataclass(frozen=True)
class Palette:
    """A theme's colours, for light or for dark surroundings."""

    ground: str
    """the table"""
    panel: str
    """what lies on the table: cards, player lines"""
    ink: str
    """text"""
    muted: str
    """text of second rank"""
    accent: str
    """what is chosen or can be pressed; also text"""
    accent_ink: str
    """text on the accent"""
    warning: str
    """what is forbidden or missing; also text"""
    edge: str
    """the outline of patches and tokens"""
    stitch: str
    """the thread of a seam"""
    cloth: str
    """the empty quilt board"""
    grid: str
    """the faint lines on it"""
    track: str
    """the spaces of the time board"""
    track_line: str
    """the lines between them"""
    track_ink: str
    """text on them"""
    leather: str
    leather_stitch: str
    currency: str
    """buttons, or what the theme has in their place"""
    currency_edge: str
    one: str
    """player 1"""
    two: str
    """player 2"""
    token_ink: str
    """the number on a time token"""
    colourways: tuple[Colourway, ...]


@dataclass(frozen=True)
class Theme:
    """The words, the colours and the art of one box.

    `name` is what it was loaded by: the id of a built-in theme, or the path of a file.
    """

    name: str
    """what it was loaded by: an id, or the path of a file"""
    id: str
    """its name in the file"""
    title: str
    """as people read it"""
    currency: Currency
    """what is drawn for buttons"""
    neutral_token: NeutralToken
    """what is drawn for it"""
    special_patch: SpecialPatch
    """what is drawn for one"""
    tokens: tuple[TokenShape, TokenShape]
    """the shapes of the time tokens of player 1 and player 2"""
    fabrics: tuple[Fabric, ...]
    """`FABRICS_A_THEME` different ones; which patch has which follows from its code"""
    words: Mapping[str, Words] = field(hash=False)
    """by language, such as `en`"""
    light: Palette
    """colours for light surroundings"""
    dark: Palette
    """colours for dark surroundings"""
    reserve_colourway: str | None = None
    """the colourway that is kept for the reserve's patches, or none"""

    def __repr__(self) -> str:
        return f"load_theme({self.name!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return load_theme, (self.name,)

    def palette(self, *, dark: bool) -> Palette:
        """The colours for dark or for light surroundings."""
        return self.dark if dark else self.light

    def words_in(self, language: str) -> Words:
        """The vocabulary in a language, or in English where the theme does not know it."""
        return self.words.get(language, self.words["en"])


class Swatch(NamedTuple):
    """A fabric in one colourway (a place in the palette's list)."""

    fabric: Fabric
    colourway: int


def swatch_of(theme: Theme, code: str, reserve: bool = False) -> Swatch:
    """The fabric that the patch of this code is cut from, the same for ever.

    5 and 9 are chosen so that no two patches of a built-in edition share a swatch, and codes that
    follow each other differ in fabric and in colourway.
    """
    thread = 5 * int(code[:-1]) + 9 * (ord(code[-1]) - ord("a"))
    ways = [i for i, way in enumerate(theme.light.colourways) if _may_wear(theme, way, reserve)]
    return Swatch(theme.fabrics[thread % len(theme.fabrics)], ways[thread % len(ways)])


def _may_wear(theme: Theme, way: Colourway, reserve: bool) -> bool:
    # Players tell the reserve's patches by their colour, so no others have it.
    return theme.reserve_colourway is None or (way.name == theme.reserve_colourway) == reserve


FABRICS_A_THEME = 13
COLOURWAYS = (3, 5)
"""how many colourways a palette may have, at least and at most"""


def faint_pairs(palette: Palette) -> Iterator[str]:
    """What in a palette cannot be seen well enough, a sentence each: nothing, in a theme that loads."""
    for text, grounds in _TEXT_ON.items():
        for ground in grounds:
            ratio = contrast(getattr(palette, text), getattr(palette, ground))
            if ratio < TEXT_CONTRAST:
                yield f"{text} on {ground} has contrast {ratio:.2f}, text needs {TEXT_CONTRAST}"
    for fill, outline, grounds in _PARTS_ON:
        colour, line = getattr(palette, fill), getattr(palette, outline)
        for ground in grounds:
            ratio = _visibility(colour, line, getattr(palette, ground))
            if ratio < PART_CONTRAST:
                yield f"{_either(fill, outline)} on {ground} has contrast {ratio:.2f}, needs {PART_CONTRAST}"
    for way in palette.colourways:
        ratio = contrast(way.base, palette.edge)
        if ratio < PART_CONTRAST:
            yield f"edge on colourway {way.name} has contrast {ratio:.2f}, needs {PART_CONTRAST}"
        for ground in ("cloth", "panel", "ground"):
            ratio = _visibility(way.base, palette.edge, getattr(palette, ground))
            if ratio < PART_CONTRAST:
                part = _either(f"colourway {way.name}", "edge")
                yield f"{part} on {ground} has contrast {ratio:.2f}, needs {PART_CONTRAST}"


def _either(fill: str, outline: str) -> str:
    return fill if fill == outline else f"{fill} or {outline}"


def _visibility(fill: str, outline: str, ground: str) -> float:
    # A part is seen by its fill or by its outline.
    return max(contrast(fill, ground), contrast(outline, ground))


_TEXT_ON = {
    "ink": ("ground", "panel", "cloth"),
    "muted": ("ground", "panel"),
    "accent": ("ground", "panel"),
    "accent_ink": ("accent",),
    "warning": ("ground", "panel"),
    "track_ink": ("track",),
    "token_ink": ("one", "two"),
}
_PARTS_ON = (
    ("one", "edge", ("track", "panel", "ground")),
    ("two", "edge", ("track", "panel", "ground")),
    ("currency", "currency_edge", ("track", "panel", "ground")),
    ("leather", "edge", ("track", "cloth", "panel")),
    ("track_line", "track_line", ("track",)),
    ("currency_edge", "currency_edge", ("currency",)),
    ("leather_stitch", "leather_stitch", ("leather",)),
)


def available_themes() -> tuple[str, ...]:
    """The ids of the built-in themes, the default first."""
    ids = sorted(path.stem for path in THEMES_FOLDER.glob("*.toml"))
    return (DEFAULT_THEME, *(i for i in ids if i != DEFAULT_THEME))


def load_theme(name_or_path: str | Path = DEFAULT_THEME) -> Theme:
    """The theme of that id, or of that `.toml` file; raises EditionError with all its problems."""
    name = str(name_or_path)
    if not name.lower().endswith(".toml"):
        if name.lower() in available_themes():
            return _load(THEMES_FOLDER / f"{name.lower()}.toml", name.lower(), 0)
        shown = name if len(name) <= 60 else name[:57] + "..."
        known = ", ".join(available_themes())
        raise EditionError(
            f"theme {shown!r}", [f"unknown; built in are {known}, and a path to a .toml file works too"]
        )
    path = Path(name)
    try:
        changed = path.stat().st_mtime_ns
    except (OSError, ValueError):
        raise EditionError(f"theme {name!r}", ["no such file"]) from None
    return _load(path, name, changed)


def theme_of(edition: Edition) -> Theme:
    """The theme that an edition asks for; a path is taken relative to the edition's own file."""
    if not edition.theme.lower().endswith(".toml"):
        return load_theme(edition.theme)
    return load_theme(Path(unquote(edition.name)).parent / edition.theme)


@lru_cache(maxsize=64)
def _load(path: Path, name: str, changed: int) -> Theme:
    # `changed` is part of the key, so that an edited file is read anew.
    from quiltwork.themes.file import read_theme

    return read_theme(path, name)
