"""CHOOSE and PLACE: positions where one decision is clearly best, and another looks good.

Three sieves, each with more effort than the one before: a quick search of the position, then every answer that
matters valued by itself, then the same with VERIFICATION simulations.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from quiltwork.agents.agent import Analysis, Limits
from quiltwork.agents.registry import agent_of
from quiltwork.analysis.review import DEFAULT_SIMULATIONS, Analyst
from quiltwork.move import Advance, LayPatch, Move, TakePatch, piece_of
from quiltwork.position import Position
from quiltwork.position_setup import Phase
from quiltwork.puzzles.puzzle import Kind, Puzzle, puzzle_id

QUICK = 2_000
VERIFICATION = 10 * DEFAULT_SIMULATIONS
QUICK_GAP, GAP = 0.06, 0.12
"""what the second best action must lose in win share, at first and in the end"""
PLACE_QUICK_GAP, PLACE_GAP = 0.05, 0.09
"""what the tempting place must lose"""
RIGHT, NEARLY = 0.025, 0.06
"""places that lose less are right, or nearly as good"""
LEAST_WIN, MOST_WIN = 0.15, 0.985
"""win share after the best move: neither lost nor won whatever is done"""
PLACES = 12
"""places that are compared closely"""
LINE = 8


def find(position: Position, effort: int = VERIFICATION) -> Puzzle | None:
    """The puzzle of a position, if there is one."""
    if position.phase not in (Phase.TURN, Phase.LAY) or len(position.legal_moves()) < 4:
        return None
    quick = _quick(position)
    tempter = agent_of("greedy", seed=1)
    tempting = tempter.think(position).best.move
    best = quick.best
    if not LEAST_WIN <= best.win <= MOST_WIN:
        return None
    if piece_of(tempting) == piece_of(best.move):
        return _place(position, quick, tempting, effort)
    others = [each for each in quick.lines(8) if piece_of(each.move) != piece_of(best.move) and each.visits]
    if position.phase is Phase.LAY or any(best.win - each.win < QUICK_GAP for each in others):
        return None
    return _choose(position, quick, tempting, effort)


def _quick(position: Position) -> Analysis:
    agent = agent_of("strongest", seed=1)
    try:
        return agent.think(position, Limits(simulations=QUICK, lines=8))
    finally:
        agent.close()


# Choose


def _choose(position: Position, quick: Analysis, tempting: Move, effort: int) -> Puzzle | None:
    for analyst in (Analyst(DEFAULT_SIMULATIONS), Analyst(effort, seed=2)):
        best, values = _actions(position, quick, tempting, analyst)
        worst_gap = min(values[best] - values[move] for move in values if piece_of(move) != piece_of(best))
        if worst_gap < GAP or not LEAST_WIN <= values[best] <= MOST_WIN:
            return None
        if piece_of(best) == piece_of(tempting):
            return None
    return _finding(position, Kind.CHOOSE, (piece_of(best),), best, tempting, values[best] - values[tempting])


def _actions(
    position: Position, quick: Analysis, tempting: Move, analyst: Analyst
) -> tuple[Move, dict[Move, float]]:
    """The best move, and the win share of the best place of each action."""
    seen = {piece_of(each.move): each.move for each in reversed(quick.moves) if each.visits}
    # What the quick search never looked at is looked at now, in the place that it likes best.
    wanted = dict.fromkeys([*seen.values(), *best_places(position, seen), tempting])
    values = win_shares(position, wanted, analyst)
    return max(values, key=lambda move: values[move]), values


def best_places(position: Position, known: Container[str]) -> list[Move]:
    """Every action that is not known, in the place that a quick search likes best."""
    actions = dict.fromkeys(piece_of(move) for move in position.legal_moves())
    return [_best_place(position, action) for action in actions if action not in known]


def _best_place(position: Position, action: str) -> Move:
    places = tuple(move for move in position.legal_moves() if piece_of(move) == action)
    agent = agent_of("strongest", seed=1)
    try:
        return agent.think(position, Limits(simulations=QUICK, only=places)).best.move
    finally:
        agent.close()


# Place


def _place(position: Position, quick: Analysis, tempting: Move, effort: int) -> Puzzle | None:
    best = quick.best.move
    if isinstance(best, Advance) or tempting == best or not isinstance(best, TakePatch | LayPatch):
        return None
    if isinstance(best, TakePatch) and best.placement is None:
        return None
    first = win_shares(position, (best, tempting), Analyst(QUICK))
    if first[best] - first[tempting] < PLACE_QUICK_GAP:
        return None
    closely = win_shares(position, (best, tempting), Analyst(DEFAULT_SIMULATIONS))
    if closely[best] - closely[tempting] < PLACE_GAP:
        return None
    places = [move for move in position.legal_moves() if piece_of(move) == piece_of(best)]
    if len(places) < 4:
        return None
    rough = win_shares(position, places, Analyst(QUICK // 2))
    near = sorted(rough, key=lambda move: -rough[move])[:PLACES]
    values = win_shares(position, dict.fromkeys([*near, best, tempting]), Analyst(effort, seed=2))
    top = max(values, key=lambda move: values[move])
    right = [move for move in values if values[top] - values[move] < RIGHT]
    nearly = [move for move in values if RIGHT <= values[top] - values[move] < NEARLY]
    if values[top] - values[tempting] < PLACE_GAP or not LEAST_WIN <= values[top] <= MOST_WIN:
        return None
    if len(right) + len(nearly) > max(1, len(places) // 4):
        # Too many places are about as good: there is nothing to find.
        return None
    return _finding(
        position,
        Kind.PLACE,
        tuple(map(str, right)),
        top,
        tempting,
        values[top] - values[tempting],
        good=tuple(map(str, nearly)),
        take=piece_of(top),
    )


# Both


def win_shares(position: Position, moves: Iterable[Move], analyst: Analyst) -> dict[Move, float]:
    """What each move is worth to the mover: the value of the position after it, searched by itself."""
    mover = position.turn
    assert mover is not None
    return {move: analyst.value(position.play(move), mover).win for move in moves}


def _finding(
    position: Position,
    kind: Kind,
    best: tuple[str, ...],
    top: Move,
    tempting: Move,
    loss: float,
    *,
    good: tuple[str, ...] = (),
    take: str | None = None,
) -> Puzzle:
    text = position.text
    return Puzzle(
        id=puzzle_id(text, kind.value),
        kind=kind,
        text=text,
        best=best,
        good=good,
        take=take,
        line_text=line_after(position, top),
        tempting_text=line_after(position, tempting),
        loss=round(loss, 3),
    )


def line_after(position: Position, move: Move) -> tuple[str, ...]:
    """A move and how play may go on after it."""
    after = position.play(move)
    return (str(move), *map(str, Analyst(DEFAULT_SIMULATIONS).line(after)))[:LINE]
