"""Playthroughs: one game of each edition, every position drawn and every move explained.

`python tests/playthroughs.py` plays new games and writes tests/data/playthroughs/; a test tells each file anew
from its start and its moves and compares.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import oracle
from games import random_game
from quiltwork import Cell, Move, Player, Position

FOLDER = Path(__file__).parent / "data" / "playthroughs"
# Chosen for what they show: the special tile (the first three), a special patch removed, a full quilt, a tie.
SEEDS = {"patchwork": 69, "patchwork-2014": 56, "halloween": 47, "express": 55, "stack-and-stuff": 35}


def told(start: Position, moves: list[str]) -> str:
    """The whole game as text."""
    position = start
    lines = [f"# A game of {position.edition.title}, told by tests/playthroughs.py", ""]
    for number, text in enumerate(moves, 1):
        move = position.move(text)
        lines += [*told_position(position), *told_move(position, move, number), ""]
        position = position.play(move)
    return "\n".join([*lines, *told_position(position), *told_outcome(position)]) + "\n"


def told_position(position: Position) -> list[str]:
    choices = " ".join(
        f"{patch.code}(buttons {patch.buttons}, time {patch.time}, income {patch.income})"
        for patch in position.choices()
    )
    return [
        f"position: {position.text}",
        *drawn(position),
        f"choices: {choices or 'none'}",
        f"legal moves: {told_moves(position.legal_moves())}",
    ]


def drawn(position: Position) -> list[str]:
    """Both quilts side by side, each cell with the code of its patch."""
    sides = [[told_player(position, player), *grid(position, player)] for player in Player]
    return [f"{left:56}{right}".rstrip() for left, right in zip(*sides, strict=True)]


def told_player(position: Position, player: Player) -> str:
    side, score = position.player(player), position.score(player)
    tile = ", tile" if position.tile is player else ""
    return (
        f"{player}: space {side.space}, {side.buttons} buttons, income {side.income}{tile}, {score.total} points"
    )


def grid(position: Position, player: Player) -> list[str]:
    edition, quilt = position.edition, position.setup.players[player - 1].quilt
    marks = dict.fromkeys(edition.spaces, " .") | dict.fromkeys(quilt.special, " s")
    for code, placement in quilt.patches:
        corner = placement.cell
        for row, column in edition.patches[code].oriented(placement.orientation):
            marks[Cell(corner.row + row, corner.column + column)] = code
    return [" ".join(marks.get(Cell(r, c), "  ") for c in range(edition.columns)) for r in range(edition.rows)]


def told_moves(moves: tuple[Move, ...]) -> str:
    """How many there are of each patch, and those that are few by name."""
    by_patch: dict[str, list[str]] = {}
    for move in moves:
        by_patch.setdefault(str(move).partition("@")[0], []).append(str(move))
    parts = [" ".join(named) if len(named) <= 4 else f"{len(named)} of {code}" for code, named in by_patch.items()]
    return f"{len(moves)}{': ' if moves else ''}{', '.join(parts)}"


def told_move(position: Position, move: Move, number: int) -> list[str]:
    who = "chance" if str(move).startswith("=") else f"player {position.turn}"
    return [f"move {number}, {who}: {move}", *(f"  {event}" for event in position.explain(move))]


def told_outcome(position: Position) -> list[str]:
    outcome = position.outcome()
    assert outcome is not None
    return [f"winner: player {outcome.winner}{' by the tie-break' if outcome.by_tie_break else ''}"]


def retold(text: str) -> str:
    """The same game told again, from the start and the moves of a playthrough."""
    lines = text.splitlines()
    start = next(line.removeprefix("position: ") for line in lines if line.startswith("position: "))
    return told(Position.parse(start), [line.rpartition(" ")[2] for line in lines if line.startswith("move ")])


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for edition, seed in SEEDS.items():
        game = random_game(edition, Random(seed))
        start = Position.parse(oracle.text(game[0][0]))
        story = told(start, [move for _, move in game[:-1]])
        (FOLDER / f"{edition}.txt").write_text(story, encoding="utf-8")
