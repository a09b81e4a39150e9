"""Which placement leaves the best quilt: the patches that simulations predict are sewn on, by a beam.

Every placement in question is tried with the same predictions, so that chance does not decide between them.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from quiltwork.agents.engine.candidates import CANDIDATES, CandidatesRecord, tightest_placements
from quiltwork.agents.engine.policy import PolicyRecord
from quiltwork.agents.engine.tables import TablesRecord, signed
from quiltwork.rules.bits import ONE, ZERO, bit, count
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import EditionRecord, PositionRecord, record_type
from quiltwork.rules.steps import ring_place

MAX_PREDICTIONS = 256
MAX_BEAM = 16

PREDICTIONS = record_type(
    [
        ("written", np.int64),  # in all; the oldest are overwritten
        ("code", np.int64, (MAX_PREDICTIONS,)),  # the move at the root
        ("patches", np.uint64, (MAX_PREDICTIONS,)),  # bit p: the mover took patch p afterwards
        ("special", np.int64, (MAX_PREDICTIONS,)),  # special patches that the mover placed afterwards
    ]
)
PredictionsRecord: TypeAlias = Any

BEAM = record_type(
    [
        ("count", np.int64),
        ("low", np.uint64, (MAX_BEAM,)),
        ("high", np.uint64, (MAX_BEAM,)),
        ("cost", np.int64, (MAX_BEAM,)),
        ("waste", np.int64, (MAX_BEAM,)),  # cells of patches that found no place
    ]
)
BeamRecord: TypeAlias = Any


@compiled_inline
def predict(
    predictions: PredictionsRecord, root: PositionRecord, end: PositionRecord, edition: EditionRecord, code: int
) -> None:
    """Keeps what the mover of the root took in a simulation that began with a move."""
    mover = root.turn
    patches = ZERO
    for patch in range(edition.patch_count):
        where = end.placed[patch]
        if where != root.placed[patch] and where >> 10 == mover:
            patches |= bit(patch)
    row = predictions.written % MAX_PREDICTIONS
    predictions.code[row] = code
    predictions.patches[row] = patches
    before = count(root.special[mover, 0]) + count(root.special[mover, 1])
    predictions.special[row] = count(end.special[mover, 0]) + count(end.special[mover, 1]) - before
    predictions.written += 1


@compiled_inline
def _keep(beam: BeamRecord, width: int, low: Any, high: Any, cost: int, waste: int) -> None:
    """Adds a quilt to a beam that is sorted: least waste first, then least cost."""
    i = beam.count
    if i == width:
        i -= 1
        if waste > beam.waste[i] or (waste == beam.waste[i] and cost >= beam.cost[i]):
            return
    for j in range(beam.count):
        if beam.low[j] == low and beam.high[j] == high:
            return
    while i > 0 and (beam.waste[i - 1] > waste or (beam.waste[i - 1] == waste and beam.cost[i - 1] > cost)):
        beam.low[i] = beam.low[i - 1]
        beam.high[i] = beam.high[i - 1]
        beam.cost[i] = beam.cost[i - 1]
        beam.waste[i] = beam.waste[i - 1]
        i -= 1
    beam.low[i] = low
    beam.high[i] = high
    beam.cost[i] = cost
    beam.waste[i] = waste
    beam.count = min(width, beam.count + 1)


@compiled
def _pack(
    beams: Any,
    candidates: CandidatesRecord,
    root: PositionRecord,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    patches: Any,
    width: int,
) -> int:
    """Sews patches on the quilt in `beams[0]`, in the order of the circle; returns the least waste."""
    now = 0
    for slot in range(count(root.present)):
        patch = signed(root.ring[ring_place(root, slot)])
        if patches & bit(patch) == ZERO:
            continue
        patches ^= bit(patch)
        now = _sew(beams, now, candidates, edition, tables, policy, patch, width)
    # What was still in the reserve comes in any order.
    patch = 0
    while patches != ZERO:
        if patches & ONE != ZERO:
            now = _sew(beams, now, candidates, edition, tables, policy, patch, width)
        patches >>= ONE
        patch += 1
    return beams[now].waste[0]


@compiled
def _sew(
    beams: Any,
    now: int,
    candidates: CandidatesRecord,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    patch: int,
    width: int,
) -> int:
    """One patch on every quilt of a beam; returns which of the two beams holds the result."""
    here = beams[now]
    after = beams[1 - now]
    after.count = 0
    size = signed(edition.patch_cells[patch])
    for i in range(here.count):
        low, high = here.low[i], here.high[i]
        tightest_placements(low, high, edition, tables, policy, patch, width, candidates)
        if candidates.found == 0:
            _keep(after, width, low, high, here.cost[i], here.waste[i] + size)
        for j in range(candidates.found):
            _keep(
                after,
                width,
                low & ~candidates.low[j],
                high & ~candidates.high[j],
                candidates.cost[j],
                here.waste[i],
            )
    return 1 - now


@compiled
def wastes(
    root: Any,
    edition: Any,
    tables: Any,
    policy: Any,
    free: Any,
    first: int,
    predictions: Any,
    row: int,
    width: int,
    found: Any,
) -> None:
    """Adds, for each quilt in `free`, the cells of the patches predicted in a row that find no place on it.

    `first` is the patch that lies on those quilts already, -1 for none.
    """
    beams = np.empty(2, BEAM)
    candidates = np.empty(1, CANDIDATES)
    patches = predictions[0].patches[row]
    if first >= 0:
        patches &= ~bit(first)
    for i in range(len(free)):
        beams[0].count = 1
        beams[0].low[0] = free[i, 0]
        beams[0].high[0] = free[i, 1]
        beams[0].cost[0] = 0
        beams[0].waste[0] = 0
        found[i] += _pack(beams, candidates[0], root[0], edition[0], tables[0], policy[0], patches, width)
