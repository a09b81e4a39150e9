"""Check an edition file of your own, or print a built-in one as a start for it."""

from __future__ import annotations

import argparse
import re

from quiltwork.cli.arguments import print_json
from quiltwork.editions import EDITIONS_FOLDER, available_editions, load_edition
from quiltwork.errors import EditionError, QuiltworkError
from quiltwork.themes import theme_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="check | show")
    check = actions.add_parser("check", help="report all problems of an edition file")
    check.add_argument("file", metavar="FILE", help="a .toml file, or a built-in id")
    check.add_argument("--json", action="store_true", help="print JSON")
    show = actions.add_parser("show", help="print the file of a built-in edition")
    show.add_argument("file", metavar="ID")
    show.add_argument("--id", default="", metavar="NEW", help="the id of your own file, instead of the built-in's")


def run(options: argparse.Namespace) -> int:
    if options.action == "show":
        if options.file not in available_editions():
            raise QuiltworkError(f"{options.file} is not built in; there are {', '.join(available_editions())}")
        text = (EDITIONS_FOLDER / f"{options.file}.toml").read_text(encoding="utf-8")
        if options.id:
            if options.id in available_editions() or not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", options.id):
                raise QuiltworkError(
                    f"--id {options.id}: an id of your own is at most 40 lower-case letters, digits and hyphens, "
                    "and not that of a built-in edition"
                )
            text = re.sub(r'^id = ".*"$', f'id = "{options.id}"', text, count=1, flags=re.MULTILINE)
        print(text, end="")
        return 0
    name = options.file
    if name not in available_editions() and not name.lower().endswith(".toml"):
        raise EditionError(
            f"edition {name}",
            ["a file of your own ends in .toml; built in are " + ", ".join(available_editions())],
        )
    try:
        edition = load_edition(name)
        theme_of(edition)
    except EditionError as error:
        if not options.json:
            raise
        print_json({"file": name, "ok": False, "problems": error.problems})
        return 1
    if options.json:
        print_json({"file": name, "ok": True, "problems": [], "id": edition.id, "patches": len(edition.patches)})
        return 0
    cells = sum(len(patch.cells) for patch in edition.patches.values())
    print(
        f"{name}: {edition.title} is fine: {len(edition.patches)} patches with {cells} cells, "
        f"a quilt board of {len(edition.spaces)} spaces, {edition.last_space} spaces of time"
    )
    return 0
