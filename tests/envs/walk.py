"""Positions of random games, drawn by the library and not by the environments."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from quiltwork import Phase, Position


def positions_of_random_games(edition: str, games: int) -> Iterator[Position]:
    """Every position of some random games in which a player is to move."""
    rng = Random(20260101)
    for deal in range(games):
        position = Position.initial(edition, deal=deal)
        while position.phase is not Phase.OVER:
            if position.phase is Phase.DEAL:
                position = position.play(position.deal(rng))
                continue
            yield position
            position = position.play(rng.choice(position.legal_moves()))
