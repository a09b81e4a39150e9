"""Colours as `#rrggbb` texts, and how well one is seen on another."""

from __future__ import annotations

import colorsys
import re

_COLOUR = re.compile(r"#[0-9a-f]{6}")


def is_colour(value: object) -> bool:
    """Whether a value is a colour as themes write it: `#` and six lower-case hex digits."""
    return isinstance(value, str) and _COLOUR.fullmatch(value) is not None


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(first: str, second: str, share: float) -> str:
    """A colour between two, with this share of the second."""
    mixed = (round(a + (b - a) * share) for a, b in zip(channels(first), channels(second), strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def contrast(first: str, second: str) -> float:
    """The contrast ratio of the Web Content Accessibility Guidelines, 1 to 21."""
    darker, lighter = sorted((_luminance(first), _luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(channel / 255) for channel in channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


_HUES = ((15, "red"), (42, "orange"), (70, "yellow"), (165, "green"), (255, "blue"), (330, "purple"), (360, "red"))


def nearest_colour(colour: str) -> str:
    """The plain English word for a colour: a hue, or `grey` where there is hardly any."""
    hue, _, saturation = colorsys.rgb_to_hls(*(channel / 255 for channel in channels(colour)))
    if saturation < 0.12:
        return "grey"
    return next(word for end, word in _HUES if hue * 360 <= end)
