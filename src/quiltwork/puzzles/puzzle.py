"""A puzzle, and its text: a position with keys, as in a file of positions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from hashlib import blake2s

from quiltwork.analysis.review.reasons import Comparison, Reason, reason_of
from quiltwork.errors import IllegalMove, NotationError
from quiltwork.move import Move, Player, Replenish, piece_of
from quiltwork.position import Position

IMPOSSIBLE = "impossible"
"""the answer that a quilt cannot be finished"""


class Kind(Enum):
    """What is asked."""

    CHOOSE = "choose"
    """what to do: take which patch, or advance; where to lay it does not matter"""
    PLACE = "place"
    """where to lay a patch that is chosen"""
    ENDGAME = "endgame"
    """the move that wins, proved by a search to the end"""
    FINISH = "finish"
    """fill every empty space with the patches of the circle, or say that it cannot be done"""


@dataclass(frozen=True)
class Puzzle:
    """A puzzle; its position and lines are parsed when they are first asked for."""

    id: str
    kind: Kind
    text: str
    """the position in notation"""
    best: tuple[str, ...]
    """the right answers: actions (`5c`, `+`) of CHOOSE, else moves in canonical notation"""
    good: tuple[str, ...] = ()
    """answers that are nearly as good: neither right nor wrong"""
    take: str | None = None
    """the patch that is chosen already, where it is to be laid (PLACE)"""
    line_text: tuple[str, ...] = ()
    tempting_text: tuple[str, ...] = ()
    loss: float = 0.0
    """what the tempting answer costs, in win share"""
    rating: int = 1500
    themes: tuple[str, ...] = ()

    @property
    def edition(self) -> str:
        """The id of its edition."""
        return self.text.partition(" ")[0]

    @cached_property
    def position(self) -> Position:
        return Position.parse(self.text)

    @property
    def player(self) -> Player:
        """Who is to find the answer."""
        assert self.position.turn is not None
        return self.position.turn

    @cached_property
    def line(self) -> tuple[Move, ...]:
        """The best move, and how play may go on; all the player's moves of FINISH."""
        if self.kind is Kind.FINISH:
            return in_order(self.position, self.line_text)
        return line_of(self.position, self.line_text)

    @cached_property
    def tempting(self) -> tuple[Move, ...]:
        """The move that looks good and is not, and how play may go on."""
        return line_of(self.position, self.tempting_text)

    def reason_against(self, move: Move) -> Reason | None:
        """Why a move is worse than the best, as far as it can be counted."""
        if not self.line or move == self.line[0]:
            return None
        played = self.tempting if self.tempting and self.tempting[0] == move else (move,)
        return reason_of(Comparison(self.position, self.player, self.line, played))

    def name_of(self, move: Move) -> str:
        """A move as `best` names it."""
        return piece_of(move) if self.kind is Kind.CHOOSE else str(move)

    def __str__(self) -> str:
        keys = {
            "id": self.id,
            "kind": self.kind.value,
            "best": ",".join(self.best),
            "good": ",".join(self.good),
            "take": self.take or "",
            "line": ",".join(self.line_text),
            "tempting": ",".join(self.tempting_text),
            "loss": f"{self.loss:.3f}" if self.loss else "",
            "rating": str(self.rating),
            "themes": ",".join(self.themes),
        }
        return " ".join([self.text, *(f"{key}={value}" for key, value in keys.items() if value)])


def parse_puzzle(line: str) -> Puzzle:
    """The puzzle of a line; its position is not checked yet. Raises NotationError."""
    fields = line.split()
    text, keys = " ".join(fields[:6]), dict(field.partition("=")[::2] for field in fields[6:])

    def words(key: str) -> tuple[str, ...]:
        return tuple(word for word in keys.get(key, "").split(",") if word)

    try:
        return Puzzle(
            id=keys.get("id") or puzzle_id(text, keys["kind"]),
            kind=Kind(keys["kind"]),
            text=text,
            best=words("best"),
            good=words("good"),
            take=keys.get("take"),
            line_text=words("line"),
            tempting_text=words("tempting"),
            loss=float(keys.get("loss", 0)),
            rating=int(keys.get("rating", 1500)),
            themes=words("themes"),
        )
    except (KeyError, ValueError) as error:
        raise NotationError("puzzle", f"expected kind=, best= and figures, found {line[-60:]!r}") from error


def puzzle_id(text: str, kind: str) -> str:
    """A short name that stays, made from what is asked."""
    return blake2s(f"{kind} {text}".encode(), digest_size=4).hexdigest()


def line_of(position: Position, texts: tuple[str, ...]) -> tuple[Move, ...]:
    """The moves of a line up to the first deal; a move that is not legal ends it."""
    moves: list[Move] = []
    for text in texts:
        try:
            move = position.move(text)
            position = position.play(move)
        except (NotationError, IllegalMove):
            break
        moves.append(move)
        if isinstance(move, Replenish):
            break
    return tuple(moves)


def in_order(position: Position, texts: tuple[str, ...]) -> tuple[Move, ...]:
    """Moves in an order in which they can be made: a proof that a quilt can be finished leaves the order open."""
    moves: list[Move] = []
    left = list(texts)
    while found := next(((text, line) for text in left if (line := line_of(position, (text,)))), None):
        text, line = found
        left.remove(text)
        moves += line
        position = position.play(line[0])
    return tuple(moves)
