"""The page's own files: found beside this package, wherever it is installed, and kept ready to send."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from quiltwork.messages import MESSAGES_FOLDER

WEB = Path(__file__).parent.parent / "web"
_TYPES = {".mjs": "text/javascript", ".js": "text/javascript", ".webmanifest": "application/manifest+json"}


@lru_cache(maxsize=1)
def index_html() -> str:
    return (WEB / "index.html").read_text(encoding="utf-8")


@dataclass(frozen=True)
class _File:
    """A file as it is sent: plain and compressed."""

    changed: int
    media_type: str
    tag: str
    plain: bytes
    packed: bytes

    @classmethod
    def read(cls, path: Path) -> _File:
        content = path.read_bytes()
        media_type = _TYPES.get(path.suffix) or guess_type(path.name)[0] or "text/plain"
        tag = f'"{sha256(content).hexdigest()[:16]}"'
        return cls(path.stat().st_mtime_ns, media_type, tag, content, gzip.compress(content, mtime=0))


class PageFiles:
    """Serves the page's files from memory, and reads one again when it has changed.

    The browser asks each time whether a file changed, so that an update is never half.
    """

    def __init__(self) -> None:
        self._paths = {f"/{path.relative_to(WEB).as_posix()}": path for path in WEB.rglob("*") if path.is_file()}
        self._paths |= {f"/messages/{path.name}": path for path in MESSAGES_FOLDER.glob("*.json")}
        self._files: dict[str, _File] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise RuntimeError("files are served by HTTP")
        await self._answer(Request(scope))(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            raise HTTPException(405, "Method Not Allowed", {"Allow": "GET, HEAD"})
        file = self._find(request.scope["path"])
        headers = {"Cache-Control": "no-cache", "ETag": file.tag}
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", "") and len(file.packed) < len(file.plain):
            headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
            return Response(file.packed, media_type=file.media_type, headers=headers)
        return Response(file.plain, media_type=file.media_type, headers=headers)

    def _find(self, address: str) -> _File:
        path = self._paths.get(address)
        if path is None or not path.is_file():
            raise HTTPException(404, "Not Found")
        file = self._files.get(address)
        if file is None or file.changed != path.stat().st_mtime_ns:
            file = self._files[address] = _File.read(path)
        return file
