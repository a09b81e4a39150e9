"""Why a move was worse: what the better line has on the table that the played one has not.

Every reason is a fact that can be counted in the two lines; where there is none, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from quiltwork import Cell, Edition, LayPatch, Move, Phase, Player, Position, TakePatch
from quiltwork.analysis.room import missing_from_square, parts, room_of
from quiltwork.messages import DEFAULT_LANGUAGE
from quiltwork.speech import Speech
from quiltwork.themes import theme_of

LEAST_WEIGHT = 2.0
"""points that a reason must be worth to be told"""
SPECIAL_WEIGHT, TURN_WEIGHT, PATCH_WEIGHT = 4.0, 2.5, 3.0
SPACE_WEIGHT = 2.0
"""points that an empty space costs"""
GIFT_WEIGHT, BUTTON_WEIGHT, SQUARE_WEIGHT = 2.2, 0.5, 0.7
LEAST_ROOM = 0.05
"""the share of places that a move must cost to be told"""

KEYS = (
    "tile",
    "special",
    "gives_special",
    "income",
    "holes",
    "again",
    "taken",
    "short",
    "covers",
    "time",
    "in_a_row",
    "opens",
    "buttons",
    "split",
    "square",
    "room",
)
"""the reasons that there are; the catalogs have a sentence for each, under `reason.`"""


@dataclass(frozen=True)
class Reason:
    """Why a move was worse: a key of the catalog, and what is filled in."""

    key: str
    figures: Mapping[str, int | str] = field(default_factory=dict)
    cells: tuple[Cell, ...] = ()
    """the spaces that it speaks of"""

    def sentence(self, edition: Edition, language: str = DEFAULT_LANGUAGE) -> str:
        """The sentence in the words of the edition, with the names of patches and spaces."""
        speech = Speech(edition, theme_of(edition), language)
        figures = dict(self.figures)
        if "patch" in figures:
            figures["patch"] = speech.patch(str(figures["patch"]))
        text = speech.say(f"reason.{self.key}", **figures)
        return f"{text.removesuffix('.')} ({' '.join(map(str, self.cells))})." if self.cells else text


@dataclass(frozen=True)
class Comparison:
    """A decision with the line of the better move and the line of the one played, each beginning with its move."""

    position: Position
    mover: Player
    better: tuple[Move, ...]
    played: tuple[Move, ...]

    @cached_property
    def after_better(self) -> Position:
        return self.position.play(self.better[0])

    @cached_property
    def after_played(self) -> Position:
        return self.position.play(self.played[0])


def reason_of(comparison: Comparison) -> Reason | None:
    """The weightiest reason; None where nothing on the table explains the difference."""
    weight, reason = max(_reasons(comparison), key=lambda found: found[0], default=(0.0, None))
    return reason if weight >= LEAST_WEIGHT else None


def _reasons(c: Comparison) -> Iterator[tuple[float, Reason]]:
    """Each reason with its weight in points."""
    me, edition = c.mover, c.position.edition
    better, played = c.after_better.player(me), c.after_played.player(me)
    if edition.special_tile and c.after_better.tile is me and c.after_played.tile is None:
        points = edition.special_tile.points
        yield points, Reason("tile", {"count": points})
    if _specials(c.after_better, me) > _specials(c.after_played, me):
        yield SPECIAL_WEIGHT, Reason("special")
    if _reaches_special(c.after_played, c.played[1:], me.opponent) and not _reaches_special(
        c.after_better, c.better[1:], me.opponent
    ):
        yield SPECIAL_WEIGHT, Reason("gives_special")
    earned = _future_income(c.after_better, me) - _future_income(c.after_played, me)
    if earned > 0:
        yield float(earned), Reason("income", {"count": earned})
    yield from _shape_reasons(c)
    if _moves_again(c.after_better, me) and not _moves_again(c.after_played, me):
        yield TURN_WEIGHT, Reason("again")
    in_a_row = _moves_in_a_row(c.after_played, c.played[1:], me.opponent)
    if in_a_row > max(1, _moves_in_a_row(c.after_better, c.better[1:], me.opponent)):
        yield TURN_WEIGHT, Reason("in_a_row", {"count": in_a_row})
    gift = next(iter(_taken(c.after_played, c.played[1:], me.opponent)), None)
    if gift is not None and gift not in {patch.code for patch in c.after_better.choices()}:
        yield GIFT_WEIGHT, Reason("opens", {"patch": gift})
    if better.buttons > played.buttons:
        kept = better.buttons - played.buttons
        yield min(BUTTON_WEIGHT * kept, GIFT_WEIGHT), Reason("buttons", {"count": kept})
    if isinstance(c.better[0], TakePatch) and c.better[0].patch in _taken(
        c.after_played, c.played[1:], me.opponent
    ):
        yield PATCH_WEIGHT, Reason("taken", {"patch": c.better[0].patch})
    wanted = next(iter(_taken(c.after_better, c.better[1:], me)), None)
    if wanted is not None and wanted in (patch.code for patch in c.after_played.circle):
        short = edition.patches[wanted].buttons - played.buttons
        if short > 0 and played.buttons < better.buttons:
            yield PATCH_WEIGHT, Reason("short", {"count": short, "patch": wanted})
    covered = played.empty_spaces - better.empty_spaces
    later = better.space - played.space
    if covered > 0 and later <= 0:
        yield SPACE_WEIGHT * covered, Reason("covers", {"count": covered})
    elif covered == 0 and later < 0:
        yield float(-later), Reason("time", {"count": -later})


def _shape_reasons(c: Comparison) -> Iterator[tuple[float, Reason]]:
    """What the two moves leave of the mover's quilt."""
    me = c.mover
    left, better = room_of(c.after_played, me), room_of(c.after_better, me)
    harm = len(left.dead) - len(better.dead)
    if harm > 0:
        yield SPACE_WEIGHT * harm, Reason("holes", {"count": len(left.dead)}, tuple(sorted(left.dead)))
    split = parts(c.after_played, me) - parts(c.after_better, me)
    if split > 0:
        yield SPACE_WEIGHT * split, Reason("split", {"count": parts(c.after_played, me)})
    if c.position.edition.special_tile and c.after_played.tile is None and c.after_better.tile is None:
        nearer = missing_from_square(c.after_played, me) - missing_from_square(c.after_better, me)
        if nearer > 0:
            yield SQUARE_WEIGHT * nearer, Reason("square", {"count": nearer})
    covered = c.after_played.player(me).empty_spaces - c.after_better.player(me).empty_spaces
    # Only where as much is covered: the emptier quilt always has more room.
    more = better.places - left.places
    if covered == 0 and more > LEAST_ROOM * better.places:
        yield LEAST_WEIGHT + more / better.places, Reason("room", {"count": more})


def _moves_in_a_row(position: Position, line: tuple[Move, ...], player: Player) -> int:
    """How many turns a player has in a line before the other is to move; the line may end before."""
    count = 0
    for before, _, _ in _steps(position, line):
        if before.turn is not player:
            break
        count += before.phase is Phase.TURN
    return count


def _specials(position: Position, player: Player) -> int:
    """Special patches on a quilt or to be placed."""
    laid = sum(not isinstance(each, LayPatch) for each in position.player(player).placements)
    return laid + (position.pending if position.turn is player else 0)


def _future_income(position: Position, player: Player) -> int:
    """The income still to come from what is sewn on now."""
    state = position.player(player)
    marks = sum(space > state.space for space in position.edition.income_spaces)
    return state.income * marks


def _moves_again(position: Position, player: Player) -> bool:
    return position.turn is player and position.phase is Phase.TURN


def _steps(position: Position, line: tuple[Move, ...]) -> Iterator[tuple[Position, Move, Position]]:
    for move in line:
        after = position.play(move)
        yield position, move, after
        position = after


def _reaches_special(position: Position, line: tuple[Move, ...], player: Player) -> bool:
    """Whether a player reaches a special patch in the first moves of a line."""
    had = _specials(position, player)
    return any(_specials(after, player) > had for _, _, after in _steps(position, line[:3]))


def _taken(position: Position, line: tuple[Move, ...], player: Player) -> list[str]:
    """The patches that a player takes in a line, in order."""
    return [
        move.patch
        for before, move, _ in _steps(position, line)
        if isinstance(move, TakePatch) and before.turn is player
    ]
