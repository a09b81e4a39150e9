"""Puzzles in the browser: solved on the real table, with the reason, a rating and the next one."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.conftest import PHONE, Guests
from browser.test_everyone import violations
from browser.test_layout import look
from quiltwork.puzzles import Kind, load_puzzles

ADVANCE = next(p for p in load_puzzles().values() if p.edition == "patchwork" and p.best == ("+",))
FINISH = next(p for p in load_puzzles().values() if p.kind is Kind.FINISH)


@pytest.mark.parametrize(("locale", "scheme"), [("en-GB", "light"), ("de-DE", "dark")])
def test_a_puzzle_is_solved_by_hand_and_the_next_one_comes(guests: Guests, locale: str, scheme: str) -> None:
    hands = guests.hands(PHONE, locale=locale, color_scheme=scheme)
    page, name = hands.page, f"{locale}-{scheme}"
    hands.open()
    page.click(".start-links a[href='#/puzzles']")
    page.wait_for_selector("main.puzzle")
    hands.open(f"puzzles/{ADVANCE.id}")
    page.wait_for_selector(f"main.puzzle[data-puzzle='{ADVANCE.id}']")
    found = look(page, "puzzle asked", name)
    assert violations(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".puzzle .choice[aria-disabled='false']").first.click()
    page.wait_for_selector("main.puzzle.working")
    found += look(page, "puzzle with a patch in hand", name)
    page.set_viewport_size({"width": 390, "height": 844})
    page.click(".puzzle .advance:enabled")
    page.click(".puzzle .action-bar .sew:enabled")
    page.wait_for_selector("main.puzzle[data-verdict='solved']", timeout=60_000)
    found += look(page, "puzzle solved", name)
    assert violations(page) == []
    expect(page.locator(".puzzle-line li").first).to_be_visible()
    kept = page.evaluate("() => JSON.parse(localStorage.getItem('quiltwork.puzzles'))")
    assert (kept["streak"], kept["seen"]) == (1, [ADVANCE.id])
    page.click(".puzzle .moment-buttons .sew")
    page.wait_for_function("id => document.querySelector('main.puzzle')?.dataset.puzzle !== id", arg=ADVANCE.id)
    hands.open(f"puzzles/{FINISH.id}")
    page.wait_for_selector(f"main.puzzle[data-puzzle='{FINISH.id}']")
    page.locator(".puzzle .moment-buttons .soft").nth(1).click()
    page.wait_for_selector("main.puzzle[data-verdict='shown']", timeout=60_000)
    assert page.evaluate("() => JSON.parse(localStorage.getItem('quiltwork.puzzles')).streak") == 0
    assert not found, "\n".join(found)
