"""The analysis board: records read with their variations, moves played, positions set up, all written again."""

from __future__ import annotations

from random import SystemRandom
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from quiltwork import Cell, Edition, Game, Phase, Player, Position, SetupError
from quiltwork.events import gains
from quiltwork.game import Node
from quiltwork.move import Move, Placement, PlaceSpecialPatch, TakePatch
from quiltwork.narration import canonical
from quiltwork.notation.moves import parse_move
from quiltwork.position_setup import Quilt, Seat, Setup
from quiltwork.server.answers import Refusal
from quiltwork.server.view import options, snapshot
from quiltwork.setup_check import Problem

Json = dict[str, Any]
MOST_NODES = 1000
Text = Annotated[str, Field(max_length=16)]
Comment = Annotated[str, Field(max_length=1000, pattern=r"^[^{}]*$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TreeNode(_Strict):
    """A move of a tree: `parent` is the number of the node before it, 0 for the start."""

    parent: int = Field(ge=0)
    move: Text
    comment: Comment = ""
    suffix: Literal["", "!", "?", "!!", "??", "!?", "?!"] = ""
    eval: tuple[float, float] | None = None


class Tree(_Strict):
    """A game with its variations: a start, and moves of which each comes after its parent."""

    start: str = Field(min_length=1, max_length=2000)
    tags: dict[Annotated[str, Field(pattern=r"^[A-Za-z0-9_]{1,30}$")], Annotated[str, Field(max_length=200)]] = {}
    nodes: list[TreeNode] = Field(default=[], max_length=MOST_NODES)


class SetupSeat(_Strict):
    """A player's side of a set-up; the quilt as moves, `5c@d4` or `s@e5`."""

    space: int = Field(ge=-(10**6), le=10**6)
    buttons: int = Field(ge=-(10**6), le=10**6)
    first: bool = False
    quilt: list[Text] = Field(default=[], max_length=100)


class SetupRequest(_Strict):
    """A position as someone describes it."""

    edition: str = Field(min_length=1, max_length=60)
    turn: Literal[1, 2] | None = 1
    pending: int = Field(default=0, ge=0, le=20)
    players: tuple[SetupSeat, SetupSeat]
    tile: Literal[1, 2] | None = None
    circle: list[Annotated[str, Field(max_length=8)]] = Field(default=[], max_length=100)
    reserve: list[Annotated[str, Field(max_length=8)]] = Field(default=[], max_length=100)


_START_TAGS = ("Edition", "Circle", "Position", "Deal", "Score", "Winner", "Termination")


def tree_view(game: Game) -> Json:
    """A game as the board draws it: node 0 is the start."""
    numbers: dict[int, int] = {id(game.root): 0}
    nodes = [_root_view(game.root)]
    waiting = [*reversed(game.root.children)]
    while waiting:
        node = waiting.pop()
        assert node.parent is not None
        numbers[id(node)] = len(nodes)
        nodes.append({"parent": numbers[id(node.parent)], **_node_view(node)})
        if len(nodes) > MOST_NODES:
            raise Refusal("too-long", f"The board takes at most {MOST_NODES} moves.")
        waiting += reversed(node.children)
    edition = game.edition
    return {
        "edition": edition.name,
        "edition_title": edition.title,
        "theme": edition.theme,
        "tags": {name: value for name, value in game.tags.items() if name not in _START_TAGS},
        "ended": game.tags.get("Termination"),
        "winner": game.tags.get("Winner"),
        "nodes": nodes,
    }


def _root_view(root: Node) -> Json:
    return {
        "parent": None,
        "move": None,
        "step": None,
        "snapshot": snapshot(root.position),
        "comment": root.comment,
    }


def _node_view(node: Node) -> Json:
    assert node.parent is not None
    assert node.move is not None
    evaluation = node.evaluation
    return {
        "move": str(node.move),
        "step": step_of(node.parent.position, node.move, node.position),
        "snapshot": snapshot(node.position),
        "comment": node.comment,
        "suffix": node.suffix,
        "eval": [evaluation[0], evaluation[1] or 0.0] if evaluation else None,
        "winner": _winner(node.position),
    }


def _winner(position: Position) -> int | None:
    outcome = position.outcome()
    return None if outcome is None else int(outcome.winner)


def step_of(before: Position, move: Move, after: Position) -> Json:
    """What a move did, as lists of moves show it."""
    mover = before.turn
    assert mover is not None
    brought = gains(before.explain(move))
    return {
        "player": 0 if before.phase is Phase.DEAL else int(mover),
        "move": str(move),
        "from": before.player(mover).space,
        "to": after.player(mover).space,
        "income": brought.income,
        "specials": brought.specials,
        "tile": brought.tile,
    }


def play(position: Position, moves: list[str]) -> list[Json]:
    """The nodes after moves played one after another; a reserve whose order is not given is dealt."""
    game = Game(position)
    for text in moves:
        if game.position.phase is Phase.DEAL and not text.startswith("="):
            game.play(game.position.deal(SystemRandom()))
        game.play(text)
    if game.position.phase is Phase.DEAL:
        game.play(game.position.deal(SystemRandom()))
    return [_node_view(node) for node in game.root.main_line()]


def played(position: Position, moves: list[str], with_options: bool) -> Json:
    """The nodes after moves, and what may be done at the end of them."""
    nodes = play(position, moves)
    end = Position.parse(nodes[-1]["snapshot"]["position"]) if nodes else position
    waiting = end.phase in (Phase.OVER, Phase.DEAL)
    return {
        "snapshot": snapshot(position),
        "nodes": nodes,
        "options": options(end) if with_options and not waiting else None,
    }


def write(tree: Tree) -> str:
    """The record of a tree; raises QuiltworkError for moves that cannot be made."""
    tags = {name: value for name, value in tree.tags.items() if name not in _START_TAGS}
    game = Game(Position.parse(tree.start), tags)
    nodes = [game.root]
    for number, told in enumerate(tree.nodes, 1):
        if told.parent >= number:
            raise Refusal("bad-tree", f"Node {number} comes before its parent {told.parent}.")
        before = nodes[told.parent]
        node = before.add(before.position.move(told.move))
        evaluation = f"[%eval {told.eval[0]:.2f} {told.eval[1]:+.1f}]" if told.eval else ""
        node.comment = f"{evaluation} {told.comment}".strip()
        node.suffix = told.suffix
        nodes.append(node)
    return game.text


def set_up(edition: Edition, wanted: SetupRequest) -> Json:
    """The position of a set-up, or all that is wrong with it."""
    one, two = (Seat(seat.space, seat.buttons, _quilt(edition, seat.quilt), seat.first) for seat in wanted.players)
    last = edition.last_space
    over = all(seat.space == last for seat in wanted.players) and not wanted.pending
    phase = Phase.OVER if over else Phase.SPECIAL if wanted.pending else Phase.TURN
    setup = Setup(
        edition,
        phase,
        None if over else Player(wanted.turn or 1),
        (one, two),
        Player(wanted.tile) if wanted.tile else None,
        tuple(wanted.circle),
        tuple(sorted(wanted.reserve)),
        pending=wanted.pending,
    )
    try:
        return {"position": Position.from_setup(setup).text, "problems": []}
    except SetupError as error:
        return {"position": None, "problems": [_problem(problem) for problem in error.problems]}


def _problem(problem: str) -> Json:
    assert isinstance(problem, Problem)
    return {"key": problem.key, "figures": dict(problem.figures), "text": str(problem)}


def _quilt(edition: Edition, laid: list[str]) -> Quilt:
    patches, special = [], []
    for text in laid:
        match parse_move(text, edition):
            case PlaceSpecialPatch(Cell() as cell):
                special.append(cell)
            case TakePatch(patch, Placement() as placement):
                patches.append((patch, canonical(edition, patch, placement)))
            case _:
                raise Refusal("bad-setup", f"{text} does not lie on a quilt.")
    return Quilt(tuple(sorted(patches)), tuple(sorted(special)))
