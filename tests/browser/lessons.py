"""Walking through a lesson by doing what it asks."""

from __future__ import annotations

from collections.abc import Iterator

from browser.hands import Hands

LEGAL = ".choices .choice[aria-disabled='false']"


def step_of(hands: Hands) -> str:
    """The step in sight, such as `Step 3 of 13`."""
    return hands.page.locator(".voice small").inner_text()


def wait_for_step(hands: Hands, step: int) -> None:
    hands.page.wait_for_function(
        "n => (document.querySelector('.voice small')?.textContent.match(/\\d+/) ?? [])[0] === n", arg=str(step)
    )


def _next(hands: Hands) -> None:
    hands.page.locator(".voice .sew").click()


def _choose(hands: Hands) -> None:
    hands.page.wait_for_selector(LEGAL)
    hands.page.locator(LEGAL).first.click()


def _take(hands: Hands) -> None:
    _choose(hands)
    hands.page.locator(".action-bar .sew:enabled").click()


def _advance(hands: Hands) -> None:
    hands.page.locator(".advance:enabled").click()
    hands.page.locator(".action-bar .sew:enabled").click()


def _sew(hands: Hands) -> None:
    if hands.must_place:
        # The second tap of a quick finger lays no special patch.
        hands.page.wait_for_timeout(750)
    hands.page.locator(".action-bar .sew:enabled").click()


BASICS = [
    _next,
    _choose,
    lambda hands: hands.page.keyboard.press("ArrowLeft"),
    lambda hands: hands.page.keyboard.press("r"),
    _sew,
    _next,
    _take,
    _advance,
    _take,
    _sew,
    _next,
    _advance,
]


def walk_basics(hands: Hands) -> Iterator[int]:
    """Does what each step asks; yields when a step has come into sight, and at the last."""
    for step, act in enumerate(BASICS, 1):
        wait_for_step(hands, step)
        hands.page.wait_for_selector(".table")
        yield step
        act(hands)
    wait_for_step(hands, len(BASICS) + 1)
    yield len(BASICS) + 1
