"""ENDGAME: near the end one move wins and the one that looks good loses, proved by a search to the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quiltwork.agents.agent import Analysis, RankedMove
from quiltwork.agents.endgame.solver import Endgame
from quiltwork.agents.registry import agent_of
from quiltwork.agents.search.agent import spaces_left
from quiltwork.move import Move
from quiltwork.position import Position
from quiltwork.position_setup import Phase
from quiltwork.puzzles.puzzle import Kind, Puzzle, puzzle_id

MOST_SPACES, LEAST_SPACES = 20, 6
"""what both tokens may have left together"""
NODES = 4_000_000
MOST_RIGHT = 0.25
"""the largest share of the moves that may win"""
TEMPTERS = ("greedy", "level:5", "level:6", "level:7")
MOST_MOVES = 250


def find(position: Position) -> Puzzle | None:
    """The puzzle of a position, if there is one."""
    legal = position.legal_moves()
    if position.phase not in (Phase.TURN, Phase.LAY) or not 4 <= len(legal) <= MOST_MOVES:
        return None
    if not LEAST_SPACES <= spaces_left(position) <= MOST_SPACES:
        return None
    solver = Endgame()
    best = solver.solve(position, NODES)
    if best is None or best.win < 0.5:
        return None
    refuted = next(_refuted(position, solver), None)
    solved = solve(position, legal, solver=solver) if refuted else None
    if refuted is None or solved is None:
        return None
    winning = [each.move for each in solved.moves if each.win > 0.5]
    if len(winning) > max(1, MOST_RIGHT * len(legal)):
        return None
    return Puzzle(
        id=puzzle_id(position.text, Kind.ENDGAME.value),
        kind=Kind.ENDGAME,
        text=position.text,
        best=tuple(map(str, winning)),
        line_text=tuple(map(str, best.best.line)),
        tempting_text=tuple(map(str, refuted.line)),
        loss=1.0,
    )


def _refuted(position: Position, solver: Endgame) -> Iterator[RankedMove]:
    """What middling agents would play, where it loses."""
    tried: set[Move] = set()
    for name in TEMPTERS:
        agent = agent_of(name, seed=1)
        try:
            move = agent.think(position).best.move
        finally:
            agent.close()
        if move not in tried:
            tried.add(move)
            found = solve(position, (move,), solver=solver)
            if found is not None and found.win < 0.5:
                yield found.best


def solve(
    position: Position, moves: Sequence[Move], *, nodes: int = NODES, solver: Endgame | None = None
) -> Analysis | None:
    """The exact value of moves, best first; None if that takes too many nodes."""
    codes = tuple(code for move in moves if (code := position.code(move)) is not None)
    return (solver or Endgame()).solve(position, nodes, only=codes)
