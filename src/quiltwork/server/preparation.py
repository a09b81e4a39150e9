"""Preparation: on a new machine the code is compiled beside the server, while the page is already up.

What needs compiled code waits for its stage; the page and the terminal show how far it is.
"""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from quiltwork.agents import preparation
from quiltwork.agents.warm import RULES, STAGES

if TYPE_CHECKING:
    from rich.progress import Progress

_LOOK_AGAIN = 0.1
_HELD = 2.0
"""seconds that a request waits: shorter than what a server that is stopped leaves to its requests"""
_COME_AGAIN = 1013
"""the websocket code for it"""
_TOO_EARLY = JSONResponse(
    {"code": "preparing", "message": "The rules are still being prepared; ask again in a moment."},
    503,
    headers={"Retry-After": "1"},
)
_WITHOUT_RULES = tuple(
    f"/api/{name}" for name in ("about", "preparation", "editions", "themes", "art", "showcase")
)
"""what the start page asks for first"""


class Preparation(preparation.Preparation):
    """The process that compiles, waited for by requests, with its progress on stderr."""

    @property
    def progress(self) -> dict[str, Any]:
        """The stage in work with its steps; the stage is None when all is done."""
        stage, done, total = self.step or (None, 0, 0)
        return {"stage": stage, "done": done, "total": total}

    async def reached(self, stage: str) -> None:
        """Returns when a stage is done."""
        while not self.has_done(stage):
            await asyncio.sleep(_LOOK_AGAIN)

    def _follow(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        console = Console(stderr=True)
        shown = Progress(
            TextColumn("compiling {task.description}, once"),
            BarColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        with shown:
            for stage, done, total in self._steps():
                _show(shown, stage, done, total)


def _show(shown: Progress, stage: str, done: int, total: int) -> None:
    names = {RULES: "the rules"}
    name = names.get(stage, f"the {stage} opponents")
    if not shown.tasks or shown.tasks[-1].description != name:
        for task in shown.tasks:
            shown.remove_task(task.id)
        shown.add_task(name, total=total)
        if not shown.console.is_terminal:
            print(f"quiltwork: compiling {name}, once ...", file=sys.stderr, flush=True)
    shown.update(shown.tasks[-1].id, completed=done)
    if stage == STAGES[-1] and done == total:
        print("quiltwork: all is compiled", file=sys.stderr, flush=True)


class WaitForRules:
    """Holds requests that need the rules for a moment; after that the visitor is asked to come again."""

    def __init__(self, app: ASGIApp, preparation: Preparation) -> None:
        self._app = app
        self._preparation = preparation

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path, kind = scope.get("path", ""), scope["type"]
        asks = kind == "http" and path.startswith("/api/") and not path.startswith(_WITHOUT_RULES)
        if kind == "websocket" or asks:
            try:
                await asyncio.wait_for(self._preparation.reached(RULES), _HELD)
            except TimeoutError:
                await (WebSocketClose(_COME_AGAIN) if kind == "websocket" else _TOO_EARLY)(scope, receive, send)
                return
        await self._app(scope, receive, send)
