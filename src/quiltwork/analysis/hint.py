"""A hint: what to do, and why. Its parts have keys, so that a message catalog can say them in any language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from math import log

from quiltwork.agents.agent import Analysis, RankedMove
from quiltwork.analysis.room import missing_from_square, room_of, touching
from quiltwork.editions import Patch
from quiltwork.geometry import Cell
from quiltwork.move import Advance, LayPatch, Move, PlaceSpecialPatch, Player, TakePatch, cells_of, piece_of
from quiltwork.position import Position
from quiltwork.speech import Speech, capital

CLOSE = 0.12
"""win shares whose log odds are nearer than this are about as good: 50 % and 53 % are, 11 % and 13 % are not"""
CLEAR = 0.5
"""log odds so far apart are a clear choice: 50 % and 62 % are"""
SETTLED = 0.95
"""the win share beyond which a game is as good as won"""
NEARLY_SQUARE = 12
"""missing spaces of the special tile's square, at most, for the hint to mention it"""
NEARLY_FULL = 30
"""empty spaces, at most, for the hint to mention what still fits"""
FAST = 2.0
"""spaces a patch covers for each of its time, at least, for the hint to praise it"""
SNUG = 0.6
"""the share of its sides, at least, on which a patch that lies snug touches something"""


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

        why = _joined([said(part) for part in self.why], speech)
        sure = ". ".join(capital(said(part)) for part in self.sure)
        return speech.say("hint.sentence", what=said(self.what), why=why, sure=sure)


def _joined(reasons: list[str], speech: Speech) -> str:
    """Reasons in a row; the subject of two is said once: `it earns 3 buttons and covers 5 spaces`."""
    text = reasons[0]
    for before, reason in pairwise(reasons):
        subject, _, rest = reason.partition(" ")
        alike = before.startswith(f"{subject} ")
        text += f"{speech.say('hint.and')}{rest}" if alike else f"{speech.say('hint.also')}{reason}"
    return text


def _named(speech: Speech, move: str) -> str:
    if move.startswith("+"):
        return speech.say("hint.to_advance")
    return speech.say("hint.to_remove") if move == "s@-" else speech.patch(move.partition("@")[0])


def hint_of(position: Position, analysis: Analysis) -> Hint:
    """What the analysis advises, and its strongest reasons."""
    best = analysis.best
    return Hint(_what(best.move), tuple(_why(position, best)[:2]), tuple(_how_sure(analysis)))


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


def _why(position: Position, best: RankedMove) -> list[Part]:
    """The reasons, the weightiest first."""
    assert position.turn is not None
    me, move = position.turn, best.move
    after = position.play(move)
    reasons = []
    choices = position.choices()
    if isinstance(move, Advance) and choices:
        buttons = position.player(me).buttons
        if all(patch.buttons > buttons for patch in choices):
            reasons.append(Part("nothing_else"))
    if after.pending and not position.pending:
        reasons.append(Part("reaches"))
    if after.tile is me and position.tile is None:
        reasons.append(Part("tile"))
    match move:
        case Advance():
            reasons += _about_an_advance(position, after, best)
        case TakePatch(patch, _):
            reasons += _about_a_patch(position, position.edition.patches[patch])
            if after.turn is me and not after.pending:
                reasons.append(Part("again"))
        case PlaceSpecialPatch(None):
            reasons.append(Part("harm"))
        case _:
            pass
    reasons += _about_the_quilt(position, after, me, cells_of(move, position.edition))
    return reasons or [Part("shape")]


def _about_an_advance(position: Position, after: Position, best: RankedMove) -> list[Part]:
    """What an advance brings, and what can be paid for then."""
    assert position.turn is not None
    assert isinstance(best.move, Advance)
    before, now = position.player(position.turn), after.player(position.turn)
    reasons = []
    brought = now.buttons - before.buttons
    if income := brought - best.move.spaces:
        reasons.append(Part("way", {"count": brought, "income": income}))
    else:
        reasons.append(Part("brings", {"count": brought}))
    line = position
    for then in best.line:
        if isinstance(then, TakePatch) and line.turn is position.turn:
            if before.buttons < position.edition.patches[then.patch].buttons <= now.buttons:
                reasons.append(Part("affords", {"patch": then.patch}))
            break
        line = line.play(then)
    return reasons


def _about_a_patch(position: Position, patch: Patch) -> list[Part]:
    """What a patch is good for, wherever it lies."""
    assert position.turn is not None
    cells, space = len(patch.cells), position.player(position.turn).space
    marks = sum(mark > space for mark in position.edition.income_spaces)
    reasons = []
    if patch.income and marks:
        reasons.append(Part("income", {"count": patch.income * marks}))
    if cells >= FAST * patch.time:
        reasons.append(Part("covers", {"cells": cells, "time": patch.time}))
    elif 2 * patch.buttons <= cells:
        reasons.append(Part("cheap", {"cells": cells, "count": patch.buttons}))
    elif not reasons:
        reasons.append(Part("worth", {"cells": cells, "points": -position.edition.points_per_empty_space * cells}))
    return reasons


def _about_the_quilt(position: Position, after: Position, me: Player, cells: tuple[Cell, ...]) -> list[Part]:
    """What a placement does for the special tile's square, and for the spaces that stay empty."""
    if not cells:
        return []
    reasons = []
    if len(cells) == 1 and cells[0] in room_of(position, me).dead:
        reasons.append(Part("hole"))
    if after.tile is None and after.edition.special_tile:
        missing = missing_from_square(after, me)
        if missing <= NEARLY_SQUARE and missing < missing_from_square(position, me):
            reasons.append(Part("square", {"count": missing}))
    if 0 < after.player(me).empty_spaces <= NEARLY_FULL and not room_of(after, me).dead:
        reasons.append(Part("fills"))
    if touching(position, me, cells) >= SNUG and Part("hole") not in reasons:
        reasons.append(Part("nook" if len(cells) == 1 else "snug"))
    return reasons


def _how_sure(analysis: Analysis) -> list[Part]:
    best = analysis.best
    if analysis.exact:
        lead = abs(round(best.points))
        key = "wins" if best.win > 0.5 else "loses"
        return [Part(key, {"count": lead}) if lead else Part(f"{key}_tie")]
    # What is not searched to the end is never quite sure.
    parts = [_chance(best.win)]
    others = [ranked for ranked in analysis.moves[1:] if ranked.visits > 0]
    if not others or others[0].move == best.move:
        return parts
    apart = abs(_log_odds(others[0].win) - _log_odds(best.win))
    where = piece_of(others[0].move) == piece_of(best.move)
    if apart < CLOSE:
        parts.append(Part("elsewhere" if where else "equal", {"move": str(others[0].move)}))
    elif apart > CLEAR:
        parts.append(Part("clear_place" if where else "clear"))
    return parts


def _chance(win: float) -> Part:
    """The chance to win in per cent; a figure near the ends would pretend to more than is known."""
    if win < 1 - SETTLED:
        return Part("far_behind")
    return Part("far_ahead") if win > SETTLED else Part("chance", {"percent": round(100 * win)})


def _log_odds(win: float) -> float:
    share = min(0.99, max(0.01, win))
    return log(share / (1 - share))
