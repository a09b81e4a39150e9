"""The table: a game with its players, people and computers. It has no words and no screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from quiltwork.game import Game
from quiltwork.move import Move, Player, Replenish
from quiltwork.position import Position, Shuffler
from quiltwork.position_setup import Phase
from quiltwork.terminal import storage

Thinker = Callable[[Position], Move]


class Table:
    """Plays moves, takes them back, and keeps the game after each, so that nothing is ever lost."""

    def __init__(self, game: Game, rng: Shuffler, thinkers: Mapping[Player, Thinker] | None = None) -> None:
        self.game = game
        self.rng = rng
        self.thinkers = dict(thinkers or {})

    @property
    def position(self) -> Position:
        return self.game.position

    @property
    def you(self) -> Player | None:
        """The one person at the table; None where there are two, or none."""
        people = [player for player in Player if player not in self.thinkers]
        return people[0] if len(people) == 1 else None

    @property
    def opponent(self) -> str:
        """The agent at the table, as the game remembers it; empty where two people play."""
        return self.game.tags.get("Opponent", "").rpartition(" ")[0]

    @property
    def over(self) -> bool:
        return self.position.turn is None or "Termination" in self.game.tags

    @property
    def resigned(self) -> Player | None:
        """Who gave up."""
        if self.game.tags.get("Termination") != "resign":
            return None
        return Player(int(self.game.tags["Winner"])).opponent

    @property
    def thinker(self) -> Thinker | None:
        """The computer whose turn it is."""
        return None if self.position.turn is None else self.thinkers.get(self.position.turn)

    @property
    def may_review(self) -> bool:
        """Between two people a review waits for the end of the game."""
        return bool(self.thinkers) or self.over

    def play(self, move: Move) -> None:
        self.game.truncate()
        self.game.play(move)
        self.keep()

    def deal(self) -> Replenish | None:
        """Lets the reserve in, if the game waits for that."""
        if self.position.phase is not Phase.DEAL:
            return None
        move = self.position.deal(self.rng)
        self.play(move)
        return move

    def undo(self) -> list[Move]:
        """Takes back the last move of a person, with the deals and the computer's moves after it.

        Returns what was taken back, in the order of play; nothing where no person has moved.
        """
        line, undone = self.game.node, []
        while (move := self.game.undo()) is not None:
            undone.append(move)
            turn = self.position.turn
            if not isinstance(move, Replenish) and turn is not None and turn not in self.thinkers:
                self.game.tags.pop("Termination", None)
                self.game.tags.pop("Winner", None)
                return undone[::-1]
        # The computer moved first: it need not think about the same move again.
        self.game.node = line
        return []

    def redo(self) -> list[Move]:
        """Plays again what was taken back last, up to the next move of a person."""
        redone = []
        while (move := self.game.redo()) is not None:
            redone.append(move)
            if self.position.turn not in self.thinkers and self.position.phase is not Phase.DEAL:
                break
        return redone

    def resign(self, loser: Player) -> None:
        self.game.truncate()
        self.game.tags["Termination"] = "resign"
        self.game.tags["Winner"] = str(int(loser.opponent))
        self.keep()

    def keep(self) -> None:
        storage.keep(self.game)
