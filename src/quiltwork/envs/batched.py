"""Thousands of games as one array, stepped in compiled code on all cores.

>>> from quiltwork.envs import BatchedGames
>>> games = BatchedGames("patchwork", 4, seed=7)
>>> games.legal_mask().shape
(4, 2027)
>>> result = games.step(games.sample_actions())
>>> result.done.tolist()
[False, False, False, False]
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from enum import Enum
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from quiltwork.codes import codes_of
from quiltwork.editions import DEFAULT_EDITION, Edition, edition_of
from quiltwork.envs import kernel
from quiltwork.envs.actions import why_illegal
from quiltwork.envs.observation import observation_layout
from quiltwork.envs.team import Share, Team
from quiltwork.errors import IllegalMove, QuiltworkError
from quiltwork.position import Position
from quiltwork.position_setup import Phase
from quiltwork.rules.chance import SOURCE
from quiltwork.rules.layout import OVER, POSITION

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

_SMALLEST_SHARE = 64
"""fewer games than this are not worth a thread"""
_SHARES_A_THREAD = 4
"""several, so that a thread that wakes late or runs on a slower core does less"""
_BY_GAME = ("mistakes", "deals", "positions", "_sources", "_scores")
"""the arrays with an entry for each game"""
_MADE_ANEW = ("_team", "_shares", "_compiled", "_start", "_everywhere")
"""what a copy or a restored batch makes for itself"""


class Reward(Enum):
    """What a game pays at its end; every other step pays 0."""

    WIN = "win"
    """1 to the winner, -1 to the loser: there are no draws"""
    POINTS = "points"
    """the lead in points, negative for the loser; 0 to both if only the tie-break decided"""


class OnIllegal(Enum):
    """What happens with an illegal action."""

    RAISE = "raise"
    """IllegalMove, and no game of the batch has moved"""
    MASK = "mask"
    """it is counted in `mistakes`, and a random legal action is played"""


Option = TypeVar("Option", bound=Enum)


def one_of(options: type[Option], name: str, given: Option | str) -> Option:
    """The option that is meant; raises ValueError for one that there is not."""
    try:
        return options(given)
    except ValueError:
        known = ", ".join(str(option.value) for option in options)
        raise ValueError(f"{name}: expected one of {known}, found {given!r}") from None


class Step(NamedTuple):
    """What a step of the batch brought, by game."""

    rewards: Array
    """[games, 2] float32, player 1 and player 2"""
    done: Array
    """[games] bool: the game ended in this step"""
    scores: Array
    """[games, 2] int32: the final scores of the game that ended last, player 1 and player 2"""


class Observation(NamedTuple):
    """What a player sees, by game; see `envs.observation`."""

    planes: Array
    """[games, planes, rows, columns] uint8"""
    scalars: Array
    """[games, scalars] float32"""


class SavedGames(NamedTuple):
    """What `BatchedGames.save` has kept, by game; arrays of its own, for a search or a file (it pickles)."""

    edition: str
    """the id of the games' edition"""
    positions: Array
    """[games] the kernel's records"""
    sources: Array
    """[games] the sources of chance"""
    deals: Array
    """[games] uint64: the deal numbers"""
    mistakes: Array
    """[games] int64: the illegal actions so far"""
    scores: Array
    """[games, 2] int32: the final scores of the game that ended last"""


class BatchedGames:
    """Games of one edition in one array; game i depends only on its seed, not on its neighbours or the threads."""

    def __init__(
        self,
        edition: Edition | str = DEFAULT_EDITION,
        games: int = 1024,
        *,
        seed: int = 0,
        reward: Reward | str = Reward.WIN,
        on_illegal: OnIllegal | str = OnIllegal.RAISE,
        auto_reset: bool = True,
        threads: int | None = None,
    ) -> None:
        """Sets up and deals the games; `threads` is the number of cores used, all of them if None.

        Raises EditionError for an edition that there is not, ValueError for another wrong option.
        """
        if games < 1:
            raise ValueError(f"games: expected at least 1, found {games}")
        if threads is not None and threads < 1:
            raise ValueError(f"threads: expected at least 1, found {threads}")
        self.edition = edition_of(edition)
        """that is played"""
        self.count = games
        """how many games there are"""
        self.action_count = codes_of(self.edition).count
        """how many actions there are: every action is less"""
        self.layout = observation_layout(self.edition)
        """what the planes and scalars of the observation mean"""
        self.reward = one_of(Reward, "reward", reward)
        """what a game pays at its end"""
        self.on_illegal = one_of(OnIllegal, "on_illegal", on_illegal)
        """what happens with an illegal action"""
        self.auto_reset = auto_reset
        """whether a game that ends starts anew in the same step"""
        self.mistakes = np.zeros(games, np.int64)
        """illegal actions so far, by game"""
        self.deals = np.zeros(games, np.uint64)
        """the deal number of each game's circle: `Position.initial(edition, deal=...)` is its start"""
        self.positions = np.zeros(games, POSITION)
        """the kernel's records; `rules.layout` names their fields"""
        self._sources = np.zeros(games, SOURCE)
        self._start = Position.initial(self.edition).record
        self._scores = np.zeros((games, 2), np.int32)
        self._everywhere = np.ones(games, np.bool_)
        self._compiled = self.edition.compiled
        self._threads = threads or os.cpu_count() or 1
        self._divide()
        self.reset(seed)

    @classmethod
    def from_positions(cls, positions: Sequence[Position], *, seed: int = 0, **options: Any) -> BatchedGames:
        """Games that go on from these positions, all of one edition; `options` are those of the class.

        `deals` tells nothing of a game until it is dealt anew. Raises QuiltworkError for positions that cannot be
        in one batch.
        """
        if len(positions) == 0:
            raise QuiltworkError("positions: expected at least one")
        _check_positions(positions)
        games = cls(positions[0].edition, len(positions), seed=seed, **options)
        games.put(np.arange(len(positions)), positions)
        return games

    def put(self, which: ArrayLike, positions: Sequence[Position] | Position) -> None:
        """Goes on from other positions in the games with these numbers, or from one; no number twice."""
        positions = [positions] if isinstance(positions, Position) else positions
        _check_positions(positions)
        numbers = np.asarray(which, np.int64).ravel()
        if len(numbers) != len(positions):
            raise ValueError(f"positions: expected one for each of {len(numbers)} games, found {len(positions)}")
        for game, position in zip(numbers.tolist(), positions, strict=True):
            if not 0 <= game < self.count:
                raise IndexError(f"game {game}: the batch has the games 0 to {self.count - 1}")
            if position.edition is not self.edition:
                raise QuiltworkError(
                    f"game {game}: expected a position of {self.edition.id}, found one of {position.edition.id}"
                )
            if position.phase is Phase.DEAL:
                raise QuiltworkError(f"game {game}: the reserve of this position is still to be dealt")
        for game, position in zip(numbers.tolist(), positions, strict=True):
            self.positions[game] = position.record[0]
            self.mistakes[game] = 0

    # Copies

    def clone(self, which: ArrayLike | None = None) -> BatchedGames:
        """Independent copies of all games, or of those with these numbers, with their sources of chance."""
        numbers = np.arange(self.count) if which is None else np.asarray(which, np.int64).ravel()
        if len(numbers) == 0 or numbers.min() < 0 or numbers.max() >= self.count:
            raise IndexError(f"games: expected numbers from 0 to {self.count - 1}, found {numbers.tolist()[:10]}")
        state = self.__getstate__()
        for name, value in state.items():
            if name in _BY_GAME:
                state[name] = value[numbers]
        copied = object.__new__(type(self))
        copied.__setstate__(state | {"count": len(numbers)})
        return copied

    def save(self) -> SavedGames:
        """All games as they are, with their sources of chance, for `restore`."""
        return SavedGames(
            self.edition.id,
            positions=self.positions.copy(),
            sources=self._sources.copy(),
            deals=self.deals.copy(),
            mistakes=self.mistakes.copy(),
            scores=self._scores.copy(),
        )

    def restore(self, saved: SavedGames, *, where: ArrayLike | None = None) -> None:
        """Goes back to what `save` kept, in all games or in those for which `where` [games] holds.

        The same actions then bring the same games, the dealt patches included. Raises QuiltworkError for games of
        another edition and ValueError for another number of games.
        """
        if saved.edition != self.edition.id:
            raise QuiltworkError(f"saved games: expected {self.edition.id}, found {saved.edition}")
        if len(saved.positions) != self.count:
            raise ValueError(f"saved games: expected {self.count} games, found {len(saved.positions)}")
        chosen = self._everywhere if where is None else self._checked("where", where, np.bool_)
        self.positions[chosen] = saved.positions[chosen]
        self._sources[chosen] = saved.sources[chosen]
        self.deals[chosen] = saved.deals[chosen]
        self.mistakes[chosen] = saved.mistakes[chosen]
        self._scores[chosen] = saved.scores[chosen]

    def reseed(self, seed: int) -> None:
        """Gives all games new sources of chance and leaves them where they are.

        A search in copies must not deal what the games themselves will deal.
        """
        self._sources["state"] = seeds_of(seed, self.count)

    def __copy__(self) -> BatchedGames:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> BatchedGames:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        # Threads and shares are made anew, and the compiled edition comes with the edition.
        return {name: value for name, value in vars(self).items() if name not in _MADE_ANEW}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._compiled = self.edition.compiled
        self._start = Position.initial(self.edition).record
        self._everywhere = np.ones(self.count, np.bool_)
        self._divide()

    def _divide(self) -> None:
        """Shares the games among the threads."""
        most = max(1, self.count // _SMALLEST_SHARE)
        used = min(self._threads, most)
        self._shares = _shares(self.count, min(most, used * _SHARES_A_THREAD))
        self._team = Team(used - 1) if used > 1 else None

    # Starting games

    def reset(self, seed: int | ArrayLike | None = None, *, where: ArrayLike | None = None) -> None:
        """Starts all games anew, or those for which `where` [games] holds.

        A number seeds game i with a mix of it and i; an array [games] seeds each game itself; None goes on with
        the games' own sources, as the automatic reset does.
        """
        chosen = self._everywhere if where is None else self._checked("where", where, np.bool_)
        if seed is not None:
            one = np.ndim(seed) == 0
            seeds = seeds_of(int(seed), self.count) if one else self._checked("seed", seed, np.uint64)  # type: ignore[arg-type]
            self._sources["state"][chosen] = seeds[chosen]
        self.mistakes[chosen] = 0
        self._each(kernel.reset, self.positions, self._start, self._sources, self.deals, chosen)

    # Playing

    def step(self, actions: ArrayLike, *, where: ArrayLike | None = None) -> Step:
        """Plays one action [games] in each game, or in those for which `where` holds, and judges all games.

        With `auto_reset` a game that ends starts anew in the same step; without, it stays as it is, its actions
        are not looked at, and `done` stays true until `reset`.
        """
        chosen = self._everywhere if where is None else self._checked("where", where, np.bool_)
        given = self._checked("actions", actions, np.int64)
        if self.on_illegal is OnIllegal.RAISE:
            for game in self._each(kernel.first_illegal, self.positions, self._compiled, given, chosen):
                if game >= 0:
                    self._refuse(game, int(given[game]))
        self._each(kernel.step, self.positions, self._compiled, self._sources, given, chosen, self.mistakes)
        return self.judge()

    def judge(self) -> Step:
        """The rewards and ends of the positions as they are; `step` has called it."""
        rewards = np.empty((self.count, 2), np.float32)
        done = np.empty(self.count, np.bool_)
        kind = kernel.POINTS if self.reward is Reward.POINTS else kernel.WIN
        self._each(
            kernel.judge, self.positions, self._compiled, self._start, self._sources, self.deals,
            rewards, done, self._scores, kind, self.auto_reset,
        )  # fmt: skip
        return Step(rewards, done, self._scores.copy())

    def play_at_random(self, plies: int = 1) -> int:
        """Plays random legal actions in every game, resetting games that end; returns how many ended."""
        ended = self._each(
            kernel.random_plies, self.positions, self._compiled, self._start, self._sources, self.deals, plies
        )
        return sum(ended)

    def answer_at_random(self, seats: ArrayLike) -> None:
        """Plays random legal actions until `seats` [games], 0 or 1, is to move or the game is over."""
        given = self.seats_of(seats)
        self._each(kernel.answer_at_random, self.positions, self._compiled, self._sources, given)

    def sample_actions(self) -> Array:
        """A random legal action [games] for each game, from the game's own source."""
        actions = np.empty(self.count, np.int64)
        self._each(kernel.sample, self.positions, self._compiled, self._sources, actions)
        return actions

    # Looking

    @property
    def turn(self) -> Array:
        """Whose turn it is [games]: 0 for player 1, 1 for player 2; who moved last if the game is over."""
        return self.positions["turn"].copy()

    @property
    def over(self) -> Array:
        """Which games are over [games]; with `auto_reset` none stays so."""
        finished: Array = self.positions["phase"] == OVER
        return finished

    def scores(self) -> Array:
        """What the players would score now: [games, 2] int32, player 1 and player 2."""
        points = np.empty((self.count, 2), np.int32)
        self._each(kernel.scores, self.positions, self._compiled, points)
        return points

    def legal_mask(self, out: Array | None = None) -> Array:
        """Which actions are legal: [games, actions] bool, written to `out` if given."""
        mask = self._out(out, (self.count, self.action_count), np.bool_)
        self._each(kernel.legal_mask, self.positions, self._compiled, mask)
        return mask

    def observe(self, out: Observation | None = None, *, seats: ArrayLike | None = None) -> Observation:
        """What the player to move, or the one at `seats` [games], sees; written to `out` if given."""
        viewers = self.turn if seats is None else self.seats_of(seats)
        shape = self.layout.plane_shape
        planes = self._out(out and out.planes, (self.count, *shape), np.uint8)
        scalars = self._out(out and out.scalars, (self.count, len(self.layout.scalars)), np.float32)
        flat = planes.reshape(self.count, shape[0], shape[1] * shape[2])
        self._each(kernel.observe, self.positions, self._compiled, viewers, flat, scalars)
        return Observation(planes, scalars)

    def position(self, game: int) -> Position:
        """The position of one game."""
        record = self.positions[game : game + 1].copy()
        if len(record) == 0:
            raise IndexError(f"game {game}: the batch has the games 0 to {self.count - 1}")
        record.flags.writeable = False
        return Position(self.edition, record)

    def seats_of(self, seats: ArrayLike) -> Array:
        """Seats as an array [games] int8; raises ValueError for others than 0 and 1: they are never to move."""
        given = self._checked("seats", seats, np.int8)
        wrong = given[(given != 0) & (given != 1)]
        if len(wrong):
            raise ValueError(f"seats: expected 0 or 1, found {wrong[0]}")
        return given

    # Within

    def _each(self, function: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Calls a compiled function for all games, a share at a time on each core."""
        if self._team is None:
            return [function(*arguments, 0, self.count)]
        return self._team.each(lambda share: function(*arguments, *share), self._shares)

    def _checked(self, name: str, values: Any, dtype: type[np.generic]) -> Array:
        try:
            values = np.asarray(values)
        except (TypeError, ValueError, RuntimeError) as error:
            # A list of lists of several lengths, say, or a tensor on another device.
            raise TypeError(f"{name}: expected an array of shape ({self.count},): {error}") from None
        if values.shape != (self.count,):
            raise ValueError(f"{name}: expected shape ({self.count},), found {values.shape}")
        wanted = "bool" if dtype is np.bool_ else "integer"
        if values.dtype.kind not in ("b" if dtype is np.bool_ else "iu"):
            raise TypeError(f"{name}: expected dtype {wanted}, found {values.dtype}")
        return np.ascontiguousarray(values, dtype)

    def _out(self, out: Array | None, shape: tuple[int, ...], dtype: type[np.generic]) -> Array:
        if out is None:
            return np.empty(shape, dtype)
        if out.shape != shape:
            raise ValueError(f"out: expected shape {shape}, found {out.shape}")
        if out.dtype != dtype:
            raise TypeError(f"out: expected dtype {np.dtype(dtype)}, found {out.dtype}")
        if not out.flags.c_contiguous or not out.flags.writeable:
            raise ValueError("out: expected a contiguous, writeable array")
        return out

    def _refuse(self, game: int, action: int) -> None:
        illegality = why_illegal(self.position(game), action)
        assert illegality is not None
        raise IllegalMove(f"game {game}: action {action}", illegality)


def _check_positions(positions: Sequence[Position]) -> None:
    for position in positions:
        if not isinstance(position, Position):
            raise TypeError(f"positions: expected positions, found {position!r}; Position.parse reads a text")


def _shares(games: int, count: int) -> list[Share]:
    bounds = [games * i // count for i in range(count + 1)]
    return list(pairwise(bounds))


def seeds_of(seed: int, games: int) -> Array:
    """A seed for each game; equal for the games that two batches of different size share."""
    state = np.uint64(seed & 0xFFFF_FFFF_FFFF_FFFF)
    with np.errstate(over="ignore"):
        words = state * np.uint64(0xD1342543DE82EF95) + np.arange(1, games + 1, dtype=np.uint64) * np.uint64(
            0x9E3779B97F4A7C15
        )
        words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return words ^ (words >> np.uint64(31))
