"""Editions and themes as the page reads them: shapes in every form, so that the browser needs no geometry."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from typing import Any

from quiltwork import Edition, Orientation, Patch, Theme
from quiltwork.geometry import Cell
from quiltwork.patch_names import NAMED_LANGUAGES, patch_names
from quiltwork.render.fabric import CELL, fabric_defs, fabric_id
from quiltwork.render.outline import button_cells, patch_path, seam_path
from quiltwork.render.symbols import symbol_defs

ART = "art-"
SPECIAL = Patch(code="s", shape=("#",), buttons=0, time=0, income=0)

Json = dict[str, Any]


@lru_cache(maxsize=64)
def edition_view(edition: Edition, identifier: str) -> Json:
    """All that the page must know of an edition."""
    tile = edition.special_tile
    return {
        "id": identifier,
        "title": edition.title,
        "theme": edition.theme,
        "rows": edition.rows,
        "columns": edition.columns,
        "board": list(edition.board),
        "points_per_empty_space": edition.points_per_empty_space,
        "last_space": edition.last_space,
        "income_spaces": list(edition.income_spaces),
        "special_patch_spaces": list(edition.special_patch_spaces),
        "may_be_removed": edition.special_patch_may_be_removed,
        "tile": {"square": tile.square, "points": tile.points} if tile else None,
        "choices": edition.choices,
        "reserve_enters_when_left": edition.reserve_enters_when_left,
        "start_buttons": edition.start_buttons,
        "start_patch": edition.start_patch,
        "confidence": edition.source.confidence.value,
        "unverified": list(edition.source.unverified),
        "special": _patch_view(SPECIAL),
        "patches": {patch.code: _patch_view(patch) for patch in edition.patches.values()},
    }


def _patch_view(patch: Patch) -> Json:
    return {
        "code": patch.code,
        "buttons": patch.buttons,
        "time": patch.time,
        "income": patch.income,
        "reserve": patch.reserve,
        "fabric": fabric_id(patch.code, ART),
        "forms": {str(o): _form_view(patch, o) for o in patch.orientations},
        "names": {str(o): str(patch.canonical(o)) for o in Orientation},
    }


def _form_view(patch: Patch, orientation: Orientation) -> Json:
    cells = patch.oriented(orientation)
    return {
        "name": str(orientation),
        "cells": [list(cell) for cell in cells],
        "rows": 1 + max(cell.row for cell in cells),
        "columns": 1 + max(cell.column for cell in cells),
        "path": patch_path(cells, CELL),
        "seam": seam_path(cells, CELL),
        "buttons": [[*cell, count] for cell, count in _button_cells(patch, orientation)],
        "rotate": str(patch.canonical(_rotated(orientation, 1))),
        "back": str(patch.canonical(_rotated(orientation, 3))),
        "flip": str(patch.canonical(_flipped(orientation))),
    }


def _button_cells(patch: Patch, orientation: Orientation) -> tuple[tuple[Cell, int], ...]:
    return button_cells(patch, orientation)


def _rotated(orientation: Orientation, quarters: int) -> Orientation:
    return Orientation(orientation // 4 * 4 + (orientation + quarters) % 4)


def _flipped(orientation: Orientation) -> Orientation:
    # Turning by n and then flipping is flipping and then turning back by n.
    return Orientation((4 - orientation // 4 * 4) + -orientation % 4)


@lru_cache(maxsize=64)
def theme_view(theme: Theme, edition: Edition) -> Json:
    """The words of a theme, with what it calls an edition's patches.

    Its colours are in the style sheet, its drawings in the art.
    """
    return {
        "id": theme.id,
        "title": theme.title,
        "patch_names": {language: dict(patch_names(edition, theme, language)) for language in NAMED_LANGUAGES},
        "words": {
            language: {noun: list(word.values()) for noun, word in asdict(words).items()}
            for language, words in theme.words.items()
        },
    }


@lru_cache(maxsize=64)
def art_svg(theme: Theme, edition: Edition, dark: bool) -> str:
    """The fabrics of an edition's patches and the pieces of a theme, for the page to refer to."""
    return fabric_defs(theme, dark, edition.patches.values(), prefix=ART) + symbol_defs(theme, dark, prefix=ART)


_COLOURS = [
    "ground",
    "panel",
    "ink",
    "muted",
    "accent",
    "accent_ink",
    "warning",
    "edge",
    "stitch",
    "cloth",
    "grid",
    "track",
    "track_line",
    "track_ink",
    "leather",
    "leather_stitch",
    "currency",
    "currency_edge",
    "one",
    "two",
    "token_ink",
]


def themes_css(themes: tuple[Theme, ...]) -> str:
    """A style sheet with the colours of every theme, light and dark, as variables."""
    blocks = []
    for theme in themes:
        for scheme, dark in (("light", False), ("dark", True)):
            palette = theme.palette(dark=dark)
            lines = "".join(f"--{name.replace('_', '-')}:{getattr(palette, name)};" for name in _COLOURS)
            blocks.append(
                f':root[data-theme="{theme.id}"][data-scheme="{scheme}"]{{{lines}color-scheme:{scheme}}}'
            )
        if theme is themes[0]:
            # Before the page's program runs, the first theme's colours hold.
            blocks += [_plain(blocks[0]), f"@media(prefers-color-scheme:dark){{{_plain(blocks[1])}}}"]
    return "\n".join(blocks) + "\n"


def _plain(block: str) -> str:
    return ":root" + block[block.index("{") :]
