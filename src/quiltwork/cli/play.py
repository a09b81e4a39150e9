"""Play in the browser: starts the server on this machine and opens the page.

`quiltwork` alone does the same. Games are kept; Ctrl-C ends the server, and the next start goes on with them.
"""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=int, default=8765, metavar="N", help="(default: %(default)s, or a free one)"
    )
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def run(options: argparse.Namespace) -> int:
    from quiltwork.agents import warm
    from quiltwork.server.run import run as serve

    warm.ready()
    serve(port=options.port, open_browser=not options.no_browser, log_level="warning")
    return 0
