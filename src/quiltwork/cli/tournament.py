"""Play every agent against every other, and print a table of ratings."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from quiltwork.arena.report import rating_table
from quiltwork.arena.tournament import pairings_of, ratings
from quiltwork.cli.arguments import print_json
from quiltwork.cli.match import add_match_arguments, folder_of, limits_of, pairing_of, played
from quiltwork.errors import QuiltworkError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("agents", nargs="+", metavar="AGENT", help="at least two")
    add_match_arguments(parser)


def run(options: argparse.Namespace) -> int:
    agents = list(dict.fromkeys(options.agents))
    if len(agents) < 2:
        raise QuiltworkError("a tournament needs at least two different agents")
    limits = limits_of(options)
    if limits[0] != limits[1]:
        raise QuiltworkError("in a tournament all agents think equally long: give one limit")
    base = options.folder
    matches = []
    for first, second in pairings_of(agents):
        pairing = pairing_of(options, first, second, limits[0], limits[1])
        options.folder = str(Path(base) / folder_of(None, pairing).name) if base else None
        matches.append(played(options, pairing))
    table = ratings(agents, matches)
    if options.json:
        print_json(
            {
                "edition": options.edition,
                "ratings": [asdict(rating) for rating in table],
                "matches": [match.as_json() for match in matches],
            }
        )
    else:
        print(rating_table(table))
    return 0
