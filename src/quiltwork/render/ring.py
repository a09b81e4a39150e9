"""The circle of patches: the choices as cards along the top, the rest clockwise around the time board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quiltwork.editions import Patch
from quiltwork.position_setup import Setup
from quiltwork.render.canvas import Canvas
from quiltwork.render.fabric import CELL
from quiltwork.render.markup import MINUS, move, number, tag, text
from quiltwork.render.tally import missing_buttons
from quiltwork.render.track import space_side

CARD_HEIGHT = 176.0
_LABEL = 30.0
# The sides of a ring's cell and of a time board's space, in units of the picture.
_LEAST_CELL, _GOOD_CELL, _LARGEST_CELL = 10, 15, 19
_LEAST_SPACE, _GOOD_SPACE = 36.0, 48.0


@dataclass(frozen=True)
class Slot:
    """Where a patch of the ring lies: the middle of its slot, and whether on a side or at the bottom."""

    patch: Patch
    x: float
    y: float
    upright: bool


@dataclass(frozen=True)
class Ring:
    """The patches beyond the choices, laid out in a box; `inner` is the free box in the middle."""

    cell: float
    slots: tuple[Slot, ...]
    inner: tuple[float, float, float, float]


def lay_ring(patches: tuple[Patch, ...], width: float, height: float, spaces: int) -> Ring | None:
    """The best ring in a box around a time board of so many spaces, or None if the box is too small.

    It runs down the right side, leftwards along the bottom, and up the left side.
    """

    def clarity(ring: Ring) -> tuple[float, float]:
        side = space_side(spaces, *ring.inner[2:])
        return min(ring.cell / _GOOD_CELL, side / _GOOD_SPACE), side

    rings = [_try_ring(patches, width, height, float(cell)) for cell in range(_LEAST_CELL, _LARGEST_CELL + 1)]
    best = max(filter(None, rings), key=clarity, default=None)
    return best if best is not None and space_side(spaces, *best.inner[2:]) >= _LEAST_SPACE else None


def _try_ring(patches: tuple[Patch, ...], width: float, height: float, cell: float) -> Ring | None:
    column = max((len(p.shape[0]) for p in patches), default=2) * cell + _LABEL + 10
    base = max((len(p.shape) for p in patches), default=0) * cell + _LABEL
    inner = (column + 8, 0.0, width - 2 * column - 16, height - base - 8)
    if inner[2] <= 0 or inner[3] <= 0:
        return None
    sides = (height, inner[2], height)
    runs = _runs(patches, cell, sides)
    if sum(map(len, runs)) < len(patches):
        return None
    # The least filling of the sides that holds all spreads a short circle evenly.
    for filling in range(19, 0, -1):
        looser = _runs(patches, cell, [side * filling / 20 for side in sides])
        if sum(map(len, looser)) < len(patches):
            break
        runs = looser
    slots: list[Slot] = []
    for place, (run, side) in enumerate(zip(runs, sides, strict=True)):
        upright = place != 1
        gap = (side - sum(_length(p, cell, upright) for p in run)) / (len(run) or 1)
        along = 0.0
        for patch in run:
            length = gap + _length(patch, cell, upright)
            middle, along = along + length / 2, along + length
            x, y = (
                (width - column / 2, middle),
                (inner[0] + inner[2] - middle, height - base / 2),
                (column / 2, height - middle),
            )[place]
            slots.append(Slot(patch, x, y, upright))
    return Ring(cell, tuple(slots), inner)


def _runs(patches: tuple[Patch, ...], cell: float, limits: Sequence[float]) -> list[list[Patch]]:
    """The patches on the right side, the bottom and the left side, as many as these lengths hold."""
    rest = list(patches)
    runs: list[list[Patch]] = []
    for place, limit in enumerate(limits):
        run: list[Patch] = []
        room = limit
        while rest and (room := room - _length(rest[0], cell, place != 1)) >= 0:
            run.append(rest.pop(0))
        runs.append(run)
    return runs


def _length(patch: Patch, cell: float, upright: bool) -> float:
    if upright:
        return max(len(patch.shape) * cell, 30.0) + 6
    return max(len(patch.shape[0]) * cell, 60.0) + 6


def ring_svg(canvas: Canvas, ring: Ring) -> str:
    """The patches of the ring with what they cost, on a thread that runs through the circle."""
    return _thread(canvas, ring) + "".join(_slot_svg(canvas, slot, ring.cell) for slot in ring.slots)


def _thread(canvas: Canvas, ring: Ring) -> str:
    x, _, width, height = ring.inner
    left, right = (x - 8 - _LABEL) / 2, x + width + 8 + (x - 8 - _LABEL) / 2
    low = next((slot.y for slot in ring.slots if not slot.upright), height + 30) - 10
    way = f"M{number(right)} -8V{number(low - 24)}q0 24 -24 24H{number(left + 24)}q-24 0 -24 -24V-8"
    return tag(
        "path",
        d=way,
        fill="none",
        stroke=canvas.palette.muted,
        stroke_opacity=0.6,
        stroke_width=2.2,
        stroke_dasharray="7 6",
        stroke_linecap="round",
    )


def _slot_svg(canvas: Canvas, slot: Slot, cell: float) -> str:
    patch, scale = slot.patch, cell / CELL
    width, height = len(patch.shape[0]) * cell, len(patch.shape) * cell
    if slot.upright:
        x, y = slot.x - (width + _LABEL) / 2, slot.y - height / 2
        prices = _price(canvas, "button", patch.buttons, x + width + 6, slot.y - 8) + _price(
            canvas, "time", patch.time, x + width + 6, slot.y + 8
        )
    else:
        x, y = slot.x - width / 2, slot.y - (height + 20) / 2
        prices = _price(canvas, "button", patch.buttons, slot.x - 30, y + height + 13) + _price(
            canvas, "time", patch.time, slot.x + 4, y + height + 13
        )
    drawn = canvas.patch(patch, seam=cell >= 15)
    return tag("g", tag("title", patch.code), tag("g", drawn, transform=move(x, y, scale)), prices)


def _price(canvas: Canvas, symbol: str, amount: int, x: float, y: float) -> str:
    # The halo keeps the number clear of the thread.
    label = text(
        str(amount),
        x + 14,
        y + 4.6,
        13,
        canvas.palette.ink,
        stroke=canvas.palette.ground,
        stroke_width=4,
        stroke_linejoin="round",
        paint_order="stroke",
    )
    return canvas.symbol(symbol, x + 6, y, 12) + label


def cards_svg(canvas: Canvas, setup: Setup, width: float) -> str:
    """The neutral token and the choices in front of it, in a row at the origin."""
    codes = setup.circle[: setup.edition.choices]
    token = 60.0
    card = (width - token) / max(len(codes), 3)
    parts = [canvas.symbol("neutral-token", 22, CARD_HEIGHT / 2, 44)]
    arrow = f"M{token - 12} {CARD_HEIGHT / 2 - 7}l8 7l-8 7"
    parts.append(
        tag("path", d=arrow, fill="none", stroke=canvas.palette.muted, stroke_width=3, stroke_linejoin="round")
    )
    for place, code in enumerate(codes):
        drawn = _card(canvas, setup.edition.patches[code], missing_buttons(setup, code), card - 10)
        parts.append(tag("g", drawn, transform=move(token + 5 + place * card, 0)))
    return "".join(parts)


def _card(canvas: Canvas, patch: Patch, missing: int | None, width: float) -> str:
    palette = canvas.palette
    lacking = bool(missing)
    narrow = width < 130
    rows, columns = len(patch.shape), len(patch.shape[0])
    room = CARD_HEIGHT - (114 if narrow else 78)
    cell = min((width - (10 if narrow else 24)) / columns, room / rows, 30.0)
    x, y = (width - columns * cell) / 2, 32 + (room - rows * cell) / 2
    frame = tag(
        "rect",
        width=width,
        height=CARD_HEIGHT,
        rx=10,
        fill=palette.panel,
        stroke=palette.accent if missing == 0 else palette.grid,
        stroke_width=3 if missing == 0 else 2,
    )
    lack = f"{MINUS}{missing}" if narrow else f"needs {missing} more"
    note = text(lack, width - 8, 22, 14, palette.warning, text_anchor="end") if lacking else ""
    drawn = tag("g", canvas.patch(patch), transform=move(x, y, cell / CELL), opacity=0.6 if lacking else None)
    code = text(patch.code, 8, 22, 14, palette.muted)
    return (
        frame + code + note + drawn + (_prices_below(canvas, patch) if narrow else _prices(canvas, patch, width))
    )


def _prices(canvas: Canvas, patch: Patch, width: float) -> str:
    y, middle = CARD_HEIGHT - 24, width * 0.49
    return "".join(
        (
            canvas.symbol("button", 23, y, 22),
            text(str(patch.buttons), 37, y + 7, 20, canvas.palette.ink, font_weight="bold"),
            canvas.symbol("time", middle, y, 22),
            text(str(patch.time), middle + 12, y + 7, 20, canvas.palette.ink, font_weight="bold"),
            text(
                f"+{patch.income}",
                width - 12,
                y + 7,
                20,
                canvas.palette.accent,
                font_weight="bold",
                text_anchor="end",
            ),
        )
    )


def _prices_below(canvas: Canvas, patch: Patch) -> str:
    y = CARD_HEIGHT - 64
    return "".join(
        (
            canvas.symbol("button", 16, y, 16),
            text(str(patch.buttons), 27, y + 5.5, 16, canvas.palette.ink),
            canvas.symbol("time", 16, y + 24, 16),
            text(str(patch.time), 27, y + 29.5, 16, canvas.palette.ink),
            text(f"+{patch.income}", 8, y + 53, 16, canvas.palette.accent, font_weight="bold"),
        )
    )
