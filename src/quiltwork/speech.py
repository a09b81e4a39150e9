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

# `{einen special_patch}` and `{den.patch}`, or `{name}`, `{count:button}`, `{:patch}` and `{::patch}`
_PLACE = re.compile(r"\{(?:([A-Za-z]+)([ .])(\w+)|(\w*)(::?)?(\w+)?)\}")


def say(key: str, figures: Mapping[str, int | str], theme: Theme, language: str = DEFAULT_LANGUAGE) -> str:
    """The message of a key in the words of a theme.

    `{name}` is a figure, `{count:button}` a figure with the theme's noun, `{:patch}` the noun alone and
    `{::patch}` its plural; `{:Patch}` begins with a capital. In a language that declines, `{einen patch}` is
    the noun with an article, and `{den.patch}` the article alone; the catalog has their forms for each gender,
    under `article.`. A key with `@theme` at its end is for that theme alone. Raises KeyError.
    """
    entry = _entry(key, theme, language)
    if not isinstance(entry, str):
        count = figures.get("count", figures.get("n", 0))
        entry = entry["one"] if count in (1, -1) and "one" in entry else entry["other"]
    words = theme.words_in(language)

    def fill(place: re.Match[str]) -> str:
        article, joint, of, name, mark, noun = place.groups()
        if article:
            word: Word = getattr(words, of)
            form = _article(article, word.gender, language)
            return form if joint == "." else f"{form} {word.one}".strip()
        if not mark:
            figure = figures.get(name, "")
            return number(figure) if isinstance(figure, int) else figure
        word = getattr(words, noun.lower())
        if not name:
            text = word.many if mark == "::" else word.one
            return capital(text) if noun[0].isupper() else text
        count = int(figures[name])
        return f"{number(count)} {word.one if abs(count) == 1 else word.many}"

    return _PLACE.sub(fill, entry)


def _entry(key: str, theme: Theme, language: str) -> str | dict[str, str]:
    for messages in (catalog(language), catalog(DEFAULT_LANGUAGE)):
        for each in (f"{key}@{theme.id}", key):
            if each in messages:
                return messages[each]
    raise KeyError(key)


def _article(asked: str, gender: str, language: str) -> str:
    """The form of an article for a gender, empty without one; with a capital where it was asked for with one."""
    forms = catalog(language)[f"article.{asked.lower()}"]
    assert not isinstance(forms, str)
    form = forms.get(gender, "")
    return capital(form) if asked[0].isupper() else form


class Speech:
    """Says messages about one edition: with the words of a theme and the names of patches."""

    def __init__(self, edition: Edition, theme: Theme, language: str = DEFAULT_LANGUAGE) -> None:
        if language not in languages():
            raise QuiltworkError(f"language {language[:20]!r}: there are {', '.join(languages())}")
        self.edition = edition
        self.theme = theme
        self.language = language
        self.words = theme.words_in(language)
        self._patches: Mapping[str, str] = patch_names(edition, theme, language)

    def say(self, key: str, **figures: int | str) -> str:
        """The message of a key."""
        return say(key, figures, self.theme, self.language)

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

    def listed_patch(self, code: str) -> str:
        """What a patch is called in a list, without an article: `long blue cross`."""
        if code == "s":
            return self.patch(code)
        return patch_names(self.edition, self.theme, self.language, article=False)[code]


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
