"""Checking puzzles again: proofs are proved anew, decisions are valued with as much effort as is asked for."""

from __future__ import annotations

from quiltwork.analysis.finish import finish_of
from quiltwork.analysis.review import Analyst
from quiltwork.errors import QuiltworkError
from quiltwork.move import Move
from quiltwork.puzzles.making import endgames, finishes
from quiltwork.puzzles.making.decisions import VERIFICATION, best_places, win_shares
from quiltwork.puzzles.puzzle import IMPOSSIBLE, Kind, Puzzle


def problem_of(puzzle: Puzzle, simulations: int = VERIFICATION) -> str | None:
    """What is wrong with a puzzle, in a sentence; None if it keeps its solution."""
    try:
        if puzzle.kind is Kind.FINISH:
            return _finish(puzzle)
        if puzzle.kind is Kind.ENDGAME:
            return _endgame(puzzle)
        return _decision(puzzle, simulations)
    except QuiltworkError as error:
        return str(error)


def _finish(puzzle: Puzzle) -> str | None:
    possible = finish_of(puzzle.position, puzzle.player, finishes.STEPS).possible
    claimed = IMPOSSIBLE not in puzzle.best
    if possible is not claimed:
        return f"said to be {'possible' if claimed else 'impossible'}, found {possible}"
    return None


def _endgame(puzzle: Puzzle) -> str | None:
    solved = endgames.solve(puzzle.position, puzzle.position.legal_moves(), nodes=4 * endgames.NODES)
    if solved is None:
        return "cannot be searched out"
    winning = {str(each.move) for each in solved.moves if each.win > 0.5}
    if winning != set(puzzle.best):
        return f"{', '.join(sorted(winning ^ set(puzzle.best)))}: right and wrong answers differ"
    return None


def _decision(puzzle: Puzzle, simulations: int) -> str | None:
    """The best answer must still be a right one: of every action, or of the places that were compared."""
    position = puzzle.position
    texts = dict.fromkeys([puzzle.line_text[0], puzzle.tempting_text[0], *puzzle.good])
    if puzzle.kind is Kind.PLACE:
        texts |= dict.fromkeys(puzzle.best)
    moves: list[Move] = [position.move(text) for text in texts]
    if puzzle.kind is Kind.CHOOSE:
        moves += best_places(position, puzzle.best)
    values = win_shares(position, dict.fromkeys(moves), Analyst(simulations, seed=3))
    best = max(values, key=lambda move: values[move])
    if puzzle.name_of(best) not in puzzle.best:
        return f"{best} ({values[best]:.2f}) is better than {puzzle.line[0]} ({values[puzzle.line[0]]:.2f})"
    return None
