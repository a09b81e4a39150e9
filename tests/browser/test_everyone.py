"""Everyone can play: axe finds nothing, the grid speaks, every control is large, two languages, light and dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from browser.conftest import DESKTOP, PHONE, Guests

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
SHARED = {"shared": True, "seats": [{"kind": "human"}, {"kind": "human"}]}


def violations(page: Page) -> list[str]:
    # The page's own policy forbids foreign scripts; the test adds this one from outside the page's world.
    page.evaluate(AXE.read_text(encoding="utf-8"))
    # Colours are judged when what appears has appeared, not while it fades in.
    page.evaluate(
        """() => Promise.all(document.getAnimations()
            .filter((a) => a.effect.getTiming().iterations !== Infinity)
            .map((a) => a.finished.catch(() => null)))"""
    )
    found: dict[str, Any] = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [f"{v['id']}: {node['html'][:120]}" for v in found["violations"] for node in v["nodes"]]


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(guests: Guests, viewport: dict[str, int], scheme: str) -> None:
    hands = guests.hands(viewport, color_scheme=scheme)
    hands.open()
    assert violations(hands.page) == []
    hands.page.get_by_role("button", name="More").click()
    assert violations(hands.page) == []
    hands.begin(edition="halloween" if scheme == "dark" else "patchwork", **SHARED)
    hands.choose()
    assert violations(hands.page) == []
    hands.page.click("[aria-label='Menu']")
    assert violations(hands.page) == []
    hands.page.get_by_role("button", name="Resign").click()
    hands.page.get_by_role("button", name="Really resign?").click()
    hands.page.wait_for_selector(".result")
    assert violations(hands.page) == []
    hands.open("rules/express")
    hands.page.wait_for_selector(".rule-card")
    assert violations(hands.page) == []


def test_every_control_is_large_enough(guests: Guests) -> None:
    hands = guests.hands(PHONE, has_touch=True)
    hands.begin(**SHARED)
    hands.choose()
    small = """() => [...document.querySelectorAll('button, a, input, select')].filter(e => e.checkVisibility())
        .map(e => [e.className || e.textContent, e.getBoundingClientRect()])
        .filter(([, box]) => box.width < 43.9 || box.height < 43.9).map(([name]) => name)"""
    assert hands.page.evaluate(small) == []
    hands.page.click("[aria-label='Menu']")
    assert hands.page.evaluate(small) == []
    hands.open()
    assert hands.page.evaluate(small) == []


@pytest.mark.parametrize(
    ("width", "height", "quilt"), [(390, 844, 370), (390, 664, 270), (360, 640, 250), (320, 568, 180)]
)
def test_a_turn_fits_on_the_screen_of_any_phone(guests: Guests, width: int, height: int, quilt: int) -> None:
    hands = guests.hands({"width": width, "height": height})
    hands.begin(seats=[{"kind": "human"}, {"kind": "computer", "opponent": "pin"}])
    for _ in range(2):
        hands.play_turn()
    hands.wait_for_turn()
    hands.choose()
    outside = hands.page.evaluate(
        """() => [...document.querySelectorAll('.action-bar button, .quilt-place, .preview .chip, .choices')].filter(e => {
             const r = e.getBoundingClientRect();
             return r.left < -1 || r.top < 0 || r.bottom > innerHeight + 1 || (r.right > innerWidth + 1 && !e.matches('.choices'));
           }).map(e => e.className)"""
    )
    assert outside == []
    box = hands.page.locator(".quilt-place").bounding_box()
    assert box is not None
    assert box["width"] >= quilt


def test_the_quilt_is_a_grid_with_roving_focus_and_spoken_cells(guests: Guests) -> None:
    hands = guests.hands()
    hands.begin(**SHARED)
    page = hands.page
    grid = page.get_by_role("grid").first
    assert grid.get_by_role("gridcell").count() == 81
    cell = grid.locator("[tabindex='0']")
    assert cell.count() == 1
    assert cell.get_attribute("aria-label") == "a1, empty"
    cell.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("() => document.activeElement.getAttribute('aria-label')") == "b2, empty"
    hands.choose()
    assert grid.locator("[aria-label*='here you would sew']").count() > 0
    before = page.locator("[role='status'][aria-live]").inner_text()
    page.keyboard.press("ArrowLeft")
    assert page.locator("[role='status'][aria-live]").inner_text() != before


def test_turns_are_announced(guests: Guests) -> None:
    hands = guests.hands()
    hands.begin(**SHARED)
    hands.page.keyboard.press("a")
    hands.page.keyboard.press("Enter")
    hands.page.wait_for_function(
        "() => /advanced 1/.test(document.querySelector('[aria-live=polite][role=status]').textContent)"
    )


def test_german_from_its_catalog(guests: Guests) -> None:
    hands = guests.hands(PHONE, locale="de-DE")
    hands.open()
    assert hands.page.locator("html").get_attribute("lang") == "de"
    assert "spielen" in hands.page.locator(".big.primary").inner_text()
    hands.begin(**SHARED)
    assert hands.page.locator(".action-bar .sew").inner_text().strip() == "Nähen"


def test_the_tutorial_ends_inside_a_real_game(guests: Guests) -> None:
    hands = guests.hands(PHONE)
    hands.open("learn")
    page = hands.page
    page.wait_for_selector(".voice")
    page.wait_for_selector(".choices .choice")
    # It goes on by itself when one does what it says.
    page.locator(".choices .choice[aria-disabled='false']").first.click()
    page.wait_for_function("() => document.querySelector('.voice').textContent.includes('Step 2')")
    for step in (3, 4):
        page.locator(".voice .sew").click()
        assert f"Step {step} of 8" in page.locator(".voice").inner_text()
    page.locator(".action-bar .sew").click()
    page.wait_for_function("() => document.querySelector('.voice').textContent.includes('Step 5')")
    for _ in range(4):
        page.locator(".voice .sew").click()
    page.wait_for_url("**/#/game/**")
    assert hands.wait_for_turn()


def test_a_hint_shows_a_move_and_sends_nothing(guests: Guests) -> None:
    hands = guests.hands()
    hands.begin(seats=[{"kind": "human"}, {"kind": "computer", "opponent": "pin"}])
    hands.wait_for_turn()
    hands.page.get_by_role("button", name="Hint").click()
    hands.page.wait_for_selector(".action-bar .sew:enabled", timeout=60_000)
    assert "to win" in hands.page.locator(".chip.hint").inner_text()
    assert hands.moves_made() == 0


def test_a_hint_speaks_german_too(guests: Guests) -> None:
    hands = guests.hands(locale="de-DE")
    hands.begin(seats=[{"kind": "human"}, {"kind": "computer", "opponent": "pin"}])
    hands.wait_for_turn()
    hands.page.get_by_role("button", name="Tipp").click()
    hands.page.wait_for_selector(".chip.hint", timeout=60_000)
    assert "% Gewinnchance" in hands.page.locator(".chip.hint").inner_text()
