"""What the screen shows, drawn as sheets of characters: seats, time board, and the choices."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import shorten

from quiltwork.editions import Patch
from quiltwork.move import Advance, LayPatch, Move, Player, TakePatch
from quiltwork.position import Position
from quiltwork.position_setup import Phase
from quiltwork.render.quilt_text import patch_sheet, quilt_sheet, small_quilt_sheet
from quiltwork.render.sheet import PLAIN, Ink, Sheet, in_rows, line_sheet
from quiltwork.render.tally import special_patches_left
from quiltwork.speech import number
from quiltwork.telling import Telling
from quiltwork.terminal.hand import Hand, Kind, Option, options_of
from quiltwork.themes import Palette

HEAD = 3
"""lines above a quilt"""
PATCH_LINES = 3
"""lines of a patch to choose"""


@dataclass(frozen=True)
class Look:
    """How things are drawn: the words, light or dark, small or large, with colours or without."""

    telling: Telling
    dark: bool = True
    colour: bool = True
    large: bool = False

    @property
    def palette(self) -> Palette:
        return self.telling.speech.theme.palette(dark=self.dark)

    @property
    def bold(self) -> Ink:
        return Ink(self.palette.ink, bold=True)

    @property
    def muted(self) -> Ink:
        return Ink(self.palette.muted)

    @property
    def accent(self) -> Ink:
        return Ink(self.palette.accent, bold=True)

    def token(self, player: Player) -> Ink:
        palette = self.palette
        return Ink(palette.token_ink, palette.one if player is Player.ONE else palette.two, bold=True)


def seat_sheet(look: Look, position: Position, player: Player, hand: Hand | None, latest: Move | None) -> Sheet:
    """A player's figures and quilt; the hand is drawn on the quilt of who is to move."""
    say = look.telling.speech.say
    state, score = position.player(player), position.score(player)
    sheet = Sheet()
    to_move = position.turn is player
    sheet.write(0, 0, "▶" if to_move else " ", look.accent)
    sheet.write(1, 0, f" {int(player)} ", look.token(player))
    name = look.telling.name(player)
    sheet.write(5, 0, shorten(name, 16, placeholder="…"), look.bold)
    if position.tile is player:
        tile = position.edition.special_tile
        sheet.write(6 + min(16, len(name)), 0, f"★{tile.points if tile else ''}", look.accent)
    sheet.write(1, 1, say("screen.buttons", count=state.buttons, income=state.income), look.bold)
    sheet.write(1, 2, say("screen.score", count=score.total, empty=state.empty_spaces), look.muted)
    quilt = position.setup.players[player - 1].quilt
    theme, edition = look.telling.speech.theme, position.edition
    mine = hand is not None and to_move
    cells = hand.cells if hand is not None and mine else ()
    if look.large:
        drawn = quilt_sheet(edition, quilt, theme, cells, dark=look.dark)
    else:
        fits = hand is None or hand.illegality is None
        drawn = small_quilt_sheet(
            edition, quilt, theme, cells, fits=fits, latest=_patch_of(latest), dark=look.dark, colour=look.colour
        )
    sheet.paste(0, HEAD, drawn)
    return sheet


def _patch_of(move: Move | None) -> str | None:
    return move.patch if isinstance(move, TakePatch | LayPatch) else None


def track_sheet(look: Look, position: Position, width: int, landing: int | None = None) -> Sheet:
    """The time board in four lines: numbers, player 1's token, the spaces, player 2's token."""
    edition, palette = position.edition, look.palette
    spaces = edition.last_space + 1
    step = max(1, min(4, (width - 2) // spaces))
    special = set(special_patches_left(position.setup))
    ground = palette.track if look.colour else None
    sheet = Sheet()
    for space in range(spaces):
        x = 1 + space * step
        every = 5 if step > 1 else 10
        if (space % every == 0 and space <= edition.last_space - 4 // step) or space == edition.last_space:
            label = str(space)
            sheet.write(x if space < edition.last_space else x + step - len(label), 0, label, look.muted)
        if space in special:
            mark, ink = "■", Ink(palette.leather if look.colour else None, ground, bold=True)
        elif space in edition.income_spaces:
            mark, ink = "o", Ink(palette.accent, ground, bold=True)
        else:
            mark, ink = "·", Ink(palette.muted, ground)
        sheet.write(x, 2, mark, ink)
        sheet.write(x + 1, 2, " " * (step - 1), Ink(None, ground))
    for player, line in ((Player.ONE, 1), (Player.TWO, 3)):
        if landing is not None and position.turn is player:
            start = position.player(player).space
            sheet.write(1 + start * step, line, "─" * ((landing - start) * step), look.accent)
            sheet.write(1 + landing * step, line, "▷" if landing > start else "", look.accent)
        sheet.write(1 + position.player(player).space * step, line, str(int(player)), look.token(player))
    return sheet


def choices_sheet(look: Look, position: Position, hand: Hand | None, width: int, height: int) -> Sheet:
    """The options, one below the other, with the one in the hand marked, then what follows in the circle."""
    speech, sheet = look.telling.speech, Sheet()
    options = options_of(position)
    for index, option in enumerate(options):
        chosen = hand is not None and hand.option == option
        y = option_line(options, index)
        mark = "▶" if chosen else " "
        sheet.write(0, y, mark, look.accent)
        ink = look.accent if chosen else PLAIN
        if option.kind is Kind.ADVANCE:
            move = Hand.holding(position, option).move
            spaces = move.spaces if isinstance(move, Advance) else 0
            sheet.write(2, y, _cut(f"+ {speech.say('screen.advance', count=spaces)}", width - 2), ink)
        elif option.kind is Kind.REMOVE:
            sheet.write(2, y, f"- {speech.say('bar.remove')}"[: width - 2], ink)
        else:
            _option(look, position, option, index, sheet, y, width, ink)
    y = option_line(options, len(options)) if options else 0
    later = position.circle[len(position.choices()) if position.phase is Phase.TURN else 0 :]
    if y < height and later:
        text = speech.say("screen.then") + " "
        sheet.write(2, y, text, look.muted)
        _rest(look, position, sheet, 2 + len(text), y, width, height)
    return sheet


def option_line(options: tuple[Option, ...], index: int) -> int:
    """The line on which an option begins, or (one past the last) where the options end."""
    lines = 0
    for option, following in zip(options[:index], [*options[1:], None], strict=False):
        if option.patch is None:
            lines += 1
        else:
            # A line is left empty between two patches.
            lines += PATCH_LINES + (following is not None and following.patch is not None)
    return lines


def _option(
    look: Look, position: Position, option: Option, index: int, sheet: Sheet, y: int, width: int, ink: Ink
) -> None:
    patch, speech = option.patch, look.telling.speech
    assert patch is not None
    picture = Sheet()
    if option.kind is Kind.SPECIAL:
        palette = look.palette
        picture.write(0, 0, "▒▒", Ink(palette.leather_stitch, palette.leather))
    else:
        picture = patch_sheet(patch, speech.theme, dark=look.dark)
    sheet.paste(4, y, picture)
    room = max(8, width - 15)
    name = speech.listed_patch(patch.code if option.kind is not Kind.SPECIAL else "s")
    sheet.write(2, y, str(index + 1) if option.kind is Kind.TAKE else "", ink)
    sheet.write(1, y + 1, patch.code if option.kind is not Kind.SPECIAL else "", look.muted)
    sheet.write(15, y, _cut(name, room), ink if ink is not PLAIN else look.bold)
    if option.kind is Kind.SPECIAL:
        return
    price = speech.say("screen.price", count=patch.buttons, time=patch.time)
    sheet.write(15, y + 1, _cut(price, room))
    income = speech.say("screen.income", income=patch.income) if patch.income else ""
    why = look.telling.why_not(position, patch) if option.kind is Kind.TAKE else None
    if why is None:
        sheet.write(15, y + 2, _cut(income, room))
        return
    missing = patch.buttons - position.player(position.turn or Player.ONE).buttons
    short = speech.say("choice.missing", count=missing) if missing > 0 else speech.say("choice.no_room")
    sheet.write(15, y + 2, _cut(f"{short}  +{patch.income}" if income else short, room), Ink(look.palette.warning))


def circle_sheet(look: Look, position: Position, width: int) -> Sheet:
    """The whole circle with its shapes, then what is in the reserve: code, price, time and income of each."""
    speech, sheet = look.telling.speech, Sheet()
    for head, patches in (
        (speech.say("picture.circle"), position.circle),
        (speech.say("picture.reserve", count=len(position.reserve)), position.reserve),
    ):
        if patches:
            sheet.below(line_sheet(head, look.muted), gap=1)
            sheet.below(in_rows([_in_circle(look, patch) for patch in patches], width, 3), gap=1)
    if not sheet.height:
        sheet.below(line_sheet(speech.say("picture.none")))
    return sheet


def _in_circle(look: Look, patch: Patch) -> Sheet:
    sheet = line_sheet(patch.code, look.bold)
    sheet.write(3, 0, f"{patch.buttons}/{patch.time}+{patch.income}".ljust(9))
    sheet.paste(0, 1, patch_sheet(patch, look.telling.speech.theme, dark=look.dark))
    return sheet


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1] + "…"


def _rest(look: Look, position: Position, sheet: Sheet, x: int, y: int, width: int, height: int) -> None:
    """The codes of what follows in the circle, as far as there is room; then how many the reserve has."""
    start = 0 if position.phase is not Phase.TURN else position.edition.choices
    items = [patch.code for patch in position.circle[start:]]
    if look.large:
        items = [f"{p.code} {p.buttons}/{p.time}+{p.income}" for p in position.circle[start:]]
    if position.reserve:
        items.append(look.telling.speech.say("screen.reserve", count=number(len(position.reserve))))
    for item in items:
        if x + len(item) > width:
            x, y = 2, y + 1
        if y >= height:
            return
        sheet.write(x, y, item, look.muted)
        x += len(item) + (2 if look.large else 1)
