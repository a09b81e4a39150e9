"""List the built-in editions with how sure their data is."""

from __future__ import annotations

import argparse

from quiltwork.cli.arguments import add_json, print_json
from quiltwork.editions import DEFAULT_EDITION, available_editions, load_edition


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    editions = [load_edition(name) for name in available_editions()]
    if options.json:
        print_json(
            [
                {
                    "id": edition.id,
                    "title": edition.title,
                    "theme": edition.theme,
                    "rulebook": edition.source.rulebook,
                    "confidence": edition.source.confidence.value,
                    "established_by": edition.source.established_by,
                    "unverified": edition.source.unverified,
                    "rows": edition.rows,
                    "columns": edition.columns,
                    "patches": len(edition.patches),
                }
                for edition in editions
            ]
        )
        return 0
    width = max(len(edition.id) for edition in editions)
    for edition in editions:
        default = " (default)" if edition.id == DEFAULT_EDITION else ""
        print(f"{edition.id:<{width}}  {edition.title}{default}: {edition.source.confidence.value}")
        for doubt in edition.source.unverified:
            print(f"{'':<{width}}    - {doubt}")
    return 0
