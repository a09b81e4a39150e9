"""Small drawings that are used again and again: buttons, tokens, special patches, the hourglass.

Each is a `<symbol>` in a square of 20 units around the origin, with the id `PREFIX` + its name.
"""

from __future__ import annotations

from quiltwork.render.markup import tag
from quiltwork.themes import Currency, NeutralToken, Palette, SpecialPatch, Theme, TokenShape
from quiltwork.themes.colour import mix

NAMES = ("button", "time", "special-patch", "neutral-token", "token-1", "token-2", "tile")


def symbol_defs(theme: Theme, dark: bool, *, prefix: str = "") -> str:
    """A `<defs>` element with a symbol for each of `NAMES`."""
    palette = theme.palette(dark=dark)
    drawings = {
        "button": _CURRENCIES[theme.currency](palette),
        "time": _hourglass(palette),
        "special-patch": _SPECIAL_PATCHES[theme.special_patch](palette),
        "neutral-token": _NEUTRAL_TOKENS[theme.neutral_token](palette),
        "token-1": _token(theme.tokens[0], palette.one, "1", palette),
        "token-2": _token(theme.tokens[1], palette.two, "2", palette),
        "tile": _tile(palette),
    }
    return tag(
        "defs",
        *(tag("symbol", drawings[name], id=f"{prefix}{name}", viewBox="-10 -10 20 20") for name in NAMES),
    )


def _circle(x: float, y: float, radius: float, fill: str, stroke: str | None = None, width: float = 1.0) -> str:
    return tag(
        "circle",
        cx=x,
        cy=y,
        r=radius,
        fill=fill,
        stroke=stroke,
        stroke_width=width if stroke is not None else None,
    )


def _shape(path: str, fill: str, stroke: str | None = None, width: float = 1.0) -> str:
    return tag(
        "path",
        d=path,
        fill=fill,
        stroke=stroke,
        stroke_width=width if stroke is not None else None,
        stroke_linejoin="round" if stroke is not None else None,
    )


def _button(palette: Palette) -> str:
    rim = mix(palette.currency, "#ffffff", 0.35)
    holes = "".join(_circle(x, y, 1.35, palette.currency_edge) for x in (-2.1, 2.1) for y in (-2.1, 2.1))
    return (
        _circle(0, 0, 8.8, palette.currency, palette.currency_edge, 1.6)
        + tag("circle", cx=0, cy=0, r=6, fill="none", stroke=rim, stroke_width=1.1)
        + holes
    )


def _eyeball(palette: Palette) -> str:
    veins = "M-8 -2l2.5 .8M-7.5 3l2 -.8M7.8 -2.5l-2 .7M7.5 3.2l-2.2 -.9"
    return (
        _circle(0, 0, 8.8, palette.currency, palette.currency_edge, 1.6)
        + tag("path", d=veins, fill="none", stroke=mix(palette.currency, "#c01020", 0.6), stroke_width=0.7)
        + _circle(0, 0, 4.8, "#4f8f3a", "#24481a", 0.8)
        + _circle(0, 0, 2.4, "#140a18")
        + _circle(-1.6, -1.8, 1.2, "#ffffff")
    )


def _coin(palette: Palette) -> str:
    star = "M0 -4.4L1.2 -1.4L4.4 -1.2L1.9 .8L2.7 4L0 2.2L-2.7 4L-1.9 .8L-4.4 -1.2L-1.2 -1.4Z"
    shade = mix(palette.currency, palette.currency_edge, 0.55)
    return (
        _circle(0, 0, 8.8, palette.currency, palette.currency_edge, 1.6)
        + tag("circle", cx=0, cy=0, r=6.4, fill="none", stroke=shade, stroke_width=0.9)
        + _shape(star, shade)
    )


def _hourglass(palette: Palette) -> str:
    glass = "M-5 -8H5C5 -3.5 1.5 -1.5 1.2 0C1.5 1.5 5 3.5 5 8H-5C-5 3.5 -1.5 1.5 -1.2 0C-1.5 -1.5 -5 -3.5 -5 -8Z"
    sand = (
        "M-3.4 7.4C-3 4.6 -.8 4 0 2C.8 4 3 4.6 3.4 7.4Z"
        "M-2.6 -4.2H2.6C1.6 -2.4 .5 -1.6 0 -.4C-.5 -1.6 -1.6 -2.4 -2.6 -4.2Z"
    )
    return (
        _shape(glass, palette.panel, palette.ink, 1.3)
        + _shape(sand, palette.ink)
        + tag(
            "path",
            d="M-6.6 -8.4H6.6M-6.6 8.4H6.6",
            stroke=palette.ink,
            stroke_width=2,
            stroke_linecap="round",
        )
    )


def _leather(palette: Palette) -> str:
    shine = mix(palette.leather, "#ffffff", 0.18)
    return (
        tag("rect", x=-9.3, y=-9.3, width=18.6, height=18.6, rx=1.6, fill=palette.leather, stroke=palette.edge)
        + _shape("M-8.6 -6.5V-8.6H8.6V-3Q0 -9 -8.6 -6.5Z", shine)
        + tag(
            "rect",
            x=-6.8,
            y=-6.8,
            width=13.6,
            height=13.6,
            rx=1,
            fill="none",
            stroke=palette.leather_stitch,
            stroke_width=1,
            stroke_dasharray="2.2 1.4",
        )
    )


def _box(palette: Palette) -> str:
    tape = mix(palette.leather, "#ffffff", 0.45)
    return (
        tag("rect", x=-9.3, y=-9.3, width=18.6, height=18.6, rx=0.8, fill=palette.leather, stroke=palette.edge)
        + tag("rect", x=-2, y=-8.8, width=4, height=17.6, fill=tape)
        + tag("path", d="M-8.8 0H8.8", stroke=palette.leather_stitch, stroke_width=1)
        + tag(
            "path",
            d="M4.5 6.8V3.6M3.3 4.8L4.5 3.4L5.7 4.8M3 7.4H6",
            fill="none",
            stroke=palette.leather_stitch,
            stroke_width=0.9,
        )
    )


def _spool(palette: Palette) -> str:
    wood = mix(palette.leather, "#ffffff", 0.25)
    thread = palette.accent
    turns = mix(thread, palette.accent_ink, 0.35)
    return (
        tag(
            "rect",
            x=-5.5,
            y=-6,
            width=11,
            height=12,
            rx=1.5,
            fill=thread,
            stroke=palette.edge,
            stroke_width=1,
        )
        + tag("path", d="M-5.2 -3.4L5.2 -2M-5.2 -.8L5.2 .6M-5.2 1.8L5.2 3.2", stroke=turns, stroke_width=0.9)
        + tag("rect", x=-7.5, y=-9, width=15, height=3.6, rx=1.4, fill=wood, stroke=palette.edge, stroke_width=1)
        + tag(
            "rect",
            x=-7.5,
            y=5.4,
            width=15,
            height=3.6,
            rx=1.4,
            fill=wood,
            stroke=palette.edge,
            stroke_width=1,
        )
    )


def _pumpkin(palette: Palette) -> str:
    skin, stem = palette.one, palette.colourways[-1].figure
    return (
        _shape("M-1 -5.5Q-1.6 -8.6 1.6 -9.4L2.6 -7.8Q1 -7.2 1.4 -5.5Z", stem, palette.edge, 0.8)
        + tag("ellipse", cx=0, cy=1.8, rx=9, ry=7.4, fill=skin, stroke=palette.edge, stroke_width=1.1)
        + tag(
            "path",
            d="M-3.6 -4.8Q-7 1.8 -3.6 8.6M3.6 -4.8Q7 1.8 3.6 8.6",
            fill="none",
            stroke=mix(skin, palette.edge, 0.35),
            stroke_width=0.8,
        )
        + _shape(
            "M-5 .6L-3.2 -2.2L-1.6 .6ZM5 .6L3.2 -2.2L1.6 .6Z"
            "M-5.4 3.2Q0 8.2 5.4 3.2L3.6 5.2L2 4.4L.6 6L-.8 4.6L-2.6 5.6Z",
            palette.edge,
        )
    )


def _truck(palette: Palette) -> str:
    return (
        tag("rect", x=-9.3, y=-6.5, width=12, height=10.5, rx=0.8, fill=palette.leather, stroke=palette.edge)
        + tag(
            "path",
            d="M-9 -1.2H2.6",
            stroke=palette.leather_stitch,
            stroke_width=0.8,
            stroke_dasharray="1.6 1.1",
        )
        + _shape("M3 -3.6H6.4L9.4 .2V4H3Z", palette.one, palette.edge)
        + _shape("M4.4 -2.2H5.8L7.6 .2H4.4Z", palette.panel)
        + "".join(_circle(x, 4.8, 2.4, palette.edge) + _circle(x, 4.8, 0.9, palette.panel) for x in (-5.4, 5.2))
    )


_TOKEN_PATHS = {
    TokenShape.CIRCLE: "M-8.8 0A8.8 8.8 0 1 1 8.8 0A8.8 8.8 0 1 1 -8.8 0Z",
    TokenShape.SQUARE: "M-8 -8H8V8H-8Z",
    TokenShape.DIAMOND: "M0 -9.4L9.4 0L0 9.4L-9.4 0Z",
    TokenShape.HEXAGON: "M-9 0L-4.6 -8H4.6L9 0L4.6 8H-4.6Z",
    TokenShape.TRIANGLE: "M0 -9L9.2 7.8H-9.2Z",
}


def _token(shape: TokenShape, fill: str, name: str, palette: Palette) -> str:
    low = 1.6 if shape is TokenShape.TRIANGLE else 0
    return _shape(_TOKEN_PATHS[shape], fill, palette.edge, 1.5) + tag(
        "text",
        name,
        x=0,
        y=3.6 + low,
        font_size=10.5,
        font_weight="bold",
        text_anchor="middle",
        fill=palette.token_ink,
    )


def _tile(palette: Palette) -> str:
    star = "M0 -9L2.6 -3L9 -2.6L4 1.7L5.7 8L0 4.5L-5.7 8L-4 1.7L-9 -2.6L-2.6 -3Z"
    return _shape(star, palette.accent, palette.edge, 1.2)


_CURRENCIES = {Currency.BUTTON: _button, Currency.EYEBALL: _eyeball, Currency.COIN: _coin}
_SPECIAL_PATCHES = {SpecialPatch.LEATHER: _leather, SpecialPatch.BOX: _box}
_NEUTRAL_TOKENS = {
    NeutralToken.SPOOL: _spool,
    NeutralToken.PUMPKIN: _pumpkin,
    NeutralToken.TRUCK: _truck,
}
