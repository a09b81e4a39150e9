"""What is bought, earned and won in many games: counts over records, added up one game at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from quiltwork.editions import Edition
from quiltwork.errors import QuiltworkError
from quiltwork.game import Game
from quiltwork.move import Player, TakePatch


@dataclass
class PatchCounts:
    """How a patch fared."""

    bought: int = 0
    won: int = 0
    """by its buyer, in games with a winner"""
    decided: int = 0
    """bought in games with a winner"""
    turns: int = 0
    """the sum of the turns at which it was bought; the buyer's first turn is 1"""


@dataclass
class RecordStatistics:
    """Counts over the games of one edition."""

    edition: Edition
    games: int = 0
    decided: int = 0
    first_player_won: int = 0
    moves: int = 0
    scores: list[int] = field(default_factory=list)
    empty_spaces: Counter[int] = field(default_factory=Counter)
    """at the end of games that were played out, by player"""
    patches: dict[str, PatchCounts] = field(default_factory=dict)
    income: dict[int, list[int]] = field(default_factory=dict)
    """by space of the time board: the sum of the incomes of the players who got there, and how many they are"""

    def add(self, game: Game) -> None:
        """Counts a game along its main line; raises QuiltworkError for another edition."""
        if game.edition != self.edition:
            raise QuiltworkError(f"these are counts of {self.edition.id}, not of {game.edition.id}")
        winner = _winner(game)
        self.games += 1
        if winner is not None:
            self.decided += 1
            self.first_player_won += winner is Player.ONE
        self._add_moves(game, winner)
        end = game.end.position
        if end.turn is None:
            for player in Player:
                self.scores.append(end.score(player).total)
                self.empty_spaces[end.score(player).empty_spaces] += 1

    def _add_moves(self, game: Game, winner: Player | None) -> None:
        turns = dict.fromkeys(Player, 0)
        incomes: dict[Player, dict[int, int]] = {player: {} for player in Player}
        for node in game.root.main_line():
            assert node.parent is not None
            mover, move = node.parent.position.turn, node.move
            self.moves += 1
            if mover is None:
                continue
            turns[mover] += 1
            if isinstance(move, TakePatch):
                counts = self.patches.setdefault(move.patch, PatchCounts())
                counts.bought += 1
                counts.turns += turns[mover]
                if winner is not None:
                    counts.decided += 1
                    counts.won += winner is mover
            state = node.position.player(mover)
            incomes[mover][state.space] = state.income
        for reached in incomes.values():
            income = 0
            for space in range(max(reached, default=-1) + 1):
                income = reached.get(space, income)
                total = self.income.setdefault(space, [0, 0])
                total[0] += income
                total[1] += 1

    def income_curve(self) -> Iterator[tuple[int, float]]:
        """The mean income of a player whose token has reached each space."""
        for space in sorted(self.income):
            total, players = self.income[space]
            yield space, total / players


def _winner(game: Game) -> Player | None:
    outcome = game.end.position.outcome()
    if outcome is not None:
        return outcome.winner
    given = game.tags.get("Winner", "")
    return Player(int(given)) if given in ("1", "2") else None
