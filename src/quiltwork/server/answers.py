"""Answers that say what went wrong: a named code and one sentence."""

from __future__ import annotations

from typing import Any

import orjson
from starlette.types import Send


class Refusal(Exception):
    """A message or request that is refused; the code is for programs, the sentence for people.

    `retry` is set where the same message will do after so many seconds.
    """

    def __init__(self, code: str, sentence: str, status: int = 400, retry: float | None = None) -> None:
        self.code = code
        self.sentence = sentence
        self.status = status
        self.retry = retry
        super().__init__(sentence)


class Unavailable(Refusal):
    """The database failed, or did not answer in time; what was asked may have been done all the same."""

    def __init__(self) -> None:
        super().__init__("storage", "The games cannot be reached at the moment; try again soon.", 503, 1.0)


class UnknownGame(Refusal):
    """There is no game of that id, or none any more."""

    def __init__(self) -> None:
        super().__init__("unknown-game", "There is no such game.", 404)


def dumps(message: dict[str, Any]) -> str:
    """A message as JSON."""
    return orjson.dumps(message).decode()


async def send_problem(send: Send, status: int, code: str, sentence: str) -> None:
    """Answers an HTTP request with a refusal, below any framework, and ends the connection."""
    body = orjson.dumps({"code": code, "message": sentence})
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
