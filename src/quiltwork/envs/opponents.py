"""Who answers in the single-agent environments: `random` in compiled code, or any agent."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from quiltwork.agents import Agent, Limits, agent_of
from quiltwork.envs.batched import BatchedGames
from quiltwork.envs.one_game import OneGame
from quiltwork.position import Position

DEFAULT_LIMITS = Limits(simulations=100)
"""a limit of simulations, so that the same seed gives the same games"""


class Opponent(Protocol):
    """Plays until the learner's seat is to move, or the game is over."""

    def seed(self, seed: int) -> None:
        """Begins anew from a seed: the same one gives the same answers under a limit of simulations."""

    def answer(self, game: OneGame, seat: int) -> None:
        """Plays in one game until `seat` (0 or 1) is to move."""

    def answer_all(self, games: BatchedGames, seats: np.ndarray[Any, np.dtype[np.int8]]) -> None:
        """Plays in each game until `seats` [games] (0 or 1) is to move there."""

    def close(self) -> None:
        """Gives everything back; a program is ended."""


def opponent_of(who: str | Agent, limits: Limits = DEFAULT_LIMITS) -> Opponent:
    """The opponent of an agent's name, or an agent itself; raises QuiltworkError for an unknown name."""
    return _Random() if who == "random" else _Thinking(who, limits)


class _Random:
    """Draws from the game's own source, so that it needs no seed."""

    def seed(self, seed: int) -> None: ...

    def answer(self, game: OneGame, seat: int) -> None:
        game.answer_at_random(seat)

    def answer_all(self, games: BatchedGames, seats: np.ndarray[Any, np.dtype[np.int8]]) -> None:
        games.answer_at_random(seats)

    def close(self) -> None: ...


class _Thinking:
    """Asks an agent, one position after the other."""

    def __init__(self, who: str | Agent, limits: Limits) -> None:
        self._spec = who if isinstance(who, str) else None
        self._agent = agent_of(who) if isinstance(who, str) else who
        self._limits = limits

    def seed(self, seed: int) -> None:
        if self._spec is not None:
            self._agent.close()
            self._agent = agent_of(self._spec, seed)

    def answer(self, game: OneGame, seat: int) -> None:
        while not game.over and game.turn != seat:
            game.play(self._action(game.position))

    def answer_all(self, games: BatchedGames, seats: np.ndarray[Any, np.dtype[np.int8]]) -> None:
        seats = games.seats_of(seats)
        while (waiting := ~games.over & (games.turn != seats)).any():
            actions = np.zeros(games.count, np.int64)
            for game in np.flatnonzero(waiting).tolist():
                actions[game] = self._action(games.position(game))
            games.step(actions, where=waiting)

    def _action(self, position: Position) -> int:
        action = position.code(self._agent.think(position, self._limits).best.move)
        assert action is not None
        return action

    def close(self) -> None:
        self._agent.close()
