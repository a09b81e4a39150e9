"""Reading a theme's TOML file, with all its problems reported at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from quiltwork.editions.file import read_toml
from quiltwork.errors import EditionError
from quiltwork.themes.colour import is_colour
from quiltwork.themes.theme import (
    COLOURWAYS,
    FABRICS_A_THEME,
    Colourway,
    Currency,
    Fabric,
    NeutralToken,
    Palette,
    SpecialPatch,
    Theme,
    TokenShape,
    Word,
    Words,
    faint_pairs,
)

FORMAT = 1
GENDERS = ("m", "f", "n")
_Kind = TypeVar("_Kind", bound=StrEnum)


def read_theme(path: Path, name: str) -> Theme:
    """The theme in a file; raises EditionError with every problem found."""
    data = read_toml(path, "theme", name)
    problems: list[str] = []
    theme = _theme(data, name, problems)
    if theme is None or problems:
        raise EditionError(f"theme {name}", problems)
    return theme


def _theme(data: dict[str, Any], name: str, problems: list[str]) -> Theme | None:
    _only(data, {"format", "id", "title", "art", "words", "light", "dark"}, "", problems)
    if data.get("format") != FORMAT or isinstance(data.get("format"), bool):
        problems.append(f"format should be {FORMAT}, is {data.get('format')!r}")
    identity = _text(data, "id", "", problems)
    if identity and not re.fullmatch(r"[a-z][a-z0-9-]*", identity):
        problems.append(f"id should be lower-case letters, digits and hyphens, is {identity!r}")
    title = _text(data, "title", "", problems)

    art = _table(data, "art", problems)
    _only(
        art,
        {"currency", "neutral_token", "special_patch", "tokens", "fabrics", "reserve_colourway"},
        "[art] ",
        problems,
    )
    currency = _one_of(Currency, art.get("currency"), "[art] currency", problems)
    neutral_token = _one_of(NeutralToken, art.get("neutral_token"), "[art] neutral_token", problems)
    special_patch = _one_of(SpecialPatch, art.get("special_patch"), "[art] special_patch", problems)
    tokens = _different(TokenShape, art.get("tokens"), 2, "[art] tokens", problems)
    fabrics = _different(Fabric, art.get("fabrics"), FABRICS_A_THEME, "[art] fabrics", problems)

    words = _words(_table(data, "words", problems), problems)
    light = _palette(_table(data, "light", problems), "light", problems)
    dark = _palette(_table(data, "dark", problems), "dark", problems)
    if light and dark and len(light.colourways) != len(dark.colourways):
        problems.append("[light] and [dark] should have equally many colourways")
    kept = art.get("reserve_colourway")
    if light and dark and kept is not None:
        for palette, mode in ((light, "light"), (dark, "dark")):
            names = [way.name for way in palette.colourways]
            if kept not in names:
                problems.append(
                    f"[art] reserve_colourway should be one of [{mode}]'s {', '.join(names)}, is {kept!r}"
                )
    if not (currency and neutral_token and special_patch and light and dark) or problems:
        return None
    return Theme(
        name=name,
        id=identity,
        title=title,
        currency=currency,
        neutral_token=neutral_token,
        special_patch=special_patch,
        tokens=(tokens[0], tokens[1]),
        fabrics=fabrics,
        words=words,
        light=light,
        dark=dark,
        reserve_colourway=kept,
    )


def _only(table: Mapping[str, Any], known: set[str], where: str, problems: list[str]) -> None:
    problems.extend(f"{where}{key} is not known" for key in table if key not in known)


def _table(data: Mapping[str, Any], key: str, problems: list[str]) -> Mapping[str, Any]:
    value = data.get(key)
    if isinstance(value, dict):
        return value
    problems.append(f"[{key}] is missing" if value is None else f"[{key}] should be a table")
    return {}


def _text(table: Mapping[str, Any], key: str, where: str, problems: list[str]) -> str:
    value = table.get(key)
    if isinstance(value, str) and value.strip():
        return value
    problems.append(
        f"{where}{key} is missing" if value is None else f"{where}{key} should be a text, is {value!r}"
    )
    return ""


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _one_of(kind: type[_Kind], value: object, where: str, problems: list[str]) -> _Kind | None:
    if isinstance(value, str) and value in list(kind):
        return kind(value)
    found = "is missing" if value is None else f"is {value!r}"
    problems.append(f"{where} should be one of {', '.join(kind)}, {found}")
    return None


def _different(
    kind: type[_Kind], value: object, number: int, where: str, problems: list[str]
) -> tuple[_Kind, ...]:
    if not isinstance(value, list):
        problems.append(f"{where} should be a list of {number} of {', '.join(kind)}")
        return ()
    found = [_one_of(kind, item, where, problems) for item in value]
    if len(found) != number or len(set(map(str, value))) != number:
        problems.append(f"{where} should be {number} different ones, are {len(set(map(str, value)))}")
    return tuple(item for item in found if item is not None)


def _words(data: Mapping[str, Any], problems: list[str]) -> Mapping[str, Words]:
    if data and "en" not in data:
        problems.append("[words.en] is missing")
    return MappingProxyType(
        {language: _vocabulary(table, f"[words.{language}]", problems) for language, table in data.items()}
    )


def _vocabulary(table: object, where: str, problems: list[str]) -> Words:
    names = [f.name for f in fields(Words)]
    if not isinstance(table, dict):
        problems.append(f"{where} should be a table")
        return Words(**dict.fromkeys(names, Word("?", "?")))
    _only(table, set(names), f"{where} ", problems)
    words = {}
    for name in names:
        value = table.get(name)
        if not (isinstance(value, list) and 2 <= len(value) <= 3 and all(map(_is_text, value))):
            found = "is missing" if value is None else f"is {value!r}"
            problems.append(f"{where} {name} should be a singular and a plural, {found}")
            words[name] = Word("?", "?")
        elif value[2:] and value[2] not in GENDERS:
            problems.append(f"{where} {name} should have the gender {' or '.join(GENDERS)}, has {value[2]!r}")
            words[name] = Word("?", "?")
        else:
            words[name] = Word(*value)
    return Words(**words)


def _palette(table: Mapping[str, Any], mode: str, problems: list[str]) -> Palette | None:
    names = [f.name for f in fields(Palette)]
    _only(table, set(names), f"[{mode}] ", problems)
    if not table:
        return None
    before = len(problems)
    colours = {name: table.get(name) for name in names if name != "colourways"}
    problems.extend(
        _no_colour(f"[{mode}] {name}", value) for name, value in colours.items() if not is_colour(value)
    )
    ways = _colourways(table.get("colourways"), f"[{mode}.colourways]", problems)
    if len(problems) > before:
        return None
    palette = Palette(**colours, colourways=ways)  # type: ignore[arg-type]  # is_colour has seen every value
    problems.extend(f"[{mode}] {problem}" for problem in faint_pairs(palette))
    return palette


def _colourways(table: object, where: str, problems: list[str]) -> tuple[Colourway, ...]:
    low, high = COLOURWAYS
    if not isinstance(table, dict) or not low <= len(table) <= high:
        problems.append(f"{where} should have {low} to {high} colourways")
        return ()
    ways = []
    for name, value in table.items():
        if isinstance(value, list) and len(value) == 3 and all(map(is_colour, value)):
            ways.append(Colourway(name, *value))
        else:
            problems.append(f"{where} {name} should be three colours: base, figure and detail, is {value!r}")
    return tuple(ways)


def _no_colour(where: str, value: object) -> str:
    found = "is missing" if value is None else f"is {value!r}"
    return f"{where} should be a colour such as #c0ffee, {found}"
