"""Answers that say what went wrong: a named code and one sentence."""

from __future__ import annotations

import json

from starlette.types import Send


class Refusal(Exception):
    """A message or request that is refused; the code is for programs, the sentence for people."""

    def __init__(self, code: str, sentence: str, status: int = 400) -> None:
        self.code = code
        self.sentence = sentence
        self.status = status
        super().__init__(sentence)


async def send_problem(send: Send, status: int, code: str, sentence: str) -> None:
    """Answers an HTTP request with a refusal, below any framework."""
    body = json.dumps({"code": code, "message": sentence}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
