"""The state of a game: what its events add up to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from quiltwork import Phase, Position, narration
from quiltwork.events import gains
from quiltwork.rules.layout import PositionArray
from quiltwork.server.events import Event, Kind
from quiltwork.server.seats import Seats
from quiltwork.server.setups import Computer, DaysClock, GameSetup, LiveClock

DAY = 86_400.0
_QUIET = (Kind.NAME, Kind.RESTART, Kind.SEAT)
"""events after which a message that was sent before them still means the same"""


@dataclass(frozen=True, slots=True)
class Step:
    """A move that was made, with what it brought.

    What came of it is kept as the kernel's record: a `Position` remembers all that it was ever asked.
    """

    player: int
    """1 or 2; 0 for the dealing of the reserve"""
    move: str
    at: float
    origin: int
    landing: int
    income: int
    specials: int
    tile: bool
    after: PositionArray


@dataclass(frozen=True)
class Request:
    """What a player asks of the other: `takeback` (with the number of moves that stay) or `rematch`."""

    player: int
    what: str
    to: int = 0


@dataclass(frozen=True)
class Result:
    """How a game ended: by score, resign or time."""

    winner: int
    by: str


@dataclass
class GameState:
    """The state of a game; only `apply` changes it."""

    setup: GameSetup
    start: Position
    position: Position
    version: int = 0
    steps: list[Step] = field(default_factory=list)
    names: list[str | None] = field(default_factory=lambda: [None, None])
    renamed: int = 0
    """how often a player chose a name"""
    seats: Seats = field(default_factory=Seats)
    request: Request | None = None
    result: Result | None = None
    rematch: str | None = None
    dealt: str | None = None
    """the reserve's order, once dealt: a takeback does not deal anew"""
    keys: set[str] = field(default_factory=set)
    decided: int = 0
    """the version since which nothing happened that changes what a player decides about"""
    ring: list[str] = field(default_factory=list)
    """the circle as it was laid out last, so that patches keep their places on the table"""
    remaining: list[float] = field(default_factory=lambda: [0.0, 0.0])
    since: float | None = None
    """when the running clock was started"""

    @classmethod
    def of(cls, setup: GameSetup, events: Iterable[Event] = ()) -> GameState:
        start = Position.parse(setup.start)
        state = cls(setup, start, start, ring=_codes(start))
        if isinstance(setup.clock, LiveClock):
            state.remaining = [float(setup.clock.seconds)] * 2
        for event in events:
            state.apply(event)
        return state

    def position_after(self, moves: int) -> Position:
        """The position after the first so many moves."""
        return Position(self.start.edition, self.steps[moves - 1].after) if moves else self.start

    @property
    def turn(self) -> int:
        """The player whose turn it is; 0 when the game is over."""
        return 0 if self.result or self.position.turn is None else int(self.position.turn)

    def computer(self, player: int) -> str | None:
        """The id of the opponent that plays a seat."""
        seat = self.setup.seats[player - 1]
        return seat.opponent if isinstance(seat, Computer) else None

    @property
    def between_people(self) -> bool:
        """Whether two people play from two devices, so that one must ask the other."""
        return not self.setup.shared and all(self.computer(p) is None for p in (1, 2))

    def takeback_target(self, player: int) -> int | None:
        """How many moves stay if a player takes the last decision back; None where there is none."""
        for index in range(len(self.steps) - 1, -1, -1):
            made = self.steps[index].player
            if made and (self.setup.shared or made == player):
                return index
        return None

    def time_left(self, player: int, now: float) -> float | None:
        """Seconds on a player's clock; None without a clock."""
        clock = self.setup.clock
        running = self.since is not None and self.turn == player
        passed = max(0.0, now - self.since) if running and self.since is not None else 0.0
        if isinstance(clock, LiveClock):
            return self.remaining[player - 1] - passed
        if isinstance(clock, DaysClock):
            return clock.days * DAY - passed
        return None

    @property
    def deadline(self) -> float | None:
        """When the clock of the player to move runs out in a live game."""
        if not isinstance(self.setup.clock, LiveClock) or self.since is None or not self.turn:
            return None
        return self.since + self.remaining[self.turn - 1]

    def apply(self, event: Event) -> None:
        """Takes in the next event; the event has been found right before it was stored."""
        match event.kind:
            case Kind.MOVE:
                self._move(event)
            case Kind.TAKEBACK:
                del self.steps[event.body["to"] :]
                self.position = self.position_after(len(self.steps))
                dealt = next((i for i in range(len(self.steps), 0, -1) if self.steps[i - 1].player == 0), 0)
                self.ring = _codes(self.position_after(dealt))
                self.request = self.result = None
                self.since = event.at if self.steps else None
            case Kind.REQUEST:
                self.request = Request(event.player, event.body["what"], event.body.get("to", 0))
            case Kind.DECLINE:
                self.request = None
            case Kind.RESIGN | Kind.TIME:
                self.result = Result(3 - event.player, "resign" if event.kind is Kind.RESIGN else "time")
                self.request = None
                self._stop_clock(event.at)
            case Kind.REMATCH:
                self.rematch = event.body["game"]
                self.request = None
            case Kind.NAME:
                self.names[event.player - 1] = event.body["name"]
                self.renamed += 1
            case Kind.SEAT:
                self.seats.apply(event)
            case Kind.RESTART:
                self.since = None if self.since is None else event.at
        self.version += 1
        if event.kind not in _QUIET:
            self.decided = self.version
        if event.key is not None:
            self.keys.add(event.key)

    def _move(self, event: Event) -> None:
        before = self.position
        if event.made and event.made.before is before:
            move, after = event.made.move, event.made.after
        else:
            move = before.move(event.body["move"])
            after = before.play(move)
        brought = gains(narration.events(before.edition, before.record, move, after.record, after.outcome()))
        mover = before.turn
        assert mover is not None
        step = Step(
            player=event.player,
            move=str(move),
            at=event.at,
            origin=before.player(mover).space,
            landing=after.player(mover).space,
            income=brought.income,
            specials=brought.specials,
            tile=brought.tile,
            after=after.record,
        )
        self._count_time(event, before, after)
        self.steps.append(step)
        self.position = after
        self.request = None
        if event.player == 0:
            self.dealt = step.move
            self.ring = _codes(after)
        outcome = after.outcome()
        if outcome is not None:
            self.result = Result(int(outcome.winner), "score")
            self.since = None

    def _count_time(self, event: Event, before: Position, after: Position) -> None:
        # The clock starts with the first move, so that nobody loses time waiting for the other to come.
        clock = self.setup.clock
        if clock is None:
            return
        if isinstance(clock, LiveClock) and self.since is not None and event.player:
            self.remaining[event.player - 1] -= max(0.0, event.at - self.since)
            if before.phase is Phase.TURN:
                self.remaining[event.player - 1] += clock.increment
        if isinstance(clock, DaysClock) and self.since is not None and before.turn == after.turn:
            return
        self.since = event.at

    def _stop_clock(self, at: float) -> None:
        player = int(self.position.turn or 0)
        if isinstance(self.setup.clock, LiveClock) and self.since is not None and player:
            self.remaining[player - 1] -= max(0.0, at - self.since)
        self.since = None


def _codes(position: Position) -> list[str]:
    return [patch.code for patch in position.circle]
