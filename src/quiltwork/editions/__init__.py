"""Editions: what one box holds and how it plays, as data; the built-in ones are the `.toml` files here."""

from quiltwork.editions.edition import (
    DEFAULT_EDITION,
    EDITIONS_FOLDER,
    Confidence,
    Edition,
    Patch,
    Source,
    SpecialTile,
    available_editions,
    edition_of,
    load_edition,
)

__all__ = [
    "DEFAULT_EDITION",
    "EDITIONS_FOLDER",
    "Confidence",
    "Edition",
    "Patch",
    "Source",
    "SpecialTile",
    "available_editions",
    "edition_of",
    "load_edition",
]
