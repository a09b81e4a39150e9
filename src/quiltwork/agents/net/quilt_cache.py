"""A direct-mapped cache of quilts: a tree has the same quilt in many of its positions.

Each player has a table, keyed by the quilt's empty spaces; a new quilt replaces the entry in its slot.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from quiltwork.rules.bits import count
from quiltwork.rules.compiler import compiled_inline
from quiltwork.rules.layout import MAX_PATCHES, EditionRecord, PositionRecord
from quiltwork.rules.quilt import fits
from quiltwork.rules.record import Int16s, Int64, Records, Word, record_type

BITS = 9
QUILTS = 1 << BITS
UNKNOWN = -1
EMBEDDING = 32
"""numbers that the net sums a quilt up in"""
_SHIFT = np.uint64(64 - BITS)
_LOW, _HIGH = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)


class QuiltRecord:
    """What is known of a quilt."""

    low: Word  # its empty spaces
    high: Word
    filled: Int64
    embedded: Int64
    embedding: Annotated[Int16s, EMBEDDING]
    places: Annotated[Int16s, MAX_PATCHES]  # in how many a patch fits


class QuiltCacheRecord:
    """The quilts of both players; it is true of one edition and one net only."""

    quilts: Annotated[Records[QuiltRecord], 2, QUILTS]


QUILT_CACHE = record_type(QuiltCacheRecord)


@compiled_inline
def cached_quilt(cache: QuiltCacheRecord, position: PositionRecord, player: int) -> QuiltRecord:
    """The entry of a player's quilt; it stays true until another quilt of that player is looked up."""
    low, high = position.free[player, 0], position.free[player, 1]
    quilt = cache.quilts[player, np.int64((low * _LOW ^ high * _HIGH) >> _SHIFT)]
    if not quilt.filled or quilt.low != low or quilt.high != high:
        quilt.low, quilt.high = low, high
        quilt.filled = 1
        quilt.embedded = 0
        for patch in range(MAX_PATCHES):
            quilt.places[patch] = UNKNOWN
    return quilt


@compiled_inline
def places(quilt: QuiltRecord, edition: EditionRecord, patch: int) -> int:
    """In how many places a patch fits on a quilt."""
    if quilt.places[patch] == UNKNOWN:
        size = edition.patch_cells[patch]
        found = 0
        for shape in range(edition.first_shape[patch], edition.first_shape[patch + 1]):
            low, high = fits(edition, shape, size, quilt.low, quilt.high)
            found += count(low) + count(high)
        quilt.places[patch] = found
    return quilt.places[patch]
