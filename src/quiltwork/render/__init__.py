"""Pictures of set-ups: as SVG, and as text. What draws SVG is imported when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from quiltwork.render.text import patch_text, position_text, quilt_text

if TYPE_CHECKING:
    from quiltwork.render.fabric import fabric_defs, fabric_id
    from quiltwork.render.outline import button_cells, patch_path, seam_path
    from quiltwork.render.result import result_svg
    from quiltwork.render.svg import circle_svg, patch_svg, position_svg, quilt_svg, seat_svg
    from quiltwork.render.symbols import symbol_defs

_HOME = {
    "fabric": ("fabric_defs", "fabric_id"),
    "outline": ("button_cells", "patch_path", "seam_path"),
    "result": ("result_svg",),
    "svg": ("circle_svg", "patch_svg", "position_svg", "quilt_svg", "seat_svg"),
    "symbols": ("symbol_defs",),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "button_cells",
    "circle_svg",
    "fabric_defs",
    "fabric_id",
    "patch_path",
    "patch_svg",
    "patch_text",
    "position_svg",
    "position_text",
    "quilt_svg",
    "quilt_text",
    "result_svg",
    "seam_path",
    "seat_svg",
    "symbol_defs",
]


def __getattr__(name: str) -> object:
    if name in _MODULE_OF:
        value = getattr(import_module(f"quiltwork.render.{_MODULE_OF[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'quiltwork.render' has no attribute {name!r}")
