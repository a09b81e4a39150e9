"""What was found out about quilts: a tree has the same quilt in many of its positions.

Each player has a table in which a quilt has one place, and drives out what was there.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from quiltwork.rules.bits import count
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import MAX_PATCHES, EditionRecord, PositionRecord, record_type
from quiltwork.rules.quilt import fits

BITS = 9
QUILTS = 1 << BITS
UNKNOWN = -1
SUMS = 32
"""what the net sums a quilt up in"""
_SHIFT = np.uint64(64 - BITS)
_LOW, _HIGH = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)

QUILT = record_type(
    [
        ("low", np.uint64),  # its empty spaces
        ("high", np.uint64),
        ("known", np.int64),
        ("summed", np.int64),
        ("sums", np.int16, (SUMS,)),
        ("places", np.int16, (MAX_PATCHES,)),  # in how many a patch fits
    ]
)
MEMORY = record_type([("quilts", QUILT, (2, QUILTS))])
QuiltRecord: TypeAlias = Any
MemoryRecord: TypeAlias = Any


@compiled
def forget_quilts(memory: MemoryRecord) -> None:
    """Makes a memory fit for use: what it holds is true of one edition and one net only."""
    for player in range(2):
        for i in range(QUILTS):
            memory.quilts[player, i].known = 0


@compiled_inline
def recall(memory: MemoryRecord, position: PositionRecord, player: int) -> QuiltRecord:
    """What is known of a player's quilt; it stays true until another quilt of that player is asked for."""
    low, high = position.free[player, 0], position.free[player, 1]
    quilt = memory.quilts[player, np.int64((low * _LOW ^ high * _HIGH) >> _SHIFT)]
    if not quilt.known or quilt.low != low or quilt.high != high:
        quilt.low, quilt.high = low, high
        quilt.known = 1
        quilt.summed = 0
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
