"""Print what lets a shell complete commands and options.

quiltwork completion bash > ~/.local/share/bash-completion/completions/quiltwork
quiltwork completion zsh > ~/.zfunc/_quiltwork
"""

from __future__ import annotations

import argparse
from importlib import import_module

SHELLS = ("bash", "zsh", "tcsh")
FILES = ("FILE", "FOLDER", "DIR", "OUT")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="for which shell")


def run(options: argparse.Namespace) -> int:
    import shtab

    print(shtab.complete(_whole_parser(), shell=options.shell))
    return 0


def _whole_parser() -> argparse.ArgumentParser:
    """All commands as one parser; commands are parsed one by one elsewhere, as that imports less."""
    import shtab

    from quiltwork.cli.main import COMMANDS

    parser = argparse.ArgumentParser(prog="quiltwork", add_help=True)
    parser.add_argument("--version", action="store_true", help="print the version")
    commands = parser.add_subparsers()
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary)
        import_module(f"quiltwork.cli.{name}").add_arguments(command)
        for action in command._actions:
            if action.metavar in FILES:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    return parser
