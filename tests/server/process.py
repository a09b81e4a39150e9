"""A server in a process of its own, to be attacked and killed."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from websockets.sync.client import ClientConnection, connect

SCRIPT = """
import json
import resource
import sys
from quiltwork.server.logs import set_up_logs
from quiltwork.server.run import listen, serve
from quiltwork.server.settings import Role, Settings
if __name__ == "__main__":
    more = json.loads(sys.argv[3])
    if files := more.pop("files", 0):
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    more["role"] = Role(more.get("role", "all"))
    settings = Settings(database_url=sys.argv[2], engine_warm_up=False, computer_pace=0.0, **{"drain": 0.0, **more})
    set_up_logs()
    serve(settings, listen("127.0.0.1", int(sys.argv[1])))
"""


class Process:
    """A server that can be killed and started again; settings may be given, and `files`, the limit of open files."""

    def __init__(self, folder: Path, database: str = "", /, **settings: Any) -> None:
        folder.mkdir(exist_ok=True)
        with closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.log = folder / "log"
        self._script = folder / "serve.py"
        self._script.write_text(SCRIPT)
        self._database = database or f"sqlite:///{folder / 'games.sqlite3'}"
        self._settings = json.dumps(settings)
        self.start()

    def start(self) -> None:
        command = [sys.executable, str(self._script), str(self.port), self._database, self._settings]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(command, stderr=log)
        for _ in range(600):
            try:
                with urlopen(f"http://127.0.0.1:{self.port}/health", timeout=2):
                    return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("the server did not come up")

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(10)

    def end(self) -> int:
        """Asks the process to end, as a host does; its exit status."""
        self.ask_to_end()
        return self._process.wait(20)

    def ask_to_end(self) -> None:
        self._process.terminate()

    def ask(self, path: str) -> tuple[int, Any]:
        """The status and the JSON of an answer."""
        try:
            with urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
                return answer.status, json.load(answer)
        except HTTPError as refused:
            return refused.code, json.load(refused)

    def create(self, **wanted: Any) -> dict[str, Any]:
        body = {"deal": 1, "seats": [{"kind": "human"}, {"kind": "human", "remote": True}], **wanted}
        request = Request(f"http://127.0.0.1:{self.port}/api/games", json.dumps(body).encode())
        request.add_header("Content-Type", "application/json")
        with urlopen(request, timeout=10) as answer:
            made: dict[str, Any] = json.load(answer)
        return made

    @contextmanager
    def sit(self, token: str) -> Iterator[ClientConnection]:
        with connect(f"ws://127.0.0.1:{self.port}/ws") as connection:
            connection.send(json.dumps({"type": "hello", "token": token}))
            yield connection


def until(connection: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(connection.recv(timeout=20))
        if message["type"] == kind:
            return message
