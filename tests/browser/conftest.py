"""A real browser, a real server in a process of its own, and hands to play with."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from browser.hands import Hands

SCRIPT = """
import sys
from quiltwork.server.run import listen, serve
from quiltwork.server.settings import Settings
if __name__ == "__main__":
    settings = Settings(
        database_url=sys.argv[2], computer_pace=0.0, engine_warm_up=False, review_simulations=500,
        games_per_minute=1e6, requests_per_second=1e6
    )
    serve(settings, listen("127.0.0.1", int(sys.argv[1])))
"""
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}


def _chromium() -> str | None:
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)


class Server:
    """The server in a process of its own, to be killed and started again on the same port and database."""

    def __init__(self, folder: Path) -> None:
        with closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}/"
        self._script = folder / "serve.py"
        self._script.write_text(SCRIPT)
        self._database = f"sqlite:///{folder / 'games.sqlite3'}"
        self._log = folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, str(self._script), str(self.port), self._database]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stderr=log, stdout=log)
        for _ in range(300):
            try:
                with urlopen(f"{self.address}health", timeout=2):
                    return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError(self._log.read_text())

    def kill(self) -> None:
        """As `kill -9` does: no farewell."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(10)

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(20)


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """While it runs, its event loop counts as running: it ends with the package, so that other tests can run theirs."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    found = _chromium()
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("The browser tests need Chromium: apt-get install chromium, or set CHROMIUM to its path.")
        pytest.skip("The browser tests need Chromium: apt-get install chromium, or set CHROMIUM to its path.")
    browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
    yield browser
    browser.close()


class Guests:
    """Opens pages, and remembers what their consoles complained about."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self._browser = browser
        self._server = server
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        self.outside: list[str] = []

    def page(self, viewport: dict[str, int] = DESKTOP, **more: Any) -> Page:
        context = self._browser.new_context(viewport=viewport, **more)  # type: ignore[arg-type]
        context.set_default_timeout(30_000)
        context.add_init_script("localStorage.setItem('quiltwork.animation', '\"off\"')")
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: self.complaints.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on(
            "request",
            lambda r: (
                None if r.url.startswith((self._server.address, "blob:", "data:")) else self.outside.append(r.url)
            ),
        )
        return page

    def hands(self, viewport: dict[str, int] = DESKTOP, **more: Any) -> Hands:
        return Hands(self.page(viewport, **more), self._server.address)

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def guests(browser: Browser, server: Server) -> Iterator[Guests]:
    """Pages whose consoles must stay silent."""
    guests = Guests(browser, server)
    yield guests
    guests.close()
    assert guests.complaints == []
    assert guests.outside == []
