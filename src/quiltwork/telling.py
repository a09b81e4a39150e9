"""Sentences about a game, in the words of its theme: whose turn it is, what a move does, how it ended."""

from __future__ import annotations

from quiltwork.editions import Patch
from quiltwork.events import gains
from quiltwork.geometry import Cell
from quiltwork.move import Advance, LayPatch, Move, Placement, PlaceSpecialPatch, Player, Replenish, TakePatch
from quiltwork.position import Position
from quiltwork.position_setup import Phase
from quiltwork.speech import Speech, capital, number


def why_turn(position: Position) -> str:
    """Why it is this player's turn, as the key of a message."""
    turn = position.turn
    if turn is None:
        return "over"
    mine, other = position.player(turn).space, position.player(turn.opponent).space
    return why_turn_of(position.phase, mine, other, position.edition.last_space)


def why_turn_of(phase: Phase, mine: int, other: int, last_space: int) -> str:
    """The same, where the spaces of who moves and of the other player are known."""
    if phase is Phase.OVER:
        return "over"
    if phase is Phase.SPECIAL:
        return "special"
    if phase in (Phase.LAY, Phase.DEAL):
        return "lay"
    if other == last_space:
        return "alone"
    if mine == other:
        return "start" if mine == 0 else "top"
    return "behind"


class Telling:
    """Tells a game to whoever sits here; `you` is the one player that is addressed, or None."""

    def __init__(self, speech: Speech, names: tuple[str, str], you: Player | None = None) -> None:
        self.speech = speech
        self.names = names
        self.you = you

    def name(self, player: Player) -> str:
        return self.names[player - 1]

    def _say(self, key: str, player: Player, **figures: int | str) -> str:
        """The message for `you`, or for somebody else."""
        person = "you" if player is self.you else "other"
        return self.speech.say(f"{key}.{person}", name=self.name(player), **figures)

    def turn(self, position: Position) -> str:
        """Who moves, and why."""
        turn = position.turn
        if turn is None:
            return self.result(position)
        why, other = why_turn(position), self.name(turn.opponent)
        count = position.setup.pending
        if why == "behind":
            # So many spaces on, it is the other player's turn.
            count = position.player(turn.opponent).space - position.player(turn).space + 1
        return self._say(f"turn.{why}", turn, other=other, count=count)

    def result(self, position: Position, resigned: Player | None = None) -> str:
        """How the game ended."""
        if resigned is not None:
            return self._say("won.resign", resigned.opponent, loser=self.name(resigned))
        outcome = position.outcome()
        if outcome is None:
            return self.turn(position)
        winner = outcome.winner
        a, b = (outcome.scores[player - 1].total for player in (winner, winner.opponent))
        return self._say("won.tie" if outcome.by_tie_break else "won.score", winner, a=a, b=b)

    def did(self, before: Position, move: Move) -> str:
        """What a move was, with what it brought."""
        if isinstance(move, Replenish) or before.turn is None:
            return self.speech.say("did.deal")
        player = before.turn
        match move:
            case Advance(spaces):
                done = self._say("did.advance", player, n=spaces)
            case TakePatch(patch, None):
                done = self._say("did.take", player, patch=self.speech.patch(patch))
            case TakePatch(patch, _) | LayPatch(patch, _):
                done = self._say("did.patch", player, patch=self.speech.patch(patch))
            case PlaceSpecialPatch(None):
                done = self._say("did.remove", player)
            case _:
                done = self._say("did.special", player)
        brought = gains(before.explain(move))
        parts = [done]
        if brought.income:
            parts.append(self.speech.say("did.income", count=brought.income))
        if brought.specials:
            parts.append(self.speech.say("did.specials", count=brought.specials))
        if brought.tile:
            parts.append(self.speech.say("did.tile"))
        return " ".join(parts)

    def preview(self, before: Position, move: Move) -> list[str]:
        """All that a legal move will do: short parts, each a phrase with a capital letter."""
        say, mover = self.speech.say, before.turn
        assert mover is not None
        after = before.play(move)
        here, there = before.player(mover), after.player(mover)
        parts = []
        if there.buttons != here.buttons:
            parts.append(f"{here.buttons} → {self.speech.counted('button', there.buttons)}")
        if there.space != here.space:
            parts.append(f"{self.speech.noun('space').one} {here.space} → {there.space}")
        scores = before.score(mover).total, after.score(mover).total
        parts.append(f"{number(scores[0])} → {self.speech.counted('point', scores[1])}")
        brought, tile = gains(before.explain(move)), before.edition.special_tile
        if brought.income:
            parts.append(say("preview.income", count=brought.income))
        if brought.specials:
            parts.append(say("preview.special", count=brought.specials))
        if brought.tile and tile is not None:
            parts.append(say("preview.tile", points=tile.points))
        if after.phase is Phase.DEAL:
            parts.append(say("preview.reserve"))
        if after.turn is None:
            parts.append(say("preview.ends"))
        elif after.turn is mover:
            other = self.name(mover.opponent)
            parts.append(self._say(f"preview.again.{why_turn(after)}", mover, other=other))
        else:
            parts.append(self._say("preview.next", after.turn))
        return [capital(part) for part in parts]

    def move(self, move: Move) -> str:
        """A move by name: `the long blue cross at d4`."""
        match move:
            case Advance(spaces):
                return self.speech.say("screen.advance", count=spaces)
            case TakePatch(patch, Placement() as place) | LayPatch(patch, place):
                return f"{self.speech.patch(patch)} {place.cell}"
            case TakePatch(patch, _):
                return self.speech.patch(patch)
            case PlaceSpecialPatch(Cell() as cell):
                return f"{self.speech.patch('s')} {cell}"
            case PlaceSpecialPatch(_):
                return self.speech.say("bar.remove")
        return str(move)

    def score(self, position: Position, player: Player) -> str:
        """A score as a sum."""
        score, counted = position.score(player), self.speech.counted
        parts = [counted("button", score.buttons)]
        if score.tile:
            parts.append(f"+ {score.tile} ({self.speech.noun('special_tile').one})")
        if score.empty_spaces:
            each = number(position.edition.points_per_empty_space)
            parts.append(f"{number(score.empty_points)} ({score.empty_spaces} × {each})")
        return f"{self.name(player)}: {' '.join(parts)} = {counted('point', score.total)}"

    def why_not(self, position: Position, patch: Patch) -> str | None:
        """Why a choice cannot be taken now, or None; it is one of the choices."""
        assert position.turn is not None
        missing = patch.buttons - position.player(position.turn).buttons
        if missing > 0:
            return self.speech.say("why.missing", count=missing)
        if not any(getattr(move, "patch", None) == patch.code for move in position.legal_moves()):
            return self.speech.say("why.no_room")
        return None
