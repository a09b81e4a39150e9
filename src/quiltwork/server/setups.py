"""What a game is set up with, as it is asked for and as it is stored."""

from __future__ import annotations

import re
from typing import Annotated, Literal
from unicodedata import category

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

MAX_NAME = 24
MARKS = 3
"""marks on one letter: more of them cover the lines above and below"""
_TOWER = re.compile(f"m{{{MARKS + 1}}}")
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_FORBIDDEN = frozenset("<>\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0").union(
    map(chr, range(0xFE00, 0xFE0E)), map(chr, range(0xE0100, 0xE01F0))
)
"""all but the first two are letters and marks that show nothing"""


def _visible(name: str) -> str:
    """Refuses what cannot be seen or turns the text around; marks that belong to a letter are fine."""
    if any(category(letter) in _UNSEEN or letter in _FORBIDDEN for letter in name):
        raise ValueError("a name has visible characters only")
    if not any(category(letter)[0] in "LNPS" for letter in name):
        raise ValueError("a name has at least one visible character")
    if _TOWER.search("".join("m" if category(letter) in ("Mn", "Me") else " " for letter in name)):
        raise ValueError(f"a name has at most {MARKS} marks on a letter")
    return name


Name = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_NAME), AfterValidator(_visible)
]
_NAME: TypeAdapter[str] = TypeAdapter(Name)


def name_of(text: str) -> str | None:
    """A name that a record gives, cut to fit; None where it cannot be shown."""
    try:
        return _NAME.validate_python(text[:MAX_NAME])
    except ValidationError:
        return None


Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]


EditionName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,39}(@[0-9a-f]{10})?$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Human(_Strict):
    """A person; `remote` for a friend who comes by link."""

    kind: Literal["human"]
    name: Name | None = None
    remote: bool = False


class Computer(_Strict):
    """One of the opponents."""

    kind: Literal["computer"]
    opponent: Identifier


Seat = Annotated[Human | Computer, Field(discriminator="kind")]


class LiveClock(_Strict):
    """Fischer clock: seconds for the game and an increment for each turn; running out loses."""

    kind: Literal["live"]
    seconds: int = Field(ge=10, le=10_800)
    increment: int = Field(default=0, ge=0, le=180)


class DaysClock(_Strict):
    """Days for each move; running out loses nothing."""

    kind: Literal["days"]
    days: int = Field(ge=1, le=30)


Clock = Annotated[LiveClock | DaysClock, Field(discriminator="kind")]


class GameRequest(_Strict):
    """A game that someone wants to begin; player 1 is the first seat."""

    edition: EditionName = "patchwork"
    theme: Identifier | None = None
    seats: tuple[Seat, Seat]
    shared: bool = False
    """two people on one device: one link moves for both"""
    deal: int | None = Field(default=None, ge=0, le=999_999_999)
    clock: Clock | None = None
    record: str | None = Field(default=None, max_length=100_000)
    """a record to go on from, after its first `ply` moves"""
    ply: int | None = Field(default=None, ge=0, le=1000)


class GameSetup(_Strict):
    """A game as it is stored."""

    format: Literal[1] = 1
    edition: str
    theme: str
    start: str
    """the first position, in notation"""
    deal: int | None = None
    seats: tuple[Seat, Seat]
    shared: bool = False
    clock: Clock | None = None
