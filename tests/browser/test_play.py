"""Whole games by mouse, by finger and by keyboard, in every edition; the preview is what then happens."""

from __future__ import annotations

import pytest

from browser.conftest import PHONE, Guests
from browser.hands import Hands
from quiltwork import Position, available_editions

COMPUTER = [{"kind": "human"}, {"kind": "computer", "opponent": "pin"}]
SHARED = {"shared": True, "seats": [{"kind": "human"}, {"kind": "human"}]}
EDITIONS = available_editions()


def drag(hands: Hands) -> None:
    """Puts the patch in hand back, and drags it to where it was."""
    page = hands.page
    start = page.locator(".choice.chosen").bounding_box()
    target = page.locator(".laying").bounding_box()
    page.keyboard.press("Escape")
    assert target is not None
    assert start is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(start["x"] + 20, start["y"] - 30, steps=3)
    page.mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2, steps=4)
    assert page.locator(".carried.over").count() == 1
    page.mouse.up()


def test_a_whole_game_by_mouse_with_previews_that_come_true(guests: Guests) -> None:
    hands = guests.hands()
    hands.begin(edition="express", **SHARED)
    turns = 0
    while hands.wait_for_turn():
        player = int(hands.page.locator(".player-line.to-move").get_attribute("data-player") or 0)
        if (
            not hands.must_place
            and hands.page.locator(".choices .choice[aria-disabled='false']").count()
            and turns % 4 == 0
        ):
            takes = hands.page.locator(".choices .choice[aria-disabled='false']").first
            takes.click()
            if hands.page.locator(".laying").count():
                drag(hands)
        else:
            hands.choose()
        hands.put_aside_if_full()
        said = hands.preview()
        taking = "Take" in hands.page.locator(".action-bar .sew").inner_text()
        hands.sew()
        if not taking:
            after = hands.figures(player)
            assert (after["buttons"], after["score"]) == (said["buttons"], said["score"])
            if said["next"]:
                line = hands.page.locator(".player-line.to-move")
                assert line.get_attribute("data-player") == said["next"]
        turns += 1
    assert hands.page.locator(".result h2").inner_text()
    assert turns > 15


def test_a_whole_game_by_touch_on_a_phone(guests: Guests) -> None:
    hands = guests.hands(PHONE, has_touch=True, is_mobile=True)
    hands.begin(edition="stack-and-stuff", seats=COMPUTER)
    page = hands.page
    while hands.wait_for_turn():
        if not hands.must_place:
            card = page.locator(".choices .choice[aria-disabled='false']")
            (card.first if card.count() else page.locator(".advance")).tap()
        # Nothing scrolls during a turn.
        assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
        hands.put_aside_if_full()
        rotate = page.locator("[aria-label='Rotate']:enabled")
        if rotate.count():
            rotate.tap()
        if not page.locator(".action-bar .sew:enabled").count():
            page.keyboard.press("Escape")
            hands.choose()
        before = hands.moves_made()
        if hands.must_place:
            # The second tap of a quick finger lays no special patch.
            page.wait_for_timeout(750)
        page.locator(".action-bar .sew:enabled").tap()
        page.wait_for_function("n => Number(document.querySelector('main.table').dataset.moves) > n", arg=before)
    assert page.locator(".result tfoot td").count() == 2


def test_a_finger_drags_a_patch_above_itself(guests: Guests) -> None:
    hands = guests.hands(PHONE, has_touch=True, is_mobile=True)
    hands.begin(seats=[{"kind": "human"}, {"kind": "computer", "opponent": "pin"}])
    hands.wait_for_turn()
    page = hands.page
    session = page.context.new_cdp_session(page)
    box = page.locator(".choices .choice[aria-disabled='false']").first.bounding_box()
    quilt = page.locator(".quilt").first.bounding_box()
    assert box is not None
    assert quilt is not None

    def touch(kind: str, x: float, y: float) -> None:
        points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    x, y = box["x"] + 40, box["y"] + 40
    touch("touchStart", x, y)
    for step in range(1, 9):
        touch("touchMove", x + step * 8, y - step * 36)
    carried = page.locator(".carried").bounding_box()
    assert carried is not None
    assert carried["y"] + carried["height"] < y - 8 * 36
    touch("touchEnd", 0, 0)
    assert page.locator(".laying").count() == 1
    assert page.locator(".carried").count() == 0


def test_a_whole_game_by_keyboard_alone(guests: Guests) -> None:
    hands = guests.hands()
    hands.begin(edition="express", **SHARED)
    keyboard = hands.page.keyboard
    turns = 0
    while hands.wait_for_turn():
        before = hands.moves_made()
        if not hands.must_place:
            legal = hands.page.evaluate(
                "() => [...document.querySelectorAll('.choices .choice')].findIndex(c => c.ariaDisabled === 'false')"
            )
            keyboard.press(str(legal + 1) if legal >= 0 else "a")
        if turns % 3 == 0:
            for key in ("r", "f", "ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"):
                keyboard.press(key)
            keyboard.press("Escape")
            if not hands.must_place:
                keyboard.press(str(legal + 1) if legal >= 0 else "a")
        if hands.page.query_selector(".action-bar .sew:enabled") is None:
            hands.put_aside_if_full()
        keyboard.press("Enter")
        hands.page.wait_for_function(
            "n => Number(document.querySelector('main.table').dataset.moves) > n", arg=before
        )
        turns += 1
    assert turns > 15


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_plays_to_its_end(guests: Guests, edition: str) -> None:
    hands = guests.hands()
    hands.begin(edition=edition, seats=COMPUTER)
    while hands.play_turn():
        pass
    assert hands.page.locator(".result h2").inner_text()


def test_the_start_page_begins_a_game_with_one_click(guests: Guests) -> None:
    hands = guests.hands(PHONE)
    hands.open()
    hands.page.click(".big.play")
    hands.page.wait_for_selector(".table")
    assert hands.wait_for_turn()
    hands.open()
    hands.page.reload()
    hands.page.wait_for_selector(".big.continue")
    hands.page.click(".big.continue")
    hands.page.wait_for_selector(".table")


def test_a_clock_against_the_computer_is_chosen_on_the_start_page(guests: Guests) -> None:
    hands = guests.hands(PHONE)
    hands.open()
    page = hands.page
    page.get_by_role("button", name="More …").click()
    page.get_by_role("button", name="5 min + 5 s").click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_selector(".table")
    assert hands.wait_for_turn()
    clocks = [page.locator(f".player-line[data-player='{player}'] .clock").inner_text() for player in (1, 2)]
    assert "5:00" in clocks
    hands.choose()
    hands.sew()
    assert hands.wait_for_turn()


def test_nothing_is_sent_before_sew_and_a_takeback_restores_the_table(guests: Guests) -> None:
    hands = guests.hands()
    hands.begin(seats=COMPUTER)
    hands.wait_for_turn()
    hands.choose()
    assert hands.moves_made() == 0
    hands.page.keyboard.press("Escape")
    assert hands.page.locator(".laying").count() == 0
    hands.choose()
    hands.sew()
    hands.wait_for_turn()
    hands.page.keyboard.press("u")
    hands.page.wait_for_function("() => document.querySelector('main.table').dataset.moves === '0'")
    assert hands.page.locator(".quilt .laid .patch").count() == 0


def test_a_move_typed_in_notation_is_shown_and_can_be_sewn(guests: Guests) -> None:
    hands = guests.hands()
    hands.page.add_init_script("localStorage.setItem('quiltwork.notation', 'true')")
    hands.begin(**SHARED)
    hands.page.click("[aria-label='Menu']")
    hands.page.fill("input[name='move']", "9z@a1")
    hands.page.keyboard.press("Enter")
    assert "names no move" in hands.page.locator(".wrong").inner_text()
    hands.page.fill("input[name='move']", "+")
    hands.page.keyboard.press("Enter")
    hands.page.wait_for_selector("dialog", state="detached")
    assert hands.preview()["space"] == "1"
    hands.sew()


def test_the_moves_stand_beside_the_game_or_fold_out(guests: Guests) -> None:
    hands = guests.hands()
    hands.begin(**SHARED)
    page = hands.page
    hands.play_turn()
    assert page.locator(".story .move-list button").count() == 1
    page.set_viewport_size({"width": 1366, "height": 633})
    page.get_by_role("button", name="Moves", exact=True).click()
    hands.play_turn()
    assert page.locator(".drawer .move-list button").count() == 2
    page.locator(".drawer").get_by_role("button", name="Close").click()
    assert page.locator(".drawer").count() == 0


def test_looking_back_and_going_on_from_there_with_the_same_two_people(guests: Guests) -> None:
    hands = guests.hands()
    hands.begin(shared=True, seats=[{"kind": "human", "name": "Ann"}, {"kind": "human", "name": "Ben"}])
    for _ in range(4):
        hands.play_turn()
    page = hands.page
    page.click("[aria-label='Menu']")
    page.get_by_role("button", name="Look back").click()
    page.get_by_role("button", name="First").click()
    assert page.locator(".quilt .laid .patch").count() == 0
    page.get_by_role("button", name="One on").click()
    old = page.url
    page.get_by_role("button", name="Go on from here").click()
    page.wait_for_url(lambda url: url != old)
    page.wait_for_selector(".table[data-moves='1'] .action-bar .advance")
    assert hands.wait_for_turn()
    assert page.locator("h1").inner_text() == "Ann against Ben"


@pytest.mark.parametrize("opponent", ["needle", "thread"])
def test_going_on_in_a_record_is_against_the_computer_that_it_names(guests: Guests, opponent: str) -> None:
    hands = guests.hands()
    hands.open()
    page = hands.page
    page.get_by_role("button", name="Look at a record").click()
    circle = Position.initial(deal=3).text.split()[-1]
    tags = f'[Edition "patchwork"]\n[Circle "{circle}"]\n[Player1 "{opponent.title()}"]\n[Player2 "Ann"]'
    record = f"{tags}\n\n1: +1 *\n"
    page.locator("dialog textarea").fill(record)
    page.get_by_role("button", name="Look at it").click()
    page.get_by_role("button", name="First").click()
    page.get_by_role("button", name="Go on from here").click()
    page.wait_for_url("**/#/game/**")
    page.wait_for_selector(".table")
    assert page.locator("h1").inner_text() == f"You against {opponent.title()}"


def test_the_record_and_the_pictures_can_be_saved_and_the_record_opened(guests: Guests) -> None:
    hands = guests.hands()
    hands.begin(seats=COMPUTER)
    hands.play_turn()
    page = hands.page
    page.click("[aria-label='Menu']")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the record").click()
    text = download.value.path().read_text()
    assert text.startswith('[Edition "patchwork"]')
    hands.wait_for_turn()
    page.click("[aria-label='Menu']")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    page.wait_for_selector(".result")
    page.get_by_role("button", name="Show others").click()
    for name, start in (("Picture (SVG)", b"<svg"), ("Picture (PNG)", b"\x89PNG")):
        with page.expect_download() as download:
            page.get_by_role("button", name=name).click()
        assert download.value.path().read_bytes().startswith(start)
    # Others open the link and see the game from its start.
    link = page.locator(".shared input").input_value()
    assert "#/replay/" in link
    other = guests.page()
    other.goto(link)
    other.wait_for_selector(".review")
    other.wait_for_function("() => document.querySelector('.review-text b').textContent.startsWith('0 / ')")
    assert "Pin" in other.title()
    # At its last move nothing begins anew, and behind it lies the result. It is none of their own games.
    other.get_by_role("button", name="Last", exact=True).click()
    other.wait_for_timeout(300)
    assert not other.locator(".review-text").inner_text().startswith("0 / ")
    other.get_by_role("button", name="Done").click()
    other.wait_for_selector(".result")
    other.get_by_role("button", name="To the start").click()
    other.wait_for_selector(".start")
    assert other.locator(".your-games").count() == 0
    hands.open()
    page.reload()
    assert "You lost" in page.locator(".your-games").inner_text()
    page.get_by_role("button", name="Look at a record").click()
    page.fill("textarea", text)
    page.get_by_role("button", name="Look at it").click()
    page.wait_for_selector(".review")
    assert "1 / " in page.locator(".review-text").inner_text() or page.locator(".review-text b").inner_text()
