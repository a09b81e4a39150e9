"""Output that is not UTF-8: characters that it cannot hold are drawn in ASCII."""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Mapping

_HANDLER = "quiltwork.ascii"


def draw_in_ascii_where_needed() -> None:
    """Lets the standard streams print the ASCII stand-in of each character that their encoding lacks."""
    codecs.register_error(_HANDLER, _in_ascii)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors=_HANDLER)


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    from quiltwork.render.sheet import ASCII

    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_ascii(character, ASCII) for character in lacking), error.end


def _ascii(character: str, drawn: Mapping[int, int | str]) -> str:
    found = character.translate(drawn)
    return found if found.isascii() else "?"
