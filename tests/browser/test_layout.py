"""The table holds at every size: nothing is outside, covered or cut, in any state, in both languages, light and dark.

Every size is seen light in one language and dark in the other. What colours alone can break is contrast, which the
tests of themes check for every pair of colours, in light and dark.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page

from browser.conftest import Guests
from browser.hands import Hands
from browser.lessons import walk_basics

SIZES = [
    (320, 568),
    (360, 640),
    (390, 664),
    (390, 844),
    (667, 375),
    (844, 390),
    (640, 360),
    (740, 600),
    (768, 1024),
    (820, 1180),
    (1024, 768),
    (1366, 633),
    (1440, 900),
    (1920, 1080),
    (2560, 1440),
]
# My quilt has at least this width.
QUILT = {
    (320, 568): 215,
    (360, 640): 275,
    (390, 664): 295,
    (390, 844): 370,
    (667, 375): 340,
    (844, 390): 375,
    (640, 360): 310,
    (740, 600): 400,
    (768, 1024): 480,
    (820, 1180): 535,
    (1024, 768): 650,
    (1366, 633): 425,
    (1440, 900): 500,
    (1920, 1080): 690,
    (2560, 1440): 950,
}
COMPUTER = [{"kind": "human", "name": "Alexandra"}, {"kind": "computer", "opponent": "scissors"}]
BOTH = [{"kind": "human", "name": "Alexandra"}, {"kind": "human", "name": "Maximilian"}]
FRIEND = [
    {"kind": "human", "remote": True, "name": "Maximilian Alexander"},
    {"kind": "human", "name": "Alexandra"},
]
CLOCK = {"kind": "live", "seconds": 600, "increment": 10}

PROBLEMS = """() => {
  const found = [];
  const name = (e) => `${e.tagName.toLowerCase()}.${(e.getAttribute('class') ?? '').replaceAll(' ', '.')} "${e.textContent.trim().slice(0, 30)}"`;
  const scrolls = (e) => e.closest('dialog, .circle-row, .drawer, .story, .rules, .start, .study-body');
  const top = document.querySelector('dialog[open]');
  const all = (selector) => [...(top ?? document).querySelectorAll(selector)].filter((e) => e.checkVisibility({visibilityProperty: true}) && !e.closest('.unseen, [inert]'));
  const matters = all('button, a, input, select, .quilt-fit, .track, .player-line, .preview, .preview > *, .result h2, .result td, .review-text, .voice, .ring');
  for (const e of matters) {
    const box = e.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    const scrolled = scrolls(e);
    const wide = scrolled?.matches('.circle-row');
    if (!wide && (box.left < -1 || box.right > innerWidth + 1)) found.push(`beside the screen: ${name(e)} ${Math.round(box.left)}..${Math.round(box.right)}`);
    if (!scrolled && (box.top < -1 || box.bottom > innerHeight + 1)) found.push(`outside: ${name(e)} ${Math.round(box.top)}..${Math.round(box.bottom)}`);
    if (e.matches('button, a, input, select') && (box.width < 43.9 || box.height < 43.9)) found.push(`small: ${name(e)} ${Math.round(box.width)}x${Math.round(box.height)}`);
    if (e.matches('button, .quilt-fit, .result h2, .preview > *') && box.bottom <= innerHeight && box.right <= innerWidth && box.top >= 0 && box.left >= 0) {
      const middle = {x: box.left + box.width / 2, y: box.top + box.height / 2};
      const frame = scrolled?.getBoundingClientRect();
      const at = frame && (middle.y > frame.bottom || middle.y < frame.top) ? null : document.elementFromPoint(middle.x, middle.y);
      if (at && !e.contains(at) && !at.contains(e) && !at.closest('.voice, .notice')) found.push(`covered: ${name(e)} by ${name(at)}`);
    }
  }
  const blocks = all('.player-line, .top-line > .round, .track, .quilt-fit, .preview, .circle-row, .action-bar, .result, .review, .choices, .result table, .result-actions, .lies-ahead, .story').map((e) => [e, e.getBoundingClientRect()]);
  for (const [e, a] of blocks) for (const [f, b] of blocks) {
    const [across, down] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
    if (across > 2 && down > 2 && !e.contains(f) && !f.contains(e) && e.className < f.className) found.push(`overlap: ${name(e)} and ${name(f)} by ${Math.round(across)}x${Math.round(down)}`);
  }
  for (const e of all('.name, button, .chip, .result h2, .result th, .preview, .review-text, .why')) {
    if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth) found.push(`cut across: ${name(e)} ${e.scrollWidth} in ${e.clientWidth}`);
    if (e.scrollHeight > e.clientHeight + 3 && e.clientHeight) found.push(`cut below: ${name(e)} ${e.scrollHeight} in ${e.clientHeight}`);
  }
  for (const e of all('.player-line, .preview, .action-bar, .review, .result, .top-line, .under, .choices:not(.circle-row .choices), .voice, .dialog-body')) {
    if (e.scrollWidth > e.clientWidth + 1) found.push(`too wide within: ${name(e)} ${e.scrollWidth} in ${e.clientWidth}`);
    if (!e.matches('.voice, .dialog-body') && e.scrollHeight > e.clientHeight + 1) found.push(`too high within: ${name(e)} ${e.scrollHeight} in ${e.clientHeight}`);
  }
  for (const e of all('.result h2, .result td, .result th, .result button')) {
    const [box, panel] = [e.getBoundingClientRect(), e.closest('.result').getBoundingClientRect()];
    if (box.left < panel.left + 3 || box.right > panel.right - 3 || box.top < panel.top || box.bottom > panel.bottom) found.push(`outside the result: ${name(e)}`);
    if (box.bottom > innerHeight || box.top < 0) found.push(`the result must be scrolled: ${name(e)}`);
  }
  const voice = document.querySelector('.voice')?.getBoundingClientRect();
  for (const e of voice ? all('.result h2, .result th, .result td') : []) {
    const box = e.getBoundingClientRect();
    if (Math.min(box.right, voice.right) > Math.max(box.left, voice.left) && Math.min(box.bottom, voice.bottom) > Math.max(box.top, voice.top) + 1) found.push(`told over: ${name(e)}`);
  }
  for (const e of all('.menu-items button')) {
    const lines = document.createRange();
    lines.selectNodeContents(e);
    if (new Set([...lines.getClientRects()].map((r) => Math.round(r.left))).size > 1) found.push(`lines begin at different places: ${name(e)}`);
  }
  // A word is in one piece, and large enough to be read.
  const texts = document.createTreeWalker(top ?? document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const e = text.parentElement;
    if (!text.data.trim() || !e.checkVisibility({visibilityProperty: true}) || e.closest('.unseen, [inert], .art-defs, script, style, noscript, select, .position-text')) continue;
    const shown = e.getBoundingClientRect();
    if (!shown.width || shown.width <= 1) continue;
    const drawn = e.ownerSVGElement ? e.getCTM().a : 1;
    const size = parseFloat(getComputedStyle(e).fontSize) * drawn;
    if (size < (e.ownerSVGElement ? 8 : 10.4)) found.push(`tiny: ${name(e)} ${size.toFixed(1)}`);
    for (const word of text.data.matchAll(/[\\p{L}\\p{N}]{3,}/gu)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const tops = new Set([...range.getClientRects()].map((r) => Math.round(r.top)));
      if (tops.size > 1) found.push(`broken: "${word[0]}" in ${name(e)}`);
    }
  }
  return [...new Set(found)];
}"""


def scheme_at(size: tuple[int, int], locale: str) -> Literal["light", "dark"]:
    """Light or dark by turns, the other way round in the other language; of every second size as well."""
    return "light" if (SIZES.index(size) // 2 + ("de" in locale)) % 2 == 0 else "dark"


def look(page: Page, state: str, locale: str, sizes: list[tuple[int, int]] = SIZES) -> list[str]:
    """What is wrong with a state at all sizes; pictures go to the folder LAYOUT_PICTURES, where it is set."""
    found = []
    for width, height in sizes:
        scheme = scheme_at((width, height), locale)
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found += [f"{state} {width}x{height} {locale} {scheme}: {p}" for p in page.evaluate(PROBLEMS)]
        least = QUILT.get((width, height))
        if state == "patch in hand" and least:
            box = page.locator(".quilt-fit").first.bounding_box()
            assert box is not None
            if box["width"] < least:
                found.append(f"{state} {width}x{height}: my quilt is only {box['width']:.0f} wide")
        if folder := os.environ.get("LAYOUT_PICTURES"):
            page.screenshot(path=Path(folder) / f"{state}-{width}x{height}-{locale}-{scheme}.png")
    return found


def resign(hands: Hands) -> None:
    hands.page.click("main .round:first-child")
    for _ in range(2):
        hands.page.click(".menu-items .warning")
    hands.page.wait_for_selector(".result")


def walk(hands: Hands, locale: str) -> list[str]:
    """All that is wrong in every state, each reached once."""
    page = hands.page
    hands.open()
    found = look(page, "start", locale)
    page.set_viewport_size({"width": 390, "height": 844})
    hands.begin(seats=COMPUTER)
    hands.wait_for_turn()
    found += look(page, "opening", locale)
    hands.choose()
    found += look(page, "patch in hand", locale)
    page.click("main .round:first-child")
    found += look(page, "menu", locale)
    page.keyboard.press("Escape")
    hands.begin(shared=True, seats=BOTH)
    while not hands.must_place:
        page.click(".advance")
        hands.sew()
    found += look(page, "special patch", locale)
    resign(hands)
    found += look(page, "end", locale)
    page.click("main .round:first-child")
    page.get_by_role("button", name=re.compile("Look back|Rückschau|Zurückschauen")).first.click()
    page.wait_for_selector(".review")
    found += look(page, "looking back", locale)
    hands.begin(seats=FRIEND, clock=CLOCK)
    found += look(page, "invitation", locale)
    page.keyboard.press("Escape")
    found += look(page, "other's turn", locale)
    hands.open("learn")
    # The steps are many: each language sees half of the sizes.
    sizes = SIZES[0 if "en" in locale else 1 :: 2]
    for step in walk_basics(hands):
        found += look(page, f"lesson {step}", locale, sizes)
    found += look(page, "end of the lesson", locale)
    hands.open("rules/patchwork")
    page.wait_for_selector(".rule-card")
    found += look(page, "rules", locale)
    hands.open("puzzles")
    page.wait_for_selector(".puzzle-question")
    found += look(page, "puzzle", locale)
    hands.open("study")
    page.wait_for_selector(".study-hands .choice")
    found += look(page, "analysis", locale)
    hands.begin(shared=True, seats=BOTH)
    hands.play_turn()
    resign(hands)
    page.click(".result-actions .soft")
    page.wait_for_selector(".study-move")
    return found + look(page, "review", locale)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_nothing_is_outside_covered_or_cut(guests: Guests, locale: str) -> None:
    hands = guests.hands({"width": 390, "height": 844}, locale=locale)
    found = walk(hands, locale)
    assert not found, "\n".join(found)


def test_a_broken_stylesheet_is_noticed(guests: Guests) -> None:
    hands = guests.hands({"width": 390, "height": 844})
    hands.begin(seats=COMPUTER)
    hands.wait_for_turn()
    hands.choose()

    def broken(rule: str, state: str = "broken") -> list[str]:
        style: Any = hands.page.evaluate_handle(
            "rule => { const s = new CSSStyleSheet(); s.replaceSync(rule); document.adoptedStyleSheets = [s]; return s; }",
            rule,
        )
        found = look(hands.page, state, "en-GB", [(390, 844)])
        style.dispose()
        return found

    assert broken("") == []
    assert any("outside" in p for p in broken(".narrow > .action-bar { position: relative; top: 90px }"))
    assert any(
        "covered" in p
        for p in broken(".narrow > .quilt-place { position: absolute; inset: 300px 0 0; z-index: 9 }")
    )
    assert any("overlap" in p for p in broken(".narrow > .quilt-place { margin-bottom: -60px }"))
    assert any(
        "cut across" in p
        for p in broken("main .action-bar .sew.sew { min-width: 0; width: 30px; flex: none; overflow: hidden }")
    )
    assert any(
        "broken" in p for p in broken("main .turn-text, main .said { width: 2ch; overflow-wrap: anywhere }")
    )
    assert any("tiny" in p for p in broken(".narrow .figures { font-size: 8px }"))
    assert any("too high within" in p for p in broken(".narrow > .preview { height: 20px; align-self: start }"))
    assert any(
        "small" in p for p in broken("main .action-bar .round.round { min-width: 0; width: 30px; flex: none }")
    )
    assert any("my quilt is only" in p for p in broken(".narrow .quilt-fit { width: 60% }", "patch in hand"))
    hands.page.click("main .round:first-child")
    assert broken("") == []
    assert any(
        "lines begin at different places" in p
        for p in broken(".menu-items button { width: 100px; justify-content: center; text-align: center }")
    )
    hands.page.keyboard.press("Escape")
    resign(hands)
    assert broken("") == []
    hands.page.evaluate(
        "() => document.body.append(Object.assign(document.createElement('aside'), {className: 'voice', textContent: 'Look'}))"
    )
    assert any("told over" in p for p in broken(".voice.voice { inset: 0; width: auto; height: auto }"))
    hands.page.evaluate("() => document.querySelector('.voice').remove()")
    assert any("outside the result" in p for p in broken(".narrow .result table { width: 130% }"))
    assert any("must be scrolled" in p for p in broken(".narrow .result h2 { margin-bottom: 400px }"))


def test_the_longest_label_of_the_bar_has_air_around_it(guests: Guests) -> None:
    hands = guests.hands({"width": 320, "height": 568}, locale="de-DE")
    hands.begin(edition="stack-and-stuff", seats=COMPUTER)
    hands.wait_for_turn()
    hands.choose()
    sew = hands.page.locator(".action-bar .sew")
    assert sew.inner_text().strip() == "Verstauen"
    air = sew.evaluate(
        """(button) => {
          const words = document.createRange();
          words.selectNodeContents(button);
          const [text, box] = [words.getBoundingClientRect(), button.getBoundingClientRect()];
          return Math.min(text.left - box.left, box.right - text.right);
        }"""
    )
    assert air >= 8
