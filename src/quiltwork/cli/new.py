"""Print the start of a game."""

from __future__ import annotations

import argparse
import secrets
import sys

from quiltwork.cli.arguments import add_deal, add_json, print_json
from quiltwork.editions import DEFAULT_EDITION, load_edition
from quiltwork.position import Position


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--edition", default=DEFAULT_EDITION, help="a built-in id or a .toml file (default: %(default)s)"
    )
    add_deal(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    edition = load_edition(options.edition)
    deal = secrets.randbelow(10**9) if options.deal is None else options.deal
    position = Position.initial(edition, deal=deal)
    if options.json:
        print_json({"position": position.text, "edition": edition.name, "deal": deal})
    else:
        print(position.text)
        if options.deal is None:
            print(f"quiltwork: deal {deal}", file=sys.stderr)
    return 0
