"""Write manual pages, made from the same texts as --help: quiltwork.1, and one for each command.

quiltwork man ~/.local/share/man/man1
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from quiltwork import __version__
from quiltwork.errors import QuiltworkError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="where to write; - prints the page of quiltwork alone")


def run(options: argparse.Namespace) -> int:
    from quiltwork.cli.main import COMMANDS, command_parser

    if options.folder == "-":
        print(_overview(COMMANDS), end="")
        return 0
    folder = Path(options.folder)
    if folder.exists() and not folder.is_dir():
        raise QuiltworkError(f"{folder}: is a file, not a folder")
    folder.mkdir(parents=True, exist_ok=True)
    pages = {"quiltwork": _overview(COMMANDS)}
    for name, summary in COMMANDS.items():
        pages[f"quiltwork-{name}"] = _page(command_parser(name), name, summary)
    for name, page in pages.items():
        (folder / f"{name}.1").write_text(page, encoding="utf-8")
    print(f"quiltwork: wrote {len(pages)} pages to {folder}", file=sys.stderr)
    return 0


def _overview(commands: dict[str, str]) -> str:
    rows = [f".TP\n.B quiltwork {name}\n{_roff(summary)}" for name, summary in commands.items()]
    return "\n".join(
        [
            *_head("quiltwork", "rules, opponents and tools for the Patchwork family of board games"),
            ".SH SYNOPSIS",
            ".B quiltwork",
            "[\\-\\-version] [\\-\\-help] [\\fIcommand\\fR] ...",
            ".SH COMMANDS",
            *rows,
            ".SH SEE ALSO",
            ", ".join(f"quiltwork\\-{name}(1)" for name in commands),
            "",
        ]
    )


def _page(parser: argparse.ArgumentParser, name: str, summary: str) -> str:
    usage = " ".join(parser.format_usage().removeprefix("usage:").split())
    lines = [*_head(f"quiltwork-{name}", summary), ".SH SYNOPSIS", _roff(usage), ".SH DESCRIPTION"]
    for paragraph in (parser.description or "").strip().split("\n\n"):
        example = all(line.startswith("    ") for line in paragraph.splitlines())
        text = _roff(paragraph)
        lines += [".PP", *((".EX", text, ".EE") if example else (text,))]
    lines.append(".SH OPTIONS")
    formatter = parser._get_formatter()
    for action in parser._actions:
        if action.help == argparse.SUPPRESS:
            continue
        called = formatter._format_action_invocation(action)
        lines += [".TP", f".B {_roff(called)}", _roff(formatter._expand_help(action) if action.help else "")]
    return "\n".join([*lines, ""])


def _head(name: str, summary: str) -> list[str]:
    return [
        f'.TH {name.upper()} 1 "" "Quiltwork {__version__}"',
        ".SH NAME",
        f"{_roff(name)} \\- {_roff(summary)}",
    ]


def _roff(text: str) -> str:
    """A text for the manual: hyphens can be copied, and no line is taken for a request."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", escaped, flags=re.MULTILINE)
