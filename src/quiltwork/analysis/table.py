"""An analysis as text for people: a table of moves, and a picture of the best one."""

from __future__ import annotations

from quiltwork.agents.agent import Analysis
from quiltwork.move import Move, cells_of
from quiltwork.position import Position
from quiltwork.render.text import quilt_text
from quiltwork.themes import theme_of


def analysis_table(analysis: Analysis, lines: int) -> str:
    """The best moves, one a line: win share, points, visits, and how play may go on."""
    moves = analysis.lines(lines)
    width = max(len("move"), *(len(str(ranked.move)) for ranked in moves))
    head = "searched out" if analysis.exact else f"{analysis.simulations:,} simulations"
    rows = [f"Player {int(analysis.turn)} to move, {head}", "", f"{'move':<{width}}    win  points  visits  line"]
    for ranked in moves:
        line = " ".join(str(move) for move in ranked.line[1:])
        values = f"{100 * ranked.win:>3.0f} %  {ranked.points:>+6.1f}  {ranked.visits:>6}"
        rows.append(f"{ranked.move!s:<{width}}  {values}  {line}".rstrip())
    return "\n".join(rows)


def move_picture(position: Position, move: Move, colour: bool = False) -> str | None:
    """The mover's quilt with the cells that a move covers; None for a move that covers none."""
    cells = cells_of(move, position.edition)
    if not cells or position.turn is None:
        return None
    quilt = position.setup.players[position.turn - 1].quilt
    return quilt_text(position.edition, quilt, theme_of(position.edition), colour, preview=cells)
