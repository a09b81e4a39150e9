"""Hands: fingers, wheels, keys and focus; and what a player finds again."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from browser.conftest import DESKTOP, PHONE, Guests

COMPUTER = [{"kind": "human"}, {"kind": "computer", "opponent": "pin"}]
SHARED = {"shared": True, "seats": [{"kind": "human"}, {"kind": "human"}]}
WATCHED = [{"kind": "computer", "opponent": "pin"}, {"kind": "computer", "opponent": "thread"}]
RECORD = Path(__file__).parent.parent / "data" / "patchwork.quilt"


def focused(page: Page) -> str:
    found: str = page.evaluate("() => document.activeElement.className || document.activeElement.tagName")
    return found


def test_a_finger_that_moves_across_scrolls_the_circle_and_lifts_nothing(guests: Guests) -> None:
    hands = guests.hands(PHONE, has_touch=True, is_mobile=True)
    hands.begin(**SHARED)
    page = hands.page
    session = page.context.new_cdp_session(page)
    box = page.locator(".choices .choice[aria-disabled='false']").first.bounding_box()
    assert box is not None
    x, y = box["x"] + 90, box["y"] + 40
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    lifted = 0
    for step in range(1, 11):
        point = {"x": x - 8 * step, "y": y - step}
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        lifted += page.locator(".carried, .laying").count()
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function("() => document.querySelector('.circle-row').scrollLeft > 20")
    assert lifted == 0


def test_a_small_push_on_a_trackpad_turns_nothing_and_a_notch_turns_once(guests: Guests) -> None:
    hands = guests.hands()
    hands.begin(**SHARED)
    hands.choose()
    page = hands.page
    page.locator(".laying").hover()
    form = "() => document.querySelector('[data-move]').dataset.move"
    before = page.evaluate(form)
    page.mouse.wheel(0, 6)
    page.wait_for_timeout(400)
    assert page.evaluate(form) == before
    page.mouse.wheel(0, 110)
    page.wait_for_function("before => document.querySelector('[data-move]').dataset.move !== before", arg=before)


def test_the_second_tap_of_a_quick_finger_lays_no_special_patch(guests: Guests) -> None:
    hands = guests.hands()
    hands.begin(edition="express", **SHARED)
    page = hands.page
    while not hands.must_place:
        before = hands.moves_made()
        page.click(".advance")
        page.click(".action-bar .sew:enabled")
        page.wait_for_function("n => +document.querySelector('main.table').dataset.moves !== n", arg=before)
    moves = hands.moves_made()
    page.click(".action-bar .sew:enabled")
    assert page.locator(".in-hand").count() == 1
    hands.sew()
    assert hands.moves_made() > moves


def test_focus_is_not_lost_by_a_move_and_the_keys_are_listed(guests: Guests) -> None:
    hands = guests.hands()
    hands.begin(seats=COMPUTER)
    page = hands.page
    hands.wait_for_turn()
    page.locator(".choices .choice[aria-disabled='false']").first.focus()
    page.keyboard.press("Enter")
    page.locator(".action-bar .sew").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => +document.querySelector('main.table').dataset.moves > 1")
    hands.wait_for_turn()
    page.wait_for_function("() => document.activeElement !== document.body")
    assert "BODY" not in focused(page)
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open] .shortcuts")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def test_arrows_lead_through_a_record_that_is_still_there_after_a_reload(guests: Guests) -> None:
    hands = guests.hands()
    hands.open()
    page = hands.page
    page.get_by_role("button", name="Look at a record").click()
    page.fill("textarea", RECORD.read_text(encoding="utf-8"))
    page.get_by_role("button", name="Look at it").click()
    page.wait_for_selector(".review")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert page.locator(".review-text b").inner_text().startswith("1 /")
    page.reload()
    page.wait_for_selector(".review")
    page.keyboard.press("End")
    assert page.locator(".review-text b").inner_text().startswith("42 /")


def test_whoever_watches_can_pause_and_go_on_move_by_move(guests: Guests) -> None:
    hands = guests.hands(PHONE)
    page = hands.page
    page.add_init_script("localStorage.setItem('quiltwork.animation', '\"slow\"')")
    hands.begin(seats=WATCHED)
    page.wait_for_function("() => +document.querySelector('main.table').dataset.moves > 0")
    page.get_by_role("button", name="Pause").click()
    page.mouse.click(5, 200)
    page.wait_for_timeout(300)
    moves = hands.moves_made()
    page.wait_for_timeout(600)
    assert hands.moves_made() == moves
    page.get_by_role("button", name="One move").click()
    page.wait_for_function("n => +document.querySelector('main.table').dataset.moves > n", arg=moves)
    assert hands.moves_made() <= moves + 2


def test_a_turn_is_in_the_title_and_on_the_icon_while_nobody_looks(guests: Guests) -> None:
    hands = guests.hands(DESKTOP)
    hands.begin(seats=COMPUTER)
    page = hands.page
    hands.wait_for_turn()
    assert page.title() == "● Your turn · Pin · Quiltwork"
    page.evaluate("() => Object.defineProperty(document, 'hidden', {get: () => true, configurable: true})")
    hands.choose()
    hands.sew()
    hands.wait_for_turn()
    page.wait_for_function("() => document.querySelector('link[rel=icon]').href.endsWith('icon-turn.svg')")


def test_a_guest_is_asked_for_a_name(guests: Guests) -> None:
    hands = guests.hands()
    made = hands.begin(seats=[{"kind": "human", "name": "Ann"}, {"kind": "human", "remote": True}])
    friend = guests.hands(PHONE)
    friend.open(f"game/{made['invite']}")
    # The field has the cursor, and what is typed goes into it.
    friend.page.wait_for_function("() => document.activeElement.matches('dialog input')")
    friend.page.keyboard.type("Max")
    friend.page.keyboard.press("Enter")
    hands.page.wait_for_function("() => document.querySelector('main.table').textContent.includes('Max')")


def test_a_report_holds_what_is_needed_to_mend_a_fault(guests: Guests) -> None:
    hands = guests.hands(permissions=["clipboard-read", "clipboard-write"])
    hands.begin(**SHARED)
    page = hands.page
    page.click("[aria-label='Menu']")
    page.get_by_role("button", name="Something is wrong").click()
    page.wait_for_selector(".notice")
    text = page.evaluate("() => navigator.clipboard.readText()")
    assert "position: patchwork 1 0/5/-" in text
    assert "screen: 1440x900" in text


def test_a_page_magnified_four_times_is_used_by_scrolling(guests: Guests) -> None:
    hands = guests.hands({"width": 320, "height": 256})
    hands.begin(**SHARED)
    page = hands.page
    hands.choose()
    page.locator(".action-bar .sew").scroll_into_view_if_needed()
    hands.sew()
    assert hands.moves_made() == 1
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 320


def test_focus_stays_through_a_whole_game_by_keys(guests: Guests) -> None:
    hands = guests.hands()
    hands.begin(seats=COMPUTER)
    page = hands.page
    page.focus("[aria-label='Menu']")
    while hands.wait_for_turn():
        page.keyboard.press("Escape" if hands.must_place else "1")
        if page.locator(".action-bar .sew:enabled").count() == 0:
            page.keyboard.press("a")
        before = hands.moves_made()
        page.keyboard.press("Enter")
        page.wait_for_function("n => Number(document.querySelector('main.table').dataset.moves) !== n", arg=before)
        page.wait_for_function("() => document.activeElement !== document.body", timeout=1000)
    page.wait_for_function("() => document.activeElement.closest('.result')")


def test_a_dialog_gives_focus_back_to_what_had_it(guests: Guests) -> None:
    hands = guests.hands()
    hands.begin(seats=COMPUTER)
    hands.wait_for_turn()
    page = hands.page
    page.focus("[aria-label='Menu']")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open] .shortcuts")
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.activeElement.ariaLabel === 'Menu'")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Settings").click()
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.activeElement.ariaLabel === 'Menu'")


def test_a_choice_by_its_key_is_sewn_by_enter_wherever_focus_was(guests: Guests) -> None:
    hands = guests.hands()
    hands.begin(seats=COMPUTER)
    hands.wait_for_turn()
    page = hands.page
    # Any other patch of the circle keeps Enter for itself, to be tried on.
    page.locator(".ring-patch button").nth(9).focus()
    page.keyboard.press("3")
    assert "choice" in focused(page)
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('main.table').dataset.moves > 0")
