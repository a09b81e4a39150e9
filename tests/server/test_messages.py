"""Every message of every theme and language, said as the page says it."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from quiltwork.messages import MESSAGES_FOLDER, languages
from quiltwork.server.page import WEB
from quiltwork.speech import say
from quiltwork.themes import available_themes, load_theme

SOURCES = Path(__file__).parents[2] / "src" / "quiltwork"
OTHERS = [name for name in languages() if name != "en"]

FOREIGN = {
    # Words of another box, by theme and language.
    ("stack-and-stuff", "en"): r"\b(sew\w*|quilts?|patch(es)?|buttons?|leather)\b",
    ("stack-and-stuff", "de"): r"(näh|\bDecken?\b|[Ff]licken|Knopf|Knöpfe|Leder)",
    ("halloween", "en"): r"\bbuttons?\b",
    ("halloween", "de"): r"(Knopf|Knöpfe)",
    ("express", "en"): r"\b(stow\w*|coins?|box(es)?)\b",
    ("patchwork", "en"): r"\b(stow\w*|coins?|box(es)?|leather)\b",
}
NOT_OF_A_BOX = ("begins.", "doubt.", "opponent.", "start.note", "record.", "links.local")
"""keys whose words name an edition, an opponent or a computer"""
ENGLISH = re.compile(r"\b(the|and|your|you|is|to|with|patch|sew|stow|of|it|a move)\b", re.IGNORECASE)
PLACE = re.compile(r"\{[^}]*\}")
ONE_LANGUAGE = ("article.", "opponent.")
"""keys that English needs not: it has no genders, and the opponents themselves speak it"""


@cache
def _catalog(language: str) -> dict[str, str | dict[str, str]]:
    found: dict[str, str | dict[str, str]] = json.loads(
        (MESSAGES_FOLDER / f"{language}.json").read_text(encoding="utf-8")
    )
    return found


def _forms(entry: str | dict[str, str]) -> list[str]:
    return [entry] if isinstance(entry, str) else list(entry.values())


def _figures(entry: str | dict[str, str]) -> set[str]:
    """The figures that a message fills in, with or without a noun."""
    return {place[1] for form in _forms(entry) for place in re.finditer(r"\{(\w+)(?::\w+)?\}", form)}


def keys() -> list[str]:
    return [key for key in _catalog("en") if "@" not in key]


def said(key: str, theme: str, language: str) -> list[str]:
    """A message of one, and of many, with the theme's nouns filled in and figures in braces."""
    entry = _catalog("en")[key]
    own = _catalog(language).get(f"{key}@{theme}", _catalog(language).get(key, entry))
    names = _figures(own)
    counted = {place[1] for form in _forms(own) for place in re.finditer(r"\{(\w+):\w+\}", form)}
    spoken = load_theme(theme)
    return [
        say(
            key,
            {"count": many} | {name: many if name in counted else f"{{{name}}}" for name in names},
            spoken,
            language,
        )
        for many in (1, 3)
    ]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("theme", available_themes())
def test_every_message_has_the_theme_s_words_and_no_other_box_s(theme: str, language: str) -> None:
    foreign = FOREIGN.get((theme, language))
    for key in keys():
        for text in said(key, theme, language):
            assert text.strip()
            assert not re.search(r"\S  \S", text), f"{key}: {text}"
            if foreign and not key.startswith(NOT_OF_A_BOX):
                assert not re.search(foreign, PLACE.sub("", text), re.IGNORECASE), f"{key}: {text}"


@pytest.mark.parametrize("theme", available_themes())
@pytest.mark.parametrize("language", OTHERS)
def test_no_english_is_left_in_another_language(language: str, theme: str) -> None:
    for key in keys():
        for text in said(key, theme, language):
            if key != "links.local":
                assert not ENGLISH.search(PLACE.sub("", text)), f"{key}: {text}"


@pytest.mark.parametrize("language", OTHERS)
def test_both_languages_have_the_same_messages_with_the_same_figures(language: str) -> None:
    english, other = _catalog("en"), _catalog(language)
    assert {key for key in other if "@" not in key and not key.startswith(ONE_LANGUAGE)} == set(keys())
    for key in keys():
        assert _figures(other[key]) == _figures(english[key]), key
    for catalog in (english, other):
        for key in catalog:
            base, _, theme = key.partition("@")
            assert base in catalog or base in english, key
            if theme:
                assert theme in available_themes(), key
                assert _figures(catalog[key]) == _figures(english[base]), key


def test_every_message_is_said_somewhere() -> None:
    text = "\n".join(
        path.read_text(encoding="utf-8")
        for suffix in ("*.py", "*.js", "*.html")
        for path in SOURCES.rglob(suffix)
        if "vendor" not in path.parts
    )
    whole = set(re.findall(r"""["'`]([\w.@ -]+)["'`]""", text))
    # Of `turn.${why}.${who}` and f"reason.{key}" the beginning is written, of "did.patch" who did it is left out.
    begun = tuple(re.findall(r"""["'`]([a-z_]+\.(?:[\w.]+\.)?)\$?\{""", text))
    unsaid = [
        key
        for key in keys()
        if not {key, re.sub(r"\.(you|other)$", "", key)} & whole and not key.startswith(begun)
    ]
    assert not unsaid


def test_no_name_is_put_into_the_genitive() -> None:
    """`Scissors's turn` is hard to read and harder to say."""
    assert not [
        key for key in keys() if re.search(r"\{(name|other|one|two|loser)\}['’]s", str(_catalog("en")[key]))
    ]


def test_a_patch_is_spoken_as_a_person_would_say_it() -> None:
    assert said("choice.label", "patchwork", "en")[1] == (
        "{patch}, {cells} squares, costs 3 buttons, moves you 3 spaces on, income {income}."
    )
    assert said("choice.label", "stack-and-stuff", "de")[1] == (
        "{patch}, {cells} Felder groß, kostet 3 Münzen, bringt dich 3 Felder weiter, Einkommen {income}."
    )


def test_no_sentence_of_a_theme_wins_over_the_plain_one_of_another_language() -> None:
    """Stack & Stuff says `hint.sentence` as all do, and its own verb in its own language."""
    assert said("turn.special.you", "stack-and-stuff", "de") == ["Verstaue deinen Karton."] * 2
    order = "catalog.value[own] ?? catalog.value[key] ?? english[own] ?? english[key]"
    assert order in (WEB / "js" / "words.js").read_text(encoding="utf-8")
