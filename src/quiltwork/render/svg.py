"""Pictures as SVG: the whole table, or one quilt to send to a friend."""

from __future__ import annotations

from quiltwork.editions import Edition, Patch, SpecialTile
from quiltwork.geometry import Orientation
from quiltwork.move import Player
from quiltwork.position_setup import Quilt, Setup
from quiltwork.render.canvas import Canvas
from quiltwork.render.fabric import CELL
from quiltwork.render.markup import MINUS, clipped, move, tag, text
from quiltwork.render.overlay import NOTHING, Overlay, overlay_svg
from quiltwork.render.ring import CARD_HEIGHT, Ring, cards_svg, lay_ring, ring_svg
from quiltwork.render.tally import status, tally
from quiltwork.render.track import track_svg
from quiltwork.speech import Speech
from quiltwork.themes import DEFAULT_THEME, Theme, load_theme

WIDTH = 1760
_MARGIN = 24
_BOARD = 486
_PANEL_WIDTH = _BOARD + 2 * 16 + 24
_PANEL_HEIGHT = _BOARD + 162
_CENTRE = WIDTH - 2 * _PANEL_WIDTH - 4 * _MARGIN
_HEADING = 54
NAMES = ("Player 1", "Player 2")


def position_svg(
    setup: Setup,
    theme: Theme,
    dark: bool = False,
    *,
    names: tuple[str, str] = NAMES,
    winner: Player | None = None,
    size: float | None = None,
    overlay: Overlay = NOTHING,
    coordinates: bool = True,
) -> str:
    """The whole table: both quilts, the time board, and the circle with its choices around it.

    `size` is the width in pixels at which it is shown; 1760 without it.
    """
    canvas = Canvas(theme, dark)
    edition = setup.edition
    names = (clipped(names[0], 14), clipped(names[1], 14))
    sentence = status(Speech(setup.edition, theme), setup, names, winner)
    centre, centre_height = _centre(canvas, setup, sentence)
    height = 2 * _MARGIN + max(centre_height, _PANEL_HEIGHT)
    right, top = WIDTH - _MARGIN - _PANEL_WIDTH, (height - _PANEL_HEIGHT) / 2
    return canvas.document(
        WIDTH,
        height,
        f"{edition.title}: {sentence}",
        edition.patches.values(),
        tag("g", _panel(canvas, setup, Player.ONE, names[0], overlay, coordinates), transform=move(_MARGIN, top)),
        tag("g", centre, transform=move(2 * _MARGIN + _PANEL_WIDTH, _MARGIN)),
        tag("g", _panel(canvas, setup, Player.TWO, names[1], overlay, coordinates), transform=move(right, top)),
        size=size,
    )


def seat_svg(
    setup: Setup,
    player: Player,
    theme: Theme,
    dark: bool = False,
    *,
    size: float | None = None,
    overlay: Overlay = NOTHING,
    coordinates: bool = True,
) -> str:
    """One player's quilt of a set-up, with its overlay."""
    canvas = Canvas(theme, dark)
    on_top = overlay_svg(canvas, setup, player, overlay)
    quilt = setup.players[player - 1].quilt
    title = f"{setup.edition.title}: player {int(player)}'s quilt"
    # A ghost may be of any patch, so all fabrics are defined.
    return _quilt(
        canvas, setup.edition, quilt, title, tuple(setup.edition.patches.values()), "", on_top, size, coordinates
    )


def quilt_svg(edition: Edition, quilt: Quilt, theme: Theme, dark: bool = False, *, caption: str = "") -> str:
    """One quilt alone, with a line of text below it if there is one to say."""
    patches = tuple(edition.patches[code] for code, _ in quilt.patches)
    return _quilt(Canvas(theme, dark), edition, quilt, caption or edition.title, patches, caption, "", None, False)


def _quilt(
    canvas: Canvas,
    edition: Edition,
    quilt: Quilt,
    title: str,
    patches: tuple[Patch, ...],
    caption: str,
    on_top: str,
    size: float | None,
    coordinates: bool,
) -> str:
    scale = 720 / (CELL * max(edition.rows, edition.columns))
    board_width, board_height = edition.columns * CELL * scale, edition.rows * CELL * scale
    width, height = board_width + 96, board_height + 96 + (44 if caption else 0)
    labels = 20 / scale if coordinates else None
    drawn = tag("g", canvas.quilt(edition, quilt, labels=labels), on_top, transform=move(48, 48, scale))
    line = text(caption, width / 2, height - 34, 26, canvas.palette.ink, text_anchor="middle") if caption else ""
    return canvas.document(width, height, title, patches, drawn, line, size=size)


def patch_svg(
    patch: Patch,
    theme: Theme | str = DEFAULT_THEME,
    dark: bool = False,
    *,
    orientation: Orientation = Orientation.PLAIN,
    size: float | None = None,
) -> str:
    """One patch alone (SVG), turned as the orientation says; `size` is its width in pixels.

    A theme is given, or its name or path; raises EditionError for one that there is not.
    """
    if not isinstance(patch, Patch):
        raise TypeError(f'expected a Patch such as edition.patches["5c"], found {patch!r}')
    canvas = Canvas(load_theme(theme) if isinstance(theme, str) else theme, dark)
    cells = patch.oriented(orientation)
    width = (1 + max(column for _, column in cells)) * CELL + 2 * 8
    height = (1 + max(row for row, _ in cells)) * CELL + 2 * 8
    drawn = tag("g", canvas.patch(patch, orientation), transform=move(8, 8))
    return canvas.document(width, height, f"{patch.code}{orientation}", (patch,), drawn, size=size)


def circle_svg(setup: Setup, theme: Theme, dark: bool = False, *, size: float | None = None) -> str:
    """The choices, and behind them the rest of the circle around the time board."""
    canvas = Canvas(theme, dark)
    sentence = status(Speech(setup.edition, theme), setup, NAMES)
    centre, height = _centre(canvas, setup, sentence)
    drawn = tag("g", centre, transform=move(_MARGIN, _MARGIN))
    width = _CENTRE + 2 * _MARGIN
    title = f"{setup.edition.title}: the circle"
    return canvas.document(width, height + 2 * _MARGIN, title, setup.edition.patches.values(), drawn, size=size)


def _panel(canvas: Canvas, setup: Setup, player: Player, name: str, overlay: Overlay, coordinates: bool) -> str:
    palette, edition = canvas.palette, setup.edition
    numbers = tally(setup, player)
    active = setup.turn is player
    frame = tag(
        "rect",
        width=_PANEL_WIDTH,
        height=_PANEL_HEIGHT,
        rx=14,
        fill=palette.panel,
        stroke=palette.accent if active else palette.grid,
        stroke_width=3 if active else 2,
    )
    seam = tag(
        "rect",
        x=7,
        y=7,
        width=_PANEL_WIDTH - 14,
        height=_PANEL_HEIGHT - 14,
        rx=9,
        fill="none",
        stroke=palette.accent if active else palette.grid,
        stroke_width=2,
        stroke_dasharray="8 6",
        stroke_linecap="round",
    )
    scale = _BOARD / (CELL * max(edition.rows, edition.columns))
    x = 16 + 24 + (_BOARD - edition.columns * CELL * scale) / 2 - 4
    y = 96 + (_BOARD - edition.rows * CELL * scale) / 2
    quilt = canvas.quilt(edition, setup.players[player - 1].quilt, labels=16 / scale if coordinates else None)
    quilt += overlay_svg(canvas, setup, player, overlay)
    return "".join(
        (
            frame,
            seam,
            canvas.symbol(f"token-{int(player)}", 40, 40, 36),
            text(name, 66, 48, 24, palette.ink, font_weight="bold"),
            _counters(canvas, numbers.buttons, numbers.income, numbers.score),
            tag("g", quilt, transform=move(x, y, scale)),
            _footer(canvas, setup, player, numbers.empty),
        )
    )


def _counters(canvas: Canvas, buttons: int, income: int, score: int) -> str:
    palette = canvas.palette
    right = _PANEL_WIDTH - 24
    return "".join(
        (
            canvas.symbol("button", right - 246, 40, 28),
            text(str(buttons), right - 228, 48, 24, palette.ink, font_weight="bold"),
            text(f"+{income}", right - 124, 48, 24, palette.accent, font_weight="bold", text_anchor="end"),
            canvas.symbol("button", right - 110, 40, 20),
            text(_signed(score), right - 34, 48, 24, palette.ink, font_weight="bold", text_anchor="end"),
            text("pts", right, 48, 16, palette.muted, text_anchor="end"),
        )
    )


def _signed(points: int) -> str:
    return str(points).replace("-", MINUS)


def _footer(canvas: Canvas, setup: Setup, player: Player, empty: int) -> str:
    palette = canvas.palette
    y = _PANEL_HEIGHT - 36
    points = _signed(setup.edition.points_per_empty_space * empty)
    parts = [text(f"{empty} empty: {points}", 40, y + 6, 17, palette.muted)]
    x = 190.0
    tile = setup.edition.special_tile
    if tile is not None and setup.tile is player:
        parts.append(canvas.symbol("tile", x + 14, y, 28))
        parts.append(text(_tile_label(tile), x + 34, y + 6, 17, palette.ink))
        x += 130
    if setup.turn is player:
        parts += [canvas.symbol("special-patch", x + 16 + 36 * place, y, 30) for place in range(setup.pending)]
        if setup.held is not None:
            patch = setup.edition.patches[setup.held]
            cell = min(46 / len(patch.shape), 14)
            held = canvas.patch(patch, seam=False)
            parts.append(tag("g", held, transform=move(x, y - len(patch.shape) * cell / 2, cell / CELL)))
    return "".join(parts)


def _centre(canvas: Canvas, setup: Setup, sentence: str) -> tuple[str, float]:
    palette, edition = canvas.palette, setup.edition
    top = _HEADING + CARD_HEIGHT + 14
    below = 70 if edition.reserve else 0
    # The start of the game decides, so that all pictures of a game have one size.
    _, height = _ring(edition, edition.circle, _PANEL_HEIGHT - top - below)
    ring, height = _ring(edition, setup.circle, height)
    x, y, width, inner_height = ring.inner
    parts = (
        text(clipped(edition.title, 60), 0, 14, 17, palette.muted),
        text(sentence, 0, 42, 24, palette.accent, font_weight="bold"),
        _free_tile(canvas, setup),
        tag("g", cards_svg(canvas, setup, _CENTRE), transform=move(0, _HEADING)),
        tag("g", ring_svg(canvas, ring), transform=move(0, top)),
        tag("g", track_svg(canvas, setup, width, inner_height), transform=move(x, top + y)),
        tag("g", _reserve(canvas, setup), transform=move(0, top + height + 14)) if setup.reserve else "",
    )
    return "".join(parts), top + height + below


def _ring(edition: Edition, circle: tuple[str, ...], height: float) -> tuple[Ring, float]:
    """The ring of what follows the choices, and the height that it needs, at least the given one."""
    patches = tuple(edition.patches[code] for code in circle[edition.choices :])
    while (ring := lay_ring(patches, _CENTRE, height, edition.last_space + 1)) is None:
        height += 30
    return ring, height


def _free_tile(canvas: Canvas, setup: Setup) -> str:
    tile = setup.edition.special_tile
    if tile is None or setup.tile is not None:
        return ""
    label = text(_tile_label(tile), _CENTRE - 6, 42, 17, canvas.palette.ink, text_anchor="end")
    return canvas.symbol("tile", _CENTRE - 88, 36, 26) + label


def _tile_label(tile: SpecialTile) -> str:
    return f"{tile.square}×{tile.square}: {tile.points:+d}"


def _reserve(canvas: Canvas, setup: Setup) -> str:
    patches = [setup.edition.patches[code] for code in setup.reserve]
    label = f"{len(patches)} later"
    needed = sum(len(p.shape[0]) + 1 for p in patches)
    cell = min((_CENTRE - 90) / needed, 44 / max(len(p.shape) for p in patches), 14)
    parts = [text(label, 0, 34, 17, canvas.palette.muted)]
    x = 90.0
    for patch in patches:
        drawn = canvas.patch(patch, seam=False)
        parts.append(tag("g", drawn, transform=move(x, 28 - len(patch.shape) * cell / 2, cell / CELL)))
        x += (len(patch.shape[0]) + 1) * cell
    return "".join(parts)
