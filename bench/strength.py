"""The strength of the agents: every series of matches that docs/agents.md tells of, most wanted first.

Run with `python bench/strength.py`: it goes on where it stopped, and prints the table of the document. `--list`
says how far each series is, `--table` prints the table only, `--only TEXT` plays the series with TEXT in their
names. Seconds are processor time of the thinking thread, so that other work on the machine does not matter.
Games that were played before an agent was changed are no longer true: begin with a new folder then.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from quiltwork import available_editions
from quiltwork.agents import Limits
from quiltwork.agents.clock import Clock
from quiltwork.arena.match import Match, play_match
from quiltwork.arena.pair import Pairing
from quiltwork.arena.report import progress_line
from quiltwork.arena.storage import MatchFolder
from quiltwork.edition import DEFAULT_EDITION
from quiltwork.rules import warm

PLAIN = str.maketrans({" ": "", ",": "", ":": "-"})
GAMES, GAMES_OF_OTHERS = 400, 100
MANY, MOST, MANY_OF_OTHERS = 2000, 4000, 1000
SMALL = ("express", "stack-and-stuff")


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
        ("planner", "simple", (seconds(0.05), seconds(0.05)), "0.05 s", games),
        ("planner", "search", (seconds(0.2), seconds(0.2)), "0.2 s", GAMES),
        ("planner", "greedy", (few, few), "1,000 simulations", games),
        ("greedy", "random", (few, few), "none", games),
        ("planner", "planner", (seconds(0.2), seconds(0.02)), "0.2 s : 0.02 s", GAMES),
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


def line_of(series: Series, match: Match) -> str:
    """A line of the table in Markdown."""
    score = match.score
    return (
        f"| `{series.first}` | `{series.second}` | {series.edition} | {series.limit} | {match.games} "
        f"| {100 * score.value:.1f} % ({100 * score.low:.1f} to {100 * score.high:.1f}) "
        f"| {match.mean('points', 0):.1f} : {match.mean('points', 1):.1f} "
        f"| {match.mean('empty_spaces', 0):.1f} : {match.mean('empty_spaces', 1):.1f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path(__file__).parent / "strength")
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
    print("| first | second | edition | limit of a move | games | won by first | points | empty spaces |")
    print("|---|---|---|---|---|---|---|---|")
    for series in wanted:
        match = saved(options.folder, series)
        if match.games:
            print(line_of(series, match))


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
