"""A position as an array of pixels, without a drawing library: for `render_mode="rgb_array"` and for videos.

The pictures of people are SVG (`Position.svg`); this one is small, quick and of one size during a game.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from quiltwork.editions import Patch
from quiltwork.geometry import orient
from quiltwork.move import LayPatch, Player
from quiltwork.position import Position
from quiltwork.themes import Palette, theme_of
from quiltwork.themes.colour import channels

Pixels: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]

RENDER_MODES = ("human", "ansi", "rgb_array")

_CELL = 20
_GAP = 16
_LINE = 26
_SMALL = 7
_TRACK = 14

# Five rows of three bits each: enough to read the numbers in a video.
_GLYPHS = dict(
    zip(
        "0123456789-+:",
        (
            "75557", "26227", "71747", "71717", "55711", "74717", "74757", "71111", "75757", "75717",
            "00700", "02720", "02020",
        ),
        strict=True,
    )
)  # fmt: skip


def checked_render_mode(mode: str | None) -> str | None:
    """A render mode that there is; raises ValueError for another."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode: expected one of {', '.join(RENDER_MODES)}, found {mode!r}")
    return mode


def rendered(position: Position, mode: str) -> str | Pixels | None:
    """A position in one of the render modes; `human` prints it and returns None."""
    if mode == "rgb_array":
        return position_pixels(position)
    if mode == "ansi":
        return str(position)
    print(position)
    return None


def position_pixels(position: Position) -> Pixels:
    """The picture: both quilts with buttons, income and score, the time board, and the circle from the token on.

    The array is [height, width, 3] of uint8; its size depends on the edition alone.
    """
    edition = position.edition
    palette = theme_of(edition).light
    board_width = edition.columns * _CELL
    width = max(2 * board_width + 3 * _GAP, 2 * _GAP + 21 * _TRACK)
    track_rows = -(-(edition.last_space + 1) // _per_row(width))
    circle_top = 2 * _GAP + _LINE + edition.rows * _CELL + track_rows * (_TRACK + 2) + _GAP
    height = circle_top + 2 * (5 * _SMALL + _GAP)
    pixels = np.empty((height, width, 3), np.uint8)
    pixels[:] = channels(palette.ground)
    for player in Player:
        left = _GAP if player is Player.ONE else width - _GAP - board_width
        _draw_player(pixels, position, player, palette, left)
    _draw_track(pixels, position, palette, _GAP + _LINE + edition.rows * _CELL + _GAP)
    _draw_circle(pixels, position, palette, circle_top)
    return pixels


def _fill(pixels: Pixels, left: int, top: int, width: int, height: int, colour: str) -> None:
    pixels[top : top + height, left : left + width] = channels(colour)


def _write(pixels: Pixels, text: str, left: int, top: int, colour: str, scale: int = 2) -> None:
    for place, letter in enumerate(text):
        for row, bits in enumerate(_GLYPHS[letter]):
            for column in range(3):
                if int(bits) >> (2 - column) & 1:
                    x = left + (place * 4 + column) * scale
                    _fill(pixels, x, top + row * scale, scale, scale, colour)


def _colour_of(position: Position, patch: str, palette: Palette) -> str:
    ways = palette.colourways
    number = position.edition.numbers[patch]
    way = ways[number % len(ways)]
    return way.base if number // len(ways) % 2 == 0 else way.figure


def _draw_player(pixels: Pixels, position: Position, player: Player, palette: Palette, left: int) -> None:
    edition, state = position.edition, position.player(player)
    if position.turn is player:
        _fill(pixels, left - 4, _GAP - 6, edition.columns * _CELL + 8, 4, palette.accent)
    _fill(pixels, left, _GAP, 12, 12, palette.one if player is Player.ONE else palette.two)
    text = f"{state.buttons}+{state.income}"
    _write(pixels, text, left + 20, _GAP + 1, palette.ink)
    score = str(position.score(player).total)
    _write(pixels, score, left + edition.columns * _CELL - 8 * len(score), _GAP + 1, palette.accent)
    top = _GAP + _LINE
    for row, column in edition.spaces:
        _fill(pixels, left + column * _CELL, top + row * _CELL, _CELL - 1, _CELL - 1, palette.cloth)
    for laid in state.placements:
        if isinstance(laid, LayPatch):
            placement = laid.placement
            cells = edition.patches[laid.patch].oriented(placement.orientation)
            corner = placement.cell
            colour = _colour_of(position, laid.patch, palette)
        else:
            assert laid.cell is not None
            cells, corner, colour = ((0, 0),), laid.cell, palette.leather  # type: ignore[assignment]
        covered = {(corner.row + r, corner.column + c) for r, c in cells}
        for row, column in covered:
            x, y = left + column * _CELL, top + row * _CELL
            # Cells of one patch run together; the seam lies between patches.
            wide = _CELL if (row, column + 1) in covered else _CELL - 1
            high = _CELL if (row + 1, column) in covered else _CELL - 1
            _fill(pixels, x, y, wide, high, colour)


def _per_row(width: int) -> int:
    return (width - 2 * _GAP) // _TRACK


def _draw_track(pixels: Pixels, position: Position, palette: Palette, top: int) -> None:
    edition = position.edition
    in_row = _per_row(pixels.shape[1])
    foremost = max(state.space for state in position.players)

    def corner(space: int) -> tuple[int, int]:
        return _GAP + space % in_row * _TRACK, top + space // in_row * (_TRACK + 2)

    for space in range(edition.last_space + 1):
        x, y = corner(space)
        _fill(pixels, x, y, _TRACK - 1, _TRACK - 1, palette.track)
        if space in edition.income_spaces:
            _fill(pixels, x, y, 3, _TRACK - 1, palette.currency)
        if space in edition.special_patch_spaces and space > foremost:
            _fill(pixels, x, y, 3, _TRACK - 1, palette.leather)
    shared = position.players[0].space == position.players[1].space
    for player in Player:
        x, y = corner(position.player(player).space)
        colour = palette.one if player is Player.ONE else palette.two
        down = 6 if shared and position.turn is not player else 0
        _fill(pixels, x + 4, y + 1 + down, 8, 6 if shared else 11, colour)


def _draw_circle(pixels: Pixels, position: Position, palette: Palette, top: int) -> None:
    """Draws the held patch if there is one, then the circle, the choices underlined, as far as there is room."""
    left, right = _GAP, pixels.shape[1] - _GAP
    patches: list[Patch] = [position.held] if position.held else []
    choices = len(patches) + len(position.choices())
    row = 0
    for place, patch in enumerate((*patches, *position.circle)):
        cells = orient(patch.cells, patch.orientations[0])
        wide = (1 + max(column for _, column in cells)) * _SMALL
        if left + wide > right:
            left, row = _GAP, row + 1
            if row == 2:
                return
        y = top + row * (5 * _SMALL + _GAP)
        for r, c in cells:
            colour = _colour_of(position, patch.code, palette)
            _fill(pixels, left + c * _SMALL, y + r * _SMALL, _SMALL - 1, _SMALL - 1, colour)
        if place < choices:
            _fill(pixels, left, y + 5 * _SMALL + 2, wide, 3, palette.accent)
        left += wide + 8
