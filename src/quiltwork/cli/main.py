"""`quiltwork`: finds the command, and turns errors into sentences and exit codes."""

from __future__ import annotations

import argparse
import os
import sys
from difflib import get_close_matches
from importlib import import_module

from quiltwork import __version__
from quiltwork.cli.output import draw_in_ascii_where_needed
from quiltwork.errors import QuiltworkError

COMMANDS = {
    "play": "play in the browser (also without any command)",
    "terminal": "play in the terminal",
    "new": "print the start of a game",
    "moves": "print the legal moves of a position",
    "after": "print the position after moves",
    "show": "draw a position or a record",
    "perft": "count the sequences of moves from a position",
    "replay": "check records and print their final positions",
    "review": "say what each move of a game cost, and why",
    "stats": "count what is bought, earned and won in records",
    "puzzle": "solve a puzzle",
    "puzzles": "make and check collections of puzzles",
    "filter": "print the records that meet conditions",
    "editions": "list the editions and how sure their data is",
    "edition": "check an edition file of your own, or print a built-in one",
    "analyse": "what the best moves of a position are",
    "hint": "what to do in a position, in one sentence",
    "match": "play two agents against each other",
    "tournament": "play several agents against each other",
    "suite": "examine an agent with positions whose best moves are known",
    "serve": "run a server for others",
    "admin": "look after the games of a server",
    "codingame": "play as a bot in the CodinGame protocol",
    "bench": "measure this machine",
    "completion": "print what lets a shell complete commands and options",
    "man": "write manual pages",
}
DEFAULT = "play"


def main(arguments: list[str] | None = None) -> int:
    """Runs a command; returns its exit code: 0 well, 1 an error, 2 wrong usage."""
    given = sys.argv[1:] if arguments is None else arguments
    draw_in_ascii_where_needed()
    try:
        return _run(given)
    except QuiltworkError as error:
        print(f"quiltwork: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nquiltwork: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader (`head`, say) has gone; nothing is left to tell it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (OSError, MemoryError, RecursionError) as error:
        print(f"quiltwork: {_plain(error)}", file=sys.stderr)
        return 1
    except Exception as error:
        if os.environ.get("QUILTWORK_DEBUG"):
            raise
        print(
            f"quiltwork: this should not have happened ({type(error).__name__}: {error}); "
            "set QUILTWORK_DEBUG=1 to see where, and please report it",
            file=sys.stderr,
        )
        return 1


def _run(given: list[str]) -> int:
    parser = _parser()
    if given and given[0] in COMMANDS:
        name, rest = given[0], given[1:]
    elif not given:
        name, rest = DEFAULT, []
    else:
        near = get_close_matches(given[0], COMMANDS, 1)
        if near:
            parser.error(f"there is no command {given[0]!r}; did you mean {near[0]!r}?")
        parser.parse_args(given)
        return 2
    code: int = import_module(f"quiltwork.cli.{name}").run(command_parser(name).parse_args(rest))
    sys.stdout.flush()
    return code


def command_parser(name: str) -> argparse.ArgumentParser:
    """The parser of one command."""
    module = import_module(f"quiltwork.cli.{name}")
    parser = argparse.ArgumentParser(
        prog=f"quiltwork {name}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(parser)
    return parser


def _parser() -> argparse.ArgumentParser:
    width = max(map(len, COMMANDS))
    commands = "\n".join(f"  {name:<{width}}  {summary}" for name, summary in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="quiltwork",
        usage="quiltwork [--version] [--help] [command] ...",
        description="The Patchwork family of board games: play, study, measure.",
        epilog=f"commands:\n{commands}\n\n"
        "`quiltwork COMMAND --help` tells more. A POSITION is a text in notation; `-` reads it from the input.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"quiltwork {__version__}")
    parser.add_argument("command", nargs="?", choices=COMMANDS, metavar="command", help=argparse.SUPPRESS)
    return parser


def _plain(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return {"MemoryError": "not enough memory", "RecursionError": "nested too deeply"}.get(
        type(error).__name__, str(error)
    )


if __name__ == "__main__":
    sys.exit(main())
