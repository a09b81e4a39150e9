"""Hands: what a person does at the page, by mouse, finger or keyboard."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

Json = dict[str, Any]

READY = """() => document.querySelector('.table.over') || document.querySelector('.advance:enabled')
  || document.querySelector('.in-hand .choice[aria-disabled="false"]')"""


class Hands:
    """One person's page."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address

    # Coming to a table

    def open(self, path: str = "") -> None:
        self.page.goto(f"{self.address}#/{path}" if path else self.address)
        self.page.wait_for_selector("html[data-ready]")

    def begin(self, **wanted: Any) -> Json:
        """Begins a game and sits down at it."""
        if not self.page.url.startswith(self.address):
            self.open()
        made: Json = self.page.evaluate(
            """async (body) => (await fetch('api/games', {method: 'POST', body: JSON.stringify(body),
                 headers: {'content-type': 'application/json'}})).json()""",
            {"deal": 3, **wanted},
        )
        self.sit(made["token"])
        return made

    def sit(self, token: str) -> None:
        self.open(f"game/{token}")
        self.come_without_a_name()

    def come_without_a_name(self) -> None:
        """Waits for the table; a guest who is asked for a name does not give one."""
        self.page.wait_for_selector(".table")
        if self.page.locator("dialog.guest").count():
            self.page.locator("dialog.guest header button").click()

    # Looking

    def wait_for_turn(self) -> bool:
        """Waits until there is something to do; False when the game is over."""
        self.page.wait_for_function(READY)
        return self.page.query_selector(".table.over") is None

    @property
    def must_place(self) -> bool:
        return self.page.query_selector(".in-hand") is not None

    def preview(self) -> Json:
        """The figures of the preview in sight."""
        shown: Json = self.page.locator(".preview.will").evaluate("element => ({...element.dataset})")
        return shown

    def figures(self, player: int) -> Json:
        """A player's buttons in sight, and the score."""
        line = self.page.locator(f".player-line[data-player='{player}']")
        score = line.locator(".score").get_attribute("data-score")
        return {"buttons": line.locator(".buttons").inner_text().strip(), "score": score}

    def moves_made(self) -> int:
        return int(self.page.evaluate("() => document.querySelector('main.table').dataset.moves"))

    # Doing

    def choose(self) -> None:
        """Takes the first patch that can be had in hand, or advances."""
        if self.must_place:
            return
        legal = self.page.query_selector(".choices .choice[aria-disabled='false']")
        if legal is None:
            self.page.click(".advance")
        else:
            legal.click()

    def sew(self) -> None:
        before = self.moves_made()
        if self.must_place:
            # The second tap of a quick finger lays no special patch.
            self.page.wait_for_timeout(750)
        self.page.click(".action-bar .sew:enabled")
        self.page.wait_for_function(
            "n => Number(document.querySelector('main.table').dataset.moves) !== n", arg=before
        )

    def put_aside_if_full(self) -> None:
        """A special patch that fits nowhere can only be put aside."""
        if self.must_place and self.page.query_selector(".action-bar .sew:enabled") is None:
            self.page.click(".action-bar .soft")

    def play_turn(self) -> bool:
        """One move by taps; False when the game is over."""
        if not self.wait_for_turn():
            return False
        self.choose()
        self.put_aside_if_full()
        self.sew()
        return True
