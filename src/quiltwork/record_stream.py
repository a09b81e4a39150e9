"""Large files of records, read in constant memory: tags first, moves only when they are asked for.

>>> import io
>>> file = io.StringIO('[Edition "express"]\\n[Deal "7"]\\n[Player1 "Ada"]\\n\\n1: +1\\n')
>>> for record in stream_records(file):
...     print(record.line, record.tags["Player1"], len(record.game().moves))
1 Ada 1
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from quiltwork.errors import NotationError
from quiltwork.game import Game
from quiltwork.notation.tokens import Kind, tokens
from quiltwork.quilt_file import parse_one

MAX_RECORD_LINES = 100_000
"""a file of moves without tags is no file of records, and must not fill the memory"""

_TAG_LINE = re.compile(r"\s*\[\s*([A-Za-z]\w*)\s")
_PLAIN_TAG = re.compile(r'\[([A-Za-z]\w*) "([^"\\\n]*)"\]\s*')
_COMMENT = re.compile(r"\{[^}]*\}|;[^\n]*")


@dataclass(frozen=True)
class RecordText:
    """One record of a file as it stands there; nothing of it is checked yet."""

    text: str
    """tags and moves"""
    line: int
    """the line of the file at which it begins, from 1"""

    @cached_property
    def tags(self) -> dict[str, str]:
        """The tags alone, without a look at the moves; raises NotationError where they cannot be read."""
        found: dict[str, str] = {}
        lines = self.text.splitlines(keepends=True)
        for number, line in enumerate(lines):
            plain = _PLAIN_TAG.fullmatch(line)
            if plain is not None:
                found[plain[1]] = plain[2]
            elif _TAG_LINE.match(line):
                found.update(self._odd_tags(line, number))
            elif line.strip() and not line.lstrip().startswith(";"):
                break
        return found

    def _odd_tags(self, line: str, number: int) -> dict[str, str]:
        try:
            return {token.text: token.value for token in tokens(line) if token.kind is Kind.TAG}
        except NotationError as error:
            raise self._moved(error, number) from None

    def game(self) -> Game:
        """The game, with every move checked; raises NotationError with the line of the file."""
        try:
            return parse_one(self.text)
        except NotationError as error:
            raise self._moved(error, 0) from None

    def _moved(self, error: NotationError, lines: int) -> NotationError:
        line = self.line + lines + (error.line or 1) - 1
        return NotationError("record", error.reason, line=line, column=error.column)


def stream_records(lines: Iterable[str]) -> Iterator[RecordText]:
    """The records of an open file (or any lines), one at a time; only one is in memory.

    A record begins with the first tag after moves, or with a second tag Edition. Raises NotationError for a
    record of more than `MAX_RECORD_LINES` lines, TypeError for a text or a path in place of an open file.
    """
    if isinstance(lines, str | bytes | os.PathLike):
        raise TypeError(f"expected an open file or its lines, found {type(lines).__name__}: open the file first")
    return _records(lines)


def _records(lines: Iterable[str]) -> Iterator[RecordText]:
    kept: list[str] = []
    begin, has_moves, has_edition, in_comment = 1, False, False, False
    for number, line in enumerate(lines, 1):
        if number == 1:
            line = line.removeprefix("\ufeff")
        tag = None if in_comment else _TAG_LINE.match(line)
        if tag is not None:
            if has_moves or (has_edition and tag[1] == "Edition"):
                yield RecordText("".join(kept), begin)
                kept, has_moves, has_edition = [], False, False
            has_edition = has_edition or tag[1] == "Edition"
        elif not kept and not line.strip():
            continue
        else:
            has_moves = has_moves or bool(line.strip())
            in_comment = _comment_goes_on(line, in_comment)
        if not kept:
            begin = number
        kept.append(line)
        if len(kept) > MAX_RECORD_LINES:
            reason = f"a record of more than {MAX_RECORD_LINES:,} lines"
            raise NotationError("record", reason, line=begin, column=1)
    if kept:
        yield RecordText("".join(kept), begin)


def _comment_goes_on(line: str, inside: bool) -> bool:
    """Whether a comment in braces is open at the end of a line."""
    if inside:
        if "}" not in line:
            return True
        line = line[line.index("}") + 1 :]
    return "{" in line and "{" in _COMMENT.sub("", line)
