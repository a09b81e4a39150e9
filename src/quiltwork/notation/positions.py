"""Positions as text: six fields, then any number of keys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

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
    turn = format_turn(setup.phase, int(setup.turn or 0), setup.held or "", setup.pending)
    seats = [(seat.space, seat.first, seat.buttons, _placements(seat.quilt)) for seat in setup.players]
    tile, reserve = int(setup.tile or 0), sorted(setup.reserve)
    return format_fields(setup.edition.name, turn, seats, tile, setup.circle, reserve)


def format_fields(
    edition: str,
    turn: str,
    seats: Iterable[tuple[int, bool, int, Sequence[str]]],
    tile: int,
    circle: Sequence[str],
    reserve: Sequence[str],
) -> str:
    """The six fields in one text.

    A seat is its space, whether it was first on the last one, its buttons, and its placements, sorted as text; the
    reserve is sorted; nobody's tile is 0.
    """
    sides = [
        f"{space}{'!' if first else ''}/{buttons}/{','.join(laid) or '-'}" for space, first, buttons, laid in seats
    ]
    patches = "".join(circle) or "-"
    if reserve:
        patches += "+" + "".join(reserve)
    return f"{edition} {turn} {' '.join(sides)} {tile or '-'} {patches}"


def _placements(quilt: Quilt) -> list[str]:
    laid = [f"{code}@{placement}" for code, placement in quilt.patches]
    laid += [f"s@{cell}" for cell in quilt.special]
    return sorted(laid)


def parse_lines(text: str) -> Iterator[tuple[int, Setup, Mapping[str, str]]]:
    """The set-ups of a position file with their line numbers: one a line, `#` begins a comment."""
    for number, given in enumerate(text.splitlines(), 1):
        line = given.partition("#")[0] if given.lstrip().startswith("#") else given
        if line.strip():
            setup, keys = parse_setup(line, number)
            yield number, setup, keys


def format_turn(phase: Phase, player: int, held: str, pending: int) -> str:
    """The field that says whose turn it is, and what for."""
    if phase is Phase.OVER:
        return "-"
    mark = {Phase.TURN: "", Phase.SPECIAL: "s" * pending, Phase.DEAL: "=", Phase.LAY: "@"}[phase]
    return f"{player}{mark}{held}"


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
