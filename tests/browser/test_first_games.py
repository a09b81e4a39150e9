"""The first games after the lesson: gentle remarks, and the next level after two wins."""

from __future__ import annotations

from browser.conftest import PHONE, Guests

PIN = [{"kind": "human"}, {"kind": "computer", "opponent": "pin"}]


def test_a_remark_says_what_could_have_been_done_and_can_be_switched_off(guests: Guests) -> None:
    hands = guests.hands(PHONE)
    hands.page.add_init_script("localStorage.setItem('quiltwork.remarks', 'true')")
    hands.open()
    page = hands.page
    # What a move cost is the study's to find; here it is said.
    judged = """{"move": "+1", "best": "5c@d4", "loss": 0.2, "reason": {"key": "income", "figures": {"count": 9}, "cells": []}}"""
    page.route("**/api/study/judgement", lambda route: route.fulfill(body=judged, content_type="application/json"))
    hands.begin(seats=PIN)
    hands.wait_for_turn()
    page.click(".advance")
    hands.sew()
    page.get_by_role("button", name="You could have taken").click()
    assert "earns 9 buttons more" in page.locator("dialog").inner_text()
    page.get_by_role("button", name="No more remarks").click()
    assert page.evaluate("() => localStorage.getItem('quiltwork.remarks')") == "false"
    assert page.locator(".remark").count() == 0


def test_two_wins_lead_to_the_next_level(guests: Guests) -> None:
    hands = guests.hands(PHONE)
    hands.page.add_init_script(
        """localStorage.setItem('quiltwork.wins', JSON.stringify({last: 'other', by: {pin: 1}}))"""
    )
    hands.open()
    record = '[Edition "patchwork"]\n[Position "patchwork 1 52/40/8a@a1 53!/0/7a@a4 - 3c2a"]\n\n*\n'
    hands.begin(edition="patchwork", seats=PIN, record=record, deal=None)
    hands.wait_for_turn()
    page = hands.page
    page.click(".advance")
    page.click(".action-bar .sew:enabled")
    page.get_by_role("button", name="level 2").click()
    page.wait_for_selector(".table[data-moves='0'] .action-bar")
    assert "Thread" in page.locator("main").inner_text()
    hands.open()
    assert "Play Thread" in page.locator(".big.play").inner_text()
