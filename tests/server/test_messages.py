"""Every message of every theme and language, said as the page says it."""

from __future__ import annotations

import json
import re

import pytest

from quiltwork.messages import MESSAGES_FOLDER, languages
from quiltwork.server.page import WEB
from quiltwork.themes import Words, available_themes, load_theme

FOREIGN = {
    # Words of another box, by theme and language; learn.* is the lesson of Patchwork, begins.* and doubt.* name editions.
    ("stack-and-stuff", "en"): r"\b(sew\w*|quilts?|patch(es)?|buttons?|leather)\b",
    ("stack-and-stuff", "de"): r"(näh|\bDecken?\b|[Ff]licken|Knopf|Knöpfe|Leder)",
    ("halloween", "en"): r"\bbuttons?\b",
    ("halloween", "de"): r"(Knopf|Knöpfe)",
    ("express", "en"): r"\b(stow\w*|coins?|box(es)?)\b",
    ("patchwork", "en"): r"\b(stow\w*|coins?|box(es)?|leather)\b",
}
ENGLISH = re.compile(r"\b(the|and|your|you|is|to|with|patch|sew|stow|of|it|a move)\b", re.IGNORECASE)


def _catalog(language: str) -> dict[str, str | dict[str, str]]:
    found: dict[str, str | dict[str, str]] = json.loads(
        (MESSAGES_FOLDER / f"{language}.json").read_text(encoding="utf-8")
    )
    return found


def said(key: str, theme: str, language: str) -> list[str]:
    """All forms of a message with the theme's nouns filled in, found in the order of `words.js`."""
    own, english = _catalog(language), _catalog("en")
    entry = own.get(f"{key}@{theme}", own.get(key, english.get(f"{key}@{theme}", english.get(key))))
    assert entry is not None, key
    words = load_theme(theme).words_in(language)
    forms = [entry] if isinstance(entry, str) else list(entry.values())
    return [re.sub(r"\{(\w*)(::?)(\w+)\}", lambda found: _noun(words, found[2], found[3]), form) for form in forms]


def _noun(words: Words, mark: str, noun: str) -> str:
    word = getattr(words, noun)
    text: str = word.many if mark == "::" else word.one
    return text


def keys() -> list[str]:
    return [key for key in _catalog("en") if "@" not in key]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("theme", available_themes())
def test_every_message_has_the_theme_s_words_and_no_other_box_s(theme: str, language: str) -> None:
    foreign = FOREIGN.get((theme, language))
    for key in keys():
        for text in said(key, theme, language):
            assert text.strip()
            if foreign and not key.startswith(
                ("learn.", "begins.", "doubt.", "opponent.", "start.note", "record.", "links.local")
            ):
                plain = re.sub(r"\{[^}]*\}", "", text)
                assert not re.search(foreign, plain, re.IGNORECASE), f"{key}: {text}"


@pytest.mark.parametrize("theme", available_themes())
@pytest.mark.parametrize("language", [name for name in languages() if name != "en"])
def test_no_english_is_left_in_another_language(language: str, theme: str) -> None:
    for key in keys():
        for text in said(key, theme, language):
            if key != "links.local":
                assert not ENGLISH.search(re.sub(r"\{[^}]*\}", "", text)), f"{key}: {text}"


def test_no_sentence_of_a_theme_wins_over_the_plain_one_of_another_language() -> None:
    """`turn.special.you` has an English sentence for Stack & Stuff; German says it in German."""
    assert said("turn.special.you", "stack-and-stuff", "de") == ["Lege an: Karton."]
    order = "catalog.value[own] ?? catalog.value[key] ?? english[own] ?? english[key]"
    assert order in (WEB / "js" / "words.js").read_text(encoding="utf-8")
