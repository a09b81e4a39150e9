"""What an environment shows of a position to one of the players: planes and scalars.

This is the one description of the observation; `envs.kernel.observe` writes it in the same order, the
documentation prints it and the tests compare it with positions. `OBSERVATION_VERSION` changes whenever a value
changes its place, its scale or its meaning.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from quiltwork.editions import Edition, edition_of
from quiltwork.rules.layout import MAX_BUTTONS

OBSERVATION_VERSION = 1
"""raised when a plane or scalar is added, removed or counted in another way"""

LOOKAHEAD = 3
"""planes of shapes beyond the choices: what the next moves of the neutral token bring"""

BUTTONS_SCALE = 50.0
INCOME_SCALE = 20.0


@dataclass(frozen=True)
class Feature:
    """One plane or one scalar: its name, its largest value (the least is 0), its unit and why it is there."""

    name: str
    high: float
    unit: str
    why: str


@dataclass(frozen=True)
class ObservationLayout:
    """One edition's observation: `planes` [planes, rows, columns] of uint8, `scalars` [scalars] of float32."""

    rows: int
    """of the quilt board"""
    columns: int
    """of the quilt board"""
    planes: tuple[Feature, ...]
    """what each plane shows, in order"""
    scalars: tuple[Feature, ...]
    """what each scalar is, in order"""

    @property
    def plane_shape(self) -> tuple[int, int, int]:
        """The shape of the planes of one position."""
        return len(self.planes), self.rows, self.columns

    def plane(self, name: str) -> int:
        """The index of a plane; raises KeyError for a name that there is not."""
        return _index(self.planes, name)

    def scalar(self, name: str) -> int:
        """The index of a scalar; raises KeyError for a name that there is not."""
        return _index(self.scalars, name)

    def scalar_high(self) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        """The largest value of each scalar."""
        return np.array([feature.high for feature in self.scalars], np.float32)


def _index(features: tuple[Feature, ...], name: str) -> int:
    for index, feature in enumerate(features):
        if feature.name == name:
            return index
    known = ", ".join(feature.name for feature in features)
    raise KeyError(f"no feature {name!r} in the observation; there are {known}")


def observation_layout(edition: Edition | str) -> ObservationLayout:
    """The layout of an edition's observation."""
    return _layout(edition_of(edition))


@lru_cache(maxsize=64)
def _layout(edition: Edition) -> ObservationLayout:
    return ObservationLayout(edition.rows, edition.columns, _planes(edition), _scalars(edition))


def _planes(edition: Edition) -> tuple[Feature, ...]:
    planes = [
        Feature("own_empty", 1, "1 = empty space", "where one can lay something"),
        Feature("opponent_empty", 1, "1 = empty space", "which patches the opponent can still use"),
        Feature("board", 1, "1 = space", "holes and the border of the quilt board"),
    ]
    planes += [
        Feature(f"choice_{slot}", 1, "1 = cell", f"the shape that actions of slot {slot} lay, as drawn")
        for slot in range(edition.choices)
    ]
    planes += [
        Feature(f"next_{ahead}", 1, "1 = cell", "a shape that may be a choice after the next take")
        for ahead in range(LOOKAHEAD)
    ]
    planes.append(Feature("held", 1, "1 = cell", "the paid patch to lay now, after the reserve was dealt"))
    return tuple(planes)


def _scalars(edition: Edition) -> tuple[Feature, ...]:
    patches = tuple(edition.patches.values())
    income_in_all = sum(patch.income for patch in patches)
    marks = len(edition.special_patch_spaces)
    price = max(patch.buttons for patch in patches)
    time = max(patch.time for patch in patches)
    income = max(patch.income for patch in patches)
    size = max(len(patch.cells) for patch in patches)
    scalars = []
    for who, whose in (("own", "one's own"), ("opponent", "the opponent's")):
        scalars += [
            Feature(f"{who}_space", 1, "spaces / last space", f"{whose} time"),
            Feature(
                f"{who}_buttons",
                MAX_BUTTONS / BUTTONS_SCALE,
                "buttons / 50",
                f"{whose} money, and points at the end",
            ),
            Feature(
                f"{who}_income",
                max(1.0, income_in_all / INCOME_SCALE),
                "buttons / 20",
                f"{whose} pay at each mark",
            ),
            Feature(f"{who}_empty", 1, "empty spaces / spaces", f"{whose} minus points"),
            Feature(f"{who}_tile", 1, "0 or 1", f"the special tile is {whose}"),
            Feature(f"{who}_first", 1, "0 or 1", "reached the last space first, which wins a tie"),
            Feature(f"{who}_marks_ahead", 1, "income marks / all of them", "how often the income will be paid"),
            Feature(f"{who}_to_income", 1, "spaces / last space; 1 = none left", "time to the next income"),
            Feature(
                f"{who}_to_special", 1, "spaces / last space; 1 = none left", "time to the next special patch"
            ),
        ]
    scalars += [
        Feature("to_move", 1, "0 or 1", "the player who looks is to move; 0 for both when the game is over"),
        Feature("start_player", 1, "0 or 1", "the player who looks is player 1"),
        Feature("phase_turn", 1, "0 or 1", "advance or take a patch"),
        Feature("phase_special", 1, "0 or 1", "a special patch is to be placed"),
        Feature("phase_lay", 1, "0 or 1", "the held patch is to be laid"),
        Feature(
            "pending", max(1.0, marks / 2), "special patches / 2", "how many special patches are to be placed"
        ),
        Feature("advance", 1, "spaces / last space", "what an advance would move, and pay in buttons"),
        Feature("special_left", 1, "special patches / all of them", "what is still to be won on the time board"),
        Feature("circle_size", 1, "patches / all patches", "how much of the game is left to buy"),
        Feature("reserve_size", 1, "patches / all patches", "what is still to be dealt"),
        Feature("held_time", max(1.0, time / 6), "spaces / 6", "the time of the held patch, still to be paid"),
        Feature("held_income", max(1.0, income / 3), "buttons / 3", "the income of the held patch"),
        Feature("held_size", max(1.0, size / 8), "cells / 8", "the size of the held patch"),
    ]
    for place in range(len(patches)):
        scalars += [
            Feature(
                f"circle_{place}_patch",
                1,
                "(number + 1) / patches; 0 = none",
                "which patch it is, for an embedding",
            ),
            Feature(f"circle_{place}_price", max(1.0, price / 10), "buttons / 10", "what it costs"),
            Feature(f"circle_{place}_time", max(1.0, time / 6), "spaces / 6", "how long it takes"),
            Feature(f"circle_{place}_income", max(1.0, income / 3), "buttons / 3", "what it brings at each mark"),
            Feature(f"circle_{place}_size", max(1.0, size / 8), "cells / 8", "what it covers"),
        ]
    return tuple(scalars)
