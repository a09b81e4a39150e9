"""Solve puzzles in the terminal: one near your rating, the puzzle of the day, or one by its id.

Answer with a move in notation, such as 5c@d4r1 or +. `hint` tells what it is about, `show` draws it again,
`give up` shows the solution, `quit` leaves. Your rating and your streak are kept.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from contextlib import suppress
from datetime import UTC, datetime

from quiltwork.cli.arguments import add_json, print_json
from quiltwork.editions import DEFAULT_EDITION


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", help="a puzzle by its id")
    parser.add_argument("--daily", action="store_true", help="the puzzle of the day, the same for all (UTC)")
    parser.add_argument("--edition", default=DEFAULT_EDITION, help=f"({DEFAULT_EDITION})")
    parser.add_argument("--kind", choices=("choose", "place", "endgame", "finish"), help="only of this kind")
    parser.add_argument("--theme", help="draw in another theme than the edition's")
    parser.add_argument("--print", action="store_true", help="print the puzzle and its question, and do not ask")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    from quiltwork.puzzles import Kind, daily, next_puzzle, puzzle_by_id
    from quiltwork.terminal import puzzles
    from quiltwork.themes import load_theme, theme_of

    kept = puzzles.kept_progress()

    def draw() -> puzzles.Puzzle:
        kind = Kind(options.kind) if options.kind else None
        return next_puzzle(kept.rating, edition=options.edition, kind=kind, seen=kept.seen)

    if options.id:
        puzzle = puzzle_by_id(options.id)
    elif options.daily:
        puzzle = daily(datetime.now(UTC).date(), options.edition)
    else:
        puzzle = draw()
    if options.json:
        # Without what would give the solution away.
        print_json(
            {"id": puzzle.id, "kind": puzzle.kind.value, "position": puzzle.text, "rating": puzzle.rating}
            | ({"take": puzzle.take} if puzzle.take else {})
        )
        return 0
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401
    while True:
        desk = puzzles.Desk(
            puzzle,
            load_theme(options.theme) if options.theme else theme_of(puzzle.position.edition),
            ask=input,
            tell=print,
            width=shutil.get_terminal_size().columns,
            colour=sys.stdout.isatty(),
        )
        if options.print:
            desk.show()
            return 0
        solved = desk.run()
        if solved is None:
            return 0
        if puzzle.id not in kept.seen:
            kept = kept.after(puzzle.id, puzzle.rating, solved)
            puzzles.keep_progress(kept)
        print(f"Rating {kept.rating:.0f}, streak {kept.streak} (best {kept.best_streak}).")
        if options.id or options.daily or not desk.goes_on():
            return 0
        puzzle = draw()
