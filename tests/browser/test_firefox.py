"""One game in Firefox, over WebDriver BiDi: the page is not for one browser alone."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from browser.conftest import Server

MISSING = "The game in Firefox needs firefox-esr: apt-get install firefox-esr, or set FIREFOX to its path."
ENTER = "\ue007"
"""the key, as WebDriver names it"""
BEGIN = """async () => {
  const seats = [{kind: 'human'}, {kind: 'human'}];
  const body = JSON.stringify({edition: 'express', shared: true, deal: 3, seats});
  const asked = {method: 'POST', body, headers: {'content-type': 'application/json'}};
  const made = await (await fetch('api/games', asked)).json();
  location.hash = '#/game/' + made.token;
}"""
SPOT = """(selector) => {
  const found = [...document.querySelectorAll(selector)].find((e) => e.checkVisibility());
  if (!found) return '';
  const box = found.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2].map(Math.round).join();
}"""
HAND_IS_EMPTY = """() => {
  const sew = document.querySelector('.action-bar .sew');
  return sew?.checkVisibility() && !sew.disabled ? '' : 'yes';
}"""


class Firefox:
    """A page in Firefox, driven by WebDriver BiDi."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._asked = 0
        self.complaints: list[str] = []
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        tree = self.ask("browsingContext.getTree")
        self._context = tree["contexts"][0]["context"]
        self.ask("browsingContext.setViewport", context=self._context, viewport={"width": 1366, "height": 768})

    def ask(self, method: str, **params: Any) -> Any:
        self._asked += 1
        self._socket.send(json.dumps({"id": self._asked, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.recv(timeout=30))
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.complaints.append(answer["params"]["text"])
            if answer.get("id") == self._asked:
                assert answer["type"] == "success", answer
                return answer["result"]

    def go(self, address: str) -> None:
        self.ask("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def run(self, function: str, *texts: str) -> str:
        """The text that a function answers."""
        result = self.ask(
            "script.callFunction",
            functionDeclaration=function,
            arguments=[{"type": "string", "value": text} for text in texts],
            target={"context": self._context},
            awaitPromise=True,
        )
        assert result["type"] == "success", result
        return str(result["result"].get("value", ""))

    def wait(self, function: str, *texts: str) -> str:
        """What the function answers, once it answers something."""
        until = time.monotonic() + 30
        while time.monotonic() < until:
            if found := self.run(function, *texts):
                return found
            time.sleep(0.05)
        raise AssertionError(f"nothing came of {function} {texts}")

    def click(self, selector: str) -> None:
        x, y = map(int, self.wait(SPOT, selector).split(","))
        press = [{"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0}]
        actions = [*press, {"type": "pointerUp", "button": 0}]
        source = {"type": "pointer", "id": "mouse", "actions": actions}
        self.ask("input.performActions", context=self._context, actions=[source])

    def press(self, key: str) -> None:
        actions = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        source = {"type": "key", "id": "keys", "actions": actions}
        self.ask("input.performActions", context=self._context, actions=[source])


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    found = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    log = tmp_path / "firefox.log"
    command = [found, "--headless", "--no-remote", "--profile", str(tmp_path), "--remote-debugging-port", "0"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=output, env={**os.environ, "HOME": str(tmp_path)}
        )
    try:
        for _ in range(600):
            address = re.search(r"WebDriver BiDi listening on (ws://\S+)", log.read_text(errors="replace"))
            if address or process.poll() is not None:
                break
            time.sleep(0.1)
        assert address, log.read_text(errors="replace")
        with connect(f"{address[1]}/session", max_size=None) as socket:
            yield Firefox(socket)
    finally:
        process.terminate()
        process.wait(20)


def test_a_game_begins_in_firefox_and_is_played_by_mouse_and_keys(firefox: Firefox, server: Server) -> None:
    firefox.go(f"{server.address}css/base.css")
    firefox.run("() => localStorage.setItem('quiltwork.animation', '\"off\"')")
    firefox.go(server.address)
    firefox.wait("() => document.documentElement.dataset.ready ?? ''")
    firefox.run(BEGIN)
    made = "(n) => (document.querySelector('main.table')?.dataset.moves > n ? 'yes' : '')"
    firefox.wait(made, "-1")
    firefox.click(".choices .choice[aria-disabled='false']")
    firefox.click(".action-bar .sew:enabled")
    firefox.wait(made, "0")
    for n in range(1, 4):
        firefox.wait(HAND_IS_EMPTY)
        # A key pressed while the page still shows the last move does nothing, so it is pressed until it does.
        for _ in range(20):
            firefox.wait(SPOT, ".advance:enabled")
            firefox.press("a")
            time.sleep(0.2)
            if firefox.run(SPOT, ".action-bar .sew:enabled"):
                break
        firefox.press(ENTER)
        firefox.wait(made, str(n))
    assert firefox.run("() => String(document.querySelectorAll('.quilt .laid .patch').length)") == "1"
    assert firefox.complaints == []
