"""Run a server for others: a club, a school, the family.

Without options it listens on this machine only and keeps its games in the user's data folder.
"""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 for the whole network (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8765, metavar="N", help="(default: %(default)s)")
    parser.add_argument("--database", default="", metavar="URL", help="an SQLAlchemy URL instead of the own file")
    parser.add_argument("--public-url", default="", metavar="URL", help="the address that others use, for links")
    parser.add_argument(
        "--edition", action="append", default=[], metavar="FILE", help="an edition file to offer too"
    )
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes that think (default: 1)")
    parser.add_argument("--trust-proxy", action="store_true", help="believe the headers of a proxy in front")
    parser.add_argument("--log-level", default="info", choices=("debug", "info", "warning", "error"))
    parser.add_argument("--open", action="store_true", help="open the page in the browser")


def run(options: argparse.Namespace) -> int:
    from quiltwork.agents import warm
    from quiltwork.edition import load_edition
    from quiltwork.server.run import run as serve

    for file in options.edition:
        load_edition(file)
    warm.ready()
    serve(
        options.host,
        options.port,
        options.database,
        options.open,
        public_url=options.public_url,
        editions=[Path(file) for file in options.edition],
        workers=max(1, options.workers),
        log_level=options.log_level,
        trust_proxy=options.trust_proxy,
    )
    return 0
