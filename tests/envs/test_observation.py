"""The observation, feature by feature, against what the position says."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from envs.walk import positions_of_random_games
from quiltwork import LayPatch, Patch, Phase, Player, Position, available_editions
from quiltwork.envs import OBSERVATION_VERSION, Observation, kernel, observation_layout
from quiltwork.envs.observation import LOOKAHEAD
from quiltwork.move import cells_of


def seen(position: Position, player: Player) -> Observation:
    layout = observation_layout(position.edition)
    planes = np.full((1, len(layout.planes), layout.rows * layout.columns), 7, np.uint8)
    scalars = np.full((1, len(layout.scalars)), 7, np.float32)
    seat = np.array([player - 1], np.int8)
    kernel.observe(position.record, position.edition.compiled, seat, planes, scalars, 0, 1)
    return Observation(planes.reshape(layout.plane_shape), scalars[0])


# Planes


def drawing(plane: np.ndarray[tuple[int, int], np.dtype[np.uint8]]) -> list[str]:
    return ["".join(".#"[cell] for cell in row) for row in plane.tolist()]


def at_the_top_left(patch: Patch | None, position: Position) -> list[str]:
    rows = [["."] * position.edition.columns for _ in range(position.edition.rows)]
    for row, column in patch.cells if patch else ():
        rows[row][column] = "#"
    return ["".join(row) for row in rows]


def empty_spaces(position: Position, player: Player) -> list[str]:
    rows = [list(row) for row in position.edition.board]
    for laid in position.player(player).placements:
        if isinstance(laid, LayPatch):
            for row, column in cells_of(laid, position.edition):
                rows[row][column] = "."
        elif laid.cell is not None:
            rows[laid.cell.row][laid.cell.column] = "."
    return ["".join(row) for row in rows]


@pytest.mark.parametrize("edition", available_editions())
def test_planes_show_the_quilts_and_the_shapes(edition: str) -> None:
    for position in positions_of_random_games(edition, games=4):
        layout = observation_layout(position.edition)
        shapes = [*position.circle, *([None] * (position.edition.choices + LOOKAHEAD))]
        for player in Player:
            planes = seen(position, player).planes
            assert drawing(planes[layout.plane("own_empty")]) == empty_spaces(position, player)
            assert drawing(planes[layout.plane("opponent_empty")]) == empty_spaces(position, player.opponent)
            assert drawing(planes[layout.plane("board")]) == list(position.edition.board)
            for slot in range(position.edition.choices):
                assert drawing(planes[layout.plane(f"choice_{slot}")]) == at_the_top_left(shapes[slot], position)
            for ahead in range(LOOKAHEAD):
                patch = shapes[position.edition.choices + ahead]
                assert drawing(planes[layout.plane(f"next_{ahead}")]) == at_the_top_left(patch, position)
            assert drawing(planes[layout.plane("held")]) == at_the_top_left(position.held, position)


# Scalars

Seen = Callable[[Position, Player], float]


def spaces_to(position: Position, player: Player, marks: tuple[int, ...], passed: int) -> float:
    ahead = [mark for mark in marks if mark > passed]
    return (ahead[0] - position.player(player).space) / position.edition.last_space if ahead else 1.0


def foremost(position: Position) -> int:
    return max(state.space for state in position.players)


def ahead(position: Position, player: Player) -> int:
    return sum(mark > position.player(player).space for mark in position.edition.income_spaces)


def first(position: Position, player: Player) -> bool:
    return position.setup.players[player - 1].first


OF_A_PLAYER: dict[str, Seen] = {
    "space": lambda p, who: p.player(who).space / p.edition.last_space,
    "buttons": lambda p, who: p.player(who).buttons / 50,
    "income": lambda p, who: p.player(who).income / 20,
    "empty": lambda p, who: p.player(who).empty_spaces / len(p.edition.spaces),
    "tile": lambda p, who: p.tile is who,
    "first": first,
    "marks_ahead": lambda p, who: ahead(p, who) / len(p.edition.income_spaces),
    "to_income": lambda p, who: spaces_to(p, who, p.edition.income_spaces, p.player(who).space),
    "to_special": lambda p, who: spaces_to(p, who, p.edition.special_patch_spaces, foremost(p)),
}
SHARED: dict[str, Seen] = {
    "to_move": lambda p, who: p.turn is who,
    "start_player": lambda p, who: who is Player.ONE,
    "phase_turn": lambda p, who: p.phase is Phase.TURN,
    "phase_special": lambda p, who: p.phase is Phase.SPECIAL,
    "phase_lay": lambda p, who: p.phase is Phase.LAY,
    "pending": lambda p, who: p.setup.pending / 2,
    "advance": lambda p, who: int(str(p.legal_moves()[0])) / p.edition.last_space if p.phase is Phase.TURN else 0,
    "special_left": lambda p, who: (
        sum(mark > foremost(p) for mark in p.edition.special_patch_spaces) / len(p.edition.special_patch_spaces)
    ),
    "circle_size": lambda p, who: len(p.circle) / len(p.edition.patches),
    "reserve_size": lambda p, who: len(p.reserve) / len(p.edition.patches),
    "held_time": lambda p, who: p.held.time / 6 if p.held else 0,
    "held_income": lambda p, who: p.held.income / 3 if p.held else 0,
    "held_size": lambda p, who: len(p.held.cells) / 8 if p.held else 0,
}


def expected_scalars(position: Position, player: Player) -> dict[str, float]:
    expected = {}
    for name, value in OF_A_PLAYER.items():
        expected[f"own_{name}"] = value(position, player)
        expected[f"opponent_{name}"] = value(position, player.opponent)
    for name, value in SHARED.items():
        expected[name] = value(position, player)
    count = len(position.edition.patches)
    for place in range(count):
        patch = position.circle[place] if place < len(position.circle) else None
        number = position.edition.numbers[patch.code] + 1 if patch else 0
        expected[f"circle_{place}_patch"] = number / count
        expected[f"circle_{place}_price"] = patch.buttons / 10 if patch else 0
        expected[f"circle_{place}_time"] = patch.time / 6 if patch else 0
        expected[f"circle_{place}_income"] = patch.income / 3 if patch else 0
        expected[f"circle_{place}_size"] = len(patch.cells) / 8 if patch else 0
    return expected


@pytest.mark.parametrize("edition", available_editions())
def test_scalars_say_what_the_position_says_and_stay_in_their_range(edition: str) -> None:
    met = set()
    for position in positions_of_random_games(edition, games=4):
        met.add(position.phase)
        layout = observation_layout(position.edition)
        for player in Player:
            scalars = seen(position, player).scalars
            expected = expected_scalars(position, player)
            assert set(expected) == {feature.name for feature in layout.scalars}
            for index, feature in enumerate(layout.scalars):
                assert scalars[index] == pytest.approx(float(expected[feature.name])), feature.name
            assert (scalars >= 0).all()
            assert (scalars <= layout.scalar_high()).all()
    assert met >= {Phase.TURN, Phase.SPECIAL}


def test_the_end_of_a_game_can_be_looked_at() -> None:
    over = Position.parse("patchwork - 53!/5/2a@a1 53/7/- - 3a")
    layout = observation_layout(over.edition)
    for player in Player:
        scalars = seen(over, player).scalars
        assert scalars[layout.scalar("to_move")] == 0
        assert scalars[layout.scalar("opponent_buttons")] == pytest.approx((7 if player is Player.ONE else 5) / 50)
        assert scalars[layout.scalar("own_first")] == (player is Player.ONE)


def test_the_layout_of_version_1_stays_as_it_is() -> None:
    """Whoever changes the observation gives it another version, and changes these numbers."""
    layout = observation_layout(Position.initial("patchwork").edition)
    names = [feature.name for feature in layout.scalars]
    assert OBSERVATION_VERSION == 1
    assert [feature.name for feature in layout.planes] == [
        *("own_empty", "opponent_empty", "board", "choice_0", "choice_1", "choice_2"),
        *("next_0", "next_1", "next_2", "held"),
    ]
    assert layout.plane_shape == (10, 9, 9)
    assert len(names) == 196
    assert names[:9] == [f"own_{name}" for name in OF_A_PLAYER]
    assert names[18:31] == list(SHARED)
    assert names[31:36] == [f"circle_0_{name}" for name in ("patch", "price", "time", "income", "size")]


def test_an_unknown_feature_names_the_known_ones() -> None:
    with pytest.raises(KeyError, match="no feature 'hat' in the observation; there are own_empty"):
        observation_layout(Position.initial("patchwork").edition).plane("hat")
