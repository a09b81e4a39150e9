"""The small net: what it sees, what it says, and its file."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
import pytest

from quiltwork import Position, QuiltworkError
from quiltwork.agents import Limits, agent_of
from quiltwork.agents.engine.candidates import CANDIDATES, candidates_of, forget_lists, list_candidates, weigh
from quiltwork.agents.engine.judge import quilt_cost
from quiltwork.agents.engine.layer import BLOCK, add_up, add_up_plainly, laid_out
from quiltwork.agents.engine.memory import MEMORY, QUILTS, forget_quilts, places, recall
from quiltwork.agents.engine.net import MOST, NET, POINTS, SLOTS, WIN, outputs_of
from quiltwork.agents.engine.sight import END, NUMBERS, OF_PATCH, PATCHES
from quiltwork.agents.engine.tables import tables_of
from quiltwork.agents.engine.windows import KIND_OF_PATTERN, KINDS
from quiltwork.agents.search_tree import group_of
from quiltwork.agents.tuning import Tuning
from quiltwork.agents.weights import load_net, load_places, save_net
from quiltwork.rules.compiler import compiled
from quiltwork.rules.layout import record_type
from quiltwork.rules.quilt import fits

WAITING = Path(__file__).parents[2] / "bench" / "waiting.py"
QUILT = "patchwork 1 9/7/2a@a1,5d@c3 12/3/3a@e5 - 5i4e6e6c6j5c6h6b4c5f"
SWAPPED = "patchwork 2 12/3/3a@e5 9/7/2a@a1,5d@c3 - 5i4e6e6c6j5c6h6b4c5f"


def seen(text: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The numbers, the windows and the outputs of a position."""
    position = Position.parse(text)
    edition = position.edition.compiled
    inputs, outputs = outputs_of(position.record, edition, tables_of(edition), Tuning().policy(), load_net())
    return inputs["numbers"][0], inputs["counts"][0], outputs


def test_the_kinds_of_windows_are_the_patterns_up_to_turns_and_reflections() -> None:
    assert len(set(KIND_OF_PATTERN)) == 102
    assert max(KIND_OF_PATTERN) < KINDS
    assert KIND_OF_PATTERN[0] == 0
    # One empty space: in the middle, at a side, or in a corner.
    assert len({KIND_OF_PATTERN[1 << i] for i in range(9)}) == 3


def test_windows_do_not_change_when_a_quilt_is_turned() -> None:
    corners = ["2a@a1", "2a@h1", "2a@a9", "2a@h9", "2a@a1r1", "2a@a8r1", "2a@i1r1", "2a@i8r1"]
    counts = [seen(f"patchwork 1 0/5/{corner} 0/5/- - 5i4e6e")[1] for corner in corners]
    for other in counts[1:]:
        np.testing.assert_array_equal(counts[0], other)
    assert not np.array_equal(counts[0][0], seen("patchwork 1 0/5/2a@d4 0/5/- - 5i4e6e")[1][0])


def test_windows_around_all_cells_are_counted_but_for_covered_ones() -> None:
    _, counts, _ = seen("patchwork 1 0/5/- 0/5/- - 5i4e6e")
    assert counts.sum(1).tolist() == [81, 81]
    # In the middle everything is empty, at the sides three spaces are beyond the board, in the corners five.
    assert sorted(counts[0][counts[0] > 0]) == [4, 28, 49]


def test_places_are_compared_by_windows() -> None:
    position = Position.parse(QUILT)
    edition, mover = position.edition.compiled, int(position.record["turn"][0])
    tables, table = tables_of(edition), load_places()

    def listed(tuning: Tuning, room: int) -> list[int]:
        found = np.empty(1, CANDIDATES)
        candidates_of(position.record, edition, tables, tuning.policy(), tuning.settings(), room, found)
        return [int(code) for code in found["code"][0, : int(found["count"][0])]]

    def cost(code: int) -> tuple[int, int]:
        after = position.play(position.move_of_code(code))
        seen, _ = outputs_of(after.record, edition, tables, Tuning().policy(), load_net())
        side = 0 if int(after.record["turn"][0]) == mover else 1
        free = after.record["free"][0, mover]
        quick = int(quilt_cost(free[0], free[1], tables[0], Tuning().policy()[0]["judge"]))
        return quick + int(seen["counts"][0, side].astype(int) @ table), quick

    tight = listed(Tuning(), 8)
    for slot in range(3):
        of_patch = [code for code in tight if group_of(position, code) == slot]
        best = sorted(of_patch, key=cost)[:3]
        found = [code for code in listed(Tuning(wide=8), 3) if group_of(position, code) == slot]
        assert [cost(code)[0] for code in found] == [cost(code)[0] for code in best]
        # The quick judge would have chosen others.
        assert slot > 0 or found != of_patch[:3]


def test_the_seats_do_not_matter() -> None:
    one, two = seen(QUILT), seen(SWAPPED)
    for first, second in zip(one, two, strict=True):
        np.testing.assert_array_equal(first, second)


def test_numbers_are_about_one_and_patches_are_shown_in_their_order() -> None:
    numbers, _, _ = seen(QUILT)
    assert len(numbers) == NUMBERS
    assert np.abs(numbers).max() < 4
    patches = numbers[PATCHES:END].reshape(-1, OF_PATCH)
    edition = Position.parse(QUILT).edition
    shown = ("5i", "4e", "6e", "6c", "6j", "5c", "6h", "6b")
    np.testing.assert_allclose(patches[:, 0] * 10, [edition.patches[code].buttons for code in shown], rtol=1e-6)
    np.testing.assert_allclose(patches[:, 3] * 8, [int(code[0]) for code in shown], rtol=1e-6)
    few = seen("patchwork 1 9/7/- 12/3/- - 5i4e")[0][PATCHES:END].reshape(-1, OF_PATCH)
    assert few[:2].any(axis=1).all()
    assert not few[2:].any()


def test_the_end_of_a_quick_game_is_seen() -> None:
    """Without patches both can only advance to space 53, and are paid for every space."""
    end = seen("patchwork 1 40/3/- 50/60/- - -")[0][END:]
    mine, theirs = 3 + 13 - 2 * 81, 60 + 3 - 2 * 81
    lead = [(mine - theirs) / 40, -1, -1, 0]
    np.testing.assert_allclose(end[:6], [*lead, mine / 40, theirs / 40], rtol=1e-6)
    np.testing.assert_allclose(end[6:], [81 / 20, 81 / 20, 0, 0, 0, 0], rtol=1e-6)


def test_a_position_always_looks_the_same_even_if_chance_will_deal() -> None:
    start = Position.initial("stack-and-stuff", deal=4)
    assert start.reserve
    looks = [seen(start.text)[0] for _ in range(3)]
    np.testing.assert_array_equal(looks[0], looks[1])
    np.testing.assert_array_equal(looks[0], looks[2])


def test_a_net_file_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    with pytest.raises(QuiltworkError, match="No such file"):
        load_net(str(path))
    path.write_bytes(b"no weights")
    with pytest.raises(QuiltworkError, match="no weights of a net"):
        load_net(str(path))
    np.savez(path, version=np.array(99))
    with pytest.raises(QuiltworkError, match="inputs of version 99"):
        load_net(str(path))
    with pytest.raises(QuiltworkError, match="no such weights"):
        agent_of("net:weights=nobody")


def test_a_net_is_written_and_read_again(tmp_path: Path) -> None:
    net = np.zeros(1, NET)
    rng = np.random.default_rng(1)
    for layer in NET.names or ():
        net[layer] = rng.integers(-127, 128, size=net[layer].shape)
    save_net(net, tmp_path / "x.npz")
    again = load_net(str(tmp_path / "x.npz"))
    for layer in NET.names or ():
        np.testing.assert_array_equal(net[layer], again[layer])


@compiled
def _sums(inputs: Any, weights: Any, sums: Any) -> None:
    add_up(inputs, weights[0].weights, sums)


@pytest.mark.parametrize(("width", "rows"), [(BLOCK, 2), (BLOCK, 256), (4 * BLOCK, 50)])
def test_sums_of_a_layer_are_those_of_a_product_of_matrices(width: int, rows: int) -> None:
    rng = np.random.default_rng(rows)
    matrix = rng.integers(-128, 128, size=(width, rows))
    inputs = rng.integers(-MOST, MOST, size=rows).astype(np.int16)
    # Pairs that are zero, and pairs of which one is.
    inputs[rows // 2 :: 3] = 0
    weights = np.zeros(1, record_type([("weights", np.int8, (width, rows))]))
    weights["weights"][0] = laid_out(matrix)
    sums = np.zeros(width, np.int32)
    _sums(inputs, weights, sums)
    np.testing.assert_array_equal(sums, matrix @ inputs.astype(np.int64))
    plain = np.zeros(width, np.int32)
    add_up_plainly(inputs, weights["weights"][0], plain)
    np.testing.assert_array_equal(plain, sums)


def test_what_the_net_says_agrees_with_the_end_of_the_game() -> None:
    for text, wins in (
        ("patchwork 1 50/60/- 52/0/- - 2a6i5h", True),
        ("patchwork 1 50/0/- 52/60/- - 2a6i5h", False),
    ):
        outputs = seen(text)[2]
        assert bool(outputs[WIN] > 1.5) is wins
        assert bool(outputs[WIN] < -1.5) is not wins
        assert bool(outputs[POINTS] > 0) is wins


def test_long_waits_are_no_wars() -> None:
    """Positions of long waits, and where they end: what waiting and taking are worth by a deep search without a net.

    Both may be right: who breaks a wait opens the better patches to the other. A wait that is wrong costs a lot.
    """
    regrets = run_path(str(WAITING))["regrets"]("net", Limits(simulations=400))
    assert len(regrets) == 40
    assert sum(regrets) / len(regrets) < 0.03
    assert sum(regret > 0.1 for regret in regrets) <= 3


@pytest.mark.parametrize("deal", [352095937509, 429770610513, 906372839022, 133909913218, 634344843384])
def test_who_is_behind_ends_a_war(deal: int) -> None:
    """Deals in which the net of the tenth run advanced 15 times or more against itself, and ended below zero."""
    bench = run_path(str(WAITING))
    game = bench["play"]("net", Limits(simulations=600), "patchwork", deal)
    assert game.longest_wait < bench["WAR"]


def test_a_net_counts_its_simulations() -> None:
    start = Position.initial("patchwork", deal=3)
    answer = agent_of("net", 1).think(start, Limits(simulations=100))
    assert answer.simulations == 100
    assert 0 < answer.win < 1
    assert start.edition.choices == SLOTS


@compiled
def _remembered(positions: Any, edition: Any, memory: Any, patch: int, found: Any) -> None:
    for i in range(len(positions)):
        for player in range(2):
            found[i, player] = places(recall(memory[0], positions[i], player), edition[0], patch)


def test_what_is_remembered_of_a_quilt_is_what_would_be_found_again() -> None:
    # More quilts than there is room for, each met twice.
    rng = np.random.default_rng(3)
    start = Position.initial("patchwork", deal=3)
    edition, patch = start.edition.compiled, 7
    positions = np.repeat(start.record, 2 * QUILTS)
    positions["free"] &= rng.integers(0, 2**64, size=(2 * QUILTS, 2, 2), dtype=np.uint64)
    positions["free"] |= rng.integers(0, 2**64, size=(2 * QUILTS, 2, 2), dtype=np.uint64) & start.record["free"]
    memory = np.empty(1, MEMORY)
    forget_quilts(memory[0])
    seen, again, afresh = (np.zeros((2 * QUILTS, 2), np.int64) for _ in range(3))
    _remembered(positions, edition, memory, patch, seen)
    _remembered(positions, edition, memory, patch, again)
    for i in range(len(positions)):
        forget_quilts(memory[0])
        _remembered(positions[i : i + 1], edition, memory, patch, afresh[i : i + 1])
    np.testing.assert_array_equal(seen, afresh)
    np.testing.assert_array_equal(again, afresh)
    assert len(np.unique(afresh)) > 20
    assert fits_in(positions[0], edition[0], patch) == afresh[0, 0]


@compiled
def _listed_again(
    positions: Any, edition: Any, tables: Any, policy: Any, room: int, candidates: Any, codes: Any
) -> None:
    for i in range(len(positions)):
        weigh(positions[i], edition[0], tables[0], policy[0], 100.0, candidates[0])
        list_candidates(positions[i], edition[0], tables[0], policy[0], 40.0, room, candidates[0])
        for j in range(candidates[0].count):
            codes[i, j] = candidates[0].code[j]


@pytest.mark.parametrize("tuning", [Tuning(), Tuning(wide=8), Tuning(wide=100)])
def test_placements_that_are_remembered_are_those_that_would_be_found_again(tuning: Tuning) -> None:
    position = Position.initial("express", deal=4)
    positions = []
    for _ in range(12):
        positions.append(position.record)
        moves = position.legal_moves()
        position = position.play(moves[len(moves) // 2])
    edition, tables, policy = position.edition.compiled, tables_of(position.edition.compiled), tuning.policy()
    candidates, fresh = np.empty(1, CANDIDATES), np.empty(1, CANDIDATES)
    forget_lists(candidates[0])
    # More are wanted, then fewer; nothing is forgotten in between.
    for room in (1, 3, 4, 2):
        codes = np.full((len(positions), 64), -1)
        _listed_again(np.concatenate(positions), edition, tables, policy, room, candidates, codes)
        for i, record in enumerate(positions):
            candidates_of(record, edition, tables, policy, tuning.settings(), room, fresh)
            found = int(fresh["count"][0])
            np.testing.assert_array_equal(codes[i, :found], fresh["code"][0, :found])
            assert (codes[i, found:] == -1).all()


def fits_in(position: Any, edition: Any, patch: int) -> int:
    """The places of a patch on the first player's quilt, one shape after the other."""
    shapes = range(int(edition["first_shape"][patch]), int(edition["first_shape"][patch + 1]))
    found = [fits(edition, shape, int(edition["patch_cells"][patch]), *position["free"][0]) for shape in shapes]
    return sum(int(low).bit_count() + int(high).bit_count() for low, high in found)
