"""Writing SVG: elements with escaped attributes, and short numbers."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

MINUS = "\N{MINUS SIGN}"


def number(value: float) -> str:
    """A number with at most two decimals, as short as possible."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text


def tag(name: str, *children: str, **attributes: str | float | None) -> str:
    """An element; children are markup, an attribute's underscores stand for hyphens, None leaves it out."""
    written = "".join(
        f" {key.replace('_', '-')}={quoteattr(value if isinstance(value, str) else number(value))}"
        for key, value in attributes.items()
        if value is not None
    )
    if not children:
        return f"<{name}{written}/>"
    return f"<{name}{written}>{''.join(children)}</{name}>"


def text(content: str, x: float, y: float, size: float, fill: str, **attributes: str | float | None) -> str:
    """A line of text, escaped."""
    return tag("text", escape(content), x=x, y=y, font_size=size, fill=fill, **attributes)


def clipped(content: str, length: int) -> str:
    """A text that is cut, with an ellipsis, where it is longer than so many characters."""
    return content if len(content) <= length else content[: length - 1].rstrip() + "\N{HORIZONTAL ELLIPSIS}"


def move(x: float, y: float, scale: float = 1.0) -> str:
    """The value of a `transform` that scales, then moves."""
    moved = f"translate({number(x)} {number(y)})"
    return moved if scale == 1 else f"{moved} scale({scale:.4g})"


def use(identity: str, x: float, y: float, width: float) -> str:
    """A symbol of that id, square, centred on a point."""
    return tag("use", href=f"#{identity}", x=x - width / 2, y=y - width / 2, width=width, height=width)
