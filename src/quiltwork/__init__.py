"""Rules, opponents and tools for the Patchwork family of board games.

All public names import from here; they load when first used, so that `import quiltwork` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quiltwork.agents.agent import Analysis as Analysis
    from quiltwork.agents.agent import RankedMove as RankedMove
    from quiltwork.analysis.review import Review as Review
    from quiltwork.analysis.review import review as review
    from quiltwork.deal import circle_of_deal as circle_of_deal
    from quiltwork.editions import Edition as Edition
    from quiltwork.editions import Patch as Patch
    from quiltwork.editions import available_editions as available_editions
    from quiltwork.editions import load_edition as load_edition
    from quiltwork.engine import Engine as Engine
    from quiltwork.engine import EngineTimeout as EngineTimeout
    from quiltwork.engine import Thinking as Thinking
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
    from quiltwork.player_state import PlayerState as PlayerState
    from quiltwork.position import Position as Position
    from quiltwork.position_setup import Phase as Phase
    from quiltwork.position_setup import Quilt as Quilt
    from quiltwork.position_setup import Seat as Seat
    from quiltwork.position_setup import Setup as Setup
    from quiltwork.programs.program import AgentFault as AgentFault
    from quiltwork.programs.program import CannotStart as CannotStart
    from quiltwork.record_stream import RecordText as RecordText
    from quiltwork.record_stream import stream_records as stream_records
    from quiltwork.render.svg import patch_svg as patch_svg
    from quiltwork.themes import Theme as Theme
    from quiltwork.themes import available_themes as available_themes
    from quiltwork.themes import load_theme as load_theme

__version__ = "0.1.0"

_HOME = {
    "agents.agent": ("Analysis", "RankedMove"),
    "programs.program": ("AgentFault", "CannotStart"),
    "analysis.review": ("Review", "review"),
    "deal": ("circle_of_deal",),
    "editions": ("Edition", "Patch", "available_editions", "load_edition"),
    "engine": ("Engine", "EngineTimeout", "Thinking"),
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
    "player_state": ("PlayerState",),
    "position": ("Position",),
    "record_stream": ("RecordText", "stream_records"),
    "position_setup": ("Phase", "Quilt", "Seat", "Setup"),
    "render.svg": ("patch_svg",),
    "themes": ("Theme", "available_themes", "load_theme"),
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
