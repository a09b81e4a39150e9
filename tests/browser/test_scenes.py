"""The other's move can be followed: it is a scene, which a tap finishes, and which can be seen again."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page

from browser.conftest import DESKTOP, PHONE, Guests
from browser.hands import Hands

FRIENDS = [{"kind": "human", "name": "Ann"}, {"kind": "human", "remote": True, "name": "Ben"}]
# Ben takes the first patch, lays it, passes an income mark, and then it is Ann's turn.
ONE_MOVE = "patchwork 2 7/5/6c@a1 3/9/5d@a1 - 4d5b6a3a4e2a"
# Ben is far behind, so that two patches are his.
TWO_MOVES = "patchwork 2 20/5/6c@a1 3/20/5d@a1 - 5b6g3a4e6a2a"
SPACE = 40
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


SCENES = """() => {
  window.told = [];
  window.made = [];
  const note = (list, item) => item !== undefined && list.at(-1) !== item && list.push(item);
  const look = () => {
    note(window.told, document.querySelector('.preview.calm > .turn-text:only-child')?.textContent);
    note(window.made, Number(document.querySelector('main.table').dataset.moves));
  };
  look();
  new MutationObserver(look).observe(document.body, {childList: true, subtree: true, attributes: true, characterData: true});
}"""


COMINGS = """() => {
  window.comings = 0;
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node.matches?.('.peeked')) window.comings += 1;
  }).observe(document.body, {childList: true, subtree: true});
}"""


def watch(
    guests: Guests, viewport: dict[str, int], pace: str, position: str = ONE_MOVE, **more: Any
) -> tuple[Hands, Hands]:
    """Ann, who watches, and Ben, whose turn it is: a computer might advance where a patch is wanted."""
    ann = guests.hands(viewport, **more)
    ann.page.add_init_script(f"localStorage.setItem('quiltwork.animation', '\"{pace}\"')")
    record = f'[Edition "patchwork"]\n[Position "{position}"]\n\n*\n'
    made = ann.begin(seats=FRIENDS, record=record, deal=None)
    ben = guests.hands()
    ben.sit(made["invite"])
    ann.page.wait_for_selector("dialog.invite", state="detached")
    ben.wait_for_turn()
    ann.page.evaluate(WATCH)
    return ann, ben


def scenes(page: Page) -> list[str]:
    found: list[str] = page.evaluate("() => window.seen")
    return found


def test_on_a_phone_the_other_s_quilt_comes_for_its_move_and_goes_again(guests: Guests) -> None:
    ann, ben = watch(guests, PHONE, "normal")
    ben.play_turn()
    ann.wait_for_turn()
    page = ann.page
    page.wait_for_selector(".peeked", state="detached")
    seen = scenes(page)
    assert any("flies quilt" in line for line in seen)
    # The token is on more than the two spaces where a move begins and ends.
    assert len({line.split("translate")[-1] for line in seen}) > 3
    page.keyboard.press("l")
    page.wait_for_selector(".peeked .flying, .flying")
    page.wait_for_selector(".advance:enabled")


def test_between_two_scenes_of_one_player_the_quilt_stays_in_sight(guests: Guests) -> None:
    ann, ben = watch(guests, PHONE, "slow", TWO_MOVES)
    page = ann.page
    page.evaluate(COMINGS)
    ben.play_turn()
    ben.play_turn()
    page.wait_for_selector(".table[data-moves='2']")
    page.wait_for_selector(".peeked", state="detached")
    assert page.evaluate("() => window.comings") == 1
    page.keyboard.press("l")
    page.wait_for_selector(".peeked")
    page.wait_for_selector(".table[data-moves='2']")
    page.wait_for_selector(".peeked", state="detached")
    assert page.evaluate("() => window.comings") == 2


def test_a_tap_finishes_the_scene(guests: Guests) -> None:
    ann, ben = watch(guests, PHONE, "slow")
    ben.play_turn()
    page = ann.page
    page.wait_for_selector(".peeked")
    while page.locator(".peeked").count():
        page.mouse.click(200, 30)
        page.wait_for_timeout(50)
    assert ann.moves_made() == 1
    assert page.locator(".flying").count() == 0


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_stillness_shows_how_a_move_ends_and_says_it(guests: Guests, viewport: dict[str, int]) -> None:
    ann, ben = watch(guests, viewport, "normal", reduced_motion="reduce")
    ben.play_turn()
    ann.wait_for_turn()
    seen = scenes(ann.page)
    assert not any("flies" in line for line in seen)
    # The token is on its old space or its new one, never between.
    places = [[float(n) for n in re.findall(r"[\d.]+", line)] for line in seen if "translate" in line]
    assert len({(x // SPACE, y // SPACE) for x, y in places}) <= 2
    if viewport is PHONE:
        assert any("quilt" in line for line in seen)
    assert "Ben" in ann.page.locator("[role='status'][aria-live]").inner_text()


def test_two_moves_in_a_row_are_two_scenes(guests: Guests) -> None:
    ann = guests.hands(PHONE)
    ann.page.add_init_script("localStorage.setItem('quiltwork.animation', '\"normal\"')")
    made = ann.begin(seats=FRIENDS)
    ben = guests.hands()
    ben.sit(made["invite"])
    ann.page.wait_for_selector("dialog.invite", state="detached")
    ann.wait_for_turn()
    # Five spaces of time for Ann; Ben's patch takes four, so that it is his turn again.
    ann.page.locator(".choices .choice").first.click()
    ann.sew()
    ann.page.evaluate(SCENES)
    ben.wait_for_turn()
    ben.choose()
    ben.sew()
    ben.page.click(".advance:enabled")
    ben.sew()
    ann.wait_for_turn()
    told = [line for line in ann.page.evaluate("() => window.told") if re.match("Ben (sewed|advanced)", line)]
    assert [line.split()[1] for line in told] == ["sewed", "advanced"]
    # The second waits for the end of the first: then there is no advance yet in the list of moves.
    assert ann.page.evaluate("() => window.made") == [1, 2, 3]
