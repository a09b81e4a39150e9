"""Looking back at a game: a place in it, and what a review found about the moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quiltwork.game import Game, Node
from quiltwork.move import Move
from quiltwork.position import Position
from quiltwork.speech import capital
from quiltwork.telling import Telling
from quiltwork.terminal.hand import Hand

if TYPE_CHECKING:
    from quiltwork.analysis.review import Review, Turn


class LookBack:
    """The moves of a game up to its cursor, and the one that is looked at; `ply` moves have been made."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._nodes: list[Node] = []
        node: Node | None = game.node
        while node is not None:
            self._nodes.insert(0, node)
            node = node.parent
        self.ply = self.last
        self.review: Review | None = None

    @property
    def last(self) -> int:
        return len(self._nodes) - 1

    @property
    def position(self) -> Position:
        return self._nodes[self.ply].position

    @property
    def move(self) -> Move | None:
        return self._nodes[self.ply].move

    def step(self, by: int) -> None:
        self.ply = min(self.last, max(0, self.ply + by))

    def go_to(self, ply: int) -> None:
        """A number of moves; -1 is the end."""
        self.ply = self.last if ply < 0 else min(self.last, ply)

    def adopt(self) -> None:
        """Goes on with the game from here; what came after can still be played again."""
        self.game.node = self._nodes[self.ply]
        self.game.tags.pop("Termination", None)
        self.game.tags.pop("Winner", None)

    @property
    def turn(self) -> Turn | None:
        """What the review says about the next move."""
        turns = self.review.turns if self.review else ()
        return next((turn for turn in turns if turn.ply == self.ply), None)

    @property
    def better(self) -> Hand | None:
        """The better move, held over the quilt, where the next one was not the best."""
        turn = self.turn
        return Hand.making(turn.position, turn.best) if turn is not None and _cost(turn) else None

    def told(self, telling: Telling) -> list[str]:
        """What the last move was, and where there is a review, what the next one cost."""
        say = telling.speech.say
        made = say("review.start")
        if self.ply and self.move is not None:
            made = telling.did(self._nodes[self.ply - 1].position, self.move)
        turn = self.turn
        if turn is None:
            return [made]
        lines = [made, say("screen.next", did=telling.did(turn.position, turn.move))]
        if not _cost(turn):
            lines.append(say("screen.best" if turn.label.value == "best" else "screen.good"))
        else:
            better = capital(telling.move(turn.best))
            lines.append(say("screen.cost", percent=f"{100 * turn.loss:.1f}", better=better))
            if turn.reason:
                lines[-1] += f" {turn.reason.sentence(turn.position.edition, telling.speech.language)}"
        return lines


def _cost(turn: Turn) -> bool:
    """Whether a move was bad enough to be worth a better one."""
    return turn.label.value not in ("best", "good")
