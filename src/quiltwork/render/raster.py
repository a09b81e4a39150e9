"""SVG pictures as pixels and as animated pictures, with resvg and Pillow (the extra `pictures`)."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, cast

from quiltwork.errors import MissingExtra

if TYPE_CHECKING:
    from PIL import Image

LAST = 4
"""times a moment for which the last picture of an animation is shown"""
_FAMILY = "Aileron"
_IN_EVERY_FONT = str.maketrans("−×", "-x")


class Animation(StrEnum):
    """The formats of animated pictures."""

    WEBP = "webp"
    GIF = "gif"


def png_of(svg: str) -> bytes:
    """A picture as PNG, as many pixels wide as it says; raises MissingExtra."""
    try:
        import resvg_py
    except ImportError:
        raise MissingExtra("a picture made of pixels", "pictures") from None
    drawable = svg.translate(_IN_EVERY_FONT)
    return bytes(resvg_py.svg_to_bytes(svg_string=drawable, font_files=[_font()], sans_serif_family=_FAMILY))


def animated(pictures: Iterable[str], form: Animation, seconds: float) -> bytes:
    """Pictures of one size, one after the other and again and again; raises MissingExtra.

    Each is shown for `seconds`, the last one longer.
    """
    frames = [_pixels(png_of(svg)) for svg in pictures]
    moment = round(1000 * seconds)
    durations = [moment] * (len(frames) - 1) + [LAST * moment]
    first, *others = frames if form is Animation.WEBP else [_indexed(frame) for frame in frames]
    file = BytesIO()
    first.save(
        file, form.value, save_all=True, append_images=others, duration=durations, loop=0, quality=85, method=4
    )
    return file.getvalue()


def _pixels(png: bytes) -> Image.Image:
    from PIL import Image

    return Image.open(BytesIO(png)).convert("RGB")


def _indexed(frame: Image.Image) -> Image.Image:
    """With 256 colours of its own, and no dots between them: cloth has few colours, and dots would flicker."""
    from PIL import Image

    return frame.quantize(256, dither=Image.Dither.NONE)


@cache
def _font() -> str:
    """A file with the font that Pillow brings, so that text is drawn where the system has no font, too."""
    try:
        from PIL import ImageFont
    except ImportError:
        raise MissingExtra("a picture made of pixels", "pictures") from None
    font = cast(ImageFont.FreeTypeFont, ImageFont.load_default(10))
    folder = tempfile.mkdtemp(prefix="quiltwork-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    file = Path(folder) / "aileron.otf"
    file.write_bytes(font.font_bytes)
    return str(file)
