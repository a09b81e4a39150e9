"""A hint: what to do, and why. Its parts have keys, so that a message catalog can say them in any language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log

from quiltwork.agents.agent import Analysis
from quiltwork.analysis.room import missing_from_square, room_of
from quiltwork.move import Advance, LayPatch, Move, PlaceSpecialPatch, Player, TakePatch, cells_of
from quiltwork.position import Position
from quiltwork.speech import Speech, capital

CLOSE = 0.12
"""win shares whose log odds are nearer than this are about as good: 50 % and 53 % are, 11 % and 13 % are not"""
CLEAR = 0.5
"""log odds so far apart are a clear choice: 50 % and 62 % are"""
NEARLY_SQUARE = 12
"""missing spaces of the special tile's square, at most, for the hint to mention it"""
NEARLY_FULL = 30
"""empty spaces, at most, for the hint to mention what still fits"""


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

    def sentence(self, speech: Speech) -> str:
        """The hint in the words of an edition."""

        def said(part: Part) -> str:
            figures = dict(part.figures)
            if "patch" in figures:
                figures["patch"] = speech.patch(str(figures["patch"]))
            if "move" in figures:
                figures["move"] = _named(speech, str(figures["move"]))
            return speech.say(f"hint.{part.key}", **figures)

        why = speech.say("hint.and").join(map(said, self.why))
        sure = capital(", ".join(map(said, self.sure)))
        return speech.say("hint.sentence", what=said(self.what), why=why, sure=sure)


def _named(speech: Speech, move: str) -> str:
    if move.startswith("+"):
        return speech.say("hint.to_advance")
    return speech.say("hint.to_remove") if move == "s@-" else speech.patch(move.partition("@")[0])


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
    elif cells_of(move, position.edition):
        reasons.append(Part("shape", {"count": now.empty_spaces}))
    else:
        reasons.append(Part("harm"))
    if after.pending and not position.pending:
        reasons.insert(0, Part("reaches"))
    if after.turn is me and not after.pending and isinstance(move, TakePatch):
        reasons.append(Part("again"))
    reasons += _about_the_quilt(position, after, me)
    # A patch with income that no mark will pay any more, and that covers slowly, still covers.
    return reasons or [Part("shape", {"count": now.empty_spaces})]


def _about_the_quilt(position: Position, after: Position, me: Player) -> list[Part]:
    """What a move does for the special tile's square, and for the spaces that stay empty."""
    if after.player(me).empty_spaces == position.player(me).empty_spaces:
        return []
    reasons = []
    if after.tile is None and after.edition.special_tile:
        missing = missing_from_square(after, me)
        if missing <= NEARLY_SQUARE and missing < missing_from_square(position, me):
            reasons.append(Part("square", {"count": missing}))
    if 0 < after.player(me).empty_spaces <= NEARLY_FULL and not room_of(after, me).dead:
        reasons.append(Part("fills"))
    return reasons


def _how_sure(analysis: Analysis) -> list[Part]:
    best = analysis.best
    if analysis.exact:
        return [Part("wins" if best.win > 0.5 else "loses", {"count": abs(round(best.points))})]
    # What is not searched to the end is never quite sure.
    parts = [Part("chance", {"percent": min(99, max(1, round(100 * best.win)))})]
    others = [ranked for ranked in analysis.moves[1:] if ranked.visits > 0]
    if not others or others[0].move == best.move:
        return parts
    apart = abs(_log_odds(others[0].win) - _log_odds(best.win))
    if apart < CLOSE:
        same = getattr(others[0].move, "patch", None) == getattr(best.move, "patch", "")
        parts.append(Part("elsewhere" if same else "equal", {"move": str(others[0].move)}))
    elif apart > CLEAR:
        parts.append(Part("clear"))
    return parts


def _log_odds(win: float) -> float:
    share = min(0.99, max(0.01, win))
    return log(share / (1 - share))
