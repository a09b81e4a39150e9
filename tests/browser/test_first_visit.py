"""What a first visit costs, counted and not timed: `bench/page_load.py` measures the times."""

from __future__ import annotations

from browser.conftest import PHONE, Guests, Server

MOST_BYTES = 170_000
SHIFTS = """
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts.push(entry.value);
  }).observe({type: 'layout-shift', buffered: true});
"""


def test_a_first_visit_is_small_and_nothing_moves_after_it_is_drawn(guests: Guests, server: Server) -> None:
    page = guests.page(PHONE)
    page.add_init_script(SHIFTS)
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    received: list[float] = []
    session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    page.goto(server.address)
    page.wait_for_selector(".big.play:enabled")
    page.wait_for_load_state("networkidle")
    assert 50_000 < sum(received) <= MOST_BYTES
    page.click(".big.play")
    page.wait_for_selector(".table .action-bar")
    page.wait_for_timeout(500)
    assert page.evaluate("() => window.shifts") == []
