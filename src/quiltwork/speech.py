"""Speech: the messages of the catalogs, said in a language and in the words of a theme."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from quiltwork.editions import Edition
from quiltwork.errors import QuiltworkError
from quiltwork.messages import DEFAULT_LANGUAGE, catalog, languages
from quiltwork.patch_names import patch_names
from quiltwork.themes import Theme, Word

_PLACE = re.compile(r"\{(\w*)(::?)?(\w+)?\}")


class Speech:
    """Says messages about one edition; `say` fills in figures, the theme's nouns and the names of patches."""

    def __init__(self, edition: Edition, theme: Theme, language: str = DEFAULT_LANGUAGE) -> None:
        if language not in languages():
            raise QuiltworkError(f"language {language[:20]!r}: there are {', '.join(languages())}")
        self.edition = edition
        self.theme = theme
        self.language = language
        self.words = theme.words_in(language)
        self._patches: Mapping[str, str] = patch_names(edition, theme, language)

    def say(self, key: str, **figures: int | str) -> str:
        """The message of a key, in the syntax of the catalogs.

        `{name}` is a figure, `{count:button}` a figure with the theme's noun, `{:patch}` the noun alone and
        `{::patch}` its plural. A key with `@theme` at its end is for that theme alone. Raises KeyError.
        """
        entry = self._entry(key)
        if not isinstance(entry, str):
            count = figures.get("count", figures.get("n", 0))
            entry = entry["one"] if count == 1 and "one" in entry else entry["other"]

        def fill(place: re.Match[str]) -> str:
            name, mark, noun = place.groups()
            if not mark:
                figure = figures.get(name, "")
                return number(figure) if isinstance(figure, int) else figure
            if not name:
                return self.noun(noun).many if mark == "::" else self.noun(noun).one
            return self.counted(noun, int(figures[name]))

        return _PLACE.sub(fill, entry)

    def _entry(self, key: str) -> str | dict[str, str]:
        own, english = catalog(self.language), catalog(DEFAULT_LANGUAGE)
        themed = f"{key}@{self.theme.id}"
        for messages in (own, english):
            for each in (themed, key):
                if each in messages:
                    return messages[each]
        raise KeyError(key)

    def noun(self, name: str) -> Word:
        """A noun of the theme, such as `button`."""
        word: Word = getattr(self.words, name)
        return word

    def counted(self, name: str, count: int) -> str:
        """A number with a noun of the theme, such as `3 buttons`."""
        noun = self.noun(name)
        return f"{number(count)} {noun.one if abs(count) == 1 else noun.many}"

    def patch(self, code: str) -> str:
        """What a patch is called: `the long blue cross`; `s` is a special patch."""
        return self.words.special_patch.one if code == "s" else self._patches[code]


def number(figure: int) -> str:
    """A number with a real minus sign."""
    return str(figure).replace("-", "−")


def signed(figure: int) -> str:
    """A number with its sign."""
    return f"+{figure}" if figure >= 0 else number(figure)


def capital(text: str) -> str:
    """A text with a capital first letter."""
    return text[:1].upper() + text[1:]


def language_of_environment() -> str:
    """The language that the environment asks for, as far as there is a catalog for it; else English."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        asked = os.environ.get(variable, "")
        if asked:
            short = re.split(r"[_.@]", asked)[0].lower()
            return short if short in languages() else DEFAULT_LANGUAGE
    return DEFAULT_LANGUAGE
