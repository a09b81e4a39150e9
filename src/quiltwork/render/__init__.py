"""Pictures of set-ups: as SVG, and as text."""

from quiltwork.render.fabric import fabric_defs, fabric_id
from quiltwork.render.outline import button_cells, patch_path, seam_path
from quiltwork.render.result import result_svg
from quiltwork.render.svg import circle_svg, patch_svg, position_svg, quilt_svg, seat_svg
from quiltwork.render.symbols import symbol_defs
from quiltwork.render.text import patch_text, position_text, quilt_text

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
