"""What each decision of a game cost, split into what was chosen and where it was laid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from quiltwork import Game, Move, Player, Position, Replenish
from quiltwork.agents.agent import RankedMove
from quiltwork.analysis.review.reasons import Comparison, Reason, reason_of
from quiltwork.analysis.review.values import Analyst, Value
from quiltwork.errors import QuiltworkError
from quiltwork.messages import DEFAULT_LANGUAGE
from quiltwork.move import piece_of
from quiltwork.speech import say
from quiltwork.themes import theme_of

GOOD, INACCURACY, MISTAKE, BLUNDER = 0.01, 0.03, 0.07, 0.15
"""the least loss in win share of each label"""
SECOND_LOOK = 4
"""times the effort with which a loss that gets a label is looked at again"""
HALF_ACCURACY = 0.1
"""a loss of this much win share halves the accuracy of a move"""
OTHER_ACTIONS = 2
PLACEMENTS = 2
"""placements of the action taken that are compared with the one chosen"""


class Label(Enum):
    """How good a decision was, by the win share that it lost."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @classmethod
    def of(cls, loss: float) -> Label:
        for label, least in ((cls.BLUNDER, BLUNDER), (cls.MISTAKE, MISTAKE), (cls.INACCURACY, INACCURACY)):
            if loss >= least:
                return label
        return cls.GOOD if loss >= GOOD else cls.BEST


@dataclass(frozen=True)
class Turn:
    """One move of a player and what it cost; losses are in win share, 0 to 1, and never negative."""

    ply: int
    """the number of moves before it, chance moves included"""
    player: Player
    position: Position
    """before the move"""
    move: Move
    best: Move
    forced: bool
    """whether it was the only legal move"""
    win: float
    """the mover's win share after the move played"""
    points: float
    """the mover's expected lead after the move played"""
    loss_what: float
    """what the choice of the action cost: the best move less the best place of the action taken"""
    loss_where: float
    """what the place cost: the best place of the action taken less the place taken"""
    points_lost: float
    exact: bool
    """whether both moves were searched out"""
    reason: Reason | None = None
    better: tuple[Move, ...] = ()
    """how play goes on with the best move, that move first; empty where nothing worth a label was lost"""
    line: tuple[Move, ...] = ()
    """how play goes on after the move played, that move first"""

    @property
    def loss(self) -> float:
        return self.loss_what + self.loss_where

    @property
    def before(self) -> float:
        """The mover's win share before the move: after the best move."""
        return self.win + self.loss

    @property
    def label(self) -> Label:
        return Label.of(self.loss)

    @property
    def accuracy(self) -> float:
        """0 to 100."""
        return float(100 * 0.5 ** (self.loss / HALF_ACCURACY))

    @property
    def why(self) -> str:
        """The reason as a sentence in English."""
        return self.sentence()

    def sentence(self, language: str = DEFAULT_LANGUAGE) -> str:
        """The reason as a sentence; where no fact of the table explains the loss, that the search says so."""
        edition = self.position.edition
        if self.reason is not None:
            return self.reason.sentence(edition, language)
        return say("review.prefers", {"move": str(self.best)}, theme_of(edition), language)

    def as_json(self) -> dict[str, Any]:
        what, where = round(self.loss_what, 4), round(self.loss_where, 4)
        return {
            "ply": self.ply,
            "player": int(self.player),
            "move": str(self.move),
            "best": str(self.best),
            "win": round(self.win, 4),
            "loss": round(what + where, 4),
            "loss_what": what,
            "loss_where": where,
            "points_lost": round(self.points_lost, 2),
            "label": self.label.value,
            "reason": self.reason.sentence(self.position.edition) if self.reason else None,
        }


@dataclass(frozen=True)
class Luck:
    """A deal of the reserve, and the win share that it brought player 1 (or took, if negative)."""

    ply: int
    """the number of moves before it"""
    move: Move
    swing: float


@dataclass(frozen=True)
class PlayerReview:
    """A player's game in figures: means over the decisions, which are the moves that had an alternative."""

    accuracy: float
    """0 to 100"""
    loss_what: float
    loss_where: float
    decisions: int

    @property
    def loss(self) -> float:
        return self.loss_what + self.loss_where

    def as_json(self) -> dict[str, Any]:
        what, where = round(self.loss_what, 4), round(self.loss_where, 4)
        return {
            "accuracy": round(self.accuracy, 1),
            "loss": round(what + where, 4),
            "loss_what": what,
            "loss_where": where,
        }


@dataclass(frozen=True, repr=False)
class Review:
    """What was found out about a game. `str` says it in a few lines; notebooks show the whole page."""

    game: Game
    """that was reviewed"""
    simulations: int
    """that each position was searched with"""
    turns: tuple[Turn, ...]
    """every decision in order"""
    luck: tuple[Luck, ...]
    """every deal of the reserve"""

    def player(self, player: Player) -> PlayerReview | None:
        """What one player's decisions cost on average; forced moves are not counted.

        None where no decision of the player was reviewed.
        """
        turns = [turn for turn in self.turns if turn.player is player and not turn.forced]
        count = len(turns)
        if not count:
            return None
        return PlayerReview(
            accuracy=sum(turn.accuracy for turn in turns) / count,
            loss_what=sum(turn.loss_what for turn in turns) / count,
            loss_where=sum(turn.loss_where for turn in turns) / count,
            decisions=count,
        )

    def moments(self, count: int = 3, player: Player | None = None) -> tuple[Turn, ...]:
        """The costliest decisions that have a label, the worst first."""
        found = [turn for turn in self.turns if turn.loss >= INACCURACY and player in (None, turn.player)]
        return tuple(sorted(found, key=lambda turn: -turn.loss)[:count])

    @property
    def loser(self) -> Player | None:
        """Who lost; None if the game was not played to its end."""
        outcome = self.game.end.position.outcome()
        return None if outcome is None else outcome.winner.opponent

    @property
    def turning_point(self) -> Turn | None:
        """The decision with which the loser's win share fell below one half for the last time."""
        crossed = [turn for turn in self.turns if turn.player is self.loser and turn.win < 0.5 <= turn.before]
        return crossed[-1] if crossed else None

    @property
    def best_chance(self) -> Turn | None:
        """The decision at which the loser had the most to hope for: whether the game was ever to be won."""
        turns = [turn for turn in self.turns if turn.player is self.loser]
        return max(turns, key=lambda turn: turn.before, default=None)

    @property
    def swing(self) -> float | None:
        """The win share that the deals of the reserve brought player 1; None where nothing was dealt."""
        return sum(each.swing for each in self.luck) if self.luck else None

    def __str__(self) -> str:
        from quiltwork.analysis.review.report import review_summary

        return review_summary(self)

    def __repr__(self) -> str:
        return f"<Review: {self.game.edition.id}, {len(self.turns)} decisions, {self.simulations} simulations>"

    def _repr_html_(self) -> str:
        from quiltwork.analysis.review.page import review_html

        return review_html(self)

    def players_as_json(self) -> list[dict[str, Any]]:
        """The figures of both players; all are None for one of whom no decision was reviewed."""
        nothing = dict.fromkeys(("accuracy", "loss", "loss_what", "loss_where"))
        return [found.as_json() if (found := self.player(player)) else dict(nothing) for player in Player]

    def as_json(self) -> dict[str, Any]:
        """The review as JSON types, as `quiltwork review --json` prints it."""
        return {
            "edition": self.game.edition.id,
            "players": self.players_as_json(),
            "turns": [turn.as_json() for turn in self.turns],
        }


Reviewed = Callable[[int, int], None]


def review(
    game: Game, *, analyst: Analyst | None = None, player: Player | None = None, reviewed: Reviewed | None = None
) -> Review:
    """Reviews the main line of a game, or one player's moves of it.

    `reviewed` is called with the progress: moves done, and moves in all. Raises QuiltworkError for a game without
    moves.
    """
    line = game.end.line()
    if not line:
        raise QuiltworkError("the game has no moves to review")
    judge = analyst or Analyst()
    turns: list[Turn] = []
    luck: list[Luck] = []
    position = game.start
    for ply, move in enumerate(line):
        before, position = position, position.play(move)
        if isinstance(move, Replenish):
            luck.append(luck_of(ply, before, move, judge))
        elif player in (None, before.turn):
            turns.append(turn_of(ply, before, move, judge))
        if reviewed:
            reviewed(ply + 1, len(line))
    return Review(game, judge.simulations, tuple(turns), tuple(luck))


def luck_of(ply: int, position: Position, move: Move, analyst: Analyst) -> Luck:
    """What a deal of the reserve brought player 1."""
    after = analyst.value(position.play(move), Player.ONE)
    return Luck(ply, move, after.win - analyst.value(position, Player.ONE).win)


def turn_of(ply: int, position: Position, move: Move, analyst: Analyst) -> Turn:
    """What a player's move cost."""
    mover = position.turn
    assert mover is not None
    after = position.play(move)
    forced = len(position.legal_moves()) == 1
    found = None if forced else analyst.analysis(position)
    if found is None or found.best.move == move:
        value = analyst.value(after, mover)
        return Turn(ply, mover, position, move, move, forced, value.win, value.points, 0.0, 0.0, 0.0, value.exact)
    values = {each: analyst.value(position.play(each), mover) for each in _candidates(found.moves, move)}
    if Label.of(_best(values).win - values[move].win) not in (Label.BEST, Label.GOOD):
        # The best of several estimates is an optimistic one: what matters is measured again, on its own.
        again = analyst.thorough(SECOND_LOOK)
        finalists = {_best_move(values), _best_move(_of_action(values, move)), move}
        values = {each: again.value(position.play(each), mover) for each in values if each in finalists}
    own, place = values[move], _best(_of_action(values, move))
    best = _best_move(values)
    if values[best] == own:
        best = move
    top = values[best]
    turn = Turn(
        ply=ply,
        player=mover,
        position=position,
        move=move,
        best=best,
        forced=False,
        win=own.win,
        points=own.points,
        loss_what=top.win - place.win,
        loss_where=place.win - own.win,
        points_lost=max(0.0, top.points - own.points),
        exact=top.exact and own.exact,
    )
    if turn.label in (Label.BEST, Label.GOOD):
        return turn
    better, line = ((each, *analyst.line(position.play(each))) for each in (best, move))
    return replace(turn, reason=reason_of(Comparison(position, mover, better, line)), better=better, line=line)


def _candidates(ranked: tuple[RankedMove, ...], played: Move) -> list[Move]:
    """The moves to value: the best of the best actions, more places of the action taken, the move played."""
    places: dict[str, list[Move]] = {}
    for each in ranked:
        if each.visits > 0 or each is ranked[0]:
            places.setdefault(piece_of(each.move), []).append(each.move)
    first = [ranked[0].move]
    first += [found[0] for found in list(places.values())[:OTHER_ACTIONS]]
    first += places.get(piece_of(played), [])[:PLACEMENTS]
    return list(dict.fromkeys([*first, played]))


def _of_action(values: dict[Move, Value], move: Move) -> dict[Move, Value]:
    return {each: value for each, value in values.items() if piece_of(each) == piece_of(move)}


def _best_move(values: dict[Move, Value]) -> Move:
    return max(values, key=lambda each: (values[each].win, values[each].points))


def _best(values: dict[Move, Value]) -> Value:
    return values[_best_move(values)]
