"""What patches are called: in words, unique within an edition, in every theme and language."""

from __future__ import annotations

from pathlib import Path

import pytest

from quiltwork import available_editions, load_edition
from quiltwork.patch_names import NAMED_LANGUAGES, patch_names
from quiltwork.speech import Speech
from quiltwork.themes import available_themes, load_theme


@pytest.mark.parametrize("language", NAMED_LANGUAGES)
@pytest.mark.parametrize("theme", available_themes())
@pytest.mark.parametrize("edition", available_editions())
def test_every_patch_has_a_name_of_its_own(edition: str, theme: str, language: str) -> None:
    loaded = load_edition(edition)
    names = patch_names(loaded, load_theme(theme), language)
    assert set(names) == set(loaded.patches)
    assert len(set(names.values())) == len(names)
    for code, name in names.items():
        assert code not in name.split()
        assert not any(letter.isdigit() for letter in name), name
        assert name.split()[0] in {"en": ("the",), "de": ("das", "die")}[language]


@pytest.mark.parametrize(
    ("language", "code", "name"),
    [
        ("en", "6f", "the long blue cross"),
        ("de", "6f", "das lange blaue Kreuz"),
        ("en", "7b", "the green H"),
        ("de", "5h", "die grüne Treppe"),
    ],
)
def test_a_name_says_shape_and_colour(language: str, code: str, name: str) -> None:
    assert patch_names(load_edition("patchwork"), load_theme("patchwork"), language)[code] == name


@pytest.mark.parametrize(
    ("language", "code", "name"),
    [
        ("en", "7a", "great blue cross"),
        ("de", "7a", "großes blaues Kreuz"),
        ("de", "4e", "kleines grünes T"),
        ("de", "5h", "grüne Treppe"),
    ],
)
def test_a_name_in_a_list_has_no_article(language: str, code: str, name: str) -> None:
    edition, theme = load_edition("patchwork"), load_theme("patchwork")
    assert patch_names(edition, theme, language, article=False)[code] == name
    assert Speech(edition, theme, language).listed_patch(code) == name


def test_an_adjective_that_german_does_not_decline_stays_as_it_is() -> None:
    names = patch_names(load_edition("express"), load_theme("express"), "de", article=False)
    assert (names["5a"], names["5e"]) == ("lila U", "schiefes lila Kreuz")


def test_patches_that_differ_in_nothing_that_can_be_said_are_counted(tmp_path: Path) -> None:
    text = (Path(__file__).parent / "editions" / "toy-reserve.toml").read_text(encoding="utf-8")
    own = tmp_path / "own.toml"
    alike = "\n".join(f'{code} = {{ shape = "##", buttons = 1, time = 1, income = 0 }}' for code in ("2h", "2u"))
    own.write_text(f"{text}\n{alike}\n", encoding="utf-8")
    names = patch_names(load_edition(own), load_theme("express"))
    assert (names["2h"], names["2u"]) == (
        "the blue domino with leaves no. 1",
        "the blue domino with leaves no. 2",
    )
    assert len(set(names.values())) == len(names)


def test_an_unknown_language_is_answered_in_english() -> None:
    edition, theme = load_edition("express"), load_theme("express")
    assert patch_names(edition, theme, "tlh") == patch_names(edition, theme, "en")
