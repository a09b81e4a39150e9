"""Play in the browser: starts the server on this machine and opens the page.

`quiltwork` alone does the same. Games are kept; Ctrl-C ends the server, and the next start goes on with them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from quiltwork.cli.arguments import whole


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=whole(0, 65535), default=8765, metavar="N", help="(default: %(default)s, or a free one)"
    )
    parser.add_argument(
        "--edition",
        action="append",
        default=[],
        metavar="FILE",
        help="an edition file to offer, too",
    )
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def run(options: argparse.Namespace) -> int:
    from quiltwork.server.editions import offered_editions, offered_themes
    from quiltwork.server.run import run as serve
    from quiltwork.server.settings import Settings

    editions = [Path(file) for file in options.edition]
    offered_editions(editions)
    offered_themes(editions)
    settings = Settings(port=options.port, editions=tuple(editions))
    serve(settings, open_browser=not options.no_browser, log_level="warning", prepare=True)
    return 0
