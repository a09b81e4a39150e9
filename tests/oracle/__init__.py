"""A naive reading of the rulebooks, to hold the compiled rules against.

It shares nothing with the package but the edition files: cells are pairs, quilts are sets of cells, moves are
their notation. Nothing here is fast on purpose or shipped. The rulebooks are cited by edition:
*2014* (Patchwork), *Halloween*, *Express* and *Stack & Stuff*; A and B are the two actions, B1 to B5 its steps.
"""

from oracle.edition import Edition, read_edition
from oracle.legality import why_illegal
from oracle.notation import parse, text
from oracle.record import replay
from oracle.rules import (
    Seat,
    State,
    deals,
    empty_cells,
    legal_moves,
    perft,
    play,
    score,
    winner,
)

__all__ = [
    "Edition",
    "Seat",
    "State",
    "deals",
    "empty_cells",
    "legal_moves",
    "parse",
    "perft",
    "play",
    "read_edition",
    "replay",
    "score",
    "text",
    "why_illegal",
    "winner",
]
