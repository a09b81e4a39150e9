"""Measures the page: how long until it can be used, how long until a game stands, and what was transferred.

    python bench/page_load.py http://127.0.0.1:8765/

Needs a running server, and Chromium. Prints one JSON object: medians of several loads with an empty cache.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import sys
import time

from playwright.sync_api import Browser, sync_playwright

LOADS = 5


def _load(browser: Browser, address: str) -> tuple[float, float, int]:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    received = [0]
    session.on(
        "Network.loadingFinished", lambda event: received.__setitem__(0, received[0] + event["encodedDataLength"])
    )
    started = time.monotonic()
    page.goto(address)
    page.wait_for_selector(".big.primary:enabled")
    ready = time.monotonic() - started
    page.click(".big.primary")
    page.wait_for_selector(".table .action-bar")
    playing = time.monotonic() - started
    page.wait_for_timeout(300)
    context.close()
    return ready, playing, int(received[0])


def main() -> int:
    address = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8765/"
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        loads = [_load(browser, address) for _ in range(LOADS)]
        browser.close()
    report = {
        "interactive_seconds": round(statistics.median(load[0] for load in loads), 2),
        "game_on_the_table_seconds": round(statistics.median(load[1] for load in loads), 2),
        "transferred_kilobytes": round(statistics.median(load[2] for load in loads) / 1000, 1),
        "load_average": round(os.getloadavg()[0], 1),
    }
    print(json.dumps(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
