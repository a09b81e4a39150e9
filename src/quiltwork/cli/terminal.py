"""Play in the terminal: two people, or a person and the computer.

With textual the game fills the screen, from 80 columns and 24 lines up. Without it, on a smaller screen, through a
pipe, in a dumb terminal or with `--plain` it is played line by line. An unfinished game is kept after every move
and waits for the next time.
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import suppress
from importlib.util import find_spec
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from quiltwork.cli.arguments import add_color, add_deal, wants_color
from quiltwork.editions import DEFAULT_EDITION
from quiltwork.messages import languages

if TYPE_CHECKING:
    from quiltwork.terminal.start import Wishes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--edition", help=f"a built-in id or a .toml file (default: {DEFAULT_EDITION})")
    add_deal(parser)
    parser.add_argument("--load", metavar="FILE", help="go on with a saved record")
    parser.add_argument("--new", action="store_true", help="begin a new game even if an unfinished one waits")
    parser.add_argument("--theme", help="draw in another theme than the edition's")
    parser.add_argument("--player1", metavar="NAME", help="name of the start player")
    parser.add_argument("--player2", metavar="NAME")
    parser.add_argument(
        "--against",
        metavar="AGENT",
        help="play the computer: level:1 to level:10, or another agent (see `quiltwork match --help`)",
    )
    parser.add_argument("--seat", type=int, choices=(1, 2), default=1, help="your seat against the computer")
    parser.add_argument("--seconds", type=float, default=1.0, metavar="S", help="the computer's time a move (1)")
    parser.add_argument("--language", choices=languages(), help="(default: as the environment says)")
    parser.add_argument("--light", action="store_true", help="light colours on the full screen")
    parser.add_argument(
        "--plain", action="store_true", help="line by line, for screen readers, pipes and dumb terminals"
    )
    parser.add_argument("--quick", action="store_true", help="line by line: play moves without asking once more")
    add_color(parser)


def run(options: argparse.Namespace) -> int:
    from quiltwork.rules import warm
    from quiltwork.speech import language_of_environment
    from quiltwork.terminal.start import Wishes

    wishes = Wishes(
        edition=options.edition,
        deal=options.deal,
        load=options.load,
        new=options.new,
        theme=options.theme,
        names=(options.player1, options.player2),
        against=options.against,
        seat=options.seat,
        seconds=options.seconds,
        language=options.language or language_of_environment(),
    )
    wishes.check()
    warm.ready()
    colour = wants_color(options)
    if not options.plain and _has_screen():
        missing = _missing()
        if missing is None:
            return _full_screen(options, wishes, colour)
        print(f"quiltwork: playing line by line; for the whole screen: {missing}", file=sys.stderr)
    from quiltwork.terminal.session import play

    if sys.stdin.isatty():
        # Gives the prompt a history and editing, where there is one.
        with suppress(ImportError):
            import readline  # noqa: F401
    play(wishes, colour=colour, confirm=not options.quick)
    return 0


def _has_screen() -> bool:
    """Whether there is a whole screen to draw on."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") not in ("", "dumb", "unknown")


def _missing() -> str | None:
    """What the whole screen needs and does not have."""
    if find_spec("textual") is None:
        return "pip install 'quiltwork[terminal]'"
    from quiltwork.terminal.start import LEAST_SIZE

    if any(has < needed for has, needed in zip(get_terminal_size(), LEAST_SIZE, strict=True)):
        columns, lines = LEAST_SIZE
        return f"{columns} columns and {lines} lines or more"
    return None


def _full_screen(options: argparse.Namespace, wishes: Wishes, colour: bool) -> int:
    from quiltwork.agents.preparation import Preparation
    from quiltwork.agents.warm import is_ready
    from quiltwork.terminal.screen.run import app_of

    if not colour:
        os.environ["NO_COLOR"] = "1"
    preparation = None if is_ready() else Preparation()
    try:
        app = app_of(wishes, dark=not options.light, colour=colour, preparation=preparation)
        app.run()
    finally:
        if preparation is not None:
            preparation.close()
    return app.return_code or 0
