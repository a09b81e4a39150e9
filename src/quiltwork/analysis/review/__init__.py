"""A review: what each move of a game cost, and why.

`review(game)` values every decision; `report`, `page` and `annotate` show what it found.
"""

from quiltwork.analysis.review.annotate import annotated
from quiltwork.analysis.review.decisions import (
    Label,
    Luck,
    PlayerReview,
    Review,
    Reviewed,
    Turn,
    luck_of,
    review,
    turn_of,
)
from quiltwork.analysis.review.values import DEFAULT_SIMULATIONS, Analyst, Value

__all__ = [
    "DEFAULT_SIMULATIONS",
    "Analyst",
    "Label",
    "Luck",
    "PlayerReview",
    "Review",
    "Reviewed",
    "Turn",
    "Value",
    "annotated",
    "luck_of",
    "review",
    "turn_of",
]
