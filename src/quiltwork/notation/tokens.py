"""The pieces of a record file: tags, moves, comments and marks, each with its line and column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from quiltwork.errors import NotationError


class Kind(Enum):
    TAG = auto()
    COMMENT = auto()
    OPEN = auto()
    CLOSE = auto()
    MARK = auto()
    """`1:` or `2:`"""
    SUFFIX = auto()
    """`!`, `??` and the like"""
    MOVE = auto()


@dataclass(frozen=True)
class Token:
    kind: Kind
    text: str
    line: int
    column: int
    value: str = ""
    """the value of a tag"""


_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<line_comment>;[^\n]*)
  | (?P<comment>\{[^}]*\})
  | (?P<tag>\[\s*(?P<key>[A-Za-z][A-Za-z0-9_]*)\s+"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\])
  | (?P<open>\()
  | (?P<close>\))
  | (?P<mark>[0-9]+:)
  | (?P<suffix>[!?]+)
  | (?P<move>[^\s(){};!?\[\]]+)
    """,
    re.VERBOSE,
)
_KINDS = {"open": Kind.OPEN, "close": Kind.CLOSE, "mark": Kind.MARK, "suffix": Kind.SUFFIX, "move": Kind.MOVE}


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a file; raises NotationError at the first piece that is none."""
    at, line, line_start = 0, 1, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        column = at - line_start + 1
        if match is None:
            raise NotationError("record", _complaint(text, at), line=line, column=column)
        kind = match.lastgroup
        found = match.group()
        if match.group("tag"):
            value = re.sub(r"\\(.)", r"\1", match.group("value"))
            yield Token(Kind.TAG, match.group("key"), line, column, value)
        elif kind == "comment":
            yield Token(Kind.COMMENT, " ".join(found[1:-1].split()), line, column)
        elif kind == "line_comment":
            yield Token(Kind.COMMENT, " ".join(found[1:].replace("}", ")").split()), line, column)
        elif kind in _KINDS:
            yield Token(_KINDS[kind], found, line, column)
        newlines = found.count("\n")
        if newlines:
            line += newlines
            line_start = at + found.rindex("\n") + 1
        at = match.end()


def _complaint(text: str, at: int) -> str:
    if text[at] == "{":
        return "a comment that does not end: '}' is missing"
    if text[at] == "[":
        shown = text[at : at + 30].split("\n")[0]
        return f'expected a tag such as [Edition "patchwork"], found {shown!r}'
    return f"unexpected {text[at]!r}"
