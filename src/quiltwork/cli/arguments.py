"""What commands share: reading positions and files, and printing results."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from quiltwork.errors import NotationError, QuiltworkError
from quiltwork.notation.positions import FIELDS, parse_lines, parse_setup
from quiltwork.position import Position

MAX_FILE_BYTES = 64_000_000


def add_position(parser: argparse.ArgumentParser) -> None:
    """A position as one quoted text, or as its six fields; `-` reads it from the input."""
    parser.add_argument("position", nargs="+", metavar="POSITION", help="in notation, or - for standard input")


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """The type of an option that is a whole number within limits."""
    limits = f"of at least {least}" if most is None else f"from {least} to {most}"

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least or (most is not None and number > most):
            raise argparse.ArgumentTypeError(f"expected a whole number {limits}, found {text[:30]!r}")
        return number

    return read


def add_deal(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--deal", type=whole(0), metavar="N", help="deal number: the same number gives the same circle"
    )
    # Programs rely on the older name.
    parser.add_argument("--seed", dest="deal", type=whole(0), default=argparse.SUPPRESS, help=argparse.SUPPRESS)


def add_color(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="when to print colours (auto)"
    )


def wants_color(options: argparse.Namespace) -> bool:
    """Whether to print colours: as asked for, else in a terminal unless NO_COLOR is set."""
    if options.color != "auto":
        return bool(options.color == "always")
    dumb = os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not dumb and not os.environ.get("NO_COLOR")


def split_position(words: list[str]) -> tuple[str, list[str]]:
    """The position at the beginning of the words, quoted or not, and the words after it."""
    if words[0] == "-" or len(words[0].split()) >= len(FIELDS):
        return words[0], words[1:]
    return " ".join(words[: len(FIELDS)]), words[len(FIELDS) :]


def read_position(text: str) -> Position:
    """The position of a text, or of standard input (`-`)."""
    if text != "-":
        setup, _ = parse_setup(text)
    else:
        found = list(parse_lines(read_text("-")))
        if len(found) != 1:
            raise NotationError("standard input", f"expected one position, found {len(found)}")
        setup = found[0][1]
    return Position.from_setup(setup)


def read_positions(text: str) -> list[Position]:
    """The position of a text, or all those of standard input (`-`), one a line."""
    if text != "-":
        return [read_position(text)]
    found = [Position.from_setup(setup) for _, setup, _ in parse_lines(read_text("-"))]
    if not found:
        raise NotationError("standard input", "expected positions, found none")
    return found


def read_text(name: str) -> str:
    """The text of a file, or of standard input (`-`); raises QuiltworkError for what is no text."""
    shown = "standard input" if name == "-" else name
    if name == "-":
        content = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    else:
        path = Path(name)
        try:
            if path.is_dir():
                raise QuiltworkError(f"{shown}: is a folder, not a file")
            with path.open("rb") as file:
                content = file.read(MAX_FILE_BYTES + 1)
        except (OSError, ValueError) as error:
            raise QuiltworkError(f"{shown}: {getattr(error, 'strerror', None) or 'cannot be read'}") from None
    if len(content) > MAX_FILE_BYTES:
        raise QuiltworkError(
            f"{shown}: is larger than {MAX_FILE_BYTES // 1_000_000} MB, too large for records or positions"
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise QuiltworkError(f"{shown}: is not UTF-8 text (byte {error.start})") from None
    if "\0" in text:
        raise QuiltworkError(f"{shown}: is not text (a zero byte at {text.index(chr(0))})")
    if not text.strip():
        raise QuiltworkError(f"{shown}: is empty")
    return text


def print_json(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False))
