"""Rules, opponents and tools for the Patchwork family of board games.

All public names import from here; they load when first used, so that `import quiltwork` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quiltwork.deal import circle_of_deal as circle_of_deal
    from quiltwork.edition import Edition as Edition
    from quiltwork.edition import Patch as Patch
    from quiltwork.edition import available_editions as available_editions
    from quiltwork.edition import load_edition as load_edition
    from quiltwork.errors import EditionError as EditionError
    from quiltwork.errors import Illegality as Illegality
    from quiltwork.errors import IllegalMove as IllegalMove
    from quiltwork.errors import MissingExtra as MissingExtra
    from quiltwork.errors import NotationError as NotationError
    from quiltwork.errors import QuiltworkError as QuiltworkError
    from quiltwork.errors import Reason as Reason
    from quiltwork.errors import SetupError as SetupError
    from quiltwork.events import Event as Event
    from quiltwork.events import Outcome as Outcome
    from quiltwork.events import Score as Score
    from quiltwork.game import Game as Game
    from quiltwork.game import Node as Node
    from quiltwork.geometry import Cell as Cell
    from quiltwork.geometry import Orientation as Orientation
    from quiltwork.move import Advance as Advance
    from quiltwork.move import LayPatch as LayPatch
    from quiltwork.move import Move as Move
    from quiltwork.move import Placement as Placement
    from quiltwork.move import PlaceSpecialPatch as PlaceSpecialPatch
    from quiltwork.move import Player as Player
    from quiltwork.move import Replenish as Replenish
    from quiltwork.move import TakePatch as TakePatch
    from quiltwork.position import PlayerState as PlayerState
    from quiltwork.position import Position as Position
    from quiltwork.setup import Phase as Phase
    from quiltwork.setup import Quilt as Quilt
    from quiltwork.setup import Seat as Seat
    from quiltwork.setup import Setup as Setup
    from quiltwork.theme import Theme as Theme
    from quiltwork.theme import available_themes as available_themes
    from quiltwork.theme import load_theme as load_theme

__version__ = "0.1.0"

_HOME = {
    "deal": ("circle_of_deal",),
    "edition": ("Edition", "Patch", "available_editions", "load_edition"),
    "errors": (
        "EditionError",
        "IllegalMove",
        "Illegality",
        "MissingExtra",
        "NotationError",
        "QuiltworkError",
        "Reason",
        "SetupError",
    ),
    "events": ("Event", "Outcome", "Score"),
    "game": ("Game", "Node"),
    "geometry": ("Cell", "Orientation"),
    "move": (
        "Advance",
        "LayPatch",
        "Move",
        "PlaceSpecialPatch",
        "Placement",
        "Player",
        "Replenish",
        "TakePatch",
    ),
    "position": ("PlayerState", "Position"),
    "setup": ("Phase", "Quilt", "Seat", "Setup"),
    "theme": ("Theme", "available_themes", "load_theme"),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}
__all__ = ["__version__", *sorted(_MODULE_OF)]


def __getattr__(name: str) -> object:
    if name in _MODULE_OF:
        value = getattr(import_module(f"quiltwork.{_MODULE_OF[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'quiltwork' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
