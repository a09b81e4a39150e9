"""The numbers that the thinking agents are tuned by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from quiltwork.agents.engine import tree
from quiltwork.agents.engine.policy import POLICY
from quiltwork.agents.engine.windows import KIND_OF_PATTERN
from quiltwork.agents.weights import load_places
from quiltwork.errors import QuiltworkError


@dataclass(frozen=True)
class Tuning:
    """The numbers of a tree search; worths are in sixteenths of a button."""

    exploration: float = 1.0
    temperature: float = 100.0
    looseness: float = 40.0
    placements: int = 4
    """of a patch that are considered below the root"""
    root_placements: int = 12
    widening: int = 0
    """one at first (at the root three), two after so many visits, and twice as many for each four times as many;
    all at once if 0"""
    tried: int = 32
    """placements of a patch that the beam looks at"""
    predicting: float = 0.7
    """the share of the limits after which it does"""
    points_share: float = 0.3
    points_scale: float = 20.0
    caution: float = 0.05
    certainty: float = 0.0
    """the move is chosen by value less doubt, which is this / sqrt(visits + 1); by visits if 0"""
    impatience: float = 0.0
    """at the root an advance must be so much better than the best patch"""
    weariness: float = 0.0
    """and so much more, for who is behind, for every wait beyond `stamina` since a patch was taken"""
    stamina: int = 4
    wide: int = 1
    """so many times the placements wanted are listed, and compared by 3x3 windows if above 1;
    just so many where four or fewer are wanted"""
    guidance: float = 0.0
    """the net's share in what is likely to be done; 0 if there is no net"""
    openness: float = 1.0
    """other moves than the net would make are looked at the more, the higher this is"""
    noise: int = 40
    predictions: int = 24
    """how many decide about a placement"""
    beam: int = 3
    """how many quilts are kept while predicted patches are sewn on"""
    room: int = 3_000_000
    """nodes of one tree"""

    def __post_init__(self) -> None:
        for name in (
            "placements",
            "root_placements",
            "tried",
            "wide",
            "temperature",
            "looseness",
            "openness",
            "points_scale",
        ):
            if getattr(self, name) <= 0:
                raise QuiltworkError(f"{name} must be above 0, not {getattr(self, name)}")

    def policy(self) -> np.ndarray[Any, Any]:
        policy = np.zeros(1, POLICY)
        policy["judge"][0] = (-60, 32, -10, 5, -5)
        for name, value in (("space", 25), ("income", 20), ("time", 47), ("special", 95), ("poverty", 19)):
            policy[name] = value
        policy["noise"] = self.noise
        policy["wide"] = self.wide
        if self.wide > 1:
            policy["windows"] = load_places()[KIND_OF_PATTERN]
            # A window without an empty space is not counted.
            policy["windows"][0, 0] = 0
        return policy

    def settings(self) -> np.ndarray[Any, Any]:
        settings = np.zeros(1, tree.SETTINGS)
        for name in set(tree.SETTINGS.names or ()) - {"impatience", "waits"}:
            settings[name] = getattr(self, name)
        settings["impatience"] = [self.patience(waits) for waits in range(tree.MOST_WAITS + 1)]
        return settings

    def patience(self, waits: int) -> float:
        """How much better than a patch an advance must be, after so many waits."""
        return self.impatience + self.weariness * max(0, waits - self.stamina)


SEARCH = Tuning(widening=2400, temperature=70.0, certainty=1.0)
PLANNER = Tuning(placements=1, root_placements=1, points_share=0.6)
NET = Tuning(
    exploration=0.38,
    looseness=60.0,
    widening=20,
    wide=8,
    guidance=1.0,
    openness=1.33,
    certainty=0.6,
    impatience=0.02,
    weariness=1.0,
)
