"""Review games: what each move cost, what would have been better, and why.

Each position after a move is searched by itself, with the same effort. A loss is told in win share and in points,
split into what was chosen and where it was laid. Table and page are in the language of
the environment (LANG).
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, TaskID

from quiltwork.agents import warm
from quiltwork.analysis.review import DEFAULT_SIMULATIONS, Analyst, Review, Reviewed, annotated, review
from quiltwork.cli.arguments import add_json, print_json, read_text, whole
from quiltwork.errors import QuiltworkError
from quiltwork.game import Game
from quiltwork.move import Player
from quiltwork.speech import language_of_environment


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="records (.quilt), or - for standard input")
    parser.add_argument("--player", type=int, choices=(1, 2), help="review the moves of one player only")
    parser.add_argument(
        "--simulations",
        type=whole(1),
        default=DEFAULT_SIMULATIONS,
        metavar="N",
        help=f"for each position that is valued ({DEFAULT_SIMULATIONS})",
    )
    parser.add_argument("--agent", default="strongest", help="who judges (strongest)")
    parser.add_argument(
        "--workers", type=whole(1), default=os.cpu_count() or 1, metavar="N", help="games at once (all cores)"
    )
    parser.add_argument("--ray", nargs="?", const="local", metavar="ADDRESS", help="review on a Ray cluster")
    parser.add_argument("--html", metavar="OUT", help="write a page that shows everything")
    parser.add_argument("--annotate", metavar="OUT", help="write the records with evaluations and better moves")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    games = list(Game.parse_many(read_text(options.file)))
    if not games:
        raise QuiltworkError(f"{options.file}: there is no game")
    for number, game in enumerate(games, 1):
        if game.end is game.root:
            raise QuiltworkError(f"{options.file}: game {number} has no moves to review")
    for name in (options.html, options.annotate):
        if name:
            _make_room(Path(name))
    warm.ready()
    Analyst(1, options.agent).analysis(games[0].start)
    found = list(_reviews(options, games))
    language = language_of_environment()
    if options.annotate:
        Path(options.annotate).write_text("\n".join(annotated(each).text for each in found), encoding="utf-8")
    if options.html:
        from quiltwork.analysis.review.page import review_page

        Path(options.html).write_text(review_page(found, language), encoding="utf-8")
    if options.json:
        print_json({"games": [each.as_json() for each in found]})
    else:
        from quiltwork.analysis.review.report import review_table, summary_table

        tables = [review_table(each, language) for each in found]
        print("\n\n".join([*tables, summary_table(found, language)] if len(found) > 1 else tables))
    return 0


def _make_room(file: Path) -> None:
    """Makes the folder of a file to be written; raises QuiltworkError before anything is reviewed."""
    if file.is_dir():
        raise QuiltworkError(f"{file}: is a folder, not a file")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise QuiltworkError(f"{file.parent}: {error.strerror or 'cannot be made'}") from None


def _reviews(options: argparse.Namespace, games: list[Game]) -> Iterator[Review]:
    """The reviews in the order of the games, with progress on stderr."""
    console = Console(stderr=True)
    work = partial(
        _reviewed,
        simulations=options.simulations,
        agent=options.agent,
        player=Player(options.player) if options.player else None,
    )
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        if not options.ray and (len(games) == 1 or options.workers == 1):
            for number, game in enumerate(games, 1):
                task = progress.add_task(f"game {number} of {len(games)}")

                def tell(done: int, total: int, task: TaskID = task) -> None:
                    progress.update(task, completed=done, total=total)

                yield work(game.text, reviewed=tell)
            return
        task = progress.add_task("games", total=len(games))
        if options.ray:
            from quiltwork.arena.cluster import mapped_on_cluster

            for each in mapped_on_cluster(work, [game.text for game in games], options.ray):
                progress.advance(task)
                yield each
            return
        with ProcessPoolExecutor(min(options.workers, len(games)), mp_context=get_context("spawn")) as pool:
            for each in pool.map(work, [game.text for game in games]):
                progress.advance(task)
                yield each


def _reviewed(
    text: str, *, simulations: int, agent: str, player: Player | None, reviewed: Reviewed | None = None
) -> Review:
    analyst = Analyst(simulations, agent)
    return review(Game.parse(text), analyst=analyst, player=player, reviewed=reviewed)
