"""The rules page of each edition, and who begins."""

from __future__ import annotations

import pytest

from browser.conftest import PHONE, Guests
from quiltwork import available_editions

UNCERTAIN = ("express", "halloween", "stack-and-stuff")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_every_edition_has_its_rules_with_what_differs_and_what_is_not_certain(
    guests: Guests, locale: str
) -> None:
    hands = guests.hands(PHONE, locale=locale)
    page = hands.page
    for edition in available_editions():
        hands.open(f"rules/{edition}")
        page.wait_for_selector(".rule-card.setup")
        for part in ("setup", "begins", "turn", "take", "advance", "income", "special", "end", "score"):
            assert page.locator(f".rule-card.{part} .rule-picture").count() == 1, (edition, part)
        if edition != "patchwork":
            page.wait_for_selector(".rule-list.differs li")
        assert page.locator(".rule-list.doubts li").count() > (1 if edition in UNCERTAIN else -1)
        assert page.locator(".rule-list.doubts").count() == (edition in UNCERTAIN)


def test_beside_me_the_one_who_begins_is_named(guests: Guests) -> None:
    hands = guests.hands(PHONE)
    hands.open()
    page = hands.page
    page.get_by_role("button", name="Play a friend").click()
    page.get_by_role("button", name="Beside me").click()
    page.locator("dialog select").select_option("patchwork")
    assert "held a sewing needle" in page.locator("dialog").inner_text()
    page.get_by_label("Name of player 1").fill("Ada")
    page.get_by_label("Name of player 2").fill("Grace")
    page.get_by_role("button", name="Grace").click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_selector(".table .advance:enabled")
    assert "Grace begins" in page.locator(".preview").inner_text()
