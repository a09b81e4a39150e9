"""How hard a puzzle is, by which levels solve it, and what it is about."""

from __future__ import annotations

from dataclasses import replace

from quiltwork.agents.levels import load_levels
from quiltwork.agents.registry import agent_of
from quiltwork.move import LayPatch, TakePatch
from quiltwork.puzzles.puzzle import IMPOSSIBLE, Kind, Puzzle

EASIEST = 700
A_LEVEL = 150
"""for each of the ten levels that fails"""
A_PIECE = 200
"""for each piece of a quilt to be finished beyond two"""


def rated(puzzle: Puzzle) -> Puzzle:
    """The puzzle with its rating and its themes."""
    if puzzle.kind is Kind.FINISH:
        pieces = len(puzzle.position.circle)
        impossible = IMPOSSIBLE in puzzle.best
        themes = ("impossible",) if impossible else ()
        return replace(puzzle, rating=EASIEST + A_PIECE * (pieces - 2), themes=themes)
    failed = sum(not _solves(f"level:{level.level}", puzzle) for level in load_levels().all.values())
    reason = puzzle.reason_against(puzzle.tempting[0]) if puzzle.tempting else None
    return replace(puzzle, rating=EASIEST + A_LEVEL * failed, themes=(reason.key,) if reason else ())


def _solves(name: str, puzzle: Puzzle) -> bool:
    """Whether an agent's answer is right; a PLACE puzzle asks it among the places of the patch."""
    agent = agent_of(name, seed=1)
    try:
        analysis = agent.think(puzzle.position)
    finally:
        agent.close()
    for ranked in analysis.moves:
        move = ranked.move
        if puzzle.take is None or (isinstance(move, TakePatch | LayPatch) and move.patch == puzzle.take):
            return puzzle.name_of(move) in puzzle.best
    return False
