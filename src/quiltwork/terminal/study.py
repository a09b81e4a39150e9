"""Who thinks at the table: opponents, hints and reviews. Heavy imports wait until they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

from quiltwork.errors import QuiltworkError
from quiltwork.game import Game
from quiltwork.move import Move
from quiltwork.position import Position
from quiltwork.terminal.table import Thinker

if TYPE_CHECKING:
    from quiltwork.analysis.hint import Hint
    from quiltwork.analysis.review import Review

ADVISER = "strongest"
"""who gives hints; a review needs the same compiled code"""
HINT_SECONDS = 1.0
REVIEW_SIMULATIONS = 2000
"""for each position of a game that was just played, so that nobody waits long"""
Progress = Callable[[int, int], None]


@cache
def ready_for(spec: str) -> None:
    """Makes sure that what an agent needs is compiled; if it has to be, says so on stderr."""
    from quiltwork.agents import warm

    warm.ready_for(spec)


def thinker_of(spec: str, seconds: float) -> Thinker:
    """An opponent that thinks so long a move; levels have limits of their own."""
    from quiltwork.agents import Limits, agent_of

    agent, turn = agent_of(spec), Lock()
    limits = Limits(seconds=seconds)

    def think(position: Position) -> Move:
        # A move taken back meanwhile asks it again, and an agent thinks about one position at a time.
        with turn:
            ready_for(spec)
            return agent.think(position, limits).best.move

    return think


def opponent_name(spec: str) -> str:
    """What an opponent is called: a level by its name."""
    if not spec.startswith("level:"):
        return spec.capitalize()
    from quiltwork.agents.levels import level_of

    return level_of(spec.removeprefix("level:")).name


def hint(position: Position) -> tuple[Hint, Move]:
    """What a strong player would do, and why."""
    from quiltwork.agents import Limits, agent_of
    from quiltwork.analysis.hint import hint_of

    ready_for(ADVISER)
    analysis = agent_of(ADVISER).think(position, Limits(seconds=HINT_SECONDS))
    return hint_of(position, analysis), analysis.best.move


def review(game: Game, progress: Progress | None = None) -> Review:
    """What each move up to now has cost."""
    from quiltwork.analysis.review import Analyst
    from quiltwork.analysis.review import review as review_of

    if not game.moves:
        raise QuiltworkError("There is nothing to review yet.")
    ready_for(ADVISER)
    played = Game(game.start, {})
    for move in game.moves:
        played.play(move)
    played.tags.update({tag: name for tag, name in game.tags.items() if tag.startswith("Player")})
    return review_of(played, analyst=Analyst(REVIEW_SIMULATIONS), reviewed=progress)
