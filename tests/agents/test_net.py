"""The small net: what it sees, what it says, and its file."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
import pytest

from quiltwork import Position, QuiltworkError
from quiltwork.agents import Limits, agent_of
from quiltwork.agents.heuristics.quilt_cost import quilt_cost
from quiltwork.agents.heuristics.windows import KIND_OF_PATTERN, KINDS
from quiltwork.agents.net.features import FEATURE_COUNT, PatchFeatures
from quiltwork.agents.net.forward import MAX_SHORT, NET, POINTS, SLOTS, WIN, evaluation_of
from quiltwork.agents.net.layer import BLOCK, add_up, add_up_plainly, laid_out
from quiltwork.agents.net.quilt_cache import QUILT_CACHE, QUILTS, cached_quilt, places
from quiltwork.agents.net.weights import load_net, load_placement_windows, save_net
from quiltwork.agents.search.candidates import CANDIDATES, candidates_of, heuristic_logits, list_candidates
from quiltwork.agents.search.config import SearchConfig
from quiltwork.move import piece_of
from quiltwork.rules.compiler import compiled
from quiltwork.rules.quilt import fits

WAITING = Path(__file__).parents[2] / "bench" / "waiting.py"
QUILT = "patchwork 1 9/7/2a@a1,5d@c3 12/3/3a@e5 - 5i4e6e6c6j5c6h6b4c5f"
SWAPPED = "patchwork 2 12/3/3a@e5 9/7/2a@a1,5d@c3 - 5i4e6e6c6j5c6h6b4c5f"


def seen(text: str) -> tuple[Any, Any, Any]:
    """The features, the windows and the outputs of a position."""
    position = Position.parse(text)
    return evaluation_of(position.record, SearchConfig().context(position.edition, load_net()))


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


def test_placements_are_compared_by_windows() -> None:
    position = Position.parse(QUILT)
    mover, table = int(position.record["turn"][0]), load_placement_windows()
    context = SearchConfig().context(position.edition)

    def listed(config: SearchConfig, limit: int) -> list[int]:
        return candidates_of(position.record, config.context(position.edition), limit)[0]

    def cost(code: int) -> tuple[int, int]:
        after = position.play(position.move_of_code(code))
        _, counts, _ = evaluation_of(after.record, context)
        side = 0 if int(after.record["turn"][0]) == mover else 1
        free = after.record["free"][0, mover]
        quick = int(quilt_cost(free[0], free[1], context["tables"][0], context["heuristics"]["quilt"][0]))
        return quick + int(counts[side].astype(int) @ table), quick

    tight = listed(SearchConfig(), 8)
    for slot, patch in enumerate(position.choices()):
        of_patch = [code for code in tight if piece_of(position.move_of_code(code)) == patch.code]
        best = sorted(of_patch, key=cost)[:3]
        windowed = listed(SearchConfig(shortlist=8), 3)
        found = [code for code in windowed if piece_of(position.move_of_code(code)) == patch.code]
        assert [cost(code)[0] for code in found] == [cost(code)[0] for code in best]
        # The cost of the quilt alone would have chosen others.
        assert slot > 0 or found != of_patch[:3]


def test_the_seats_do_not_matter() -> None:
    one, two = seen(QUILT), seen(SWAPPED)
    np.testing.assert_array_equal(one[0]["row"], two[0]["row"])
    for first, second in zip(one[1:], two[1:], strict=True):
        np.testing.assert_array_equal(first, second)


def test_features_are_about_one_and_patches_are_shown_in_their_order() -> None:
    features, _, _ = seen(QUILT)
    assert len(features["row"]) == FEATURE_COUNT
    assert np.abs(features["row"]).max() < 4
    patches = features["patches"]
    edition = Position.parse(QUILT).edition
    shown = ("5i", "4e", "6e", "6c", "6j", "5c", "6h", "6b")
    np.testing.assert_allclose(patches["price"] * 10, [edition.patches[code].buttons for code in shown], rtol=1e-6)
    np.testing.assert_allclose(patches["cells"] * 8, [int(code[0]) for code in shown], rtol=1e-6)
    few = seen("patchwork 1 9/7/- 12/3/- - 5i4e")[0]["patches"]
    assert few["price"][:2].all()
    assert not any(few[name][2:].any() for name in PatchFeatures.__annotations__)


def test_the_end_of_a_quick_game_is_seen() -> None:
    """Without patches both can only advance to space 53, and are paid for every space."""
    end = seen("patchwork 1 40/3/- 50/60/- - -")[0]["end"]
    mine, theirs = 3 + 13 - 2 * 81, 60 + 3 - 2 * 81
    assert end["lead"] == pytest.approx((mine - theirs) / 40)
    assert (end["lead_in_8"], end["lead_in_20"], end["wins"]) == (-1, -1, 0)
    assert end["score"] == pytest.approx(mine / 40)
    assert end["score_of_opponent"] == pytest.approx(theirs / 40)
    assert end["empty_spaces"] == end["empty_spaces_of_opponent"] == pytest.approx(81 / 20)
    assert (end["income"], end["income_of_opponent"], end["has_tile"], end["opponent_has_tile"]) == (0, 0, 0, 0)


def test_a_position_always_looks_the_same_even_if_chance_will_deal() -> None:
    start = Position.initial("stack-and-stuff", deal=4)
    assert start.reserve
    looks = [seen(start.text)[0]["row"] for _ in range(3)]
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
    with pytest.raises(QuiltworkError, match="features of version 99"):
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
    inputs = rng.integers(-MAX_SHORT, MAX_SHORT, size=rows).astype(np.int16)
    # Pairs that are zero, and pairs of which one is.
    inputs[rows // 2 :: 3] = 0
    weights = np.zeros(1, np.dtype([("weights", np.int8, (width, rows))]))
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
def _cached(positions: Any, edition: Any, cache: Any, patch: int, found: Any) -> None:
    for i in range(len(positions)):
        for player in range(2):
            found[i, player] = places(cached_quilt(cache[0], positions[i], player), edition[0], patch)


def test_what_is_cached_of_a_quilt_is_what_would_be_found_again() -> None:
    # More quilts than the cache holds, each met twice.
    rng = np.random.default_rng(3)
    start = Position.initial("patchwork", deal=3)
    edition, patch = start.edition.compiled, 7
    positions = np.repeat(start.record, 2 * QUILTS)
    positions["free"] &= rng.integers(0, 2**64, size=(2 * QUILTS, 2, 2), dtype=np.uint64)
    positions["free"] |= rng.integers(0, 2**64, size=(2 * QUILTS, 2, 2), dtype=np.uint64) & start.record["free"]
    cache = np.zeros(1, QUILT_CACHE)
    seen, again, afresh = (np.zeros((2 * QUILTS, 2), np.int64) for _ in range(3))
    _cached(positions, edition, cache, patch, seen)
    _cached(positions, edition, cache, patch, again)
    for i in range(len(positions)):
        empty = np.zeros(1, QUILT_CACHE)
        _cached(positions[i : i + 1], edition, empty, patch, afresh[i : i + 1])
    np.testing.assert_array_equal(seen, afresh)
    np.testing.assert_array_equal(again, afresh)
    assert len(np.unique(afresh)) > 20
    assert fits_in(positions[0], edition[0], patch) == afresh[0, 0]


@compiled
def _listed_again(positions: Any, context: Any, limit: int, candidates: Any, codes: Any) -> None:
    for i in range(len(positions)):
        heuristic_logits(positions[i], context[0], candidates[0])
        list_candidates(positions[i], context[0], limit, candidates[0])
        for j in range(candidates[0].count):
            codes[i, j] = candidates[0].code[j]


@pytest.mark.parametrize("shortlist", [1, 8, 100])
def test_placements_that_are_cached_are_those_that_would_be_found_again(shortlist: int) -> None:
    position = Position.initial("express", deal=4)
    positions = []
    for _ in range(12):
        positions.append(position.record)
        moves = position.legal_moves()
        position = position.play(moves[len(moves) // 2])
    context = SearchConfig(shortlist=shortlist).context(position.edition)
    candidates = np.zeros(1, CANDIDATES)
    # More are wanted, then fewer; nothing is cleared in between.
    for limit in (1, 3, 4, 2):
        codes = np.full((len(positions), 64), -1)
        _listed_again(np.concatenate(positions), context, limit, candidates, codes)
        for i, record in enumerate(positions):
            fresh, _ = candidates_of(record, context, limit)
            np.testing.assert_array_equal(codes[i, : len(fresh)], fresh)
            assert (codes[i, len(fresh) :] == -1).all()


def fits_in(position: Any, edition: Any, patch: int) -> int:
    """The places of a patch on the first player's quilt, one shape after the other."""
    shapes = range(int(edition["first_shape"][patch]), int(edition["first_shape"][patch + 1]))
    found = [fits(edition, shape, int(edition["patch_cells"][patch]), *position["free"][0]) for shape in shapes]
    return sum(int(low).bit_count() + int(high).bit_count() for low, high in found)
