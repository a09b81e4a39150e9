"""Look after the games of a server: list, export, delete, back up; beside a running server or without one.

`--database` names the same database as `quiltwork serve --database`. A person who shows the links of their seats
can have their games exported, their names removed, and their games deleted (`admin person`).
"""

from __future__ import annotations

import argparse
import sys
from contextlib import closing, nullcontext
from pathlib import Path
from time import time
from typing import TYPE_CHECKING

from quiltwork.cli.arguments import add_json, print_json, whole
from quiltwork.errors import QuiltworkError

if TYPE_CHECKING:
    import sqlalchemy as sa

OLD = "30d"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--database", default="", metavar="URL", help="as for serve; without it the own file")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    listing = actions.add_parser("list", help="games, the one that was played last first")
    listing.add_argument("--limit", type=whole(1), default=50, metavar="N", help="games to list at most (50)")
    listing.add_argument("--idle", metavar="TIME", help="in which nothing happened for so long, such as 90d")
    add_json(listing)

    export = actions.add_parser("export", help="print games as records")
    export.add_argument("game", nargs="*", metavar="GAME", help="ids; all games without one")

    delete = actions.add_parser("delete", help="delete games for ever")
    delete.add_argument("game", nargs="+", metavar="GAME")
    delete.add_argument("--yes", action="store_true", help="do not ask")

    prune = actions.add_parser("prune", help="delete what is old")
    prune.add_argument("--keep-finished", metavar="TIME", help="keep finished games for so long, such as 90d")
    prune.add_argument("--keep-unfinished", metavar="TIME", help="keep games that nobody goes on with for so long")
    prune.add_argument("--dry-run", action="store_true", help="only say how many there are")

    actions.add_parser("vacuum", help="give free space back to the disk")

    backup = actions.add_parser("backup", help="write the whole database to a file, beside a running server")
    backup.add_argument("file", metavar="FILE")
    restore = actions.add_parser("restore", help="fill an empty database of any kind from a backup")
    restore.add_argument("file", metavar="FILE")

    person = actions.add_parser("person", help="what somebody who shows the links of their seats may ask for")
    person.add_argument("link", nargs="+", metavar="LINK", help="links or tokens of seats")
    wish = person.add_mutually_exclusive_group(required=True)
    wish.add_argument("--export", action="store_true", help="print their games")
    wish.add_argument("--remove-names", action="store_true", help="take their names out of the games")
    wish.add_argument(
        "--delete",
        action="store_true",
        help=f"delete the games, where everybody in them agrees (shows a link) or nothing happened for {OLD}",
    )


def run(options: argparse.Namespace) -> int:
    from quiltwork.server.admin.games import opened
    from quiltwork.server.database import check_database
    from quiltwork.server.settings import Settings

    url = Settings(database_url=options.database).resolved_database_url
    check_database(url, new=options.action == "restore")
    if options.action == "restore":
        return _restore(url, options)
    engine = opened(url)
    try:
        return ACTIONS[options.action](engine, options)
    finally:
        engine.dispose()


def _list(engine: sa.Engine, options: argparse.Namespace) -> int:
    from quiltwork.server.admin.games import game_lines, ids_by_age
    from quiltwork.server.admin.retention import duration

    idle = time() - duration(options.idle) if options.idle else None
    with engine.connect() as connection:
        found = list(game_lines(connection, ids_by_age(connection, idle_since=idle)[: options.limit]))
    if options.json:
        print_json([line.as_json() for line in found])
        return 0
    for line in found:
        told = line.as_json()
        players = " - ".join(line.players)
        print(f"{line.id}  {told['last']}  {line.edition:<16} {line.moves:>3} moves  {line.result:<11}  {players}")
    return 0


def _export(engine: sa.Engine, options: argparse.Namespace) -> int:
    from quiltwork.server.admin.games import ids_by_age, record_of_game

    wrong = 0
    with engine.connect() as connection:
        games = options.game or [game for game, _ in ids_by_age(connection)]
        for number, game in enumerate(games):
            try:
                record = record_of_game(connection, game)
            except QuiltworkError as error:
                wrong += 1
                print(f"quiltwork: {error}", file=sys.stderr)
                continue
            print(record if number == 0 else f"\n{record}", end="")
    return 1 if wrong else 0


def _delete(engine: sa.Engine, options: argparse.Namespace) -> int:
    from quiltwork.server.admin.games import delete_games

    if not options.yes:
        given = input(f"Delete {len(options.game)} games for ever? [y/N] ") if sys.stdin.isatty() else ""
        if given.strip().lower() not in ("y", "yes"):
            raise QuiltworkError("nothing was deleted; --yes deletes without asking")
    with engine.begin() as connection:
        print(f"{delete_games(connection, options.game)} games deleted")
    return 0


def _prune(engine: sa.Engine, options: argparse.Namespace) -> int:
    from quiltwork.server.admin.retention import Retention, due, duration, prune

    retention = Retention(
        *(duration(text) if text else None for text in (options.keep_finished, options.keep_unfinished))
    )
    if retention == Retention():
        raise QuiltworkError("prune needs --keep-finished or --keep-unfinished")
    if options.dry_run:
        with closing(engine.connect()) as connection:
            print(f"{len(due(connection, retention, time()))} games would be deleted")
        return 0
    print(f"{prune(engine, retention, time())} games deleted")
    return 0


def _vacuum(engine: sa.Engine, options: argparse.Namespace) -> int:
    import sqlalchemy as sa

    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(sa.text("VACUUM"))
    print("done")
    return 0


def _backup(engine: sa.Engine, options: argparse.Namespace) -> int:
    from rich.console import Console

    from quiltwork.server.admin.archive import back_up

    file = Path(options.file)
    if not file.resolve().parent.is_dir():
        raise QuiltworkError(f"{file}: there is no such folder")
    with Console(stderr=True).status("backing up") as status:
        rows = back_up(engine, file, lambda rows: status.update(f"{rows:,} rows"))
    print(f"{file}: {rows:,} rows, {file.stat().st_size:,} bytes")
    return 0


def _restore(url: str, options: argparse.Namespace) -> int:
    from rich.console import Console

    from quiltwork.server.admin.archive import restore
    from quiltwork.server.database import open_engine
    from quiltwork.server.holding import hold

    engine = open_engine(url, patient=True)
    try:
        # A running server knows another secret than the one that comes with the backup.
        with hold(url, "") or nullcontext(), Console(stderr=True).status("restoring") as status:
            rows = restore(engine, Path(options.file), lambda rows: status.update(f"{rows:,} rows"))
    finally:
        engine.dispose()
    print(f"{rows:,} rows restored")
    return 0


def _person(engine: sa.Engine, options: argparse.Namespace) -> int:
    from quiltwork.server.admin.games import (
        all_agree,
        delete_games,
        ids_by_age,
        record_of_game,
        remove_names,
        seats_of,
    )
    from quiltwork.server.admin.retention import duration

    with engine.begin() as connection:
        seats = seats_of(connection, options.link)
        if options.export:
            print("\n".join(record_of_game(connection, game) for game in seats), end="")
        elif options.remove_names:
            for game, players in seats.items():
                remove_names(connection, game, players)
            print(f"names removed from {len(seats)} games")
        else:
            old = {game for game, _ in ids_by_age(connection, idle_since=time() - duration(OLD))}
            free = [game for game, players in seats.items() if game in old or all_agree(connection, game, players)]
            print(f"{delete_games(connection, free)} games deleted")
            for game in sorted(seats.keys() - set(free)):
                print(f"game {game}: the other player has not agreed, and it is not {OLD} old", file=sys.stderr)
            return 0 if len(free) == len(seats) else 1
    return 0


ACTIONS = {
    "list": _list,
    "export": _export,
    "delete": _delete,
    "prune": _prune,
    "vacuum": _vacuum,
    "backup": _backup,
    "person": _person,
}
