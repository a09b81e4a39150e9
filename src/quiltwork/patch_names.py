"""Names of patches, as a person at the table would say them: `the long blue cross`.

A name follows from the shape and the swatch. It is unique within an edition, in every theme and language.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from quiltwork.editions import Edition, Patch
from quiltwork.geometry import cells_of_drawing
from quiltwork.themes import Swatch, Theme, swatch_of
from quiltwork.themes.colour import nearest_colour

NAMED_LANGUAGES = ("en", "de")
_WORDS = Path(__file__).parent / "patch_names.toml"


@lru_cache(maxsize=256)
def patch_names(
    edition: Edition, theme: Theme, language: str = "en", *, article: bool = True
) -> Mapping[str, str]:
    """The names of an edition's patches by code; in English where the language is not known.

    Without an article they are for lists: `long blue cross`, in German `langes blaues Kreuz`.
    """
    spoken = language if language in NAMED_LANGUAGES else "en"
    described = {code: _Described(patch, theme, spoken, article) for code, patch in edition.patches.items()}
    names = {code: one.name() for code, one in described.items()}
    for code in _shared(names):
        names[code] = described[code].name(with_fabric=True)
    # Patches of a home-made edition may be alike in all that can be said, so they are counted.
    counted: Counter[str] = Counter()
    alike = _shared(names)
    for code, name in list(names.items()):
        if code in alike:
            counted[name] += 1
            names[code] = f"{name} {_words()[spoken]['numbered']} {counted[name]}"
    return MappingProxyType(names)


def _shared(names: Mapping[str, str]) -> set[str]:
    uses = Counter(names.values())
    return {code for code, name in names.items() if uses[name] > 1}


class _Described:
    """What can be said of one patch in one language."""

    def __init__(self, patch: Patch, theme: Theme, language: str, article: bool) -> None:
        words = _words()
        swatch = swatch_of(theme, patch.code, patch.reserve)
        self._colour = _colour(theme, swatch, words[language]["colours"])
        self._fabric = words[language]["fabrics"][swatch.fabric.value]
        known = _shapes().get(_cells(patch))
        if known is not None:
            english, german = known
        else:
            count = len(patch.cells)
            english, german = ["", f"scrap of {count}"], ["", "das", f"Stück aus {count}"]
        if language == "de":
            self._size, self._article, self._noun = german
        else:
            self._size, self._noun = english
            self._article = "the"
        if not article:
            if self._article == "das":
                self._size, self._colour = _neuter(self._size), _neuter(self._colour)
            self._article = ""

    def name(self, *, with_fabric: bool = False) -> str:
        parts = [self._article, self._size, self._colour, self._noun, self._fabric if with_fabric else ""]
        return " ".join(filter(None, parts))


def _neuter(adjective: str) -> str:
    """A German adjective before a neuter noun without an article: `kleines`, but `lila`."""
    return f"{adjective}s" if adjective.endswith("e") else adjective


def _colour(theme: Theme, swatch: Swatch, words: Mapping[str, str]) -> str:
    """The colour in a word; a colourway of a user's own theme is called after the plain colour nearest to it."""
    way = theme.light.colourways[swatch.colourway]
    return words.get(way.name) or words[nearest_colour(way.base)]


@cache
def _words() -> dict[str, Any]:
    return tomllib.loads(_WORDS.read_text(encoding="utf-8"))


@cache
def _shapes() -> dict[frozenset[tuple[int, int]], list[list[str]]]:
    """What each known shape is called, by its first form."""
    return {
        _first_form({(cell.row, cell.column) for cell in cells_of_drawing(tuple(drawing.split("/")))}): called
        for drawing, called in _words()["shapes"].items()
    }


def _cells(patch: Patch) -> frozenset[tuple[int, int]]:
    return _first_form({(cell.row, cell.column) for cell in patch.cells})


def _first_form(cells: set[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    """The same cells however the shape is turned or flipped."""
    forms = []
    for _ in range(2):
        for _ in range(4):
            cells = {(column, -row) for row, column in cells}
            top, left = min(row for row, _ in cells), min(column for _, column in cells)
            forms.append(sorted((row - top, column - left) for row, column in cells))
        cells = {(row, -column) for row, column in cells}
    return frozenset(min(forms))
