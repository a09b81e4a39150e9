"""Limits: how often and how much one visitor may send."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quiltwork.server.answers import send_problem
from quiltwork.server.metrics import Metrics

_VISITORS = 10_000


class Bucket:
    """A token bucket: `rate` a second, with a burst of two seconds' worth (at least one)."""

    def __init__(self, rate: float, burst: float | None = None, clock: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._burst = max(1.0, 2 * rate if burst is None else burst)
        self._clock = clock
        self._level = self._burst
        self._seen = clock()

    def take(self) -> bool:
        """Whether one more is allowed now."""
        moment = self._clock()
        self._level = min(self._burst, self._level + (moment - self._seen) * self._rate)
        self._seen = moment
        if self._level < 1:
            return False
        self._level -= 1
        return True


class Buckets:
    """A bucket for each visitor; the longest unseen is forgotten first."""

    def __init__(self, rate: float, burst: float | None = None) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, visitor: str) -> bool:
        bucket = self._buckets.pop(visitor, None) or Bucket(self._rate, self._burst)
        self._buckets[visitor] = bucket
        if len(self._buckets) > _VISITORS:
            self._buckets.popitem(last=False)
        return bucket.take()


class RequestLimit:
    """ASGI middleware that refuses visitors who ask for anything too often, whatever it is."""

    def __init__(self, app: ASGIApp, rate: float, burst: float, metrics: Metrics) -> None:
        self._app = app
        self._buckets = Buckets(rate, burst)
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._buckets.take((scope.get("client") or ("",))[0]):
            self._metrics.count("refused_total", "too-fast")
            await send_problem(send, 429, "too-fast", "Too many requests; slow down.")
            return
        await self._app(scope, receive, send)


class BodyLimit:
    """ASGI middleware that refuses a request body above the limit, or one whose length is not told before."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        if b"transfer-encoding" in headers:
            # A body in pieces of one byte would cost a second.
            await send_problem(send, 411, "length-required", "A body needs a Content-Length.")
            return
        declared = headers.get(b"content-length", b"0")
        if not declared.isdigit() or int(declared) > self._limit:
            await send_problem(send, 413, "too-large", f"A request may have at most {self._limit} bytes.")
            return
        body = bytearray()
        more = scope["method"] in ("POST", "PUT", "PATCH", "DELETE")
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
        sent = False

        async def replay() -> Message:
            nonlocal sent
            if sent or scope["method"] not in ("POST", "PUT", "PATCH", "DELETE"):
                return await receive()
            sent = True
            return {"type": "http.request", "body": bytes(body), "more_body": False}

        await self._app(scope, replay, send)
