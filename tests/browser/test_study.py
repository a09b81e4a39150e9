"""The study in the browser: a review that streams, moments, variations, a set-up, a link, and the coach."""

from __future__ import annotations

import base64
import re
import zlib

import pytest
from playwright.sync_api import Route, expect

from browser.conftest import DESKTOP, PHONE, Guests
from browser.hands import Hands
from browser.test_everyone import violations
from browser.test_layout import look
from quiltwork import Game

# The last part of a game with three mistakes in it, of which most is searched out at once.
ENDING = """[Position "patchwork 1 38/12/4a@a1 41/9/3b@a1 - 2a6f5a4c5d4e"]
[Player1 "Alexandra"]
[Player2 "Maximilian Alexander"]

1: +4 2: 6f@b1 s@d1 1: 4c@d1f 5d@f1f 2: 5a@e1 4e@g2 +1 1: 2a@h2 +1 2: +2 s@i3 1: +2 2: +2 1: +2
2: +1
"""


def packed(record: str) -> str:
    """A record as the address of the study holds it."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(squeeze.compress(record.encode()) + squeeze.flush()).decode().rstrip("=")


def study(hands: Hands, record: str) -> None:
    hands.open(f"study/record/{packed(record)}")
    hands.page.wait_for_selector("main.study")


def review(hands: Hands) -> None:
    hands.page.locator(".study-body > .sew").click()
    hands.page.wait_for_selector(".study-summary", timeout=90_000)


def tab(hands: Hands, number: int) -> None:
    hands.page.locator(".study-tabs button").nth(number).click()


@pytest.mark.parametrize(("locale", "scheme"), [("en-GB", "light"), ("de-DE", "dark")])
def test_the_study_holds_at_every_size(guests: Guests, locale: str, scheme: str) -> None:
    hands = guests.hands(PHONE, locale=locale, color_scheme=scheme)
    page, name = hands.page, f"{locale}-{scheme}"
    study(hands, ENDING)
    review(hands)
    page.keyboard.press("ArrowRight")
    found = look(page, "study review", name)
    assert violations(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    tab(hands, 1)
    page.locator(".moment-list button").first.click()
    page.wait_for_selector(".study.working .action-bar")
    found += look(page, "study moment", name)
    assert violations(page) == []
    page.locator(".moment-buttons button").last.click()
    page.set_viewport_size({"width": 390, "height": 844})
    tab(hands, 3)
    page.locator(".menu-items button").nth(2).click()
    page.wait_for_selector(".setup")
    found += look(page, "study set-up", name)
    assert violations(page) == []
    assert not found, "\n".join(found)


def test_a_review_goes_on_over_the_comments_of_a_stream_that_waits(guests: Guests) -> None:
    hands = guests.hands(DESKTOP)

    def wait_often(route: Route) -> None:
        told = route.fetch().text()
        route.fulfill(body=":\n\n" + told.replace("\n\n", "\n\n:\n\n"), content_type="text/event-stream")

    hands.page.route("**/api/study/review", wait_often)
    study(hands, ENDING)
    review(hands)
    assert hands.page.locator(".study-moves .mark").count() > 0


def test_a_review_marks_moves_and_shows_the_better_one(guests: Guests) -> None:
    hands = guests.hands(DESKTOP)
    study(hands, ENDING)
    review(hands)
    page = hands.page
    moves = len(Game.parse(ENDING).end.line())
    assert page.locator(".study-moves > li").count() == moves
    expect(page.locator(".study-body")).to_contain_text(
        re.compile(r"could still win: \d+ %|was never ahead: \d+ %")
    )
    page.keyboard.press("ArrowDown")
    expect(page.locator(".verdict .label")).to_be_visible()
    before = int(page.locator("main.study").get_attribute("data-nodes") or 0)
    page.locator(".verdict .soft").click()
    page.wait_for_function("n => Number(document.querySelector('main.study').dataset.nodes) > n", arg=before)
    expect(page.locator(".others").first).to_be_visible()
    page.keyboard.press("End")
    page.keyboard.press("Home")
    assert page.locator("main.study").get_attribute("data-node") == "0"


def test_moves_are_tried_for_both_sides_and_shared_by_link(guests: Guests) -> None:
    hands = guests.hands(DESKTOP)
    study(hands, '[Edition "express"]\n[Deal "3"]\n\n*\n')
    page = hands.page
    for node in ("1", "2"):
        page.locator(".study .advance:enabled").click()
        page.locator(".study .action-bar .sew:enabled").click()
        page.wait_for_selector(f"main.study[data-node='{node}']")
    tab(hands, 3)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".menu-items button").first.click()
    page.wait_for_function("() => location.hash.includes('study/record/')")
    other = guests.page(DESKTOP)
    other.goto(page.url)
    other.wait_for_selector("main.study")
    assert other.locator(".study-moves > li").count() == 2


def test_a_set_up_tells_all_its_problems_and_is_analysed(guests: Guests) -> None:
    hands = guests.hands(DESKTOP)
    study(hands, '[Edition "patchwork"]\n[Deal "3"]\n\n*\n')
    page = hands.page
    tab(hands, 3)
    page.locator(".menu-items button").nth(2).click()
    page.locator(".palette button").nth(1).click()
    page.locator(".study .action-bar .sew:enabled").click()
    expect(page.locator(".setup .right")).to_be_visible()
    space = page.locator(".figure input").first
    space.fill("999")
    space.press("Tab")
    expect(page.locator(".setup .wrong li").first).to_be_visible()
    space.fill("0")
    space.press("Tab")
    page.locator(".setup .sew:enabled").click()
    page.wait_for_selector(".study:not(.drafting)")
    tab(hands, 2)
    page.locator(".engine > .soft").click()
    page.wait_for_selector(".lines li", timeout=60_000)


def test_the_coach_asks_before_a_costly_move(guests: Guests) -> None:
    page = guests.page(DESKTOP)
    page.add_init_script("localStorage.setItem('quiltwork.coach', '\"small\"')")
    hands = Hands(page, guests.hands(DESKTOP).address)
    # Player 2 can win, and advancing loses: that is searched out, whatever the search thinks of other positions.
    seats = [{"kind": "computer", "opponent": "pin"}, {"kind": "human"}]
    hands.begin(seats=seats, record=ENDING, ply=7, deal=None)
    hands.wait_for_turn()
    before = hands.moves_made()
    page.click(".advance")
    page.click(".action-bar .sew:enabled")
    page.wait_for_selector("dialog.coach")
    page.locator("dialog.coach .plain").click()
    expect(page.locator("dialog.coach .reason")).to_be_visible()
    page.locator("dialog.coach .sew").click()
    assert hands.moves_made() == before


def test_a_finished_game_is_reviewed_from_its_end(guests: Guests) -> None:
    hands = guests.hands(PHONE)
    hands.begin(shared=True, seats=[{"kind": "human"}, {"kind": "human"}], record=ENDING, ply=12, deal=None)
    while hands.play_turn():
        pass
    hands.page.get_by_role("button", name="Review").click()
    hands.page.wait_for_selector(".study-summary", timeout=90_000)
