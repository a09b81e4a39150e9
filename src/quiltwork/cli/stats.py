"""Count what is bought, earned and won in files of records.

How often each patch is bought, at what turn, and what share its buyers win; the income at each space of the time
board; the empty spaces at the end; the share that the first player wins. Editions are counted separately.
A wrong record is reported with its line and left out, and the exit code is then 1.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import fmean

from rich.console import Console
from rich.progress import Progress

from quiltwork.arena.record_statistics import RecordStatistics
from quiltwork.arena.statistics import share_estimate
from quiltwork.cli.arguments import add_json, print_json
from quiltwork.cli.filter import opened, records
from quiltwork.errors import NotationError, QuiltworkError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="records (.quilt), or - for standard input")
    parser.add_argument("--edition", metavar="E", help="only games of this edition")
    parser.add_argument("--svg", metavar="FOLDER", help="write plots into this folder, too")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    if options.svg and Path(options.svg).is_file():
        raise QuiltworkError(f"{options.svg}: is a file, not a folder")
    found: dict[str, RecordStatistics] = {}
    wrong = _count(options, found)
    if not found and not wrong:
        raise QuiltworkError("there is no game to count")
    if options.json:
        print_json([_as_json(each) for each in found.values()])
    else:
        print("\n\n".join(_table(each) for each in found.values()))
    if options.svg:
        Path(options.svg).mkdir(parents=True, exist_ok=True)
        for each in found.values():
            _draw(each, Path(options.svg))
    return 1 if wrong else 0


def _count(options: argparse.Namespace, found: dict[str, RecordStatistics]) -> int:
    """Adds all games up; returns how many records were wrong. An interrupt ends the counting."""
    console, wrong = Console(stderr=True), 0
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("games", total=None)
        try:
            for name in options.files:
                with opened(name) as file:
                    for record in records(name, file):
                        if options.edition not in (None, record.tags.get("Edition")):
                            continue
                        try:
                            game = record.game()
                        except NotationError as error:
                            wrong += 1
                            print(f"quiltwork: {name}: {error}", file=sys.stderr)
                            continue
                        edition = game.edition
                        found.setdefault(edition.name, RecordStatistics(edition)).add(game)
                        progress.advance(task)
        except KeyboardInterrupt:
            print("quiltwork: interrupted; this is what was counted so far", file=sys.stderr)
    return wrong


def _table(found: RecordStatistics) -> str:
    games = f"{found.games:,} game{'' if found.games == 1 else 's'}"
    rows = [f"{found.edition.title}: {games}, {found.moves / max(1, found.games):.1f} moves a game"]
    first = share_estimate(found.first_player_won, found.decided)
    if found.decided:
        rows.append(
            f"first player wins {100 * first.value:.1f} % ({100 * first.low:.1f} to {100 * first.high:.1f} %)"
        )
    if found.scores:
        empty = list(found.empty_spaces.elements())
        rows.append(f"mean score {fmean(found.scores):.1f}, mean empty spaces {fmean(empty):.1f}")
    rows += ["", "patch  bought  share    turn  buyer wins  95 % interval"]
    for code, counts in sorted(found.patches.items(), key=lambda item: -item[1].bought):
        won = share_estimate(counts.won, counts.decided)
        rows.append(
            f"{code:<5}  {counts.bought:>6}  {100 * counts.bought / found.games:>4.0f} %  "
            f"{counts.turns / counts.bought:>5.1f}  {100 * won.value:>8.1f} %  "
            f"{100 * won.low:.1f} to {100 * won.high:.1f} %"
        )
    rows += ["", "space  mean income"]
    curve = dict(found.income_curve())
    rows += [f"{space:>5}  {curve[space]:>6.1f}" for space in found.edition.income_spaces if space in curve]
    return "\n".join(rows)


def _as_json(found: RecordStatistics) -> dict[str, object]:
    first = share_estimate(found.first_player_won, found.decided)
    return {
        "edition": found.edition.name,
        "games": found.games,
        "decided": found.decided,
        "moves": found.moves,
        "first_player": {
            "won": found.first_player_won,
            "share": round(first.value, 4),
            "interval": [round(first.low, 4), round(first.high, 4)],
        },
        "mean_score": round(fmean(found.scores), 2) if found.scores else None,
        "empty_spaces": {str(empty): count for empty, count in sorted(found.empty_spaces.items())},
        "patches": {
            code: {
                "bought": counts.bought,
                "mean_turn": round(counts.turns / counts.bought, 2),
                "won": counts.won,
                "decided": counts.decided,
            }
            for code, counts in sorted(found.patches.items())
        },
        "income": {str(space): round(mean, 3) for space, mean in found.income_curve()},
    }


def _draw(found: RecordStatistics, folder: Path) -> None:
    from quiltwork.render.plot import bar_plot, line_plot
    from quiltwork.themes import theme_of

    palette, edition = theme_of(found.edition).light, found.edition
    patches = sorted(found.patches.items(), key=lambda item: -item[1].bought)
    bought = [(code, counts.bought / found.games) for code, counts in patches]
    won = [(code, counts.won / counts.decided) for code, counts in patches if counts.decided]
    empty = sorted(found.empty_spaces.items())
    plots = {
        "bought": bar_plot(palette, "Share of games in which a patch is bought", bought, percent=True),
        "buyers-win": bar_plot(palette, "Share that the buyers win", won, percent=True, line=0.5),
        "income": line_plot(palette, "Mean income", list(found.income_curve()), "space of the time board"),
        "empty-spaces": bar_plot(
            palette, "Empty spaces at the end", [(str(count), float(players)) for count, players in empty]
        ),
    }
    for name, picture in plots.items():
        file = folder / f"{edition.id}-{name}.svg"
        file.write_text(picture, encoding="utf-8")
        print(f"quiltwork: wrote {file}", file=sys.stderr)
