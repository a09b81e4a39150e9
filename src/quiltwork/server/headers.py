"""Headers that tell the browser to trust nothing but this page's own files."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_INLINE = re.compile(r"<script type=\"importmap\">(.*?)</script>", re.DOTALL)


def content_security_policy(page: str) -> str:
    """The policy for a page whose only inline script is its import map."""
    hashes = " ".join(
        f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in _INLINE.findall(page)
    )
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src 'self' {hashes}",
            "style-src 'self'",
            "img-src 'self' data: blob:",
            "connect-src 'self'",
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        ]
    )


_NEVER_DOCUMENTS = {"text/css", "text/javascript", "application/json"}
_WORKER = "/sw.js"
"""A worker has a policy of its own."""


class SecurityHeaders:
    """ASGI middleware that adds the headers to every answer.

    A browser heeds the policies of documents and workers alone: styles, scripts and data go without, as they are
    most of what a first visit transfers.
    """

    def __init__(self, app: ASGIApp, policy: str) -> None:
        self._app = app
        self._policies = {
            "Content-Security-Policy": policy,
            "Cross-Origin-Opener-Policy": "same-origin",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
        }
        self._headers = {
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                kind = headers.get("content-type", "").partition(";")[0]
                ruled = kind not in _NEVER_DOCUMENTS or scope.get("path") == _WORKER
                for name, value in (self._headers | (self._policies if ruled else {})).items():
                    headers.setdefault(name, value)
                if scope["app"].state.leaving:
                    headers["Connection"] = "close"
                if scope.get("scheme") == "https":
                    headers.setdefault("Strict-Transport-Security", "max-age=31536000")
                if scope.get("path", "").startswith("/api/game"):
                    # What a token shows is for its holder alone, and only now.
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, send_with_headers)
