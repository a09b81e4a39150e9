"""The games that puzzles are found in: middling agents against each other, with mistakes in them."""

from __future__ import annotations

from random import Random

from quiltwork.agents.registry import agent_of
from quiltwork.editions import load_edition
from quiltwork.game import Game
from quiltwork.position import Position
from quiltwork.position_setup import Phase

PLAYERS = ("level:4", "level:5", "level:6", "level:7")


def positions_of_game(edition: str, number: int) -> list[Position]:
    """The positions of a game in which a player has a choice; the number is its deal and its chance."""
    chance = Random(f"{edition} {number}")
    agents = [agent_of(chance.choice(PLAYERS), seed=number + seat) for seat in range(2)]
    game = Game.new(load_edition(edition), deal=number % 1_000_000)
    found: list[Position] = []
    try:
        while game.position.phase is not Phase.OVER:
            position = game.position
            if position.phase is Phase.DEAL:
                game.play(position.deal(chance))
                continue
            assert position.turn is not None
            if len(position.legal_moves()) > 1:
                found.append(position)
            game.play(agents[position.turn - 1].think(position).best.move)
    finally:
        for agent in agents:
            agent.close()
    return found
