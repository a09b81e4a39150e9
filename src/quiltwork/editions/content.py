"""An edition as one JSON text, to be kept beside games and read again where its file is gone.

Its name then is no path: a built-in edition keeps its id, any other content is `id@` and the first digits of its
hash.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from quiltwork.editions.edition import Edition, Patch, available_editions, load_edition, register_edition
from quiltwork.editions.file import FORMAT, edition_of_table
from quiltwork.errors import EditionError

_DIGITS = 10
_NOT_PLAY = ("format", "title", "theme", "source")
"""what an edition may change without another game being played"""


def content_of(edition: Edition) -> str:
    """The whole edition as JSON, with the fields of an edition file."""
    return _json(_table(edition))


def edition_of_content(content: str) -> Edition:
    """The edition of such a text under the name of its content, by which it is found from now on.

    Raises EditionError with all problems of the text.
    """
    try:
        table = json.loads(content)
    except ValueError:
        raise EditionError("edition", ["the kept text is not JSON"]) from None
    return pinned(edition_of_table(table, str(table.get("id", ""))))


def pinned(edition: Edition) -> Edition:
    """The same edition under the name of its content; one that plays as a built-in one of its id is that one."""
    digits = fingerprint(edition)
    if edition.id in available_editions() and fingerprint(load_edition(edition.id)) == digits:
        return load_edition(edition.id)
    named = replace(edition, name=f"{edition.id}@{digits[:_DIGITS]}")
    register_edition(named)
    return named


def fingerprint(edition: Edition) -> str:
    """A hash, in hexadecimal, of all that play depends on: two editions that share it play alike."""
    play = {key: value for key, value in _table(edition).items() if key not in _NOT_PLAY}
    return hashlib.sha256(_json(play).encode()).hexdigest()


def _json(table: Mapping[str, Any]) -> str:
    # Not sorted: the order of the patches is a part of the edition.
    return json.dumps(table, ensure_ascii=False, separators=(",", ":"))


def _table(edition: Edition) -> dict[str, Any]:
    source = edition.source
    table: dict[str, Any] = {
        "format": FORMAT,
        "id": edition.id,
        "title": edition.title,
        "theme": edition.theme,
        "source": {
            "rulebook": source.rulebook,
            "established_by": source.established_by,
            "confidence": source.confidence.value,
            "unverified": list(source.unverified),
        },
        "quilt_board": {
            "drawing": "\n".join(edition.board),
            "points_per_empty_space": edition.points_per_empty_space,
        },
        "time_board": {
            "last_space": edition.last_space,
            "income_spaces": list(edition.income_spaces),
            "special_patch_spaces": list(edition.special_patch_spaces),
        },
        "special_patch": {"may_be_removed": edition.special_patch_may_be_removed},
        "circle": {"start_patch": edition.start_patch, "choices": edition.choices},
        "players": {"start_buttons": edition.start_buttons},
        "patches": {p.code: _patch(p) for p in edition.patches.values() if not p.reserve},
    }
    if edition.special_tile is not None:
        table["special_tile"] = {"square": edition.special_tile.square, "points": edition.special_tile.points}
    if edition.reserve_enters_when_left is not None:
        table["reserve"] = {
            "enters_when_left": edition.reserve_enters_when_left,
            "patches": {p.code: _patch(p) for p in edition.patches.values() if p.reserve},
        }
    return table


def _patch(patch: Patch) -> dict[str, Any]:
    return {"shape": "/".join(patch.shape), "buttons": patch.buttons, "time": patch.time, "income": patch.income}
