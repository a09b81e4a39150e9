"""Positions as text: six fields, then any number of keys."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from quiltwork.editions import Edition, load_edition
from quiltwork.errors import EditionError, NotationError
from quiltwork.geometry import Cell
from quiltwork.move import Placement, Player
from quiltwork.notation.scanner import Scanner
from quiltwork.position_setup import Phase, Quilt, Seat, Setup

MAX_LENGTH = 10_000
FIELDS = ("edition", "turn", "player 1", "player 2", "tile", "circle")
_SUBJECT = "position"


def parse_setup(text: str, line: int | None = None) -> tuple[Setup, Mapping[str, str]]:
    """The set-up that a text describes, and its keys; raises NotationError or EditionError."""
    if len(text) > MAX_LENGTH:
        raise NotationError(_SUBJECT, f"{len(text):,} characters are too many for a position", line=line)
    fields = list(re.finditer(r"\S+", text))
    if len(fields) < len(FIELDS):
        missing = FIELDS[len(fields)]
        raise NotationError(
            _SUBJECT,
            f"expected six fields (edition turn player1 player2 tile circle), "
            f"found {len(fields)}: {missing} is missing",
            column=len(text) + 1,
            line=line,
        )

    def scanner(index: int) -> Scanner:
        field = fields[index]
        return Scanner(field.group(), _SUBJECT, column=field.start() + 1, line=line)

    try:
        edition = load_edition(fields[0].group())
    except EditionError as error:
        if fields[0].group().lower().endswith(".toml"):
            raise
        raise NotationError(_SUBJECT, str(error), column=fields[0].start() + 1, line=line) from None
    phase, turn, held, pending = _turn(scanner(1), edition)
    seats = (_seat(scanner(2), edition), _seat(scanner(3), edition))
    tile = _tile(scanner(4))
    circle, reserve = _circle(scanner(5), edition)
    keys: dict[str, str] = {}
    for field in fields[len(FIELDS) :]:
        key, equals, value = field.group().partition("=")
        if not key or not equals:
            raise NotationError(
                _SUBJECT,
                f"expected key=value, found {field.group()[:20]!r}",
                column=field.start() + 1,
                line=line,
            )
        keys[key] = value
    return Setup(edition, phase, turn, seats, tile, circle, reserve, held, pending), keys


def format_setup(setup: Setup) -> str:
    """The one text of a set-up: six fields."""
    circle = "".join(setup.circle) or "-"
    if setup.reserve:
        circle += "+" + "".join(sorted(setup.reserve))
    seats = (
        f"{seat.space}{'!' if seat.first else ''}/{seat.buttons}/{format_quilt(seat.quilt)}"
        for seat in setup.players
    )
    tile = str(int(setup.tile)) if setup.tile else "-"
    return " ".join((setup.edition.name, _format_turn(setup), *seats, tile, circle))


def format_quilt(quilt: Quilt) -> str:
    """The placements of a quilt, sorted as text."""
    laid = [f"{code}@{placement}" for code, placement in quilt.patches]
    laid += [f"s@{cell}" for cell in quilt.special]
    return ",".join(sorted(laid)) or "-"


def parse_lines(text: str) -> Iterator[tuple[int, Setup, Mapping[str, str]]]:
    """The set-ups of a position file with their line numbers: one a line, `#` begins a comment."""
    for number, given in enumerate(text.splitlines(), 1):
        line = given.partition("#")[0] if given.lstrip().startswith("#") else given
        if line.strip():
            setup, keys = parse_setup(line, number)
            yield number, setup, keys


def _format_turn(setup: Setup) -> str:
    if setup.turn is None:
        return "-"
    mark = {Phase.TURN: "", Phase.SPECIAL: "s" * setup.pending, Phase.DEAL: "=", Phase.LAY: "@"}[setup.phase]
    return f"{int(setup.turn)}{mark}{setup.held or ''}"


def _turn(scanner: Scanner, edition: Edition) -> tuple[Phase, Player | None, str | None, int]:
    if scanner.accept("-"):
        scanner.end()
        return Phase.OVER, None, None, 0
    if scanner.accept("1"):
        player = Player.ONE
    elif scanner.accept("2"):
        player = Player.TWO
    else:
        scanner.fail(f"expected whose turn it is (1, 2 or -), found {scanner.rest()}")
    phase, held, pending = Phase.TURN, None, 0
    if scanner.accept("="):
        phase, held = Phase.DEAL, scanner.code(edition)
    elif scanner.accept("@"):
        phase, held = Phase.LAY, scanner.code(edition)
    else:
        while scanner.accept("s"):
            phase, pending = Phase.SPECIAL, pending + 1
    scanner.end()
    return phase, player, held, pending


def _seat(scanner: Scanner, edition: Edition) -> Seat:
    space = scanner.number("the space of the time token")
    first = scanner.accept("!")
    scanner.expect("/", "'/' after the space")
    buttons = scanner.number("the number of buttons")
    scanner.expect("/", "'/' after the buttons")
    quilt = _quilt(scanner, edition)
    scanner.end()
    return Seat(space, buttons, quilt, first)


def _quilt(scanner: Scanner, edition: Edition) -> Quilt:
    patches: list[tuple[str, Placement]] = []
    special: list[Cell] = []
    if scanner.accept("-"):
        return Quilt()
    while True:
        if scanner.accept("s"):
            scanner.expect("@", "'@' after the special patch")
            special.append(scanner.cell(edition))
        else:
            code = scanner.code(edition)
            scanner.expect("@", f"'@' and a cell after {code}")
            patches.append((code, scanner.canonical_placement(edition, code)))
        if not scanner.accept(","):
            return Quilt(tuple(sorted(patches)), tuple(sorted(special)))


def _tile(scanner: Scanner) -> Player | None:
    tile = None
    if scanner.accept("1"):
        tile = Player.ONE
    elif scanner.accept("2"):
        tile = Player.TWO
    elif not scanner.accept("-"):
        scanner.fail(f"expected who has the special tile (1, 2 or -), found {scanner.rest()}")
    scanner.end()
    return tile


def _circle(scanner: Scanner, edition: Edition) -> tuple[tuple[str, ...], tuple[str, ...]]:
    circle = () if scanner.accept("-") else scanner.codes(edition)
    reserve: tuple[str, ...] = ()
    if scanner.at == 0:
        scanner.fail(f"expected the circle's codes or '-', found {scanner.rest()}")
    if scanner.accept("+"):
        reserve = scanner.codes(edition)
    if not scanner.done():
        scanner.code(edition)
        scanner.end()
    return circle, tuple(sorted(reserve))
