"""Compiles what the games of a run need into the cache on disk."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from quiltwork.agents.net.lessons import write_batch
from quiltwork.edition import load_edition
from quiltwork.position import Position
from quiltwork.rules.chance import source_of
from quiltwork.training.group import Group, Shelves, Table, self_play_settings
from quiltwork.training.replay import Batch
from quiltwork.training.rivals import search_rival


def warm(rival: bool) -> None:
    """Plays a step and writes a batch, with all types as in a run."""
    table = Table([load_edition()], [1])
    shelves = Shelves(1, 16)
    group = Group(table, 2, self_play_settings(2, 2, 2, 1.0, 0), 4, shelves, 1, False)
    with ThreadPoolExecutor(1) as pool:
        group.step(pool)
    chosen = np.zeros(0, np.int64)
    samples = shelves.samples.reshape(-1)
    arrays = (array[:0] for array in Batch(2, False).arrays())
    write_batch(samples, chosen, table.editions, table.sights, source_of(1)[:1], *arrays)
    if rival:
        position = Position.initial(deal=1)
        search_rival(8)(position.edition, position.record.copy(), 1)
