"""Moves as integers, numbered as the design has it: legal or not, and why not."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest

import oracle
from oracle import State
from oracle.edition import BUILT_IN, ORIENTATIONS, cell_name
from oracle.legality import awaited
from oracle.rules import choices, spaces_to_advance
from quiltwork import Position, load_edition
from quiltwork.codes import codes_of
from quiltwork.rules import entry, legality
from quiltwork.rules.moves import code_count

COUNTS = {"patchwork": 2027, "patchwork-2014": 2027, "halloween": 2027, "express": 1230, "stack-and-stuff": 1230}
REASONS = {
    None: legality.LEGAL,
    "phase": legality.PHASE,
    "choice": legality.CHOICE,
    "cost": legality.COST,
    "board": legality.BOARD,
    "overlap": legality.OVERLAP,
}
TOYS = Path(__file__).parent / "editions"
TOY = quote(str(TOYS / "toy.toml"))
RESERVE = quote(str(TOYS / "toy-reserve.toml"))
POSITIONS = {
    "three choices": f"{TOY} 1 0/3/4a@a1 3/3/- - 3b2a3a4b",
    "two choices left": f"{TOY} 2 3/3/- 0/1/3a@b3 - 3b2a",
    "no choice left": f"{TOY} 1 0/3/- 3/3/- - -",
    "special patches": f"{TOY} 1ss 6/0/4a@a1 1/0/- - 3b2a3a",
    "special patches that may be removed": f"{RESERVE} 2s 0/0/- 1/0/3b@a1 - 2a",
    "a reserve that does not come yet": f"{RESERVE} 1 0/1/s@c1 0/2/- - 3b4a2a3a+1a4b5a",
    "a take that brings the reserve": f"{RESERVE} 1 0/1/2a@a1 0/2/- - 3a3b4a+1a4b5a",
    "a take that brings the reserve and fits nowhere": f"{RESERVE} 1 0/9/s@a3,s@c3 0/2/- - 4a3b+1a4b5a",
    "the deal": f"{RESERVE} 1=3a 0/0/- 0/2/- - 3b2a+1a4b5a",
    "a patch to lay": f"{RESERVE} 2@3a 0/0/- 0/2/2a@a1 - 3b1a4b5a",
    "the end": f"{TOY} - 9/3/- 9!/3/- - 3b2a",
}


@pytest.mark.parametrize(("name", "count"), COUNTS.items())
def test_every_edition_has_its_number_of_codes(name: str, count: int) -> None:
    edition = load_edition(name)
    assert code_count(edition.compiled[0]) == count
    assert codes_of(edition).count == count


@pytest.mark.parametrize(("name", "count"), COUNTS.items())
def test_a_number_that_is_no_code_is_no_choice(name: str, count: int) -> None:
    position = Position.initial(name, deal=1)
    for code in (-1, count, count + 1, 1_000_000):
        assert entry.illegality(position.record, position.edition.compiled, code) == legality.CHOICE
    assert entry.illegality(position.record, position.edition.compiled, count - 1) == legality.PHASE


@pytest.mark.parametrize("text", POSITIONS.values(), ids=POSITIONS.keys())
def test_every_code_is_legal_or_has_its_first_reason(text: str) -> None:
    position, state = Position.parse(text), oracle.parse(text)
    assert_reasons(position, state, range(code_count(position.edition.compiled[0])))


def test_codes_on_a_large_board_with_holes(tmp_path: Path) -> None:
    path = tmp_path / "holes.toml"
    text = (BUILT_IN / "patchwork.toml").read_text(encoding="utf-8")
    path.write_text(text.replace("#########", "###.##.##").replace("square = 7", "square = 2"), encoding="utf-8")
    for fields in ("1s 27/0/4b@h8 20/0/- 1 -", "1 0/9/4b@h8 3/0/- 1 2a8a"):
        position, state = Position.parse(f"{path} {fields}"), oracle.parse(f"{path} {fields}")
        assert_reasons(position, state, range(code_count(position.edition.compiled[0])))


def assert_reasons(position: Position, state: State, codes: range) -> None:
    record, compiled = position.record, position.edition.compiled
    legal = entry.legal_codes(record, compiled).tolist()
    for code in codes:
        expected = REASONS[reason_of_code(state, code)]
        assert entry.illegality(record, compiled, code) == expected, code
        assert (code in legal) == (expected == legality.LEGAL), code


def reason_of_code(state: State, code: int) -> str | None:
    """0 advance; 1 + (slot * 8 + orientation) * R * C + row * C + column; R * C special patches; removal; takes."""
    edition = state.edition
    rows, columns = (1 + max(cell[axis] for cell in edition.board) for axis in (0, 1))
    cells = rows * columns
    special = 1 + edition.choices * 8 * cells
    if code == 0:
        return "phase" if state.mover is None else oracle.why_illegal(state, f"+{spaces_to_advance(state)}")
    if code < special:
        index, corner = divmod(code - 1, cells)
        slot, orientation = divmod(index, 8)
        offered = (state.held,) if state.held is not None else choices(state)
        if awaited(state, "1a@a1") != "patch":
            return "phase"
        if slot >= len(offered):
            return "choice"
        move = f"{offered[slot]}@{cell_name(divmod(corner, columns))}{ORIENTATIONS[orientation]}"
        reason = oracle.why_illegal(state, move)
        # Another name of cells that have a better one is no code of its own.
        first_name = move.partition("@")[2] in edition.placements(str(offered[slot]))
        return "board" if reason in (None, "overlap") and not first_name else reason
    if code < special + cells:
        return oracle.why_illegal(state, f"s@{cell_name(divmod(code - special, columns))}")
    if code == special + cells:
        return oracle.why_illegal(state, "s@-")
    if awaited(state, "1a") != "take":
        return "phase"
    slot = code - special - cells - 1
    return oracle.why_illegal(state, choices(state)[slot]) if slot < len(choices(state)) else "choice"
