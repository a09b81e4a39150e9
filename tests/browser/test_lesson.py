"""The lessons: moves that must be made, left and resumed at any step, one for each edition's own rules."""

from __future__ import annotations

import pytest

from browser.conftest import DESKTOP, PHONE, Guests
from browser.lessons import LEGAL, step_of, wait_for_step, walk_basics


def test_the_first_visit_leads_to_a_lesson_and_to_a_first_game(guests: Guests) -> None:
    hands = guests.hands(PHONE)
    hands.open()
    page = hands.page
    assert "New here?" in page.locator(".big.primary").inner_text()
    page.get_by_role("link", name="New here?").click()
    for _ in walk_basics(hands):
        page.wait_for_selector(".spot", state="attached")
    # The lesson leads on, not the buttons of a game that is over.
    page.wait_for_selector(".result tfoot")
    assert page.get_by_role("button", name="Rematch").count() == 0
    page.get_by_role("button", name="Play your first game").click()
    page.wait_for_url("**/#/game/**")
    page.wait_for_selector(".table[data-moves='0'] .action-bar")
    hands.wait_for_turn()
    assert "Pin" in page.locator("main").inner_text()
    hands.open()
    page.reload()
    page.wait_for_selector(".big.primary.play")
    assert "Play Pin" in page.locator(".big.play").inner_text()
    assert page.get_by_role("link", name="New here?").count() == 0


def test_who_skips_the_lesson_may_begin_gently(guests: Guests) -> None:
    hands = guests.hands(PHONE)
    hands.open()
    page = hands.page
    page.get_by_role("button", name="or play Pin").click()
    page.wait_for_selector(".table .action-bar")
    assert "Pin" in page.locator("main").inner_text()
    hands.open()
    page.wait_for_selector(".big.primary.play")
    assert "Play Pin" in page.locator(".big.play").inner_text()


def test_the_light_keeps_up_with_a_screen_that_changes(guests: Guests) -> None:
    hands = guests.hands(DESKTOP)
    page = hands.page
    page.add_init_script("localStorage.setItem('quiltwork.animation', '\"normal\"')")
    hands.open("learn")
    lit = """() => {
      const [spot, quilt] = ['.spot', '.quilt[data-player="1"]'].map((s) => document.querySelector(s)?.getBoundingClientRect());
      return spot && Math.abs(spot.left - quilt.left) < 2 && Math.abs(spot.width - quilt.width) < 2;
    }"""
    page.wait_for_function(lit)
    page.evaluate(
        """() => {
          window.late = [];
          document.addEventListener('transitionrun', ({target}) => target.matches('.spot') && window.late.push(target));
        }"""
    )
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_selector(".table.narrow")
    page.wait_for_function(lit)
    assert page.evaluate("() => window.late.length") == 0


def test_a_lesson_waits_for_what_it_asks_and_goes_on_where_it_was_left(guests: Guests) -> None:
    hands = guests.hands(PHONE)
    hands.open("learn")
    page = hands.page
    walk = walk_basics(hands)
    while next(walk) < 5:
        pass
    # The only ways on are to sew, to go back or to leave.
    assert page.locator(".voice .sew").count() == 0
    page.get_by_role("button", name="Leave").click()
    page.wait_for_selector(".big.learn")
    page.reload()
    page.wait_for_selector(".big.learn")
    page.get_by_role("link", name="Go on with the lesson").click()
    # The patch in hand was put back, so it is taken again.
    wait_for_step(hands, 2)
    page.wait_for_selector(LEGAL)
    page.keyboard.press("1")
    wait_for_step(hands, 3)
    page.keyboard.press("ArrowUp")
    wait_for_step(hands, 4)
    page.keyboard.press("r")
    wait_for_step(hands, 5)
    page.keyboard.press("Enter")
    wait_for_step(hands, 6)
    assert page.evaluate("() => document.activeElement.textContent.trim()") == "Next"
    page.keyboard.press("Enter")
    wait_for_step(hands, 7)
    page.get_by_role("button", name="Back").click()
    wait_for_step(hands, 1)


@pytest.mark.parametrize(
    ("edition", "steps"),
    [("patchwork-2014", 3), ("halloween", 2), ("express", 5), ("stack-and-stuff", 5)],
)
def test_every_edition_has_a_lesson_of_its_own_rules(guests: Guests, edition: str, steps: int) -> None:
    hands = guests.hands()
    hands.open(f"learn/{edition}")
    page = hands.page
    page.wait_for_selector(".voice")
    for step in range(1, steps + 1):
        wait_for_step(hands, step)
        assert f"of {steps}" in step_of(hands)
        page.wait_for_selector(".table")
        if page.locator(".voice .sew").count():
            page.locator(".voice .sew").click()
        else:
            hands.play_turn()
    page.wait_for_url("**/#/game/**")
    page.wait_for_selector(".table[data-moves='0'] .action-bar")


def test_an_edition_without_a_lesson_shows_its_rules(guests: Guests) -> None:
    hands = guests.hands()
    hands.open("learn/patchwork")
    hands.page.wait_for_selector(".rules")


def test_another_move_than_the_one_a_step_is_about_sets_its_scene_again(guests: Guests) -> None:
    hands = guests.hands()
    hands.open("learn")
    page = hands.page
    walk = walk_basics(hands)
    while next(walk) < 9:
        pass
    # An advance reaches no special patch.
    page.locator(".advance:enabled").click()
    page.locator(".action-bar .sew:enabled").click()
    page.get_by_text("Once more:").wait_for()
    assert "Step 9" in step_of(hands)
    hands.play_turn()
    wait_for_step(hands, 10)
    assert page.get_by_text("Once more:").count() == 0
    # The special patch belongs into the hole of the square, and the tile is won by nothing else.
    hands.wait_for_turn()
    # The second tap of a quick finger lays no special patch, and one during a scene ends the scene.
    page.wait_for_timeout(750)
    for _ in range(50):
        page.locator('.quilt[data-player="1"] [data-cell="8,8"]').click(force=True)
        page.wait_for_timeout(100)
        if page.locator('[data-move="s@i9"]').count():
            break
    page.locator(".action-bar .sew:enabled").click()
    page.get_by_text("Once more:").wait_for()
    assert "Step 9" in step_of(hands)


def test_what_is_in_hand_and_its_place_are_in_the_light(guests: Guests) -> None:
    hands = guests.hands(PHONE)
    hands.open("learn")
    page = hands.page
    walk = walk_basics(hands)
    while next(walk) < 7:
        pass
    page.wait_for_selector(LEGAL)
    page.locator(LEGAL).first.click()
    page.wait_for_function(
        """() => {
          const box = (selector) => document.querySelector(selector).getBoundingClientRect();
          const [spot, quilt, sew, card] =
            ['.spot', '.quilt[data-player="1"]', '.action-bar .sew', '.voice'].map(box);
          return spot.top <= quilt.top && spot.bottom >= sew.bottom && card.bottom <= quilt.top + 30;
        }"""
    )
