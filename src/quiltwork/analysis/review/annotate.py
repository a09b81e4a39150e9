"""A review written into the record of its game: evaluations, marks, and the better moves as variations."""

from __future__ import annotations

from quiltwork import Game
from quiltwork.analysis.review.decisions import Label, Review

_SUFFIXES = {Label.INACCURACY: "?!", Label.MISTAKE: "?", Label.BLUNDER: "??"}


def annotated(review: Review) -> Game:
    """A copy of the game with `[%eval win points]` after each move, and marks with the better move."""
    game = Game.parse(review.game.text)
    nodes = list(game.root.main_line())
    for turn in review.turns:
        node = nodes[turn.ply]
        reason = f" {turn.reason.sentence(turn.position.edition)}" if turn.reason else ""
        node.comment = f"{node.comment} [%eval {turn.win:.2f} {turn.points:+.1f}]{reason}"
        if turn.label in _SUFFIXES:
            node.suffix = node.suffix or _SUFFIXES[turn.label]
            assert node.parent is not None
            node.parent.add(turn.best)
    return game
