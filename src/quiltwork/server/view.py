"""Views: what each seat is told about a game. The order of the undealt reserve is in none of them."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

from quiltwork import (
    Advance,
    LayPatch,
    Move,
    Orientation,
    Patch,
    Phase,
    PlaceSpecialPatch,
    Player,
    Position,
    TakePatch,
)
from quiltwork.move import Replenish

Json = dict[str, Any]


class Told:
    """What is told of one position, worked out once for everyone at the table."""

    def __init__(self, position: Position) -> None:
        self.position = position

    @cached_property
    def snapshot(self) -> Json:
        return snapshot(self.position)

    @cached_property
    def options(self) -> Json:
        return options(self.position)


def snapshot(position: Position) -> Json:
    """A position as it lies on the table, for anyone to see."""
    foremost = max(player.space for player in position.players)
    return {
        "position": position.text,
        "turn": None if position.turn is None else int(position.turn),
        "phase": position.phase.name.lower(),
        "why": why_turn(position),
        "players": [_player(position, player) for player in Player],
        "tile": None if position.tile is None else int(position.tile),
        "circle": [patch.code for patch in position.circle],
        "reserve": [patch.code for patch in position.reserve],
        "held": position.held.code if position.held else None,
        "pending": position.setup.pending,
        "special_patch_spaces": [s for s in position.edition.special_patch_spaces if s > foremost],
        "choices": choices(position),
    }


def _player(position: Position, player: Player) -> Json:
    state = position.player(player)
    score = position.score(player)
    return {
        "space": state.space,
        "buttons": state.buttons,
        "income": state.income,
        "empty": state.empty_spaces,
        "quilt": [str(placed) for placed in state.placements],
        "score": {
            "buttons": score.buttons,
            "empty_spaces": score.empty_points,
            "tile": score.tile,
            "total": score.total,
        },
        "square": nearest_square(position, player),
    }


def why_turn(position: Position) -> str:
    """Why it is this player's turn, as the key of a message."""
    if position.turn is None:
        return "over"
    if position.phase is Phase.SPECIAL:
        return "special"
    if position.phase in (Phase.LAY, Phase.DEAL):
        return "lay"
    mine = position.player(position.turn).space
    other = position.player(position.turn.opponent).space
    if other == position.edition.last_space:
        return "alone"
    if mine == other:
        return "start" if mine == 0 else "top"
    return "behind"


def choices(position: Position) -> list[Json]:
    """The patches to choose from, with what the player lacks; `legal` where it can be taken now."""
    if position.turn is None:
        return []
    buttons = position.player(position.turn).buttons
    takable = {move.patch for move in position.legal_moves() if isinstance(move, TakePatch)}
    return [
        {
            "code": patch.code,
            "missing": max(0, patch.buttons - buttons),
            "fits": patch.code in takable or patch.buttons > buttons,
            "legal": patch.code in takable,
        }
        for patch in position.choices()
    ]


def options(position: Position) -> Json:
    """Every legal move of the player to move, by patch and form, and what each would do.

    What a move does depends on the patch and not on its place, but for the special tile: the places that win it
    are listed apart.
    """
    moves = position.legal_moves()
    answer: Json = {"advance": None, "patches": {}, "special": None}
    by_patch: dict[str, list[TakePatch | LayPatch]] = {}
    cells: list[PlaceSpecialPatch] = []
    for move in moves:
        if isinstance(move, Advance):
            answer["advance"] = {"move": str(move), "spaces": move.spaces, "preview": preview(position, move)}
        elif isinstance(move, TakePatch | LayPatch):
            by_patch.setdefault(move.patch, []).append(move)
        elif isinstance(move, PlaceSpecialPatch):
            cells.append(move)
    if position.phase is Phase.TURN:
        answer["patches"] = {choice["code"]: dict(choice) for choice in choices(position)}
    for code, found in by_patch.items():
        entry = answer["patches"].setdefault(code, {"code": code, "missing": 0, "fits": True, "legal": True})
        entry.update(_patch_option(position, found))
    if cells:
        answer["special"] = _special_option(position, cells)
    return answer


def _patch_option(position: Position, moves: list[TakePatch | LayPatch]) -> Json:
    first = moves[0]
    if first.placement is None:
        return {"take": True, "places": {}, "tile": {}, "preview": preview(position, first)}
    columns = position.edition.columns
    places: dict[str, list[int]] = {}
    for move in moves:
        if move.placement is not None:
            places.setdefault(str(move.placement.orientation), []).append(_index(move.placement.cell, columns))
    winning = _tile_winners(position, list(moves))
    tile: dict[str, list[int]] = {}
    for move in moves:
        if move in winning and move.placement is not None:
            tile.setdefault(str(move.placement.orientation), []).append(_index(move.placement.cell, columns))
    plain = next((move for move in moves if move not in winning), None)
    return {
        "take": False,
        "places": places,
        "tile": tile,
        "preview": preview(position, plain) if plain else preview(position, first),
        "tile_preview": preview(position, next(iter(winning))) if winning else None,
    }


def _special_option(position: Position, moves: list[PlaceSpecialPatch]) -> Json:
    columns = position.edition.columns
    placed = [move for move in moves if move.cell is not None]
    removal = next((move for move in moves if move.cell is None), None)
    winning = _tile_winners(position, list(placed))
    plain = next((move for move in placed if move not in winning), placed[0] if placed else None)
    return {
        "code": "s",
        "missing": 0,
        "fits": bool(placed),
        "legal": True,
        "take": False,
        "places": {"": [_index(move.cell, columns) for move in placed if move.cell is not None]},
        "tile": {
            "": [
                _index(move.cell, columns) for move in winning if isinstance(move, PlaceSpecialPatch) and move.cell
            ]
        },
        "preview": preview(position, plain) if plain else None,
        "tile_preview": preview(position, next(iter(winning))) if winning else None,
        "remove": preview(position, removal) if removal else None,
    }


def _index(cell: tuple[int, int], columns: int) -> int:
    return cell[0] * columns + cell[1]


def _tile_winners(position: Position, moves: list[Move]) -> dict[Move, None]:
    """Those of the moves that win the special tile."""
    tile = position.edition.special_tile
    if tile is None or position.tile is not None or position.turn is None or not moves:
        return {}
    covered = len(position.edition.spaces) - position.player(position.turn).empty_spaces
    first = moves[0]
    size = 1 if isinstance(first, PlaceSpecialPatch) else len(position.edition.patches[first.patch].cells)  # type: ignore[union-attr]
    if covered + size < tile.square**2:
        return {}
    return {move: None for move in moves if position.play(move).tile is position.turn}


def preview(position: Position, move: Move) -> Json:
    """All that a move will do, told before it is made."""
    mover = position.turn
    assert mover is not None
    after = position.play(move)
    reserve = after.phase is Phase.DEAL
    if reserve:
        # The landing follows from the patch alone. Any order serves to find it; none of it is told.
        after = after.play(Replenish(tuple(patch.code for patch in after.reserve)))
        after = after.play(after.legal_moves()[0])
    tile = position.edition.special_tile
    hidden = {patch.code for patch in position.reserve}
    then = after.turn
    mine = after.player(mover)
    return {
        "buttons": mine.buttons,
        "space": mine.space,
        "score": after.score(mover).total,
        "income": mine.buttons - position.player(mover).buttons + _price(position, move),
        "specials": after.setup.pending - max(0, position.setup.pending - 1),
        "tile": tile.points if tile and after.tile is mover and position.tile is None else 0,
        "reserve": reserve,
        "ends": then is None,
        "next": None if then is None else int(then),
        "next_why": why_turn(after),
        "choices": [choice for choice in choices(after) if choice["code"] not in hidden],
    }


def _price(position: Position, move: Move) -> int:
    """The buttons that a move itself costs; what else comes in is income."""
    match move:
        case Advance(spaces):
            return -spaces
        case TakePatch(patch, _):
            return position.edition.patches[patch].buttons
        case _:
            return 0


_CLOSE = 12


def nearest_square(position: Position, player: Player) -> list[int] | None:
    """The top left cell of the square nearest to the special tile, when few cells are missing."""
    tile = position.edition.special_tile
    if tile is None or position.tile is not None:
        return None
    edition = position.edition
    empty = position.player(player).empty_spaces
    if len(edition.spaces) - empty < tile.square**2 - _CLOSE:
        return None
    covered = covered_cells(position, player)
    best: tuple[int, list[int]] | None = None
    for row in range(edition.rows - tile.square + 1):
        for column in range(edition.columns - tile.square + 1):
            missing = sum(
                (r, c) not in covered
                for r in range(row, row + tile.square)
                for c in range(column, column + tile.square)
            )
            if missing <= _CLOSE and (best is None or missing < best[0]):
                best = (missing, [row, column])
    return best[1] if best else None


@lru_cache(maxsize=2048)
def _form(patch: Patch, orientation: Orientation) -> tuple[tuple[int, int], ...]:
    return tuple((cell.row, cell.column) for cell in patch.oriented(orientation))


def covered_cells(position: Position, player: Player) -> set[tuple[int, int]]:
    """The cells of a player's quilt board on which something lies."""
    found: set[tuple[int, int]] = set()
    for placed in position.player(player).placements:
        if isinstance(placed, PlaceSpecialPatch):
            if placed.cell is not None:
                found.add((placed.cell.row, placed.cell.column))
            continue
        row, column = placed.placement.cell
        patch = position.edition.patches[placed.patch]
        found.update((row + r, column + c) for r, c in _form(patch, placed.placement.orientation))
    return found
