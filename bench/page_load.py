"""Measures the page: how long until it can be used, what was transferred, what a dragged patch costs, what jumps.

    python bench/page_load.py http://127.0.0.1:8765/

Needs a running server, and Chromium. Prints one JSON object: medians of several loads with an empty cache; the
drag is traced with the processor slowed four times.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import sys
import time
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

LOADS = 5
MOVES = 60
SLOWED = 4
VIEWPORT = {"width": 390, "height": 844}
WORK = {
    "EventDispatch",
    "FunctionCall",
    "RunMicrotasks",
    "FireAnimationFrame",
    "TimerFire",
    "UpdateLayoutTree",
    "Layout",
}
"""script, style and layout, as a trace calls them"""
SHIFTS = """() => {
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
  }).observe({type: 'layout-shift', buffered: true});
}"""


def _load(browser: Browser, address: str) -> dict[str, float]:
    context = browser.new_context(viewport=VIEWPORT)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    received = [0.0]
    session.on(
        "Network.loadingFinished", lambda event: received.__setitem__(0, received[0] + event["encodedDataLength"])
    )
    page.add_init_script(f"({SHIFTS})()")
    started = time.monotonic()
    page.goto(address)
    page.wait_for_selector(".big.play:enabled")
    ready = time.monotonic() - started
    page.wait_for_timeout(700)
    visited = received[0]
    clicked = time.monotonic()
    page.click(".big.play")
    page.wait_for_selector(".table .action-bar")
    playing = time.monotonic() - clicked
    page.wait_for_timeout(700)
    shifts = float(page.evaluate("() => window.shifts"))
    context.close()
    return {"ready": ready, "playing": ready + playing, "visited": visited, "all": received[0], "shifts": shifts}


def _drag(browser: Browser, address: str) -> list[float]:
    """Milliseconds of script and layout for each movement of the pointer with a patch in hand."""
    context = browser.new_context(viewport=VIEWPORT)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector(".big.play:enabled")
    token = page.evaluate(
        """async () => {
             const body = JSON.stringify({shared: true, deal: 3, seats: [{kind: 'human'}, {kind: 'human'}]});
             const headers = {'content-type': 'application/json'};
             return (await (await fetch('api/games', {method: 'POST', headers, body})).json()).token;
           }"""
    )
    page.goto(f"{address}#/game/{token}")
    card = page.locator(".choices .choice[aria-disabled='false']").first
    card.wait_for()
    page.wait_for_timeout(500)
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    box, quilt = card.bounding_box(), page.locator(".quilt").first.bounding_box()
    assert box is not None
    assert quilt is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(quilt["x"] + quilt["width"] / 2, quilt["y"] + quilt["height"] * 0.9, steps=4)
    events: list[dict[str, Any]] = []
    ended: list[bool] = []
    session.on("Tracing.dataCollected", lambda message: events.extend(message["value"]))
    session.on("Tracing.tracingComplete", lambda _: ended.append(True))
    session.send("Tracing.start", {"categories": "devtools.timeline,disabled-by-default-devtools.timeline"})
    _wander(page, quilt)
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(50)
    context.close()
    return _work_by_move(events)


def _wander(page: Page, quilt: Any) -> None:
    """Leads the pointer to and fro over the quilt."""
    for step in range(MOVES):
        across = abs((step * 7) % 120 - 60) / 60
        page.mouse.move(
            quilt["x"] + quilt["width"] * (0.15 + 0.7 * across), quilt["y"] + quilt["height"] * (0.2 + step / 100)
        )
        page.wait_for_timeout(16)


def _work_by_move(events: list[dict[str, Any]]) -> list[float]:
    """The time that the work after each movement took; what runs within other work counts once."""
    moves = [e for e in events if e["name"] == "EventDispatch" and e["args"]["data"]["type"] == "pointermove"]
    thread = (moves[0]["pid"], moves[0]["tid"])
    work = sorted(
        (e["ts"], e["ts"] + e["dur"])
        for e in events
        if e["name"] in WORK and (e["pid"], e["tid"]) == thread and "dur" in e
    )
    starts = sorted(e["ts"] for e in moves)
    spent = [0.0] * len(starts)
    until = 0
    for begin, end in work:
        if end <= until or begin < starts[0]:
            continue
        move = sum(start <= begin for start in starts) - 1
        spent[move] += (end - max(begin, until)) / 1000
        until = end
    return spent


def main() -> int:
    address = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8765/"
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        loads = [_load(browser, address) for _ in range(LOADS)]
        moves = _drag(browser, address)
        browser.close()
    middle = {name: statistics.median(load[name] for load in loads) for name in loads[0]}
    report = {
        "interactive_seconds": round(middle["ready"], 2),
        "game_on_the_table_seconds": round(middle["playing"], 2),
        "first_visit_kilobytes": round(middle["visited"] / 1000, 1),
        "with_a_game_kilobytes": round(middle["all"] / 1000, 1),
        "layout_shift": round(max(load["shifts"] for load in loads), 4),
        "pointer_move_milliseconds": round(statistics.median(moves), 1),
        "pointer_move_milliseconds_95_of_100": round(statistics.quantiles(moves, n=20)[-1], 1),
        "load_average": round(os.getloadavg()[0], 1),
    }
    print(json.dumps(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
