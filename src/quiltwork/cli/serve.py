"""Run a server for others: a club, a school, the family.

Without options it listens on this machine only and keeps its games in the user's data folder.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from quiltwork.cli.arguments import whole

if TYPE_CHECKING:
    from quiltwork.server.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 for the whole network (default: %(default)s)")
    parser.add_argument("--port", type=whole(0, 65535), default=8765, metavar="N", help="(default: %(default)s)")
    parser.add_argument("--database", default="", metavar="URL", help="an SQLAlchemy URL instead of the own file")
    parser.add_argument("--public-url", default="", metavar="URL", help="the address that others use, for links")
    parser.add_argument(
        "--edition",
        action="append",
        default=[],
        metavar="FILE",
        help="an edition file to offer, too",
    )
    parser.add_argument(
        "--workers", type=whole(1), default=1, metavar="N", help="processes that think (default: 1)"
    )
    parser.add_argument(
        "--role",
        default="all",
        choices=("all", "web", "engine"),
        help="with PostgreSQL: only games and pages, or only thinking (default: %(default)s)",
    )
    parser.add_argument(
        "--trust-proxy",
        nargs="?",
        const="1",
        default="",
        metavar="N|LIST",
        help="believe the headers of N proxies in front (1 without a number), or of those at these addresses",
    )
    parser.add_argument(
        "--metrics-public", action="store_true", help="let anyone read /metrics, not only this machine"
    )
    parser.add_argument(
        "--connections",
        type=whole(1),
        default=12_000,
        metavar="N",
        help="connections in all (default: %(default)s)",
    )
    parser.add_argument(
        "--connections-per-address",
        type=whole(1),
        default=300,
        metavar="N",
        help="connections of one address (default: %(default)s)",
    )
    parser.add_argument(
        "--request-timeout",
        type=whole(1),
        default=20,
        metavar="SECONDS",
        help="how long a request may take to arrive (default: %(default)s)",
    )
    parser.add_argument(
        "--drain",
        type=whole(0),
        default=3,
        metavar="SECONDS",
        help="with PostgreSQL: how long to go on serving after SIGTERM (default: %(default)s)",
    )
    parser.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=N",
        help="another limit, such as games-per-minute=120; --check names all; may be repeated",
    )
    parser.add_argument(
        "--keep-finished",
        metavar="TIME",
        help="delete finished games in which nothing happened for so long, such as 90d",
    )
    parser.add_argument(
        "--keep-unfinished", metavar="TIME", help="delete games that nobody goes on with for so long"
    )
    parser.add_argument(
        "--check", action="store_true", help="print settings, database and limits, and what is wrong; do not serve"
    )
    parser.add_argument("--log-level", default="info", choices=("debug", "info", "warning", "error"))
    parser.add_argument("--open", action="store_true", help="open the page in the browser")


def run(options: argparse.Namespace) -> int:
    from quiltwork.agents import warm
    from quiltwork.server.admin.retention import duration
    from quiltwork.server.editions import offered_editions, offered_themes
    from quiltwork.server.run import run as serve
    from quiltwork.server.settings import Role, Settings, with_limits

    settings = Settings(
        host=options.host,
        port=options.port,
        database_url=options.database,
        public_url=options.public_url,
        editions=tuple(Path(file) for file in options.edition),
        engine_workers=options.workers,
        role=Role(options.role),
        trust_proxy=options.trust_proxy,
        metrics_public=options.metrics_public,
        connections=options.connections,
        connections_per_address=options.connections_per_address,
        request_timeout=options.request_timeout,
        drain=options.drain,
        keep_finished=duration(options.keep_finished) if options.keep_finished else None,
        keep_unfinished=duration(options.keep_unfinished) if options.keep_unfinished else None,
    )
    settings = with_limits(settings, options.limit)
    offered_editions(settings.editions)
    offered_themes(settings.editions)
    if options.check:
        return _check(settings)
    prepare = False
    if settings.role is Role.ENGINE:
        # It plays the easy opponents while the others are compiled, unless what is compiled cannot be kept.
        warm.ready_for()
        prepare = warm.is_ready(warm.RULES)
    if not prepare:
        warm.ready()
    serve(settings, open_browser=options.open, log_level=options.log_level, prepare=prepare)
    return 0


def _check(settings: Settings) -> int:
    from quiltwork.server.admin.check import check

    found = check(settings)
    width = max(len(finding.name) for finding in found)
    for finding in found:
        print(f"{finding.name:<{width}}  {finding.value}")
    wrong = [finding for finding in found if finding.wrong]
    for finding in wrong:
        print(f"quiltwork: {finding.name} {finding.value}: {finding.wrong}", file=sys.stderr)
    return 1 if wrong else 0
