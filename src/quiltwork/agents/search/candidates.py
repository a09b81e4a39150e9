"""The moves that a search considers: for each patch its few best placements, each with a prior."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from quiltwork.agents.heuristics.economy import worth_of_advance, worth_of_patch
from quiltwork.agents.search.config import SearchContextRecord
from quiltwork.agents.search.placements import MAX_PLACEMENTS, PlacementsRecord, best_cells, best_placements
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import LAY, MAX_CHOICES, SPECIAL, TURN, EditionRecord, PositionRecord
from quiltwork.rules.moves import ADVANCE, code_of_patch, code_of_removal, code_of_special_patch, code_of_take
from quiltwork.rules.quilt import empty_spaces, fits_somewhere
from quiltwork.rules.record import Float64s, Int64, Int64s, record_type
from quiltwork.rules.steps import can_pay, choice_count, reserve_enters, ring_place

MAX_CANDIDATES = 1 + MAX_CHOICES * MAX_PLACEMENTS
LATER = -1
"""the code of the first choice, less for the others, while its placement is not looked for yet"""
REMOVAL_PRIOR = 0.01


class CandidatesRecord:
    """The moves to consider."""

    count: Int64
    code: Annotated[Int64s, MAX_CANDIDATES]
    prior: Annotated[Float64s, MAX_CANDIDATES]
    logit: Annotated[Float64s, 1 + MAX_CHOICES]  # of the advance, then of each choice
    placements: PlacementsRecord


CANDIDATES = record_type(CandidatesRecord)


@compiled_inline
def action_of(code: int, edition: EditionRecord) -> int:
    """What a move does, whatever the place: 0 advance, then the choices, then special patches."""
    if code <= LATER:
        return 1 + LATER - code
    if code > code_of_removal(edition):
        return 1 + code - code_of_take(edition, 0)
    return 0 if code == ADVANCE else 1 + (code - 1) // (8 * edition.cells)


@compiled
def code_with_place(
    position: PositionRecord, context: SearchContextRecord, code: int, placements: PlacementsRecord
) -> int:
    """The code of a choice that was listed without a placement, with its best one."""
    slot = LATER - code
    free = position.free[position.turn]
    patch = position.ring[ring_place(position, slot)]
    best_placements(free[0], free[1], context, patch, 1, placements)
    return code_of_patch(context.edition, slot, 0, 0) + placements.place[0]


@compiled_inline
def _add(code: int, prior: float, candidates: CandidatesRecord) -> None:
    candidates.code[candidates.count] = code
    candidates.prior[candidates.count] = prior
    candidates.count += 1


@compiled_inline
def _add_placements(base: int, share: float, temperature: float, candidates: CandidatesRecord) -> None:
    # The prior of a patch is divided among its placements: less cost, more prior.
    placements = candidates.placements
    total = 0.0
    for i in range(placements.count):
        total += np.exp((placements.cost[0] - placements.cost[i]) / temperature)
    for i in range(placements.count):
        part = np.exp((placements.cost[0] - placements.cost[i]) / temperature) / total
        _add(base + placements.place[i], share * part, candidates)


@compiled_inline
def heuristic_logits(position: PositionRecord, context: SearchContextRecord, candidates: CandidatesRecord) -> None:
    """Writes logits of the advance and of each choice by their worths, where a turn begins."""
    if position.phase == TURN:
        temperature = context.config.heuristic_temperature
        candidates.logit[0] = worth_of_advance(position, context) / temperature
        for slot in range(choice_count(position, context.edition)):
            patch = position.ring[ring_place(position, slot)]
            candidates.logit[1 + slot] = worth_of_patch(position, context, patch) / temperature


@compiled
def list_candidates(
    position: PositionRecord, context: SearchContextRecord, placement_limit: int, candidates: CandidatesRecord
) -> None:
    """Lists the moves to consider with priors that sum to 1; none where chance deals or the game is over.

    The logits were written before. With a placement limit of 0, choices are listed for `LATER`, and a patch in
    hand in its best place.
    """
    edition, temperature = context.edition, context.config.placement_temperature
    placements = candidates.placements
    candidates.count = 0
    mover = position.turn
    free_low, free_high = position.free[mover, 0], position.free[mover, 1]
    if position.phase == TURN:
        enters = reserve_enters(position, edition)
        choices = choice_count(position, edition)
        best = candidates.logit[0]
        for slot in range(choices):
            if can_pay(position, edition, position.ring[ring_place(position, slot)]):
                best = max(best, candidates.logit[1 + slot])
        _add(ADVANCE, np.exp(candidates.logit[0] - best), candidates)
        for slot in range(choices):
            patch = position.ring[ring_place(position, slot)]
            if not can_pay(position, edition, patch):
                continue
            share = np.exp(candidates.logit[1 + slot] - best)
            if enters or placement_limit == 0:
                if fits_somewhere(position, edition, mover, patch):
                    _add(code_of_take(edition, slot) if enters else LATER - slot, share, candidates)
            else:
                best_placements(free_low, free_high, context, patch, placement_limit, placements)
                _add_placements(code_of_patch(edition, slot, 0, 0), share, temperature, candidates)
    elif position.phase == LAY:
        best_placements(free_low, free_high, context, position.held, max(1, placement_limit), placements)
        _add_placements(code_of_patch(edition, 0, 0, 0), 1.0, temperature, candidates)
    elif position.phase == SPECIAL:
        best_cells(free_low, free_high, context, max(1, placement_limit), placements)
        _add_placements(code_of_special_patch(edition, 0), 1.0, temperature, candidates)
        if edition.may_remove_special_patch or empty_spaces(position, mover) == 0:
            _add(code_of_removal(edition), REMOVAL_PRIOR, candidates)
    total = 0.0
    for i in range(candidates.count):
        total += candidates.prior[i]
    for i in range(candidates.count):
        candidates.prior[i] /= total


def candidates_of(position: Any, context: Any, placement_limit: int) -> tuple[list[int], list[float]]:
    """The codes of the moves to consider and their priors by worth, for Python: arrays of one record."""
    found = np.zeros(1, CANDIDATES)
    _list_by_worth(position.copy(), context, placement_limit, found)
    count = int(found["count"][0])
    return found["code"][0, :count].tolist(), found["prior"][0, :count].tolist()


@compiled
def _list_by_worth(position: Any, context: Any, placement_limit: int, candidates: Any) -> None:
    heuristic_logits(position[0], context[0], candidates[0])
    list_candidates(position[0], context[0], placement_limit, candidates[0])
