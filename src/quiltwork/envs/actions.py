"""The actions of the environments: the integers of `rules.moves`, and their notation both ways."""

from __future__ import annotations

from quiltwork.codes import ADVANCE, MoveCodes, codes_of
from quiltwork.editions import Edition, edition_of
from quiltwork.errors import Illegality, IllegalMove, Reason
from quiltwork.geometry import Cell, Orientation
from quiltwork.move import Advance, LayPatch, Move, Placement, PlaceSpecialPatch, TakePatch
from quiltwork.position import Position
from quiltwork.position_setup import Phase

ACTION_VERSION = 1
"""raised when an integer becomes another move"""


def action_count(edition: Edition | str) -> int:
    """The number of actions: every action is less."""
    return codes_of(edition_of(edition)).count


def action_of(position: Position, move: Move | str) -> int:
    """The action of a legal move, or of its notation; raises NotationError or IllegalMove."""
    legal = position.move(str(move))
    action = position.code(legal)
    if action is None:
        raise IllegalMove(str(move), Illegality(Reason.PHASE, "chance is no action of the environments"))
    return action


def notation_of(position: Position, action: int) -> str:
    """The notation of a legal action; raises IllegalMove."""
    illegality = why_illegal(position, action)
    if illegality is not None:
        raise IllegalMove(f"action {action}", illegality)
    return str(position.move_of_code(action))


def describe(edition: Edition | str, action: int) -> str:
    """What an action means in any position, in words: `slot 1, r2, d4`."""
    edition = edition_of(edition)
    codes = codes_of(edition)
    if not 0 <= action < codes.count:
        raise ValueError(f"action {action}: {edition.id} has the actions 0 to {codes.count - 1}")
    if action == ADVANCE:
        return "advance"
    if action < codes.special:
        slot, orientation, cell = _parts(edition, codes, action)
        return f"slot {slot}, {orientation or 'plain'}, {cell}"
    if action < codes.removal:
        return f"special patch, {Cell(*divmod(action - codes.special, edition.columns))}"
    if action == codes.removal:
        return "remove the special patch"
    return f"take slot {action - codes.take}"


def why_illegal(position: Position, action: int) -> Illegality | None:
    """Why an action is illegal here; None if it is legal."""
    edition, codes = position.edition, codes_of(position.edition)
    if not 0 <= action < codes.count:
        return Illegality(Reason.CHOICE, f"{edition.id} has the actions 0 to {codes.count - 1}")
    if position.phase is Phase.OVER:
        return Illegality(Reason.PHASE, "the game is over")
    move = _move(position, codes, action)
    if move is None:
        return Illegality(Reason.CHOICE, f"{describe(edition, action)}: there is no patch in this slot")
    illegality = position.why_illegal(move)
    if illegality is not None:
        return illegality
    if position.code(move) != action:
        return Illegality(
            Reason.BOARD, f"{move} is not canonical; the same cells are action {position.code(move)}"
        )
    return None


def _parts(edition: Edition, codes: MoveCodes, action: int) -> tuple[int, Orientation, Cell]:
    slot, rest = divmod(action - 1, codes.slot)
    orientation, corner = divmod(rest, codes.cells)
    return slot, Orientation(orientation), Cell(*divmod(corner, edition.columns))


def _move(position: Position, codes: MoveCodes, action: int) -> Move | None:
    """The move that an action names here, legal or not; None for an empty slot."""
    choices = position.choices()
    if action == ADVANCE:
        legal = position.legal_moves()
        return legal[0] if position.phase is Phase.TURN else Advance(1)
    if action < codes.special:
        slot, orientation, cell = _parts(position.edition, codes, action)
        if position.phase is Phase.LAY and position.held is not None:
            return LayPatch(position.held.code, Placement(cell, orientation)) if slot == 0 else None
        return TakePatch(choices[slot].code, Placement(cell, orientation)) if slot < len(choices) else None
    if action < codes.removal:
        return PlaceSpecialPatch(Cell(*divmod(action - codes.special, position.edition.columns)))
    if action == codes.removal:
        return PlaceSpecialPatch(None)
    slot = action - codes.take
    return TakePatch(choices[slot].code) if slot < len(choices) else None
