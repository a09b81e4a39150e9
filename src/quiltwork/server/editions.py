"""The editions of a server: those it offers, and those that its games were begun with.

A game keeps its whole edition, by hash, in the database. So it plays on when a file moves, changes or goes, and
when the numbers of a built-in edition are corrected. Visitors never see a path: an edition's name is its id, or
`id@` and the first digits of its hash (`quiltwork.editions.content`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from quiltwork import (
    Edition,
    QuiltworkError,
    Theme,
    available_editions,
    available_themes,
    load_edition,
    load_theme,
)
from quiltwork.editions.content import pinned
from quiltwork.editions.edition import register_edition
from quiltwork.server.answers import Refusal
from quiltwork.server.setups import GameSetup
from quiltwork.server.store import Store
from quiltwork.themes import theme_of

MAX_ID = 40
_PINNED = re.compile(r"[a-z0-9][a-z0-9-]*@[0-9a-f]{10}")


def offered_editions(files: Iterable[Path]) -> dict[str, Edition]:
    """The built-in editions and those of the files, by id; raises QuiltworkError where an id is taken already."""
    offered = {name: load_edition(name) for name in available_editions()}
    taken: dict[str, Path] = {}
    for file in files:
        edition = load_edition(file)
        if edition.id in available_editions():
            raise QuiltworkError(
                f"edition file {file}: its id is {edition.id!r}, which a built-in edition has; "
                f'give it one of its own, such as id = "my-{edition.id}"'
            )
        if edition.id in taken:
            raise QuiltworkError(
                f"edition file {file}: its id is {edition.id!r}, which {taken[edition.id]} has too; "
                "give each an id of its own"
            )
        if len(edition.id) > MAX_ID:
            raise QuiltworkError(f"edition file {file}: its id has more than {MAX_ID} characters")
        taken[edition.id] = file
        # The file of a theme is the server's own affair: visitors know themes by their ids.
        offered[edition.id] = pinned(replace(edition, theme=theme_of(edition).id))
        register_edition(offered[edition.id], edition.id)
    return offered


def offered_themes(files: Iterable[Path]) -> dict[str, Theme]:
    """The built-in themes and those of the editions' files, by id; raises QuiltworkError where an id is taken."""
    offered = {name: load_theme(name) for name in available_themes()}
    for file in files:
        theme = theme_of(load_edition(file))
        if offered.setdefault(theme.id, theme) != theme:
            raise QuiltworkError(
                f"edition file {file}: the id of its theme is {theme.id!r}, which another theme has; "
                f'give it one of its own, such as id = "my-{theme.id}"'
            )
        if len(theme.id) > MAX_ID:
            raise QuiltworkError(f"edition file {file}: the id of its theme has more than {MAX_ID} characters")
    return offered


class Editions:
    """Finds editions by the names that visitors, records and stored games use."""

    def __init__(self, files: Iterable[Path], store: Store) -> None:
        files = tuple(files)
        self.offered: Mapping[str, Edition] = offered_editions(files)
        self.themes: Mapping[str, Theme] = offered_themes(files)
        self._store = store
        store.keep_editions(self.offered.values())

    def find(self, name: str) -> Edition:
        """The edition of that name; may ask the database. A name is never looked for in the file system."""
        found = self.offered.get(name)
        if found is None and _PINNED.fullmatch(name):
            try:
                found = load_edition(name)
            except QuiltworkError:
                found = self._store.read_edition(name)
        if found is None:
            raise Refusal("unknown-edition", f"There is no edition {name[:60]!r}.", 404)
        return found

    def of_game(self, setup: GameSetup, kept: Edition | None) -> Edition:
        """The edition of a stored game: the one kept with it, or for a game from before, the one that it names."""
        found = kept or named_edition(setup.edition, setup.start) or self.offered.get(setup.edition)
        if found is None:
            raise Refusal(
                "edition-gone",
                f"The edition {setup.edition!r} of this game is not here any more; "
                "a server that is given its file again goes on with the game.",
                410,
            )
        return found


def named_edition(identifier: str, start: str) -> Edition | None:
    """The edition that a set-up names by id or by the path in its first position, if it can still be read."""
    name = start.partition(" ")[0]
    try:
        found = load_edition(name)
    except QuiltworkError:
        return None
    return pinned(found) if found.id == identifier else None


def with_edition(setup: GameSetup, edition: Edition) -> GameSetup:
    """The set-up with the name that its edition has now, which may have been a path before."""
    rest = setup.start.partition(" ")[2]
    return setup.model_copy(update={"edition": edition.name, "start": f"{edition.name} {rest}"})
