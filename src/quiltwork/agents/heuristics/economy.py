"""What a patch or an advance is worth for its price and time, without any look ahead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from quiltwork.agents.heuristics.quilt_cost import QuiltWeights
from quiltwork.agents.heuristics.tables import TablesRecord
from quiltwork.agents.heuristics.windows import PATTERNS
from quiltwork.rules.bits import count
from quiltwork.rules.compiler import compiled_inline
from quiltwork.rules.layout import EditionRecord, PositionRecord
from quiltwork.rules.record import Int16s, Int64
from quiltwork.rules.steps import advance_distance, marks_crossed


@dataclass(frozen=True)
class Worths:
    """What is weighed in a patch, in sixteenths of a button; fitted by games of the quick player."""

    space: Int64 = 25  # a space covered
    income: Int64 = 20  # a button of income at each mark to come
    time: Int64 = 47  # a space on the time board
    special: Int64 = 95  # a special patch reached
    button: Int64 = 19  # a button, above its point, with eight income marks to come


WORTHS = Worths()


class HeuristicsRecord(Worths):
    """The numbers by which patches and quilts are weighed."""

    noise: Int64  # random worth up to this is added in playouts
    quilt: QuiltWeights
    # Placements shortlisted by the quilt's cost for each one wanted; 3x3 windows compare them.
    shortlist: Int64  # 1: they are not compared
    windows: Annotated[Int16s, PATTERNS]  # what a window of each pattern adds to the cost


class ContextRecord:
    """What stays the same while a position is weighed."""

    edition: EditionRecord
    tables: TablesRecord
    heuristics: HeuristicsRecord


@compiled_inline
def _button(position: PositionRecord, context: ContextRecord, player: int) -> int:
    # A button is a point at the end; before, it also buys.
    marks = context.tables.income_marks_after[position.space[player]]
    return 16 + context.heuristics.button * marks // 8


@compiled_inline
def worth_of_advance(position: PositionRecord, context: ContextRecord) -> int:
    """What the advance is worth to the mover, in sixteenths of a button."""
    edition, heuristics = context.edition, context.heuristics
    distance = advance_distance(position, edition)
    mover = position.turn
    end = position.space[mover] + distance
    worth = distance * (_button(position, context, mover) - heuristics.time)
    return worth + heuristics.special * count(
        marks_crossed(edition.special_patch_marks, position.space[1 - mover], end)
    )


@compiled_inline
def worth_to(position: PositionRecord, context: ContextRecord, player: int, patch: int) -> int:
    """What a patch is worth to a player for its price and time, in sixteenths of a button."""
    edition, tables, heuristics = context.edition, context.tables, context.heuristics
    start = position.space[player]
    end = min(start + edition.time[patch], edition.last_space)
    worth = (
        heuristics.space * edition.patch_cells[patch]
        + heuristics.income * edition.income[patch] * tables.income_marks_after[start]
        - _button(position, context, player) * edition.price[patch]
        - heuristics.time * (end - start)
    )
    foremost = max(start, position.space[1 - player])
    if end > foremost:
        worth += heuristics.special * count(marks_crossed(edition.special_patch_marks, foremost, end))
    return worth


@compiled_inline
def worth_of_patch(position: PositionRecord, context: ContextRecord, patch: int) -> int:
    """What a patch is worth to the mover."""
    return worth_to(position, context, position.turn, patch)
