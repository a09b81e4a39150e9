"""The other's move can be followed: it is a scene, which a tap finishes, and which can be seen again."""

from __future__ import annotations

from playwright.sync_api import Page

from browser.conftest import DESKTOP, PHONE, Guests
from browser.hands import Hands

COMPUTER = [{"kind": "human"}, {"kind": "computer", "opponent": "pin"}]
WATCH = """() => {
  window.seen = [];
  new MutationObserver(() => {
    const flying = document.querySelectorAll('.flying').length;
    const token = document.querySelector(".time-token[data-player='2']")?.style.transform;
    const quilt = document.querySelector(".peeked .quilt[data-player='2']") !== null;
    const line = `${flying ? 'flies' : ''} ${quilt ? 'quilt' : ''} ${token}`;
    if (window.seen.at(-1) !== line) window.seen.push(line);
  }).observe(document.body, {childList: true, subtree: true, attributes: true});
}"""


def begin(guests: Guests, viewport: dict[str, int], pace: str) -> Hands:
    """A game in which the computer has just begun to answer the first patch."""
    hands = guests.hands(viewport)
    hands.page.add_init_script(f"localStorage.setItem('quiltwork.animation', '\"{pace}\"')")
    hands.begin(seats=COMPUTER)
    hands.wait_for_turn()
    hands.choose()
    hands.page.evaluate(WATCH)
    hands.sew()
    return hands


def scenes(page: Page) -> list[str]:
    found: list[str] = page.evaluate("() => window.seen")
    return found


def test_on_a_phone_the_other_s_quilt_comes_for_its_move_and_goes_again(guests: Guests) -> None:
    hands = begin(guests, PHONE, "normal")
    hands.wait_for_turn()
    page = hands.page
    page.wait_for_selector(".peeked", state="detached")
    seen = scenes(page)
    assert any("flies quilt" in line for line in seen)
    # The token is on more than the two spaces where a move begins and ends.
    assert len({line.split("translate")[-1] for line in seen}) > 3
    page.keyboard.press("l")
    page.wait_for_selector(".peeked .flying, .flying")
    page.wait_for_selector(".advance:enabled")


def test_a_tap_finishes_the_scene(guests: Guests) -> None:
    hands = begin(guests, PHONE, "slow")
    page = hands.page
    page.wait_for_selector(".peeked")
    while page.locator(".peeked").count():
        page.mouse.click(200, 30)
        page.wait_for_timeout(50)
    moves = hands.moves_made()
    assert moves >= 2
    assert page.locator(".flying").count() == 0


def test_stillness_shows_how_a_move_ends_and_says_it(guests: Guests) -> None:
    hands = guests.hands(DESKTOP, reduced_motion="reduce")
    hands.page.add_init_script("localStorage.setItem('quiltwork.animation', '\"normal\"')")
    hands.begin(seats=COMPUTER)
    hands.wait_for_turn()
    hands.choose()
    hands.page.evaluate(WATCH)
    hands.sew()
    hands.wait_for_turn()
    assert not any("flies" in line for line in scenes(hands.page))
    assert "Pin" in hands.page.locator("[role='status'][aria-live]").inner_text()
