"""What every agent answers: the moves of a position, ranked, with their values."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from quiltwork.agents.clock import Clock
from quiltwork.agents.table import analysis_html, analysis_table
from quiltwork.errors import QuiltworkError
from quiltwork.move import Move, Player, piece_of
from quiltwork.position import Position
from quiltwork.position_setup import Phase

SHOWN_LINES = 5
"""in the table of an analysis"""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long an agent may think (seconds, simulations, or whichever comes first), and about which moves."""

    seconds: float | None = None
    simulations: int | None = None
    clock: Clock = Clock.WALL
    """what the seconds are counted by"""
    infinite: bool = False
    """think until the watcher says stop, or until the rest of the game is searched out"""
    only: tuple[Move, ...] = ()
    """the moves to choose from; all if empty"""
    lines: int = 1
    """above 1 every action (take A, take B, advance) gets a share of the visits, so that its value can be told"""

    def __post_init__(self) -> None:
        if self.seconds is not None and not 0 <= self.seconds <= 1e6:
            raise QuiltworkError(f"seconds must be from 0 to 1000000, not {self.seconds}")
        if self.simulations is not None and not 0 <= self.simulations <= 1e12:
            raise QuiltworkError(f"simulations must be from 0 to 1000000000000, not {self.simulations}")
        if self.infinite and not (self.seconds is None and self.simulations is None):
            raise QuiltworkError("an infinite limit cannot have seconds or simulations")


@dataclass(frozen=True, slots=True)
class RankedMove:
    """A move with what the agent thinks of it, from the mover's view."""

    move: Move
    """that may be played"""
    visits: int
    """simulations that began with it"""
    win: float
    """the share of wins expected, 0 to 1"""
    points: float
    """the lead in points expected at the end"""
    line: tuple[Move, ...]
    """how play may go on, this move first"""


@dataclass(frozen=True, slots=True, repr=False)
class Analysis:
    """An agent's answer: at least one move, the best first. `str` is a table of the best ones."""

    turn: Player
    """who is to move"""
    moves: tuple[RankedMove, ...]
    """the best first"""
    simulations: int
    """that were made in all"""
    exact: bool = False
    """whether the rest of the game was searched out"""
    partial: bool = False
    """whether the agent is still thinking"""

    def lines(self, count: int) -> tuple[RankedMove, ...]:
        """At most `count` moves, best first: the best placement of each action, then further placements."""
        seen: set[str] = set()
        first: list[RankedMove] = []
        further: list[RankedMove] = []
        for ranked in self.moves:
            piece = piece_of(ranked.move)
            (further if piece in seen else first).append(ranked)
            seen.add(piece)
        picked = {id(ranked) for ranked in (first + further)[:count]}
        return tuple(ranked for ranked in self.moves if id(ranked) in picked)

    @property
    def best(self) -> RankedMove:
        """The move ranked first."""
        return self.moves[0]

    @property
    def win(self) -> float:
        """The share of games won after the best move, by who is to move: 0 to 1."""
        return self.moves[0].win

    @property
    def points(self) -> float:
        """The points by which who is to move is ahead at the end, after the best move."""
        return self.moves[0].points

    def __str__(self) -> str:
        return analysis_table(self, SHOWN_LINES)

    def __repr__(self) -> str:
        best = self.best
        state = ", partial" if self.partial else ", exact" if self.exact else ""
        effort = f"{self.simulations} simulations{state}"
        return f"<Analysis: {best.move}, win {best.win:.2f}, points {best.points:+.1f}, {effort}>"

    def _repr_html_(self) -> str:
        return analysis_html(self, SHOWN_LINES)


class Watch:
    """How others follow a thinking agent, and stop it; safe to use from other threads."""

    def __init__(self, report: Callable[[Analysis], None] | None = None, every: float = 0.5) -> None:
        self.report = report
        self.every = every
        """seconds between reports"""
        self._stop = threading.Event()

    def stop(self) -> None:
        """Asks for the best answer so far, now."""
        self._stop.set()

    @property
    def stopped(self) -> bool:
        return self._stop.is_set()


class Agent(Protocol):
    """Who chooses moves. One agent thinks about one position at a time; it may remember what it saw."""

    @property
    def name(self) -> str: ...

    def think(self, position: Position, limits: Limits | None = None, watch: Watch | None = None) -> Analysis:
        """The ranked moves of a position in which a player is to move; raises QuiltworkError otherwise."""
        ...

    def close(self) -> None:
        """Gives back what the agent holds, such as another program."""
        ...


def mover_of(position: Position) -> Player:
    """Who is to move; raises QuiltworkError when the game is over or waits for the reserve."""
    if position.phase is Phase.OVER:
        raise QuiltworkError("the game is over: there is no move to choose")
    if position.phase is Phase.DEAL:
        raise QuiltworkError("the reserve is to be dealt: no player has a move to choose")
    assert position.turn is not None
    return position.turn


def restricted(moves: tuple[Move, ...], limits: Limits | None) -> tuple[Move, ...]:
    """Ranked moves without those that are not allowed, followed by allowed ones that were not ranked."""
    if limits is None or not limits.only:
        return moves
    allowed = dict.fromkeys(limits.only)
    return tuple(move for move in moves if move in allowed) + tuple(move for move in allowed if move not in moves)
