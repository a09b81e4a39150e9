"""One game for adapters that step it from Python, with as few calls into compiled code as can be."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from quiltwork.codes import codes_of
from quiltwork.editions import DEFAULT_EDITION, Edition, edition_of
from quiltwork.envs import kernel
from quiltwork.envs.actions import why_illegal
from quiltwork.envs.batched import OnIllegal, Reward, one_of, seeds_of
from quiltwork.envs.observation import observation_layout
from quiltwork.errors import IllegalMove
from quiltwork.position import Position
from quiltwork.rules import entry, layout, legality
from quiltwork.rules.chance import SOURCE

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]


class Look(NamedTuple):
    """What one seat sees."""

    planes: Array
    """[planes, rows, columns] uint8"""
    scalars: Array
    """[scalars] float32"""
    mask: Array
    """[actions] int8: 1 for each legal action, all 0 for who is not to move"""


class OneGame:
    """A game with its own source of chance; the same seed gives the games of a `BatchedGames` of one."""

    def __init__(
        self,
        edition: Edition | str = DEFAULT_EDITION,
        *,
        reward: Reward | str = Reward.WIN,
        on_illegal: OnIllegal | str = OnIllegal.RAISE,
        seed: int = 0,
    ) -> None:
        self.edition = edition_of(edition)
        self.layout = observation_layout(self.edition)
        self.action_count = codes_of(self.edition).count
        self.reward = one_of(Reward, "reward", reward)
        self.on_illegal = one_of(OnIllegal, "on_illegal", on_illegal)
        self.mistakes = 0
        self._records = np.zeros(1, layout.POSITION)
        self._source = np.zeros(1, SOURCE)
        self._deal = np.zeros(1, np.uint64)
        self._here = np.ones(1, np.bool_)
        self._start = Position.initial(self.edition).record
        self._compiled = self.edition.compiled
        self._masked = self.on_illegal is OnIllegal.MASK
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Deals a new game; None goes on with the source of the game before."""
        if seed is not None:
            self._source["state"] = seeds_of(seed, 1)
        self.mistakes = 0
        kernel.reset(self._records, self._start, self._source, self._deal, self._here, 0, 1)

    @property
    def deal(self) -> int:
        """The deal number of the circle."""
        return int(self._deal[0])

    @property
    def over(self) -> bool:
        return bool(self._records["phase"][0] == layout.OVER)

    @property
    def turn(self) -> int:
        """The seat to move, 0 or 1; the one that moved last if the game is over."""
        return int(self._records["turn"][0])

    @property
    def position(self) -> Position:
        """The position on the table."""
        record = self._records.copy()
        record.flags.writeable = False
        return Position(self.edition, record)

    def play(self, action: int | np.integer[Any]) -> bool:
        """Plays an action and deals the reserve if it enters; returns whether the action was legal.

        An illegal one raises IllegalMove and changes nothing, or is counted and replaced by a random legal one.
        """
        if isinstance(action, float) or np.ndim(action) != 0:
            raise TypeError(f"action: expected an integer, found {action!r}")
        reason = kernel.play_one(self._records, self._compiled, self._source, int(action), self._masked)
        if reason == legality.LEGAL:
            return True
        if not self._masked or self.over:
            illegality = why_illegal(self.position, int(action))
            assert illegality is not None
            raise IllegalMove(f"action {action}", illegality)
        self.mistakes += 1
        return False

    def answer_at_random(self, seat: int) -> None:
        """Plays random legal actions until a seat is to move or the game is over."""
        kernel.answer_at_random(self._records, self._compiled, self._source, np.array([seat], np.int8), 0, 1)

    def look(self, seat: int) -> Look:
        """What a seat sees, 0 or 1."""
        shape = self.layout.plane_shape
        planes = np.zeros((1, shape[0], shape[1] * shape[2]), np.uint8)
        scalars = np.zeros((1, len(self.layout.scalars)), np.float32)
        mask = np.zeros(self.action_count, np.int8)
        kernel.look_one(self._records, self._compiled, seat, planes, scalars, mask)
        return Look(planes.reshape(shape), scalars[0], mask)

    def rewards(self) -> tuple[float, float]:
        """What the two seats receive, which is 0 before the end."""
        if not self.over:
            return 0.0, 0.0
        if self.reward is Reward.POINTS:
            one, two = self.scores()
            return float(one - two), float(two - one)
        return (1.0, -1.0) if entry.winner(self._records, self._compiled) == 0 else (-1.0, 1.0)

    def scores(self) -> tuple[int, int]:
        """The scores of the two seats as they are now."""
        one, two = (entry.score(self._records, self._compiled, seat) for seat in (0, 1))
        return one, two
