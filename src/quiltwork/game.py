"""A game: a position with its history, as a tree of moves with comments and variations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import SupportsIndex

from quiltwork.deal import circle_of_deal
from quiltwork.editions import DEFAULT_EDITION, Edition, load_edition
from quiltwork.errors import QuiltworkError
from quiltwork.move import Move, Player, Replenish
from quiltwork.position import Position, check_size

SUFFIXES = ("!", "?", "!!", "??", "!?", "?!")
TERMINATIONS = ("resign", "time", "abandoned")
_CLOCK = re.compile(r"\[%clk\s+([0-9:.]+)\]")
_EVALUATION = re.compile(r"\[%eval\s+([0-9.]+)(?:\s+([-+]?[0-9.]+))?\]")


class Node:
    """A place in the tree of a game: the position, the move that led there, and what may follow."""

    def __init__(self, position: Position, move: Move | None = None, parent: Node | None = None) -> None:
        self.position = position
        """after the move"""
        self.move = move
        """that led here; None at the root"""
        self.parent = parent
        """the node before the move; None at the root"""
        self.children: list[Node] = []
        """the main line's move first, then the variations"""
        self._suffix = ""
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
    def suffix(self) -> str:
        """What is thought of the move: one of `! ? !! ?? !? ?!`, or empty; raises QuiltworkError for another."""
        return self._suffix

    @suffix.setter
    def suffix(self, suffix: str) -> None:
        if suffix and suffix not in SUFFIXES:
            raise QuiltworkError(f"a move is followed by one of {' '.join(SUFFIXES)}, not {suffix!r}")
        self._suffix = suffix

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

    @property
    def mover(self) -> Player | None:
        """Who made the move; None at the start, and for a deal of the reserve."""
        if self.parent is None or isinstance(self.move, Replenish):
            return None
        return self.parent.position.turn

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
    """A game with a cursor: play, undo, redo, branch; `text` is its record, and notebooks show the table."""

    def __init__(self, start: Position, tags: dict[str, str] | None = None) -> None:
        self.start = start
        """the position that the game begins with"""
        self._tags: dict[str, str] = dict(tags or {})
        self.root = Node(start)
        """the node of the start"""
        self.node = self.root
        """the cursor"""

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

    # Pictures

    def film_strip(
        self, *, columns: int = 4, size: float | None = None, theme: str | None = None, dark: bool = False
    ) -> str:
        """The moves up to the cursor as a film strip (SVG): both quilts at the start and after each move.

        `columns` is how many pictures stand side by side, `size` the width of the whole in pixels. Without
        `theme`, the edition's own is used. Raises QuiltworkError for a size or a number of columns below 1.
        """
        from quiltwork.render.film import Frame, film_svg
        from quiltwork.themes import load_theme, theme_of

        if columns < 1:
            raise QuiltworkError(f"columns must be a whole number of at least 1, not {columns!r}")
        check_size(size)
        frames = [
            Frame(node.position.setup, number, node.move, node.mover) for number, node in enumerate(self._nodes())
        ]
        chosen = load_theme(theme) if theme else theme_of(self.edition)
        return film_svg(frames, chosen, dark, columns=columns, size=size)

    def animation(
        self,
        form: str = "webp",
        *,
        size: float = 880,
        seconds: float = 1.0,
        theme: str | None = None,
        dark: bool = False,
    ) -> bytes:
        """The moves up to the cursor as an animated picture, `webp` or `gif`: the table after each move.

        `size` is its width, from 16 to 4,096 pixels; each move is shown for so many `seconds`, from 0.02 to 60,
        and the last one four times as long. Without `theme`, the edition's own is used.
        Raises MissingExtra without the extra `pictures`, QuiltworkError for another form, size or time.
        """
        from quiltwork.render.raster import Animation, animated

        if form not in list(Animation):
            raise QuiltworkError(f"an animated picture is {' or '.join(Animation)}, not {form!r}")
        if not 0.02 <= seconds <= 60:
            raise QuiltworkError(f"seconds must be from 0.02 to 60, not {seconds!r}")
        if not 16 <= size <= 4096:
            raise QuiltworkError(f"size must be from 16 to 4096 pixels, not {size!r}")
        pictures = (
            node.position.svg(size=size, last_move=node.move, theme=theme, dark=dark) for node in self._nodes()
        )
        return animated(pictures, Animation(form), seconds)

    def _nodes(self) -> list[Node]:
        """The nodes from the start to the cursor."""
        nodes: list[Node] = []
        node: Node | None = self.node
        while node is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    def _repr_html_(self) -> str:
        """In a notebook: who plays, the position at the cursor, and the moves."""
        names = [escape(self.tags.get(f"Player{number}", f"Player {number}")) for number in (1, 2)]
        score = self.tags.get("Score", "").replace(":", " : ")
        moves = escape(" ".join(map(str, self.moves)))
        picture = self.position.svg(size=880, last_move=self.node.move)
        return (
            f"<p>{escape(self.edition.title)}: {names[0]} – {names[1]} {score}</p>{picture}"
            f"<p>{len(self.moves)} moves: <code>{moves}</code></p>"
        )

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
