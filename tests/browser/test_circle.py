"""The circle: prices of all, none over another, any patch may be tried on, the pile of what waits."""

from __future__ import annotations

import pytest

from browser.conftest import DESKTOP, PHONE, Guests

COMPUTER = [{"kind": "human"}, {"kind": "computer", "opponent": "pin"}]

FRAME = """() => {
  const boxes = [...document.querySelectorAll('.ring-patch')].map((e) => e.getBoundingClientRect());
  const over = boxes.filter((a, i) => boxes.some((b, j) => j > i && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)).length;
  const tags = [...document.querySelectorAll('.ring-patch .price')];
  const cut = tags.filter((e) => e.getBoundingClientRect().width > e.closest('.ring-patch').getBoundingClientRect().width);
  return {patches: boxes.length, tags: tags.length, over, cut: cut.length,
    small: tags.filter((e) => parseFloat(getComputedStyle(e).fontSize) < 10).length};
}"""


@pytest.mark.parametrize("size", [(1366, 633), (1440, 900), (2560, 1440)])
def test_every_patch_of_the_circle_has_its_price_and_none_overlap(guests: Guests, size: tuple[int, int]) -> None:
    hands = guests.hands({"width": size[0], "height": size[1]})
    hands.begin(seats=COMPUTER)
    hands.wait_for_turn()
    assert hands.page.evaluate(FRAME) == {"patches": 33, "tags": 33, "over": 0, "cut": 0, "small": 0}
    codes = "s => [...document.querySelectorAll(s)].map((e) => e.dataset.code)"
    choices = hands.page.evaluate(codes, ".choices .choice")
    assert hands.page.evaluate(codes, ".ring-patch")[:3] == choices


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_any_patch_may_be_tried_on_and_nothing_is_sent(guests: Guests, viewport: dict[str, int]) -> None:
    hands = guests.hands(viewport)
    hands.begin(edition="express", seats=COMPUTER)
    hands.wait_for_turn()
    page = hands.page
    page.locator(".ring-patch button, .in-strip").nth(5).click()
    page.wait_for_selector(".laying.trying.legal")
    assert "would fit here" in page.locator(".preview").inner_text()
    assert not page.locator(".action-bar .sew").is_enabled()
    page.keyboard.press("r")
    assert page.locator(".laying.trying").count() == 1
    hands.choose()
    assert page.locator(".laying.trying").count() == 0
    assert page.locator(".action-bar .sew").is_enabled()
    assert hands.moves_made() == 0


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_tiles_that_wait_are_on_the_table(guests: Guests, viewport: dict[str, int]) -> None:
    hands = guests.hands(viewport)
    hands.begin(edition="stack-and-stuff", seats=COMPUTER)
    pile = hands.page.get_by_role("button", name="8 stuff tiles wait")
    box = pile.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= viewport["width"]
    pile.click()
    assert hands.page.locator(".waiting-tiles li").count() == 8


def test_what_will_be_counted_is_told_without_a_shock(guests: Guests) -> None:
    hands = guests.hands(PHONE)
    hands.begin(seats=COMPUTER)
    hands.wait_for_turn()
    page = hands.page
    assert "157" not in page.locator("main").inner_text()
    assert "81" in page.locator(".player-line .score").last.inner_text()
    page.locator(".player-line .who").last.click()
    told = page.locator("dialog").inner_text()
    assert "brings 2 points back" in told
    assert "Income after 5 spaces" in told
