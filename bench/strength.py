"""The strength of the agents: every series of matches that docs/agents.md tells of, most wanted first.

Run with `python bench/strength.py`: it goes on where it stopped, writes the totals to `bench/strength.csv` and
prints the table of the document. `--list` says how far each series is, `--table` prints the table only,
`--only TEXT` plays the series with TEXT in their names. The games go to `matches/strength`, which git ignores.
Seconds are processor time of the thinking thread, so that other work on the machine does not matter. Games that
were played before an agent was changed are no longer true: begin with a new folder then.
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from quiltwork import __version__, available_editions
from quiltwork.agents import Limits
from quiltwork.agents.clock import Clock
from quiltwork.arena.match import Match, play_match
from quiltwork.arena.pair import Pairing
from quiltwork.arena.report import progress_line
from quiltwork.arena.storage import MatchFolder
from quiltwork.editions import DEFAULT_EDITION
from quiltwork.rules import warm

PLAIN = str.maketrans({" ": "", ",": "", ":": "-"})
GAMES, GAMES_OF_OTHERS = 400, 100
MANY, MOST, MANY_OF_OTHERS = 2000, 4000, 1000
SMALL = ("express", "stack-and-stuff")
ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "bench" / "strength.csv"


@dataclass(frozen=True)
class Series:
    """One line of the table."""

    first: str
    second: str
    edition: str
    limits: tuple[Limits, Limits]
    limit: str
    """in words"""
    games: int

    @property
    def name(self) -> str:
        return f"{self.first}-{self.second}-{self.edition}-{self.limit.translate(PLAIN)}"

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.first, self.second, self.edition, self.limit

    @property
    def pairing(self) -> Pairing:
        return Pairing(self.first, self.second, self.edition, self.limits)


def seconds(number: float) -> Limits:
    return Limits(seconds=number, clock=Clock.PROCESSOR)


def simulations(number: int) -> Limits:
    return Limits(simulations=number)


def series_in(edition: str) -> list[Series]:
    """The series of an edition, in the order of the table."""
    first = edition == DEFAULT_EDITION
    games, many, most = (GAMES, MANY, MOST) if first else (GAMES_OF_OTHERS, MANY_OF_OTHERS, MANY_OF_OTHERS)
    few = simulations(1000)
    # So many simulations `search` makes in the time that `net` needs for 400; see s/move in the matches.
    equal = 675 if edition in SMALL else 580
    kinds = [
        ("greedy", "random", (few, few), "none", games),
        ("search", "search", (seconds(0.2), seconds(0.02)), "0.2 s : 0.02 s", games),
        ("net", "search", (simulations(400), simulations(equal)), f"400 : {equal} simulations", many),
        ("net", "search", (simulations(400), simulations(equal // 10)), f"400 : {equal // 10} simulations", games),
        ("net", "net", (simulations(200), simulations(25)), "200 : 25 simulations", most),
        ("net", "search", (seconds(0.2), seconds(0.2)), "0.2 s", games),
    ]
    return [Series(a, b, edition, limits, words, number) for a, b, limits, words, number in kinds]


def all_series() -> list[Series]:
    """Every series: those in the first edition before the others, as their order says what is wanted most."""
    others = [series_in(edition) for edition in available_editions() if edition != DEFAULT_EDITION]
    return series_in(DEFAULT_EDITION) + [series for kind in zip(*others, strict=True) for series in kind]


@dataclass(frozen=True)
class Result:
    """The totals of a series: a line of the results file."""

    first: str
    second: str
    edition: str
    limits: str
    games: int
    share: float
    """of games won by the first, in percent; `low` and `high` are its 95 % interval"""
    low: float
    high: float
    points: str
    """mean of the first, mean of the second"""
    empty_spaces: str
    command: str
    version: str
    """the package and the commit that played the games"""

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.first, self.second, self.edition, self.limits

    @property
    def line(self) -> str:
        """A line of the table in Markdown."""
        return (
            f"| `{self.first}` | `{self.second}` | {self.edition} | {self.limits} | {self.games} "
            f"| {self.share} % ({self.low} to {self.high}) | {self.points} | {self.empty_spaces} |"
        )


def result_of(series: Series, match: Match, version: str) -> Result:
    """The totals of the games of a series."""
    share = (round(100 * part, 1) for part in (match.score.value, match.score.low, match.score.high))
    points, empty = (
        " : ".join(f"{match.mean(what, side):.1f}" for side in (0, 1)) for what in ("points", "empty_spaces")
    )
    command = f"python bench/strength.py --only {series.name}"
    names = series.first, series.second, series.edition, series.limit
    return Result(*names, match.games, *share, points, empty, command, version)


def version_now() -> str:
    """The version of the package, with the commit where there is git."""
    git = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return f"{__version__}+g{git.stdout.strip()}" if git.returncode == 0 else __version__


def read_results(path: Path = RESULTS) -> dict[tuple[str, str, str, str], Result]:
    """The results file, by series."""
    if not path.exists():
        return {}
    types = {"games": int, "share": float, "low": float, "high": float}
    with path.open(encoding="utf-8", newline="") as file:
        rows = [Result(**{k: types.get(k, str)(v) for k, v in row.items()}) for row in csv.DictReader(file)]
    return {row.key: row for row in rows}


def write_result(result: Result, path: Path = RESULTS) -> None:
    """Puts the totals of a series in the place of its former ones."""
    results = read_results(path) | {result.key: result}
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(field.name for field in fields(Result))
        writer.writerows(astuple(row) for row in results.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=ROOT / "matches" / "strength")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    wanted = [series for series in all_series() if options.only in series.name]
    warm.ready()
    if options.list:
        for series in wanted:
            print(f"{saved(options.folder, series).games:>4} of {series.games}  {series.name}")
        return
    if not options.table:
        for series in wanted:
            play(options.folder, series, options.workers)
            write_result(result_of(series, saved(options.folder, series), version_now()))
    print("| first | second | edition | limit of a move | games | won by first | points | empty spaces |")
    print("|---|---|---|---|---|---|---|---|")
    results = read_results()
    for series in wanted:
        if (result := results.get(series.key)) is not None:
            print(result.line)


def saved(folder: Path, series: Series) -> Match:
    """What is played of a series; it may be under way."""
    path = folder / series.name
    return Match(series.pairing, MatchFolder(path).pairs() if path.exists() else [])


def play(folder: Path, series: Series, workers: int) -> None:
    """Plays what is missing of a series."""

    def tell(match: Match, _: object) -> None:
        if match.games % 10 == 0 or match.games >= series.games:
            print(f"{series.name}: {progress_line(match, series.games)}", file=sys.stderr, flush=True)

    play_match(
        series.pairing, series.games, workers=workers, folder=MatchFolder(folder / series.name), played=tell
    )


if __name__ == "__main__":
    main()
