"""Sentences of the message catalogs with a theme's words, as the page says them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from quiltwork.messages import DEFAULT_LANGUAGE, catalog
from quiltwork.themes import Theme, Word

_PLACE = re.compile(r"\{(\w*)(::?)?(\w+)?\}")


def say(key: str, figures: Mapping[str, int | str], theme: Theme, language: str = DEFAULT_LANGUAGE) -> str:
    """The message of a key; `{count:button}` is a number with the theme's noun, `{:patch}` the noun alone."""
    own, english = catalog(language), catalog(DEFAULT_LANGUAGE)
    name = f"{key}@{theme.id}"
    entry = own.get(name) or own.get(key) or english.get(name) or english[key]
    if not isinstance(entry, str):
        entry = entry["one" if figures.get("count") == 1 else "other"]
    words = theme.words_in(language)

    def fill(found: re.Match[str]) -> str:
        figure, mark, noun = found.groups()
        if not mark:
            return str(figures.get(figure, ""))
        word: Word = getattr(words, noun)
        if not figure:
            return word.many if mark == "::" else word.one
        return word.count(int(figures[figure]))

    return _PLACE.sub(fill, entry)
