"""A game: a position with its history, as a tree of moves with comments and variations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import SupportsIndex

from quiltwork.deal import circle_of_deal
from quiltwork.editions import DEFAULT_EDITION, Edition, load_edition
from quiltwork.errors import QuiltworkError
from quiltwork.move import Move
from quiltwork.position import Position

SUFFIXES = ("!", "?", "!!", "??", "!?", "?!")
TERMINATIONS = ("resign", "time", "abandoned")
_CLOCK = re.compile(r"\[%clk\s+([0-9:.]+)\]")
_EVALUATION = re.compile(r"\[%eval\s+([0-9.]+)(?:\s+([-+]?[0-9.]+))?\]")


class Node:
    """A place in the tree of a game: the position, the move that led there, and what may follow."""

    def __init__(self, position: Position, move: Move | None = None, parent: Node | None = None) -> None:
        self.position = position
        self.move = move
        self.parent = parent
        self.children: list[Node] = []
        """the main line's move first, then the variations"""
        self.suffix = ""
        self._comment = ""

    @property
    def comment(self) -> str:
        """A comment on the move (at the root: on the game); white space is one blank."""
        return self._comment

    @comment.setter
    def comment(self, text: str) -> None:
        if "}" in text or "{" in text:
            raise QuiltworkError("a comment cannot contain { or }")
        self._comment = " ".join(text.split())

    @property
    def clock(self) -> str | None:
        """The clock of the player who just moved, from `[%clk 4:59]` in the comment."""
        match = _CLOCK.search(self._comment)
        return match.group(1) if match else None

    @property
    def evaluation(self) -> tuple[float, float | None] | None:
        """Win share and points for the player who just moved, from `[%eval 0.83 +7.5]` in the comment."""
        match = _EVALUATION.search(self._comment)
        if match is None:
            return None
        return float(match.group(1)), float(match.group(2)) if match.group(2) else None

    def add(self, move: Move) -> Node:
        """The node after a move: the existing one, or a new variation; raises IllegalMove."""
        for child in self.children:
            if child.move == move:
                return child
        child = Node(self.position.play(move), move, self)
        self.children.append(child)
        return child

    def promote(self) -> None:
        """Makes this move the main line at its branch."""
        if self.parent is not None:
            self.parent.children.remove(self)
            self.parent.children.insert(0, self)

    def line(self) -> list[Move]:
        """The moves from the start of the game to here."""
        moves: list[Move] = []
        node: Node | None = self
        while node is not None and node.move is not None:
            moves.append(node.move)
            node = node.parent
        return moves[::-1]

    def main_line(self) -> Iterator[Node]:
        """The nodes after this one along the first moves."""
        node = self
        while node.children:
            node = node.children[0]
            yield node


class Game:
    """A game with a cursor: play, undo, redo, branch; `text` is its record."""

    def __init__(self, start: Position, tags: dict[str, str] | None = None) -> None:
        self.start = start
        self._tags: dict[str, str] = dict(tags or {})
        self.root = Node(start)
        self.node = self.root

    @classmethod
    def new(cls, edition: Edition | str = DEFAULT_EDITION, *, deal: SupportsIndex | None = None) -> Game:
        """A new game with the circle of a deal number; without one, in sorted order."""
        return cls(Position.initial(edition, deal=deal))

    @classmethod
    def parse(cls, text: str) -> Game:
        """The one game of a record; raises NotationError with line and column, also for an illegal move."""
        from quiltwork.quilt_file import parse_one

        return parse_one(text)

    @classmethod
    def parse_many(cls, text: str) -> Iterator[Game]:
        """The games of a file, one after another."""
        from quiltwork.quilt_file import parse_games

        return parse_games(text)

    @property
    def tags(self) -> dict[str, str]:
        """The record's tags; without a Termination, Score and Winner follow the main line."""
        if "Termination" not in self._tags:
            outcome = self.end.position.outcome()
            if outcome is None:
                self._tags.pop("Score", None)
                self._tags.pop("Winner", None)
            else:
                one, two = (score.total for score in outcome.scores)
                self._tags.update(Score=f"{one}:{two}", Winner=str(int(outcome.winner)))
        return self._tags

    @tags.setter
    def tags(self, tags: dict[str, str]) -> None:
        self._tags = dict(tags)

    @property
    def edition(self) -> Edition:
        """The edition that is played."""
        return self.start.edition

    @property
    def position(self) -> Position:
        """The position at the cursor."""
        return self.node.position

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves from the start to the cursor."""
        return tuple(self.node.line())

    @property
    def end(self) -> Node:
        """The last node of the main line."""
        node = self.root
        for node in self.root.main_line():  # noqa: B007
            pass
        return node

    def play(self, move: Move | str) -> Position:
        """Plays a move at the cursor and returns the new position; another move than before is a variation."""
        chosen = self.position.move(move) if isinstance(move, str) else move
        self.node = self.node.add(chosen)
        return self.position

    def undo(self) -> Move | None:
        """Takes the cursor one move back, and returns that move; None at the start. Nothing is lost."""
        if self.node.parent is None:
            return None
        move = self.node.move
        self.node = self.node.parent
        return move

    def redo(self) -> Move | None:
        """Takes the cursor one move forward along the first moves; None at the end."""
        if not self.node.children:
            return None
        self.node = self.node.children[0]
        return self.node.move

    def truncate(self) -> None:
        """Forgets everything after the cursor."""
        self.node.children.clear()

    @property
    def text(self) -> str:
        """The record."""
        from quiltwork.quilt_file import format_game

        return format_game(self)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Game.parse({self.text!r})"


def start_of_tags(tags: dict[str, str]) -> Position:
    """The start that tags describe by Position, or by Edition and Circle (or Deal)."""
    if "Position" in tags:
        return Position.parse(tags["Position"])
    edition = load_edition(tags["Edition"])
    if "Circle" not in tags:
        deal = tags["Deal"]
        if not re.fullmatch(r"[0-9]{1,20}", deal):
            raise QuiltworkError(f"Deal should be a deal number, is {deal[:30]!r}")
        return Position.initial(edition, circle=circle_of_deal(edition, int(deal)))
    from quiltwork.notation.scanner import Scanner

    scanner = Scanner(tags["Circle"], "Circle")
    circle = scanner.codes(edition)
    scanner.end()
    return Position.initial(edition, circle=circle)
