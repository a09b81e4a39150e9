"""Pictures in characters: the whole table, one quilt, one patch."""

from __future__ import annotations

from collections.abc import Collection
from math import ceil
from textwrap import wrap

from quiltwork.editions import Edition, Patch
from quiltwork.geometry import Cell, Orientation
from quiltwork.move import Player
from quiltwork.position_setup import Phase, Quilt, Setup
from quiltwork.render.quilt_text import patch_sheet, quilt_sheet
from quiltwork.render.sheet import BOLD, Ink, Sheet, in_rows, line_sheet
from quiltwork.render.tally import missing_buttons, special_patches_left, status, tally
from quiltwork.speech import Speech, capital, signed
from quiltwork.themes import Theme

WIDTH = 96
NAMES = ("Player 1", "Player 2")


def position_text(
    setup: Setup,
    theme: Theme,
    colour: bool = False,
    width: int = WIDTH,
    *,
    names: tuple[str, str] = NAMES,
    winner: Player | None = None,
    ascii_only: bool = False,
    language: str = "en",
) -> str:
    """The whole table: both quilts, the time board, and the circle with its choices drawn."""
    speech = Speech(setup.edition, theme, language)
    sheet = line_sheet(f"{setup.edition.title}: {status(speech, setup, names, winner)}", BOLD)
    tile = setup.edition.special_tile
    if tile is not None and setup.tile is None:
        sheet.write(0, 1, speech.say("picture.tile", size=tile.square, points=signed(tile.points)))
    seats = [_seat(setup, speech, player, names[player - 1]) for player in Player]
    room = width - sum(seat.width for seat in seats)
    sheet.below(in_rows(seats, width, max(0, min(6, room))), gap=1)
    sheet.below(_time_board(setup, speech, width), gap=1)
    sheet.below(_circle(setup, speech, width), gap=1)
    return sheet.text(colour=colour, ascii_only=ascii_only)


def quilt_text(
    edition: Edition,
    quilt: Quilt,
    theme: Theme,
    colour: bool = False,
    *,
    preview: Collection[Cell] = (),
    ascii_only: bool = False,
) -> str:
    """One quilt, with the cells of a preview on top: `XXX` where they cover what lies there."""
    return quilt_sheet(edition, quilt, theme, preview).text(colour=colour, ascii_only=ascii_only)


def patch_text(
    patch: Patch,
    theme: Theme,
    colour: bool = False,
    *,
    orientation: Orientation = Orientation.PLAIN,
    ascii_only: bool = False,
) -> str:
    """One patch, turned; `()` where it shows a button."""
    return patch_sheet(patch, theme, orientation).text(colour=colour, ascii_only=ascii_only)


def _seat(setup: Setup, speech: Speech, player: Player, name: str) -> Sheet:
    numbers = tally(setup, player)
    sheet = Sheet()
    sheet.write(0, 0, "▶" if setup.turn is player else " ", BOLD)
    sheet.write(2, 0, f" {int(player)} ", _token_ink(speech.theme, player))
    sheet.write(6, 0, name, BOLD)
    tile = setup.edition.special_tile
    if tile is not None and setup.tile is player:
        sheet.write(8 + len(name), 0, f"{tile.square}x{tile.square}: {tile.points:+d}")
    sheet.write(6, 1, speech.say("picture.income", count=numbers.buttons, income=numbers.income))
    sheet.write(6, 2, speech.say("picture.score", count=numbers.score, empty=numbers.empty))
    sheet.below(quilt_sheet(setup.edition, setup.players[player - 1].quilt, speech.theme))
    return sheet


def _token_ink(theme: Theme, player: Player) -> Ink:
    palette = theme.light
    return Ink(palette.token_ink, palette.one if player is Player.ONE else palette.two, bold=True)


def _time_board(setup: Setup, speech: Speech, width: int) -> Sheet:
    edition = setup.edition
    spaces = edition.last_space + 1
    lines = ceil(spaces / max(1, (width - 1) // 3))
    length = ceil(spaces / lines)
    special = set(special_patches_left(setup))
    sheet = Sheet()
    title = capital(speech.noun("time_board").one)
    sheet.write(0, 0, title, BOLD)
    sheet.write(len(title) + 2, 0, speech.say("picture.track"))
    for line in range(lines):
        track = Sheet()
        here = range(line * length, min(spaces, (line + 1) * length))
        for place, space in enumerate(here):
            x = 3 * place
            track.write(x, 0, f"{space:2d} ")
            marks = ("o" if space in edition.income_spaces else "") + ("s" if space in special else "")
            track.write(x, 1, f"{marks:>2} ", BOLD)
            for shift, player in enumerate(_standing(setup, space)):
                track.write(x + (1 if shift == 0 else 0), 2, str(int(player)), _token_ink(speech.theme, player))
        sheet.below(track)
    return sheet


def _standing(setup: Setup, space: int) -> list[Player]:
    """Who stands on a space, from below to the top; the player to move lies on top."""
    standing = [player for player in Player if setup.players[player - 1].space == space]
    return sorted(standing, key=lambda player: player is setup.turn)


def _circle(setup: Setup, speech: Speech, width: int) -> Sheet:
    edition = setup.edition
    sheet = Sheet()
    title = capital(speech.noun("circle").one)
    sheet.write(0, 0, title, BOLD)
    sheet.write(len(title) + 2, 0, speech.say("picture.circle"))
    codes = setup.circle[: edition.choices]
    lacking = any(missing_buttons(setup, code) for code in codes)
    numbered = setup.phase is Phase.TURN
    choices = [
        _choice(setup, speech, code, lacking, f"{i} " if numbered else "") for i, code in enumerate(codes, 1)
    ]
    room = (width - sum(choice.width for choice in choices)) // max(1, len(choices) - 1)
    sheet.below(in_rows(choices, width, max(2, min(4, room))))
    later = setup.circle[edition.choices :]
    if later:
        sheet.below(
            _list(speech.say("picture.then"), [edition.patches[code] for code in later], width),
            gap=1,
        )
    if setup.reserve:
        reserve = [edition.patches[code] for code in sorted(setup.reserve)]
        sheet.below(_list(speech.say("picture.reserve", count=len(reserve)), reserve, width))
    if not setup.circle:
        sheet.below(line_sheet(speech.say("picture.none")))
    return sheet


def _choice(setup: Setup, speech: Speech, code: str, lacking: bool, number: str) -> Sheet:
    """A choice with its price; where some choice is lacking buttons, all leave a line for it."""
    patch = setup.edition.patches[code]
    sheet = line_sheet(number)
    sheet.write(len(number), 0, code, BOLD)
    x = len(number + code) + 1
    sheet.write(x, 0, speech.say("picture.price", count=patch.buttons, time=patch.time, income=patch.income))
    if missing := missing_buttons(setup, code):
        sheet.write(x, 1, speech.say("picture.missing", count=missing))
    sheet.paste(x, 2 if lacking else 1, patch_sheet(patch, speech.theme))
    return sheet


def _list(label: str, patches: list[Patch], width: int) -> Sheet:
    """Patches as `code buttons/time+income`, wrapped."""
    sheet = Sheet()
    items = [f"{p.code} {p.buttons}/{p.time}+{p.income}" for p in patches]
    # A space that does not break keeps each patch in one piece.
    lines = wrap(
        label + " " + "  ".join(item.replace(" ", "\N{NO-BREAK SPACE}") for item in items), max(20, width)
    )
    for y, line in enumerate(lines):
        sheet.write(0, y, line.replace("\N{NO-BREAK SPACE}", " "))
    return sheet
