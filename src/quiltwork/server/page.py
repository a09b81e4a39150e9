"""The page's own files: found beside this package, wherever it is installed."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

WEB = Path(__file__).parent.parent / "web"


@lru_cache(maxsize=1)
def index_html() -> str:
    return (WEB / "index.html").read_text(encoding="utf-8")


def languages() -> list[str]:
    """The languages that have a message catalog, English first."""
    found = sorted(path.stem for path in (WEB / "messages").glob("*.json"))
    return ["en", *(language for language in found if language != "en")]
