"""Print the records of files that meet all conditions, as they stand there.

Conditions on tags are looked at first; moves are read, and checked, only where a condition needs them.
A wrong record is reported with its line, and the exit code is then 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path

from quiltwork.cli.arguments import print_json, whole
from quiltwork.errors import NotationError, QuiltworkError
from quiltwork.game import Game
from quiltwork.move import TakePatch
from quiltwork.position import Position
from quiltwork.record_stream import RecordText, stream_records


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="records (.quilt), or - for standard input")
    parser.add_argument("--edition", metavar="E", help="of this edition")
    parser.add_argument("--player", metavar="NAME", help="in which a player of this name sits")
    parser.add_argument("--winner", metavar="W", help="won by 1, 2 or a name; * for unfinished games")
    parser.add_argument("--min-moves", type=whole(0), metavar="N", help="with at least this many moves")
    parser.add_argument("--max-moves", type=whole(0), metavar="N", help="with at most this many moves")
    parser.add_argument("--bought", metavar="PATCH", help="in which this patch was taken")
    parser.add_argument("--position", metavar="POSITION", help="in which this position was reached")
    parser.add_argument("--count", action="store_true", help="print only how many there are")
    parser.add_argument("--json", action="store_true", help="print the file, the line and the tags, a line each")


def run(options: argparse.Namespace) -> int:
    wanted = Position.parse(options.position) if options.position else None
    wrong = count = 0
    for name in options.files:
        with opened(name) as file:
            for record in records(name, file):
                try:
                    kept = _tags_fit(options, record) and _moves_fit(options, wanted, record)
                except NotationError as error:
                    wrong += 1
                    print(f"quiltwork: {name}: {error}", file=sys.stderr)
                    continue
                if kept:
                    count += 1
                    _tell(options, name, record, count)
    if options.count:
        print_json({"count": count}) if options.json else print(count)
    return 1 if wrong else 0


@contextmanager
def opened(name: str) -> Iterator[TextIOWrapper]:
    """An open file of records, or standard input (`-`)."""
    if name == "-":
        yield TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig")
        return
    try:
        file = Path(name).open(encoding="utf-8-sig")  # noqa: SIM115
    except OSError as error:
        raise QuiltworkError(f"{name}: {error.strerror}") from None
    with file:
        yield file


def records(name: str, file: TextIOWrapper) -> Iterator[RecordText]:
    """The records of an open file, one at a time."""
    try:
        yield from stream_records(file)
    except UnicodeDecodeError:
        raise QuiltworkError(f"{name}: is not UTF-8 text") from None


def _tags_fit(options: argparse.Namespace, record: RecordText) -> bool:
    if not (options.edition or options.player or options.winner):
        return True
    tags = record.tags
    edition = tags.get("Edition") or tags.get("Position", "").partition(" ")[0]
    players = tags.get("Player1", ""), tags.get("Player2", "")
    winner = tags.get("Winner", "*")
    name = players[int(winner) - 1] if winner in ("1", "2") else ""
    return (
        (not options.edition or edition.lower() == options.edition.lower())
        and (not options.player or options.player in players)
        and (not options.winner or options.winner in (winner, name))
    )


def _moves_fit(options: argparse.Namespace, wanted: Position | None, record: RecordText) -> bool:
    if all(o is None for o in (options.min_moves, options.max_moves, options.bought, wanted)):
        return True
    game = record.game()
    moves = len(game.moves)
    return (
        (options.min_moves is None or moves >= options.min_moves)
        and (options.max_moves is None or moves <= options.max_moves)
        and (options.bought is None or _bought(game, options.bought.lower()))
        and (wanted is None or _reached(game, wanted))
    )


def _bought(game: Game, patch: str) -> bool:
    return any(isinstance(move, TakePatch) and move.patch == patch for move in game.moves)


def _reached(game: Game, wanted: Position) -> bool:
    return wanted == game.start or any(node.position == wanted for node in game.root.main_line())


def _tell(options: argparse.Namespace, name: str, record: RecordText, count: int) -> None:
    if options.count:
        return
    if options.json:
        print_json({"file": name, "line": record.line, "tags": record.tags})
        return
    if count > 1:
        print()
    print(record.text.strip())
