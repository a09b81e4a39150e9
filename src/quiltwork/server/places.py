"""Where any patch would fit on a quilt: the page holds no rules, so it asks."""

from __future__ import annotations

from typing import Any

from quiltwork import Orientation, Player, Position
from quiltwork.server.answers import Refusal

Json = dict[str, Any]


def places_of(position: Position, player: Player, code: str) -> Json:
    """Every place where a patch would fit on a player's quilt, by form, whoever's turn it is."""
    edition = position.edition
    patch = edition.patches.get(code)
    if patch is None:
        raise Refusal("unknown-patch", f"{edition.title} has no patch {code}.", 404)
    free = set(edition.spaces) - position.player(player).covered
    places: dict[str, list[int]] = {}
    for orientation in patch.orientations:
        shape = patch.oriented(orientation)
        places[str(Orientation(orientation))] = [
            row * edition.columns + column
            for row in range(edition.rows)
            for column in range(edition.columns)
            if all((row + r, column + c) in free for r, c in shape)
        ]
    return {"code": code, "player": int(player), "places": places}
