"""Reading moves; writing one is `str(move)`."""

from __future__ import annotations

from quiltwork.editions import Edition
from quiltwork.move import Advance, LayPatch, Move, PlaceSpecialPatch, Replenish, TakePatch
from quiltwork.notation.scanner import Scanner

MAX_LENGTH = 1000


def parse_move(
    text: str,
    edition: Edition,
    *,
    advance: int = 0,
    holding: bool = False,
    column: int = 1,
    line: int | None = None,
) -> Move:
    """The move that a text names; raises NotationError if it names none of this edition.

    `advance` is the number that a plain `+` stands for; `holding` tells that a patch is laid, not taken.
    """
    given = text.strip()
    scanner = Scanner(given[:MAX_LENGTH], "move", column=column, line=line)
    move = _move(scanner, edition, advance, holding)
    scanner.end()
    if len(given) > MAX_LENGTH:
        scanner.fail(f"expected nothing more, found {len(given) - MAX_LENGTH} further characters")
    return move


def _move(scanner: Scanner, edition: Edition, advance: int, holding: bool) -> Move:
    if scanner.done():
        scanner.fail("expected a move, found nothing")
    if scanner.accept("+"):
        return Advance(advance if scanner.done() else scanner.number("the number of spaces"))
    if scanner.accept("="):
        if not edition.reserve:
            scanner.fail(f"{edition.name} has no reserve to deal", 0)
        order = scanner.codes(edition)
        if not order:
            scanner.fail(f"expected the codes of the reserve, found {scanner.rest()}")
        return Replenish(order)
    if scanner.text.startswith("s"):
        scanner.accept("s")
        scanner.expect("@", "'@' after the special patch")
        return PlaceSpecialPatch(None if scanner.accept("-") else scanner.cell(edition))
    if not scanner.text[:1].isdigit():
        scanner.fail(f"expected a move (+, 5c@d4, s@e5 or =...), found {scanner.rest()}")
    code = scanner.code(edition)
    if scanner.done():
        if not edition.reserve:
            scanner.fail(f"expected '@' and a cell after {code}: {edition.name} has no reserve to wait for")
        return TakePatch(code)
    scanner.expect("@", f"'@' and a cell after {code}")
    placement = scanner.canonical_placement(edition, code)
    return LayPatch(code, placement) if holding else TakePatch(code, placement)
