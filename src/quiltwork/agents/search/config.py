"""The numbers of a tree search, and the record of all that stays the same while it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from quiltwork.agents.heuristics.economy import default_heuristics
from quiltwork.agents.heuristics.tables import tables_of
from quiltwork.agents.heuristics.windows import KIND_OF_PATTERN
from quiltwork.agents.net.forward import NetContextRecord
from quiltwork.agents.net.weights import NO_NET, Net, load_placement_windows
from quiltwork.editions.edition import Edition
from quiltwork.errors import QuiltworkError
from quiltwork.rules.record import Float64, Float64s, Int64, record_type

MAX_WAITS = 15
"""advances of a player since a patch was taken; more are not told apart"""


class ConfigRecord:
    """The numbers of a search."""

    c_puct: Float64
    fpu_reduction: Float64
    heuristic_temperature: Float64
    placement_temperature: Float64
    policy_temperature: Float64
    net_share: Float64
    placements: Int64
    root_placements: Int64
    widening: Int64
    endgame_spaces: Int64
    endgame_nodes: Float64
    points_share: Float64
    points_scale: Float64
    wait_penalties: Annotated[Float64s, MAX_WAITS + 1]  # by the mover's waits


CONFIG = record_type(ConfigRecord)


class SearchContextRecord(NetContextRecord):
    """What stays the same while a tree grows."""

    config: ConfigRecord


CONTEXT = record_type(SearchContextRecord)
ContextArray = np.ndarray[Any, Any]


@dataclass(frozen=True)
class SearchConfig:
    """The numbers of a tree search."""

    c_puct: float = 1.0
    """exploration, as in AlphaZero (Silver 2017; PUCT by Rosin 2011)"""
    fpu_reduction: float = 0.05
    """first-play urgency: an unvisited child counts as its parent's value less this"""
    heuristic_temperature: float = 100.0
    """of the worths of patches in the prior, in sixteenths of a button"""
    placement_temperature: float = 40.0
    """of the costs of placements in the prior"""
    policy_temperature: float = 1.0
    """of the net's policy in the prior"""
    net_share: float = 0.0
    """the net's share in the prior, the rest is for the worths; 0: leaves are evaluated by playouts"""
    placements: int = 4
    """of a patch that are considered below the root"""
    root_placements: int = 12
    widening: int = 0
    """progressive widening (Coulom 2007): after so many visits the placements of a patch double, and again each
    time the visits quadruple; 0: all at once"""
    shortlist: int = 1
    """placements that are compared by 3x3 windows for one that is wanted; 1: none"""
    points_share: float = 0.3
    """of the value that is searched for; the rest is for the win"""
    points_scale: float = 20.0
    lcb: float = 0.0
    """the move with the best lower confidence bound is chosen, value - lcb / sqrt(visits + 1); by visits if 0"""
    visit_floor: float = 0.0
    """a move needs this share of the most visited move's visits to be chosen by its bound"""
    wait_penalty: float = 0.0
    """Wait penalties keep two equal players from waiting for each other until both have lost: at the root an
    advance must be so much better than the best patch,"""
    tired_penalty: float = 0.0
    """and so much more, for a player who is behind, for every wait beyond `free_waits` since a patch was taken"""
    free_waits: int = 4
    noise: int = 40
    """random worth of a patch in playouts, in sixteenths of a button"""
    endgame_spaces: int = 16
    """where the tokens have no more than this left together, the rest of the game may be searched out"""
    endgame_nodes: float = 0.0
    """of the exact search, for each visit of a position in the tree; 0: only the root is searched out"""
    focus: float = 0.0
    """where a special patch is placed, this last share of the simulations goes to the best place so far: many
    places are nearly equal, and what is told of the chosen one must rest on many simulations"""
    max_nodes: int = 3_000_000

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
        """How much better than a patch an advance must be, after so many waits."""
        return self.wait_penalty + self.tired_penalty * max(0, waits - self.free_waits)

    def heuristics(self) -> np.ndarray[Any, Any]:
        heuristics = default_heuristics()
        heuristics["noise"], heuristics["shortlist"] = self.noise, self.shortlist
        if self.shortlist > 1:
            heuristics["windows"] = load_placement_windows()[KIND_OF_PATTERN]
            # A window without an empty space is not counted.
            heuristics["windows"][0, 0] = 0
        return heuristics

    def context(self, edition: Edition, net: Net = NO_NET) -> ContextArray:
        """The record of a search in an edition."""
        context = np.zeros(1, CONTEXT)
        context["edition"] = edition.compiled
        context["tables"] = tables_of(edition.compiled)
        context["heuristics"] = self.heuristics()
        context["net"] = net
        config = context["config"]
        for name in set(CONFIG.names or ()) - {"wait_penalties"}:
            config[name] = getattr(self, name)
        config["wait_penalties"] = [self.penalty(waits) for waits in range(MAX_WAITS + 1)]
        return context


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
    tired_penalty=1.0,
)
