"""The numbers of a tree search, and the record of all that stays the same while it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from quiltwork.agents.heuristics.economy import WORTHS, Worths
from quiltwork.agents.heuristics.quilt_cost import QuiltWeights
from quiltwork.agents.heuristics.tables import tables_of
from quiltwork.agents.heuristics.windows import KIND_OF_PATTERN
from quiltwork.agents.net.forward import NetContextRecord
from quiltwork.agents.net.weights import NO_NET, Net, load_placement_windows
from quiltwork.editions.edition import Edition
from quiltwork.errors import QuiltworkError
from quiltwork.rules.record import Float64, Int64, record_type, write


@dataclass(frozen=True)
class SearchConfig:
    """The numbers of a tree search; also the type of their record in compiled code."""

    c_puct: Float64 = 1.0
    """exploration, as in AlphaZero (Silver 2017; PUCT by Rosin 2011)"""
    fpu_reduction: Float64 = 0.05
    """first-play urgency: an unvisited child counts as its parent's value less this"""
    heuristic_temperature: Float64 = 100.0
    """of the worths of patches in the prior, in sixteenths of a button"""
    placement_temperature: Float64 = 40.0
    """of the costs of placements in the prior"""
    policy_temperature: Float64 = 1.0
    """of the net's policy in the prior"""
    net_share: Float64 = 0.0
    """the net's share in the prior, the rest is for the worths; 0: leaves are evaluated by playouts"""
    placements: Int64 = 4
    """of a patch that are considered below the root"""
    root_placements: Int64 = 12
    widening: Int64 = 0
    """progressive widening (Coulom 2007): the visits after which the placements of a patch double, and again each
    time that they quadruple; 0: all at once"""
    shortlist: Int64 = 1
    """placements that are compared by 3x3 windows, for each one wanted; 1: no comparison"""
    points_share: Float64 = 0.3
    """of the value that is searched for; the rest is for the win"""
    points_scale: Float64 = 20.0
    lcb: Float64 = 0.0
    """the move with the best lower confidence bound is chosen, value - lcb / sqrt(visits + 1); by visits if 0"""
    visit_floor: Float64 = 0.0
    """a move needs this share of the most visited move's visits to be chosen by its bound"""
    wait_penalty: Float64 = 0.0
    """how much better than the best patch an advance at the root must be: two equal players shall not wait for
    each other until both have lost"""
    repeated_wait_penalty: Float64 = 0.0
    """added for a player who is behind, for every wait beyond `free_waits` since a patch was taken"""
    free_waits: Int64 = 4
    noise: Int64 = 40
    """random worth of a patch in playouts, in sixteenths of a button"""
    endgame_spaces: Int64 = 16
    """where the tokens have no more than this left together, the rest of the game may be searched out"""
    endgame_nodes: Float64 = 0.0
    """of the exact search, for each visit of a position in the tree; 0: only the root is searched out"""
    endgame_limit: Int64 = 4_000
    """nodes of one exact search in the tree: as it cannot be interrupted, more would break time limits"""
    focus: Float64 = 0.0
    """the last share of the simulations, which goes to the best place of a special patch so far: many places are
    nearly equal, and the value of the chosen one must rest on many simulations"""
    max_nodes: Int64 = 3_000_000

    def __post_init__(self) -> None:
        for name in (
            "placements",
            "root_placements",
            "shortlist",
            "heuristic_temperature",
            "placement_temperature",
            "policy_temperature",
            "points_scale",
        ):
            if getattr(self, name) <= 0:
                raise QuiltworkError(f"{name} must be above 0, not {getattr(self, name)}")

    def penalty(self, waits: int) -> float:
        """How much better than a patch an advance must be after a number of waits."""
        return self.wait_penalty + self.repeated_wait_penalty * max(0, waits - self.free_waits)

    def context(self, edition: Edition, net: Net = NO_NET, worths: Worths = WORTHS) -> ContextArray:
        """The record of a search in an edition."""
        context = np.zeros(1, CONTEXT)
        context["edition"], context["tables"] = edition.compiled, tables_of(edition.compiled)
        context["net"] = net
        write(self, context["config"])
        heuristics = context["heuristics"]
        write(worths, heuristics)
        write(QuiltWeights(), heuristics["quilt"])
        heuristics["noise"], heuristics["shortlist"] = self.noise, self.shortlist
        if self.shortlist > 1:
            heuristics["windows"] = load_placement_windows()[KIND_OF_PATTERN]
            # A window without an empty space is not counted.
            heuristics["windows"][0, 0] = 0
        return context


class SearchContextRecord(NetContextRecord):
    """What stays the same while a tree grows."""

    config: SearchConfig


CONTEXT = record_type(SearchContextRecord)
ContextArray = np.ndarray[Any, Any]


SEARCH = SearchConfig(widening=2400, heuristic_temperature=70.0, lcb=1.0)
NET = SearchConfig(
    c_puct=0.38,
    placement_temperature=60.0,
    widening=20,
    shortlist=8,
    net_share=1.0,
    policy_temperature=1.33,
    lcb=0.6,
    visit_floor=0.1,
    endgame_spaces=28,
    endgame_nodes=4.0,
    focus=0.5,
    wait_penalty=0.02,
    repeated_wait_penalty=1.0,
)
