"""Everyone can play: axe finds nothing, the grid speaks, every control is large, two languages, light and dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from browser.conftest import DESKTOP, PHONE, Guests

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
BEHIND = '[Edition "patchwork"]\n[Position "patchwork 1 6/9/5d@a1 9/3/6c@a1 - 5b4c6e2a"]\n\n*\n'
SHARED = {"shared": True, "seats": [{"kind": "human"}, {"kind": "human"}]}


def violations(page: Page) -> list[str]:
    # The page's own policy forbids foreign scripts; the test adds this one from outside the page's world.
    page.evaluate(AXE.read_text(encoding="utf-8"))
    # Colours are judged when what appears has appeared, not while it fades in.
    page.evaluate(
        """() => Promise.all(document.getAnimations()
            .filter((a) => a.effect.getTiming().iterations !== Infinity)
            .map((a) => a.finished.catch(() => null)))"""
    )
    found: dict[str, Any] = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [f"{v['id']}: {node['html'][:120]}" for v in found["violations"] for node in v["nodes"]]


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(guests: Guests, viewport: dict[str, int], scheme: str) -> None:
    hands = guests.hands(viewport, color_scheme=scheme)
    hands.open()
    assert violations(hands.page) == []
    hands.page.get_by_role("button", name="More").click()
    assert violations(hands.page) == []
    hands.begin(edition="halloween" if scheme == "dark" else "patchwork", **SHARED)
    hands.choose()
    assert violations(hands.page) == []
    hands.page.click("[aria-label='Menu']")
    assert violations(hands.page) == []
    hands.page.get_by_role("button", name="Resign").click()
    hands.page.get_by_role("button", name="Really resign?").click()
    hands.page.wait_for_selector(".result")
    assert violations(hands.page) == []
    hands.open("rules/express")
    hands.page.wait_for_selector(".rule-card")
    assert violations(hands.page) == []


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_nothing_in_the_states_of_a_game(guests: Guests, viewport: dict[str, int]) -> None:
    hands = guests.hands(viewport)
    page = hands.page
    hands.begin(**SHARED)
    while not hands.must_place:
        page.click(".advance")
        hands.sew()
    assert violations(page) == []
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open] .shortcuts")
    assert violations(page) == []
    page.keyboard.press("Escape")
    if viewport is PHONE:
        page.locator(".top-line .who").click()
    else:
        assert violations(page) == []
        page.set_viewport_size({"width": 1366, "height": 633})
        page.get_by_role("button", name="Moves", exact=True).click()
    assert violations(page) == []
    watcher = guests.hands(viewport)
    watcher.page.add_init_script("localStorage.setItem('quiltwork.animation', '\"slow\"')")
    watcher.begin(seats=[{"kind": "computer", "opponent": "pin"}, {"kind": "computer", "opponent": "thread"}])
    watcher.page.get_by_role("button", name="Pause").click()
    watcher.page.mouse.click(5, 200)
    assert violations(watcher.page) == []
    made = hands.begin(seats=[{"kind": "human", "name": "Ann"}, {"kind": "human", "remote": True}])
    assert violations(page) == []
    page.keyboard.press("Escape")
    friend = guests.hands(viewport)
    friend.open(f"game/{made['invite']}")
    friend.page.wait_for_selector("dialog.guest")
    assert violations(friend.page) == []
    friend.page.keyboard.press("Escape")
    friend.page.click("[aria-label='Menu']")
    for name in ("Resign", "Really resign?"):
        friend.page.get_by_role("button", name=name).click()
    friend.page.get_by_role("button", name="Show others").click()
    assert violations(friend.page) == []
    hands.open()
    page.reload()
    page.wait_for_selector(".your-games")
    assert violations(page) == []


def test_every_control_is_large_enough(guests: Guests) -> None:
    hands = guests.hands(PHONE, has_touch=True)
    hands.begin(**SHARED)
    hands.choose()
    small = """() => [...document.querySelectorAll('button, a, input, select')].filter(e => e.checkVisibility())
        .map(e => [e.className || e.textContent, e.getBoundingClientRect()])
        .filter(([, box]) => box.width < 43.9 || box.height < 43.9).map(([name]) => name)"""
    assert hands.page.evaluate(small) == []
    hands.page.click("[aria-label='Menu']")
    assert hands.page.evaluate(small) == []
    hands.open()
    assert hands.page.evaluate(small) == []


def test_the_quilt_is_a_grid_with_roving_focus_and_spoken_cells(guests: Guests) -> None:
    hands = guests.hands()
    hands.begin(**SHARED)
    page = hands.page
    grid = page.get_by_role("grid").first
    assert grid.get_by_role("gridcell").count() == 81
    cell = grid.locator("[tabindex='0']")
    assert cell.count() == 1
    assert cell.get_attribute("aria-label") == "a1, empty"
    cell.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("() => document.activeElement.getAttribute('aria-label')") == "b2, empty"
    hands.choose()
    assert grid.locator("[aria-label*='here you would lay it']").count() > 0
    before = page.locator("[role='status'][aria-live]").inner_text()
    page.keyboard.press("ArrowLeft")
    assert page.locator("[role='status'][aria-live]").inner_text() != before


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_an_advance_is_called_so_at_every_size(guests: Guests, viewport: dict[str, int]) -> None:
    hands = guests.hands(viewport)
    hands.begin(**SHARED)
    assert hands.page.get_by_role("button", name="Advance: 1 space").count() == 1


def test_turns_are_announced(guests: Guests) -> None:
    hands = guests.hands()
    hands.begin(**SHARED)
    hands.page.keyboard.press("a")
    hands.page.keyboard.press("Enter")
    hands.page.wait_for_function(
        "() => /advanced 1/.test(document.querySelector('[aria-live=polite][role=status]').textContent)"
    )


def test_german_from_its_catalog(guests: Guests) -> None:
    hands = guests.hands(PHONE, locale="de-DE")
    hands.open()
    assert hands.page.locator("html").get_attribute("lang") == "de"
    assert "spielen" in hands.page.locator(".big.play").inner_text()
    hands.begin(**SHARED)
    assert hands.page.locator(".action-bar .sew").inner_text().strip() == "Nähen"


def test_you_are_spoken_to_where_the_other_s_way_is_told(guests: Guests) -> None:
    hands = guests.hands(PHONE, locale="de-DE")
    hands.begin(seats=[{"kind": "human"}, {"kind": "computer", "opponent": "pin"}], record=BEHIND, deal=None)
    page = hands.page
    page.locator(".player-line.player-1 .who").click()
    told = page.locator("dialog[open]").inner_text()
    assert "Nach 4 Feldern ist Pin dran." in told
    assert "Was vor dir liegt" in told
    assert "Was vor Pin liegt" in told
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert "Leertaste" in page.locator("dialog[open]").inner_text()
    page.keyboard.press("Escape")
    ahead = guests.hands(PHONE, locale="de-DE")
    ahead.begin(seats=[{"kind": "human", "remote": True}, {"kind": "human"}], record=BEHIND, deal=None)
    ahead.page.keyboard.press("Escape")
    ahead.page.locator(".player-line.player-2 .who").click()
    assert "Nach 4 Feldern bist du dran." in ahead.page.locator("dialog[open]").inner_text()


def test_a_hint_shows_a_move_and_sends_nothing(guests: Guests) -> None:
    hands = guests.hands()
    hands.begin(seats=[{"kind": "human"}, {"kind": "computer", "opponent": "pin"}])
    hands.wait_for_turn()
    hands.page.get_by_role("button", name="Hint").click()
    hands.page.wait_for_selector(".action-bar .sew:enabled", timeout=60_000)
    assert "Chance to win" in hands.page.locator(".chip.hint").inner_text()
    assert hands.moves_made() == 0


LONG_HINT = """async () => {
  const module = (name) =>
    import(performance.getEntriesByType('resource').map((e) => e.name).find((x) => x.endsWith(`/js/${name}.js`)));
  const [table, selection] = [await module('table'), await module('selection')];
  const chosen = selection.selection.peek();
  const why = [{key: 'income', figures: {count: 14}}, {key: 'covers', figures: {cells: 6, time: 3}}];
  const sure = [{key: 'chance', figures: {percent: 53}}, {key: 'elsewhere', figures: {}}];
  const what = {key: 'take_at', figures: {patch: chosen.code}};
  table.hint.value = {move: selection.moveText(chosen), what, why, sure};
  await new Promise((done) => setTimeout(done, 100));
  const preview = document.querySelector('.preview');
  const [box, text] = [preview, document.querySelector('.chip.hint')].map((e) => e.getBoundingClientRect());
  return [text.top >= box.top - 1, preview.scrollHeight <= preview.clientHeight + 1];
}"""


@pytest.mark.parametrize("edition", ["patchwork", "stack-and-stuff"])
def test_a_long_hint_is_read_whole_on_any_phone(guests: Guests, edition: str) -> None:
    hands = guests.hands(PHONE, locale="de-DE")
    hands.begin(edition=edition, **SHARED)
    for width, height in ((320, 568), (360, 640), (390, 664), (390, 844), (844, 390)):
        hands.page.set_viewport_size({"width": width, "height": height})
        hands.page.keyboard.press("Escape")
        hands.page.keyboard.press("1")
        assert hands.page.evaluate(LONG_HINT) == [True, True], (width, height)


def test_a_hint_speaks_german_too(guests: Guests) -> None:
    hands = guests.hands(locale="de-DE")
    hands.begin(seats=[{"kind": "human"}, {"kind": "computer", "opponent": "pin"}])
    hands.wait_for_turn()
    hands.page.get_by_role("button", name="Tipp").click()
    hands.page.wait_for_selector(".chip.hint", timeout=60_000)
    assert "Gewinnchance" in hands.page.locator(".chip.hint").inner_text()
