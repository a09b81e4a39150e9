"""Records of games: reading and writing the `.quilt` format."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from itertools import groupby

from quiltwork.errors import IllegalMove, NotationError, QuiltworkError
from quiltwork.game import SUFFIXES, TERMINATIONS, Game, Node, start_of_tags
from quiltwork.move import Player, Replenish
from quiltwork.notation.positions import format_setup
from quiltwork.notation.tokens import Kind, Token, tokens

_ORDER = ("Edition", "Circle", "Position", "Player1", "Player2", "Date", "Score", "Winner")
_WIDTH = 100
_SUBJECT = "record"


def parse_one(text: str) -> Game:
    """The one game of a record."""
    games = parse_games(text)
    game = next(games, None)
    if game is None:
        raise NotationError(_SUBJECT, "there is no game: a record begins with its tags", line=1, column=1)
    extra = next(games, None)
    if extra is not None:
        raise NotationError(_SUBJECT, "expected one game, found more")
    return game


def parse_games(text: str) -> Iterator[Game]:
    """The games of a file, each checked; the first wrong one raises NotationError with its line."""
    for game in read_games(text):
        if isinstance(game, NotationError):
            raise game
        yield game


def read_games(text: str) -> Iterator[Game | NotationError]:
    """The games of a file, and for each wrong one its error instead."""
    try:
        for group in _split(tokens(text.removeprefix("\ufeff"))):
            try:
                yield _Reader(group).game()
            except NotationError as error:
                yield error
    except NotationError as error:
        # What is not even a token ends the file: where the next game begins is unknown.
        yield error


def _split(stream: Iterator[Token]) -> Iterator[list[Token]]:
    """One list of tokens a game: a tag after moves, or a second Edition, begins a new one."""
    group: list[Token] = []
    tags: set[str] = set()
    for token in stream:
        if token.kind is Kind.TAG:
            if tags and (group[-1].kind is not Kind.TAG or (token.text == "Edition" and "Edition" in tags)):
                yield group
                group, tags = [], set()
            tags.add(token.text)
        group.append(token)
    if group:
        yield group


class _Reader:
    def __init__(self, group: list[Token]) -> None:
        self.group = group
        self.tags: dict[str, str] = {}
        self.places: dict[str, Token] = {}

    def game(self) -> Game:
        for token in self.group:
            if token.kind is Kind.TAG:
                if token.text in self.tags:
                    self.fail(token, f"the tag {token.text} is there twice")
                self.tags[token.text] = token.value
                self.places[token.text] = token
        self.check_tags()
        place = self.places.get("Position") or self.places.get("Circle") or self.places["Edition"]
        try:
            game = Game(start_of_tags(self.tags))
        except QuiltworkError as error:
            raise NotationError(_SUBJECT, str(error), line=place.line, column=place.column) from None
        game.tags = {
            key: value
            for key, value in self.tags.items()
            if key not in ("Edition", "Circle", "Position", "Score", "Winner")
        }
        self.moves(game)
        self.check_result(game)
        game.node = game.end
        return game

    def fail(self, token: Token, reason: str) -> None:
        raise NotationError(_SUBJECT, reason, line=token.line, column=token.column)

    def check_tags(self) -> None:
        first = self.group[0]
        if "Edition" not in self.tags and "Position" not in self.tags:
            self.fail(first, 'the tag [Edition "..."] is missing')
        if not {"Circle", "Position", "Deal"} & self.tags.keys():
            self.fail(first, 'the tag [Circle "..."] (or [Position "..."]) is missing')
        if "Position" in self.tags and "Edition" in self.tags:
            named = self.tags["Position"].split()[:1]
            if named and named[0].lower() != self.tags["Edition"].lower():
                self.fail(
                    self.places["Position"],
                    f"the position is of {named[0]}, but the tag Edition says {self.tags['Edition']}",
                )
        termination = self.tags.get("Termination")
        if termination is not None and termination not in TERMINATIONS:
            self.fail(self.places["Termination"], f"Termination should be one of {', '.join(TERMINATIONS)}")

    def moves(self, game: Game) -> None:
        node, stack = game.root, list[tuple[Node, Token]]()
        comments: dict[Node, list[str]] = {}
        marked: Token | None = None
        for token in self.group:
            match token.kind:
                case Kind.TAG:
                    continue
                case Kind.MARK:
                    marked = token
                case Kind.MOVE:
                    node = self.move(node, token, marked)
                    marked = None
                case Kind.COMMENT:
                    comments.setdefault(node, []).append(token.text)
                case Kind.SUFFIX:
                    if token.text not in SUFFIXES or node.move is None or node.suffix:
                        self.fail(
                            token,
                            f"unexpected {token.text!r}: a move may be followed by one of {' '.join(SUFFIXES)}",
                        )
                    node.suffix = token.text
                case Kind.OPEN:
                    if node.parent is None:
                        self.fail(token, "a variation without a move that it could replace")
                    assert node.parent is not None
                    stack.append((node, token))
                    if len(stack) > 50:
                        self.fail(token, "variations are nested more than 50 deep")
                    node = node.parent
                case Kind.CLOSE:
                    if not stack:
                        self.fail(token, "')' without '('")
                    if marked is not None:
                        self.fail(marked, f"{marked.text} without a move")
                    node, _ = stack.pop()
        for commented, texts in comments.items():
            commented.comment = " ".join(texts).replace("{", "(")
        if stack:
            self.fail(stack[-1][1], "a variation that does not end: ')' is missing")
        if marked is not None:
            self.fail(marked, f"{marked.text} without a move")

    def move(self, node: Node, token: Token, marked: Token | None) -> Node:
        position = node.position
        if marked is not None:
            if position.turn is None:
                self.fail(marked, "the game is over")
            if marked.text != f"{int(position.turn or 0)}:":
                self.fail(marked, f"{marked.text} but it is player {position.turn}'s turn")
        if token.text == "*":
            return node
        try:
            return node.add(position.read(token.text))
        except NotationError as error:
            column = token.column + (error.column or 1) - 1
            raise NotationError(_SUBJECT, error.reason, line=token.line, column=column) from None
        except IllegalMove as error:
            raise NotationError(_SUBJECT, f"illegal move {error}", line=token.line, column=token.column) from error

    def check_result(self, game: Game) -> None:
        """Score and Winner must agree with the moves, unless a Termination says why they need not."""
        winner = self.tags.get("Winner")
        if winner is not None and winner not in ("1", "2", "*"):
            self.fail(self.places["Winner"], f"Winner should be 1, 2 or *, is {winner!r}")
        if "Termination" in self.tags:
            game.tags.update({key: self.tags[key] for key in ("Score", "Winner") if key in self.tags})
            return
        position = game.end.position
        outcome = position.outcome()
        one, two = position.score(Player.ONE).total, position.score(Player.TWO).total
        if "Score" in self.tags and self.tags["Score"] != f"{one}:{two}":
            self.fail(self.places["Score"], f"Score says {self.tags['Score']}, the moves give {one}:{two}")
        right = str(int(outcome.winner)) if outcome else "*"
        if winner is not None and winner != right:
            said = "unfinished" if winner == "*" else f"player {winner}"
            given = "an unfinished game" if right == "*" else f"player {right} as the winner"
            self.fail(self.places["Winner"], f"Winner says {said}, the moves give {given}")


def format_game(game: Game) -> str:
    """The record of a game: its tags, a blank line, its moves."""
    tags = {"Edition": game.edition.name, **start_tags(game), **game.tags}
    tags.setdefault("Winner", "*")
    names = [name for name in _ORDER if name in tags] + [name for name in tags if name not in _ORDER]
    for name in names:
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
            raise QuiltworkError(f"the tag {name!r} cannot be written: its name should be letters and digits")
    head = "".join(f'[{name} "{_escaped(tags[name])}"]\n' for name in names)
    moves = _wrapped(list(_movetext(game)))
    return f"{head}\n{moves}\n" if moves else f"{head}\n"


def start_tags(game: Game) -> dict[str, str]:
    """The tags that tell the start: Circle for a usual one, else Position."""
    start = game.start
    circle = tuple(patch.code for patch in start.circle)
    usual = set(circle) == set(game.edition.circle) and len(circle) == len(game.edition.circle)
    if usual and start.text == format_setup(type(start).initial(game.edition, circle=circle).setup):
        return {"Circle": "".join(circle)}
    return {"Position": start.text}


def _escaped(value: str) -> str:
    """As it stands between quotes, on one line."""
    return " ".join(value.splitlines()).replace("\\", "\\\\").replace('"', '\\"')


def _movetext(game: Game) -> Iterator[str]:
    if game.root.comment:
        yield f"{{{game.root.comment}}}"
    yield from _line(game.root, first=True)


def _line(node: Node, *, first: bool) -> Iterator[str]:
    """The main line after a node, each move followed by its variations."""
    mark_due = first
    while node.children:
        main, *variations = node.children
        yield from _move(main, mark_due)
        mark_due = bool(main.comment)
        for variation in variations:
            words = [*_move(variation, True), *_line(variation, first=bool(variation.comment))]
            words[0] = "(" + words[0]
            words[-1] += ")"
            yield from words
            mark_due = True
        node = main


def _move(node: Node, mark_due: bool) -> Iterator[str]:
    """A move with the mark of its player, where the player changes or something stands between."""
    assert node.parent is not None
    if not isinstance(node.move, Replenish):
        before = node.parent
        while before.parent is not None and isinstance(before.move, Replenish):
            before = before.parent
        last_mover = before.parent.position.turn if before.parent is not None else None
        if mark_due or last_mover is not node.parent.position.turn:
            yield f"{int(node.parent.position.turn or 0)}:"
    yield f"{node.move}{node.suffix}"
    if node.comment:
        yield f"{{{node.comment}}}"


def _wrapped(words: list[str]) -> str:
    """The words in lines of at most 100 columns; a mark stays with its move."""
    joined: list[str] = []
    for is_mark, group in groupby(words, key=lambda word: word.endswith(":")):
        items = list(group)
        if not is_mark and joined and joined[-1].endswith(":"):
            joined[-1] += "\0" + items.pop(0)
        joined.extend(items)
    text = textwrap.fill(" ".join(joined), _WIDTH, break_long_words=False, break_on_hyphens=False)
    return text.replace("\0", " ")
