"""A hint: what to do, and why, in one sentence."""

from __future__ import annotations

from quiltwork.agents.agent import Analysis
from quiltwork.analysis.table import cells_of
from quiltwork.move import Advance, LayPatch, Move, Placement, PlaceSpecialPatch, TakePatch
from quiltwork.position import Position

CLOSE = 0.03
"""win shares nearer than this are as good as equal"""


def hint_of(position: Position, analysis: Analysis) -> str:
    """What the analysis advises, and its strongest reason, in one sentence."""
    best = analysis.best
    return f"{_what(position, best.move)}: {_why(position, best.move)}{_how_sure(analysis)}."


def _what(position: Position, move: Move) -> str:
    match move:
        case Advance(spaces):
            return f"Advance {spaces} space{'s' if spaces != 1 else ''} ({move})"
        case TakePatch(patch, None):
            return f"Take {patch}"
        case TakePatch(patch, Placement() as placement):
            return f"Take {patch} and lay it at {placement.cell} ({move})"
        case LayPatch(patch, placement):
            return f"Lay {patch} at {placement.cell} ({move})"
        case PlaceSpecialPatch(None):
            return f"Remove the special patch ({move})"
        case _:
            return f"Place the special patch ({move})"


def _why(position: Position, move: Move) -> str:
    """The reasons that a player can check on the table, the weightiest first."""
    assert position.turn is not None
    me = position.turn
    after = position.play(move)
    reasons = []
    if after.tile is me and position.tile is None:
        reasons.append("it wins the special tile")
    before, now = position.player(me), after.player(me)
    if isinstance(move, TakePatch):
        patch = position.edition.patches[move.patch]
        marks = sum(space > before.space for space in position.edition.income_spaces)
        if patch.income and marks:
            earned = patch.income * marks
            reasons.append(f"its income brings {earned} button{'s' if earned > 1 else ''} until the end")
        rate = len(patch.cells) / max(1, patch.time)
        if not patch.income or rate >= 2.5:
            reasons.append(f"it covers {len(patch.cells)} spaces for {patch.buttons} buttons, {patch.time} time")
    elif isinstance(move, Advance):
        gained = now.buttons - before.buttons
        reasons.append(f"it brings {gained} button{'s' if gained != 1 else ''}")
        if not any(patch.buttons <= before.buttons for patch in position.choices()):
            reasons.append("no patch can be paid now")
    elif cells_of(position, move):
        reasons.append(f"it leaves {now.empty_spaces} empty spaces in good shape")
    else:
        reasons.append("covering a space would do more harm")
    if after.setup.pending and not position.setup.pending:
        reasons.append("it reaches a special patch")
    if after.turn is me and not after.setup.pending and isinstance(move, TakePatch):
        reasons.append("you move again")
    return " and ".join(reasons[:2])


def _how_sure(analysis: Analysis) -> str:
    best = analysis.best
    lead = abs(round(best.points))
    points = f"{lead} point{'s' if lead != 1 else ''}"
    if analysis.exact:
        return f"; it {'wins' if best.win > 0.5 else 'loses'} by {points} with best play, searched to the end"
    text = f"; about {best.win:.0%} to win"
    others = [ranked for ranked in analysis.moves[1:] if ranked.visits > 0]
    if others and others[0].move != best.move and abs(others[0].win - best.win) < CLOSE:
        text += f", {others[0].move} is about as good"
    return text
