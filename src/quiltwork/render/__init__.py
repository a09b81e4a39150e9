"""Pictures of set-ups: as SVG, and as text."""

from quiltwork.render.fabric import fabric_defs, fabric_id, swatch_of
from quiltwork.render.outline import button_cells, patch_path, seam_path
from quiltwork.render.svg import position_svg, quilt_svg
from quiltwork.render.symbols import symbol_defs
from quiltwork.render.text import patch_text, position_text, quilt_text

__all__ = [
    "button_cells",
    "fabric_defs",
    "fabric_id",
    "patch_path",
    "patch_text",
    "position_svg",
    "position_text",
    "quilt_svg",
    "quilt_text",
    "seam_path",
    "swatch_of",
    "symbol_defs",
]
