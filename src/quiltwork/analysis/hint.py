"""A hint: what to do, and why. Its parts have keys, so that a message catalog can say them in any language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from quiltwork.agents.agent import Analysis
from quiltwork.analysis.table import cells_of
from quiltwork.move import Advance, LayPatch, Move, PlaceSpecialPatch, TakePatch
from quiltwork.position import Position

CLOSE = 0.03
"""win shares nearer than this are as good as equal"""


@dataclass(frozen=True)
class Part:
    """A part of a hint: the key of what is said, and what is filled in."""

    key: str
    figures: Mapping[str, int | str] = field(default_factory=dict)


@dataclass(frozen=True)
class Hint:
    """What to do, up to two reasons that a player can check on the table, and how sure that is."""

    what: Part
    why: tuple[Part, ...]
    sure: tuple[Part, ...]

    def __str__(self) -> str:
        what, why, sure = (list(map(_english, parts)) for parts in ((self.what,), self.why, self.sure))
        return f"{what[0]}: {' and '.join(why)}; {', '.join(sure)}."


ENGLISH = {
    "advance": "Advance {count:space} ({move})",
    "take": "Take {patch}",
    "take_at": "Take {patch} and lay it at {cell} ({move})",
    "lay": "Lay {patch} at {cell} ({move})",
    "remove": "Remove the special patch ({move})",
    "special": "Place the special patch ({move})",
    "tile": "it wins the special tile",
    "income": "its income brings {count:button} until the end",
    "covers": "it covers {cells:space} for {count:button}, {time} time",
    "brings": "it brings {count:button}",
    "nothing_else": "no patch can be paid now",
    "shape": "it leaves {count:empty space} in good shape",
    "harm": "covering a space would do more harm",
    "reaches": "it reaches a special patch",
    "again": "you move again",
    "wins": "it wins by {count:point} with best play, searched to the end",
    "loses": "it loses by {count:point} with best play, searched to the end",
    "chance": "about {percent}% to win",
    "equal": "{move} is about as good",
}


def _english(part: Part) -> str:
    def fill(found: re.Match[str]) -> str:
        figure = part.figures[found[1]]
        if found[2] is None:
            return str(figure)
        return f"{figure} {found[2]}{'' if figure == 1 else 's'}"

    return re.sub(r"\{(\w+)(?::([\w ]+))?\}", fill, ENGLISH[part.key])


def hint_of(position: Position, analysis: Analysis) -> Hint:
    """What the analysis advises, and its strongest reasons."""
    move = analysis.best.move
    return Hint(_what(move), tuple(_why(position, move)[:2]), tuple(_how_sure(analysis)))


def _what(move: Move) -> Part:
    text = str(move)
    match move:
        case Advance(spaces):
            return Part("advance", {"count": spaces, "move": text})
        case TakePatch(patch, None):
            return Part("take", {"patch": patch})
        case TakePatch(patch, placement) if placement is not None:
            return Part("take_at", {"patch": patch, "cell": str(placement.cell), "move": text})
        case LayPatch(patch, placement):
            return Part("lay", {"patch": patch, "cell": str(placement.cell), "move": text})
        case PlaceSpecialPatch(None):
            return Part("remove", {"move": text})
        case _:
            return Part("special", {"move": text, "cell": text.removeprefix("s@")})


def _why(position: Position, move: Move) -> list[Part]:
    """The reasons, the weightiest first."""
    assert position.turn is not None
    me = position.turn
    after = position.play(move)
    reasons = []
    if after.tile is me and position.tile is None:
        reasons.append(Part("tile"))
    before, now = position.player(me), after.player(me)
    if isinstance(move, TakePatch):
        patch = position.edition.patches[move.patch]
        marks = sum(space > before.space for space in position.edition.income_spaces)
        if patch.income and marks:
            reasons.append(Part("income", {"count": patch.income * marks}))
        rate = len(patch.cells) / max(1, patch.time)
        if not patch.income or rate >= 2.5:
            cells = {"cells": len(patch.cells), "count": patch.buttons, "time": patch.time}
            reasons.append(Part("covers", cells))
    elif isinstance(move, Advance):
        reasons.append(Part("brings", {"count": now.buttons - before.buttons}))
        if not any(patch.buttons <= before.buttons for patch in position.choices()):
            reasons.append(Part("nothing_else"))
    elif cells_of(position, move):
        reasons.append(Part("shape", {"count": now.empty_spaces}))
    else:
        reasons.append(Part("harm"))
    if after.setup.pending and not position.setup.pending:
        reasons.append(Part("reaches"))
    if after.turn is me and not after.setup.pending and isinstance(move, TakePatch):
        reasons.append(Part("again"))
    # A patch with income that no mark will pay any more, and that covers slowly, still covers.
    return reasons or [Part("shape", {"count": now.empty_spaces})]


def _how_sure(analysis: Analysis) -> list[Part]:
    best = analysis.best
    if analysis.exact:
        return [Part("wins" if best.win > 0.5 else "loses", {"count": abs(round(best.points))})]
    # What is not searched to the end is never quite sure.
    parts = [Part("chance", {"percent": min(99, max(1, round(100 * best.win)))})]
    others = [ranked for ranked in analysis.moves[1:] if ranked.visits > 0]
    if others and others[0].move != best.move and abs(others[0].win - best.win) < CLOSE:
        parts.append(Part("equal", {"move": str(others[0].move)}))
    return parts
