"""Themes: what the built-in ones hold, that they can be seen, and what is refused."""

from __future__ import annotations

import pickle
import tomllib
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from quiltwork.editions import available_editions, load_edition
from quiltwork.errors import EditionError
from quiltwork.themes import THEMES_FOLDER, Palette, Words, available_themes, faint_pairs, load_theme, theme_of
from quiltwork.themes.colour import contrast, mix

THEMES = ("patchwork", "express", "halloween", "stack-and-stuff")
MODES = ("light", "dark")

TEXT = [
    ("ink", "ground"),
    ("ink", "panel"),
    ("ink", "cloth"),
    ("muted", "ground"),
    ("muted", "panel"),
    ("accent", "ground"),
    ("accent", "panel"),
    ("accent_ink", "accent"),
    ("warning", "ground"),
    ("warning", "panel"),
    ("track_ink", "track"),
    ("token_ink", "one"),
    ("token_ink", "two"),
]
PARTS = [
    # seen by its fill or by its outline, on this ground
    ("one", "edge", "track"),
    ("two", "edge", "track"),
    ("currency", "currency_edge", "track"),
    ("currency", "currency_edge", "panel"),
    ("leather", "edge", "cloth"),
    ("leather", "edge", "track"),
    ("track_line", "track_line", "track"),
    ("currency_edge", "currency_edge", "currency"),
]


def colours(theme: str, mode: str) -> dict[str, Any]:
    table = tomllib.loads((THEMES_FOLDER / f"{theme}.toml").read_text(encoding="utf-8"))[mode]
    assert isinstance(table, dict)
    return table


def ratio(first: str, second: str) -> float:
    """The contrast of WCAG 2, written down a second time, so that the library does not check itself."""

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return float(sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True)))

    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def test_the_built_in_themes_are_the_four_boxes() -> None:
    assert available_themes() == THEMES


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("theme", THEMES)
def test_text_has_a_contrast_of_4_5(theme: str, mode: str) -> None:
    palette = colours(theme, mode)
    faint = {(a, b): ratio(palette[a], palette[b]) for a, b in TEXT if ratio(palette[a], palette[b]) < 4.5}
    assert faint == {}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("theme", THEMES)
def test_parts_that_matter_have_a_contrast_of_3(theme: str, mode: str) -> None:
    palette = colours(theme, mode)
    faint = [
        (fill, ground)
        for fill, outline, ground in PARTS
        if max(ratio(palette[fill], palette[ground]), ratio(palette[outline], palette[ground])) < 3
    ]
    assert faint == []


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("theme", THEMES)
def test_patches_stand_out_from_the_cloth_and_from_each_other(theme: str, mode: str) -> None:
    palette = colours(theme, mode)
    edge, cloth = palette["edge"], palette["cloth"]
    for base, _, _ in palette["colourways"].values():
        assert ratio(base, edge) >= 3
        assert max(ratio(base, cloth), ratio(edge, cloth)) >= 3


@pytest.mark.parametrize(("text", "ground"), TEXT)
def test_text_in_the_colour_of_its_ground_is_noticed(text: str, ground: str) -> None:
    palette = load_theme("patchwork").light
    hidden = replace(palette, **{text: getattr(palette, ground)})
    assert f"{text} on {ground} has contrast 1.00, text needs 4.5" in set(faint_pairs(hidden))


@pytest.mark.parametrize(("fill", "outline", "ground"), PARTS)
def test_a_part_in_the_colour_of_its_ground_is_noticed(fill: str, outline: str, ground: str) -> None:
    palette = load_theme("patchwork").light
    hidden = replace(palette, **{fill: getattr(palette, ground), outline: getattr(palette, ground)})
    assert any(f" {ground} has contrast 1.00" in f" {problem}" for problem in faint_pairs(hidden))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [("#000000", "#ffffff", 21.0), ("#777777", "#ffffff", 4.48), ("#123456", "#123456", 1.0)],
)
def test_contrast(first: str, second: str, expected: float) -> None:
    assert round(contrast(first, second), 2) == expected
    assert contrast(first, second) == contrast(second, first)


def test_mix() -> None:
    assert mix("#000000", "#ff8000", 0.5) == "#804000"


@pytest.mark.parametrize(
    ("theme", "language", "word", "three"),
    [
        ("patchwork", "en", "button", "3 buttons"),
        ("patchwork", "de", "button", "3 Knöpfe"),
        ("halloween", "en", "button", "3 eyeballs"),
        ("halloween", "de", "button", "3 Augäpfel"),
        ("express", "en", "special_patch", "3 leather patches"),
        ("stack-and-stuff", "en", "button", "3 coins"),
        ("stack-and-stuff", "en", "special_patch", "3 boxes"),
        ("stack-and-stuff", "de", "neutral_token", "3 Lastwagen"),
    ],
)
def test_words_are_those_of_the_box(theme: str, language: str, word: str, three: str) -> None:
    assert getattr(load_theme(theme).words_in(language), word).count(3) == three


def test_one_is_singular_and_an_unknown_language_is_english() -> None:
    words = load_theme("halloween").words_in("tlh")
    assert [words.button.count(n) for n in (0, 1, 2)] == ["0 eyeballs", "1 eyeball", "2 eyeballs"]


@pytest.mark.parametrize("theme", THEMES)
def test_every_theme_speaks_english_and_german(theme: str) -> None:
    assert set(load_theme(theme).words) == {"en", "de"}


@pytest.mark.parametrize("theme", THEMES)
def test_players_are_told_apart_by_shape(theme: str) -> None:
    first, second = load_theme(theme).tokens
    assert first != second


@pytest.mark.parametrize(
    ("edition", "theme"),
    [
        ("patchwork", "patchwork"),
        ("patchwork-2014", "patchwork"),
        ("halloween", "halloween"),
        ("express", "express"),
        ("stack-and-stuff", "stack-and-stuff"),
    ],
)
def test_every_edition_has_its_theme(edition: str, theme: str) -> None:
    assert edition in available_editions()
    assert theme_of(load_edition(edition)) is load_theme(theme)


def test_a_theme_is_a_value() -> None:
    theme = load_theme("express")
    assert repr(theme) == "load_theme('express')"
    assert pickle.loads(pickle.dumps(theme)) == theme
    assert hash(theme) == hash(load_theme("EXPRESS"))


def built_in(theme: str = "patchwork") -> str:
    return (THEMES_FOLDER / f"{theme}.toml").read_text(encoding="utf-8")


def test_a_file_loads_by_its_path_and_is_read_anew_when_edited(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(built_in().replace('title = "Patchwork"', 'title = "Mine"'), encoding="utf-8")
    assert load_theme(path).title == "Mine"
    path.write_text(built_in().replace('title = "Patchwork"', 'title = "Still mine"'), encoding="utf-8")
    assert load_theme(str(path)).title == "Still mine"


def test_an_edition_finds_the_theme_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "my games"
    folder.mkdir()
    (folder / "mine.toml").write_text(built_in(), encoding="utf-8")
    edition = (THEMES_FOLDER.parent / "editions" / "express.toml").read_text(encoding="utf-8")
    (folder / "edition.toml").write_text(
        edition.replace('theme = "express"', 'theme = "mine.toml"'), encoding="utf-8"
    )
    assert theme_of(load_edition(folder / "edition.toml")).id == "patchwork"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "problems"),
        (b"\xff\xfe\x00", "is not UTF-8 text (byte 0)"),
        (b"format = ", "is not TOML"),
        (b"x" * 1_000_001, "is larger than 1,000,000 bytes"),
    ],
    ids=["empty", "binary", "broken", "huge"],
)
def test_a_useless_file_is_one_clear_error(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(EditionError, match=r"bad\.toml") as caught:
        load_theme(path)
    assert problem in str(caught.value)


def test_a_folder_and_an_absent_file_are_clear_errors(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(EditionError, match="is a folder, not a file"):
        load_theme(tmp_path / "folder.toml")
    with pytest.raises(EditionError, match="no such file"):
        load_theme(tmp_path / "absent.toml")
    with pytest.raises(EditionError, match="theme 'winter': unknown; built in are patchwork, express, halloween"):
        load_theme("winter")


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    text = (
        built_in()
        .replace('currency = "button"', 'currency = "gold"')
        .replace('tokens = ["circle", "square"]', 'tokens = ["circle", "circle"]')
        .replace('patch = ["patch", "patches"]', 'patch = "patch"', 1)
        .replace('button = ["Knopf", "Knöpfe", "m"]', 'button = ["Knopf", "Knöpfe", "x"]')
        .replace('ground = "#efe7d8"', 'ground = "linen"')
        .replace('rust = ["#d9906a", "#a34a27", "#fbeede"]', 'rust = ["#d9906a"]')
        .replace('[dark]\nground = "#211c18"\n', "[dark]\nshiny = true\n")
    )
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(EditionError) as caught:
        load_theme(path)
    assert caught.value.problems == (
        "[art] currency should be one of button, eyeball, coin, is 'gold'",
        "[art] tokens should be 2 different ones, are 1",
        "[words.en] patch should be a singular and a plural, is 'patch'",
        "[words.de] button should have the gender m or f or n, has 'x'",
        "[light] ground should be a colour such as #c0ffee, is 'linen'",
        "[light.colourways] rust should be three colours: base, figure and detail, is ['#d9906a']",
        "[dark] shiny is not known",
        "[dark] ground should be a colour such as #c0ffee, is missing",
    )


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            'muted = "#6a5b4c"',
            'muted = "#9a8b7c"',
            "[light] muted on ground has contrast 2.69, text needs 4.5",
        ),
        (
            'edge = "#120e0b"',
            'edge = "#55504a"',
            "[dark] edge on colourway rust has contrast 2.22, needs 3.0",
        ),
        (
            'leather = "#8f5a33"',
            'leather = "#e0c0a0"',
            "[light] leather_stitch on leather has contrast 1.37, needs 3.0",
        ),
    ],
)
def test_what_cannot_be_seen_is_refused(tmp_path: Path, old: str, new: str, problem: str) -> None:
    assert old in built_in()
    path = tmp_path / "faint.toml"
    path.write_text(built_in().replace(old, new), encoding="utf-8")
    with pytest.raises(EditionError) as caught:
        load_theme(path)
    assert problem in caught.value.problems


def test_the_documented_format_is_complete() -> None:
    page = (Path(__file__).parent.parent / "docs" / "themes.md").read_text(encoding="utf-8")
    names = [f.name for kind in (Palette, Words) for f in fields(kind)]
    assert [name for name in names if f"`{name}`" not in page] == []
