"""An analysis for people: a table of the best moves, as text and for notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quiltwork.agents.agent import Analysis

_HEADS = ("move", "win", "points", "visits", "line")


def analysis_table(analysis: Analysis, lines: int) -> str:
    """The best moves, one a line: win share, points, visits, and how play may go on."""
    rows = [_HEADS, *_rows(analysis, lines)]
    width = max(len(move) for move, *_ in rows)
    table = (
        f"{move:<{width}}  {win:>5}  {points:>6}  {visits:>6}  {line}".rstrip()
        for move, win, points, visits, line in rows
    )
    return "\n".join([_head(analysis), "", *table])


def analysis_html(analysis: Analysis, lines: int) -> str:
    """The same table for a notebook."""
    head = "".join(f"<th>{escape(name)}</th>" for name in _HEADS)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in _rows(analysis, lines)
    )
    return f"<p>{escape(_head(analysis))}</p><table><tr>{head}</tr>{rows}</table>"


def _head(analysis: Analysis) -> str:
    effort = "searched out" if analysis.exact else f"{analysis.simulations:,} simulations"
    return f"Player {int(analysis.turn)} to move, {effort}"


def _rows(analysis: Analysis, lines: int) -> Iterator[tuple[str, str, str, str, str]]:
    for ranked in analysis.lines(lines):
        line = " ".join(str(move) for move in ranked.line[1:])
        yield str(ranked.move), f"{100 * ranked.win:.0f} %", f"{ranked.points:+.1f}", str(ranked.visits), line
