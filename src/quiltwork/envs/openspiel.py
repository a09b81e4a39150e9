"""The OpenSpiel game: importing this module registers `quiltwork` with `pyspiel.load_game`.

    pyspiel.load_game("quiltwork(edition=express)")        the circle is dealt by chance
    pyspiel.load_game("quiltwork(edition=express,deal=7)") the circle of a deal number

Chance is explicit: the circle (unless `deal` is given) and the reserve are dealt patch by patch, each waiting
patch equally likely, so that nobody and no search sees the order before. The last patch of a deal follows from
the others and is no chance node. A chance outcome is the number of a patch, its place in `edition.codes`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quiltwork.codes import codes_of
from quiltwork.editions import DEFAULT_EDITION, Edition, load_edition
from quiltwork.envs import kernel
from quiltwork.envs.batched import Reward, one_of
from quiltwork.envs.observation import observation_layout
from quiltwork.errors import MissingExtra
from quiltwork.position import Position
from quiltwork.rules import entry, layout
from quiltwork.rules.layout import PositionArray

try:
    import pyspiel
except ImportError:
    raise MissingExtra("the OpenSpiel game", "openspiel") from None

VERSION = 0
"""changes whenever the same actions would play another game, or be seen in another way"""
NO_DEAL = -1

_GAME_TYPE = pyspiel.GameType(
    short_name="quiltwork",
    long_name="Quiltwork",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"edition": DEFAULT_EDITION, "deal": NO_DEAL, "reward": Reward.WIN.value},
)


class QuiltworkGame(pyspiel.Game):  # type: ignore[misc]
    """The game of one edition; `deal` is a deal number or -1, `reward` is `win` or `points`."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        self.rules = _Rules(
            load_edition(given.get("edition", DEFAULT_EDITION)),
            given.get("deal", NO_DEAL),
            one_of(Reward, "reward", given.get("reward", Reward.WIN.value)),
        )
        edition, utility = self.rules.edition, self.rules.largest_utility()
        info = pyspiel.GameInfo(
            num_distinct_actions=codes_of(edition).count,
            max_chance_outcomes=len(edition.patches),
            num_players=2,
            min_utility=-utility,
            max_utility=utility,
            utility_sum=0.0,
            # An advance moves at least a space; every patch is taken and laid at most once.
            max_game_length=2 * edition.last_space + 2 * len(edition.patches) + len(edition.special_patch_spaces),
        )
        super().__init__(_GAME_TYPE, info, given)

    def new_initial_state(self) -> QuiltworkState:
        """The state before the circle is dealt, or at the start of play if there is a deal number."""
        return QuiltworkState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> QuiltworkObserver:
        """What a player sees, as tensors and as text."""
        return QuiltworkObserver(self.rules.edition, iig_obs_type, params)


class _Rules:
    """What all states of a game share; OpenSpiel clones states by deep copies, which stop here."""

    def __init__(self, edition: Edition, deal: int, reward: Reward) -> None:
        self.edition = edition
        self.compiled = edition.compiled
        self.reward = reward
        self.start = Position.initial(edition, deal=None if deal == NO_DEAL else deal).record
        self.circle = (
            () if deal != NO_DEAL else tuple(sorted(edition.numbers[code] for code in edition.circle[:-1]))
        )

    def __deepcopy__(self, _memo: object) -> _Rules:
        return self

    def largest_utility(self) -> float:
        """The largest lead that points can reach: all buttons and the tile against an empty quilt."""
        if self.reward is Reward.WIN:
            return 1.0
        edition = self.edition
        income = sum(patch.income for patch in edition.patches.values()) * len(edition.income_spaces)
        tile = abs(edition.special_tile.points) if edition.special_tile else 0
        empty = abs(edition.points_per_empty_space) * len(edition.spaces)
        return float(edition.start_buttons + edition.last_space + income + tile + empty)

    def started(self, order: tuple[int, ...]) -> PositionArray:
        """The start of play with the circle in an order of patch numbers, before the start patch."""
        codes = self.edition.codes
        circle = (*(codes[number] for number in order), self.edition.circle[-1])
        return Position.initial(self.edition, circle=circle).record


class QuiltworkState(pyspiel.State):  # type: ignore[misc]
    """A position, or the circle or the reserve as far as it is dealt."""

    def __init__(self, game: QuiltworkGame) -> None:
        super().__init__(game)
        self._rules = game.rules
        self._record = game.rules.start
        self._undealt = game.rules.circle
        """patch numbers that chance deals, to the circle before play or from the reserve"""
        self._dealt: tuple[int, ...] = ()
        self._setting_up = bool(game.rules.circle)

    @property
    def position(self) -> Position | None:
        """The position on the table; None before the circle is dealt."""
        return None if self._setting_up else Position(self._rules.edition, self._record)

    # What OpenSpiel asks for

    def current_player(self) -> int:
        if self._undealt:
            return int(pyspiel.PlayerId.CHANCE)
        if self._record["phase"][0] == layout.OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(self._record["turn"][0])

    def _legal_actions(self, _player: int) -> list[int]:
        actions: list[int] = entry.legal_codes(self._record, self._rules.compiled).tolist()
        return actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(patch, 1 / len(self._undealt)) for patch in self._undealt]

    def _apply_action(self, action: int) -> None:
        if self._undealt:
            self._deal(action)
            return
        self._record, _ = entry.after(self._record, self._rules.compiled, action)
        if self._record["phase"][0] == layout.DEAL:
            waiting = int(self._record["reserve"][0])
            self._await(tuple(n for n in range(len(self._rules.edition.codes)) if waiting >> n & 1))

    def _await(self, undealt: tuple[int, ...]) -> None:
        self._undealt, self._dealt = undealt, ()
        if len(undealt) == 1:
            self._deal(undealt[0])

    def _deal(self, patch: int) -> None:
        self._dealt += (patch,)
        self._undealt = tuple(number for number in self._undealt if number != patch)
        if len(self._undealt) > 1:
            return
        order = self._dealt + self._undealt
        self._undealt = ()
        if self._setting_up:
            self._record = self._rules.started(order)
            self._setting_up = False
        else:
            self._record = entry.after_deal(self._record, np.array(order, np.int8))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"={self._rules.edition.codes[action]}"
        assert self.position is not None
        return str(self.position.move_of_code(action))

    def is_terminal(self) -> bool:
        return not self._undealt and bool(self._record["phase"][0] == layout.OVER)

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0, 0.0]
        if self._rules.reward is Reward.POINTS:
            one, two = (entry.score(self._record, self._rules.compiled, seat) for seat in (0, 1))
            return [float(one - two), float(two - one)]
        return [1.0, -1.0] if entry.winner(self._record, self._rules.compiled) == 0 else [-1.0, 1.0]

    def __str__(self) -> str:
        dealt = "".join(self._rules.edition.codes[patch] for patch in self._dealt)
        if self._setting_up:
            return f"{self._rules.edition.name} dealing {dealt or '-'}"
        text = Position(self._rules.edition, self._record).text
        return f"{text} dealing={dealt or '-'}" if self._undealt else text


class QuiltworkObserver:
    """Planes and scalars of `envs.observation`, all 0 before the circle is dealt; the text is the position's."""

    def __init__(self, edition: Edition, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observer: expected no parameters, found {params}")
        self._compiled = edition.compiled
        self._perfect_recall = kind is not None and kind.perfect_recall
        described = observation_layout(edition)
        shape = described.plane_shape
        cells = shape[0] * shape[1] * shape[2]
        self.tensor = np.zeros(cells + len(described.scalars), np.float32)
        self.dict = {"planes": self.tensor[:cells].reshape(shape), "scalars": self.tensor[cells:]}
        self._planes = np.zeros((1, shape[0], shape[1] * shape[2]), np.uint8)
        self._scalars = np.zeros((1, len(described.scalars)), np.float32)

    def set_from(self, state: QuiltworkState, player: int) -> None:
        """Writes what a player sees to `tensor` and `dict`."""
        self.tensor.fill(0)
        if state.position is not None:
            seat = np.array([player], np.int8)
            kernel.observe(state.position.record, self._compiled, seat, self._planes, self._scalars, 0, 1)
            self.dict["planes"][:] = self._planes.reshape(self.dict["planes"].shape)
            self.dict["scalars"][:] = self._scalars[0]

    def string_from(self, state: QuiltworkState, player: int) -> str:
        """What a player sees as text: the position, or with perfect recall the moves that led to it."""
        return state.history_str() if self._perfect_recall else str(state)


if "quiltwork" not in pyspiel.registered_names():
    pyspiel.register_game(_GAME_TYPE, QuiltworkGame)
