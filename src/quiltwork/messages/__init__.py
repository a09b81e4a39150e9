"""The message catalogs: one JSON file a language, for the page, the terminal and the command line."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

MESSAGES_FOLDER = Path(__file__).parent
DEFAULT_LANGUAGE = "en"
Catalog: TypeAlias = dict[str, str | dict[str, str]]


def languages() -> list[str]:
    """The languages that have a catalog, English first."""
    found = sorted(path.stem for path in MESSAGES_FOLDER.glob("*.json"))
    return [DEFAULT_LANGUAGE, *(language for language in found if language != DEFAULT_LANGUAGE)]


@lru_cache(maxsize=8)
def catalog(language: str = DEFAULT_LANGUAGE) -> Catalog:
    """The messages of a language by key: a text, or one text for each plural form."""
    found: Catalog = json.loads((MESSAGES_FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return found
