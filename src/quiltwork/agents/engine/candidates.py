"""The moves that a search considers: for each patch the few tightest placements, each with a prior."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from quiltwork.agents.engine.cells import take_first
from quiltwork.agents.engine.judge import quilt_cost
from quiltwork.agents.engine.policy import PolicyRecord, worth_of_advance, worth_of_patch
from quiltwork.agents.engine.tables import TablesRecord, signed
from quiltwork.agents.engine.windows import UNFOLDED, change_of_cost, unfold
from quiltwork.rules.bits import ONE, ZERO, contains
from quiltwork.rules.chance import mix
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import LAY, MAX_CHOICES, SPECIAL, TURN, EditionRecord, PositionRecord, record_type
from quiltwork.rules.moves import (
    ADVANCE,
    code_of_patch,
    code_of_removal,
    code_of_special_patch,
    code_of_take,
)
from quiltwork.rules.quilt import cells_of_shape, empty_spaces, fits, fits_somewhere, single_cell
from quiltwork.rules.steps import can_pay, choice_count, reserve_enters, ring_place

MAX_PLACEMENTS = 64
KEPT = 4
"""placements of a patch on a quilt that are remembered"""
_BITS = 10
_SHIFT = np.uint64(64 - _BITS)
MAX_CANDIDATES = 1 + MAX_CHOICES * MAX_PLACEMENTS
LATER = -1
"""the code for the first choice, and less for the others, if its place is chosen only when it is tried"""

LIST = record_type(
    [
        ("key", np.uint64),  # of the quilt and the patch, 0 if there is none yet
        ("room", np.int16),
        ("found", np.int16),
        ("place", np.int16, (KEPT,)),
        ("cost", np.int32, (KEPT,)),
    ]
)
CANDIDATES = record_type(
    [
        ("count", np.int64),
        ("code", np.int64, (MAX_CANDIDATES,)),
        ("prior", np.float64, (MAX_CANDIDATES,)),
        ("wish", np.float64, (1 + MAX_CHOICES,)),  # for the advance, then for each choice; see `weigh`
        # the placements of one patch, best first
        ("found", np.int64),
        ("cost", np.int64, (MAX_PLACEMENTS,)),
        ("place", np.int64, (MAX_PLACEMENTS,)),
        ("low", np.uint64, (MAX_PLACEMENTS,)),
        ("high", np.uint64, (MAX_PLACEMENTS,)),
        ("symmetry", np.int64, (7,)),  # whether the quilt has that symmetry of the board
        ("symmetric", np.int64),
        ("quilt", UNFOLDED),
        ("lists", LIST, (1 << _BITS,)),  # the best placements that were found before: see `best_placements`
    ]
)
CandidatesRecord: TypeAlias = Any


@compiled
def forget_lists(candidates: CandidatesRecord) -> None:
    """Makes a new record fit for use: the lists that it holds are true of one edition and one policy only."""
    for i in range(len(candidates.lists)):
        candidates.lists[i].key = 0


@compiled_inline
def _find_symmetries(
    free_low: Any, free_high: Any, edition: EditionRecord, tables: TablesRecord, candidates: CandidatesRecord
) -> None:
    # A quilt with a symmetry is rare: most are found out at the first few covered spaces.
    candidates.symmetric = 0
    for symmetry in range(tables.symmetries):
        low, high = free_low ^ edition.board[0], free_high ^ edition.board[1]
        same = 1
        while same and (low | high) != ZERO:
            cell, low, high = take_first(low, high)
            if contains(free_low, free_high, tables.image[symmetry, cell]):
                same = 0
        candidates.symmetry[symmetry] = same
        candidates.symmetric |= same


@compiled_inline
def _image(low: Any, high: Any, symmetry: int, tables: TablesRecord) -> Any:
    image_low, image_high = ZERO, ZERO
    while (low | high) != ZERO:
        cell, low, high = take_first(low, high)
        one_low, one_high = single_cell(tables.image[symmetry, cell])
        image_low |= one_low
        image_high |= one_high
    return image_low, image_high


@compiled
def _seen(low: Any, high: Any, cost: int, tables: TablesRecord, candidates: CandidatesRecord) -> bool:
    """Whether a placement is the image of one that is listed."""
    for symmetry in range(tables.symmetries):
        if candidates.symmetry[symmetry]:
            image_low, image_high = _image(low, high, symmetry, tables)
            for i in range(candidates.found):
                if (
                    candidates.cost[i] == cost
                    and candidates.low[i] == image_low
                    and candidates.high[i] == image_high
                ):
                    return True
    return False


@compiled_inline
def _offer(
    low: Any, high: Any, cost: int, place: int, room: int, tables: TablesRecord, candidates: CandidatesRecord
) -> None:
    found = candidates.found
    if found == room and cost >= candidates.cost[found - 1]:
        return
    if candidates.symmetric and _seen(low, high, cost, tables, candidates):
        return
    _insert(low, high, cost, place, found if found < room else room - 1, candidates)
    if found < room:
        candidates.found = found + 1


@compiled_inline
def _insert(low: Any, high: Any, cost: int, place: int, i: int, candidates: CandidatesRecord) -> None:
    """Puts a placement among the first `i`, which are in order; what was at `i` is lost."""
    while i > 0 and candidates.cost[i - 1] > cost:
        candidates.cost[i] = candidates.cost[i - 1]
        candidates.place[i] = candidates.place[i - 1]
        candidates.low[i] = candidates.low[i - 1]
        candidates.high[i] = candidates.high[i - 1]
        i -= 1
    candidates.cost[i] = cost
    candidates.place[i] = place
    candidates.low[i] = low
    candidates.high[i] = high


@compiled_inline
def _compare_by_windows(
    free_low: Any,
    free_high: Any,
    edition: EditionRecord,
    policy: PolicyRecord,
    room: int,
    candidates: CandidatesRecord,
) -> None:
    """Puts the placements that are listed in the order of a better judge, if it is asked, and keeps `room`."""
    if policy.wide == 1:
        return
    unfold(free_low, free_high, edition, policy.windows, candidates.quilt)
    for i in range(candidates.found):
        low, high = candidates.low[i], candidates.high[i]
        change = change_of_cost(low, high, edition, policy.windows, candidates.quilt)
        _insert(low, high, candidates.cost[i] + change, candidates.place[i], i, candidates)
    candidates.found = min(candidates.found, room)


@compiled
def tightest_placements(
    free_low: Any,
    free_high: Any,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    patch: int,
    room: int,
    candidates: CandidatesRecord,
) -> None:
    """Lists at most `room` placements of a patch on the empty spaces, the least cost first.

    Of placements that a symmetry of the quilt makes equal one is listed. `place` is orientation * cells + corner.
    """
    candidates.found = 0
    _find_symmetries(free_low, free_high, edition, tables, candidates)
    size = edition.patch_cells[patch]
    for shape in range(signed(edition.first_shape[patch]), signed(edition.first_shape[patch + 1])):
        low, high = fits(edition, shape, size, free_low, free_high)
        base = edition.orientation[shape] * edition.cells - edition.indent[shape]
        while (low | high) != ZERO:
            cell, low, high = take_first(low, high)
            covered_low, covered_high = cells_of_shape(edition, shape, cell)
            cost = quilt_cost(free_low & ~covered_low, free_high & ~covered_high, tables, policy.judge)
            _offer(covered_low, covered_high, cost, base + cell, room, tables, candidates)


@compiled
def tightest_cells(
    free_low: Any,
    free_high: Any,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    room: int,
    candidates: CandidatesRecord,
) -> None:
    """The same for a special patch; `place` is the cell."""
    candidates.found = 0
    _find_symmetries(free_low, free_high, edition, tables, candidates)
    low, high = free_low, free_high
    while (low | high) != ZERO:
        cell, low, high = take_first(low, high)
        covered_low, covered_high = single_cell(cell)
        cost = quilt_cost(free_low & ~covered_low, free_high & ~covered_high, tables, policy.judge)
        _offer(covered_low, covered_high, cost, cell, room, tables, candidates)


@compiled
def best_placements(
    free_low: Any,
    free_high: Any,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    patch: int,
    room: int,
    candidates: CandidatesRecord,
) -> None:
    """Lists the `room` best placements of a patch: of so many times as many tight ones, if they are compared.

    A few are remembered, as a tree has the same quilt and patch in many positions. Where they are compared, all
    that may be wanted are found at once, among as many as would be listed for one.
    """
    key = mix(mix(mix(free_low) ^ free_high) + np.uint64(patch)) | ONE
    kept = candidates.lists[np.int64(key >> _SHIFT)]
    if kept.key == key and kept.room >= room:
        candidates.found = min(room, kept.found)
        for i in range(candidates.found):
            candidates.place[i], candidates.cost[i] = kept.place[i], kept.cost[i]
        return
    wanted, wide = room, policy.wide * room
    if room <= KEPT and policy.wide > 1:
        wanted, wide = KEPT, max(policy.wide, KEPT)
    tightest_placements(free_low, free_high, edition, tables, policy, patch, min(MAX_PLACEMENTS, wide), candidates)
    _compare_by_windows(free_low, free_high, edition, policy, wanted, candidates)
    if wanted <= KEPT:
        kept.key, kept.room, kept.found = key, wanted, candidates.found
        for i in range(candidates.found):
            kept.place[i], kept.cost[i] = candidates.place[i], candidates.cost[i]
    candidates.found = min(room, candidates.found)


@compiled
def code_with_place(
    position: PositionRecord,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    code: int,
    candidates: CandidatesRecord,
) -> int:
    """The code of a choice that was listed for later, in its best place."""
    slot = LATER - code
    free = position.free[position.turn]
    patch = position.ring[ring_place(position, slot)]
    best_placements(free[0], free[1], edition, tables, policy, patch, 1, candidates)
    return code_of_patch(edition, slot, 0, 0) + candidates.place[0]


@compiled_inline
def _add(code: int, prior: float, candidates: CandidatesRecord) -> None:
    candidates.code[candidates.count] = code
    candidates.prior[candidates.count] = prior
    candidates.count += 1


@compiled_inline
def _add_placements(base: int, share: float, looseness: float, candidates: CandidatesRecord) -> None:
    # The prior of a patch is divided among its placements: less cost, more prior.
    total = 0.0
    for i in range(candidates.found):
        total += np.exp((candidates.cost[0] - candidates.cost[i]) / looseness)
    for i in range(candidates.found):
        part = np.exp((candidates.cost[0] - candidates.cost[i]) / looseness) / total
        _add(base + candidates.place[i], share * part, candidates)


@compiled_inline
def weigh(
    position: PositionRecord,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    temperature: float,
    candidates: CandidatesRecord,
) -> None:
    """Writes how much the mover would like to advance and to take each choice: logarithms of the priors.

    `temperature` smooths the worth of patches.
    """
    if position.phase == TURN:
        candidates.wish[0] = worth_of_advance(position, edition, tables, policy) / temperature
        for slot in range(choice_count(position, edition)):
            patch = position.ring[ring_place(position, slot)]
            candidates.wish[1 + slot] = worth_of_patch(position, edition, tables, policy, patch) / temperature


@compiled
def list_candidates(
    position: PositionRecord,
    edition: EditionRecord,
    tables: TablesRecord,
    policy: PolicyRecord,
    looseness: float,
    room: int,
    candidates: CandidatesRecord,
) -> None:
    """Lists the moves to consider with priors that sum to 1; none where chance deals or the game is over.

    What is wished for was written before. `looseness` smooths the cost of placements; `room` is for one patch.
    Without room choices are listed for `LATER`, and a patch in hand in its best place.
    """
    candidates.count = 0
    mover = position.turn
    free_low, free_high = position.free[mover, 0], position.free[mover, 1]
    if position.phase == TURN:
        enters = reserve_enters(position, edition)
        choices = choice_count(position, edition)
        best = candidates.wish[0]
        for slot in range(choices):
            if can_pay(position, edition, position.ring[ring_place(position, slot)]):
                best = max(best, candidates.wish[1 + slot])
        _add(ADVANCE, np.exp(candidates.wish[0] - best), candidates)
        for slot in range(choices):
            patch = position.ring[ring_place(position, slot)]
            if not can_pay(position, edition, patch):
                continue
            share = np.exp(candidates.wish[1 + slot] - best)
            if enters or room == 0:
                if fits_somewhere(position, edition, mover, patch):
                    _add(code_of_take(edition, slot) if enters else LATER - slot, share, candidates)
            else:
                best_placements(free_low, free_high, edition, tables, policy, patch, room, candidates)
                _add_placements(code_of_patch(edition, slot, 0, 0), share, looseness, candidates)
    elif position.phase == LAY:
        best_placements(free_low, free_high, edition, tables, policy, position.held, max(1, room), candidates)
        _add_placements(code_of_patch(edition, 0, 0, 0), 1.0, looseness, candidates)
    elif position.phase == SPECIAL:
        wide = min(MAX_PLACEMENTS, policy.wide * max(1, room))
        tightest_cells(free_low, free_high, edition, tables, policy, wide, candidates)
        _compare_by_windows(free_low, free_high, edition, policy, max(1, room), candidates)
        _add_placements(code_of_special_patch(edition, 0), 1.0, looseness, candidates)
        if edition.may_remove_special_patch or empty_spaces(position, mover) == 0:
            _add(code_of_removal(edition), 0.01, candidates)
    total = 0.0
    for i in range(candidates.count):
        total += candidates.prior[i]
    for i in range(candidates.count):
        candidates.prior[i] /= total


@compiled
def candidates_of(
    position: Any, edition: Any, tables: Any, policy: Any, settings: Any, room: int, candidates: Any
) -> None:
    """The door for Python: the candidates of a position as arrays of one record, weighed by worth."""
    forget_lists(candidates[0])
    weigh(position[0], edition[0], tables[0], policy[0], settings[0].temperature, candidates[0])
    list_candidates(position[0], edition[0], tables[0], policy[0], settings[0].looseness, room, candidates[0])
