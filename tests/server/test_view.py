"""What the page is told is true: it lists the legal moves, all of them, and says what each will do."""

from __future__ import annotations

import json
from itertools import product
from random import Random
from typing import Any

import pytest

from quiltwork import Phase, Player, Position, Replenish, TakePatch, available_editions, load_edition
from quiltwork.events import ReceivedIncome, TookSpecialPatch
from quiltwork.geometry import ORIENTATION_OF_NAME, Cell
from quiltwork.server.answers import Refusal
from quiltwork.server.edition_view import edition_view
from quiltwork.server.places import places_of
from quiltwork.server.view import options, snapshot
from quiltwork.telling import why_turn

EDITIONS = available_editions()
GAMES = 3


def positions(edition: str, games: int = GAMES, every: bool = False) -> list[Position]:
    """The positions of random games in which a player is to move, or every position."""
    found = []
    chance = Random(f"{edition} views")
    for number in range(games):
        position = Position.initial(edition, deal=number)
        while position.outcome() is None:
            if position.phase is Phase.DEAL:
                found += [position] * every
                position = position.play(position.deal(chance))
                continue
            found.append(position)
            moves = position.legal_moves()
            # Advance now and then: random play would nearly always take a patch.
            position = position.play(moves[0] if chance.random() < 0.3 else chance.choice(moves))
        found += [position] * every
    return found


def moves_of(told: dict[str, Any], columns: int) -> set[str]:
    """The moves that an answer of `options` lists, as texts."""

    def cell(index: int) -> Cell:
        return Cell(*divmod(index, columns))

    moves = set()
    if told["advance"]:
        moves.add(told["advance"]["move"])
    for code, option in told["patches"].items():
        if option.get("take"):
            moves.add(code)
        moves |= {f"{code}@{cell(i)}{form}" for form, places in option.get("places", {}).items() for i in places}
    if told["special"]:
        moves |= {f"s@{cell(i)}" for i in told["special"]["places"][""]}
        if told["special"]["remove"]:
            moves.add("s@-")
    return moves


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_lies_on_the_table_is_what_the_position_says(edition: str) -> None:
    for position in positions(edition, every=True):
        told = snapshot(position)
        assert told["position"] == position.text
        assert told["turn"] == (None if position.turn is None else int(position.turn))
        assert told["phase"] == position.phase.name.lower()
        assert told["why"] == why_turn(position)
        assert told["tile"] == (None if position.tile is None else int(position.tile))
        assert told["circle"] == [patch.code for patch in position.circle]
        assert told["reserve"] == [patch.code for patch in position.reserve]
        assert told["held"] == (position.held.code if position.held else None)
        assert told["pending"] == position.pending
        assert [choice["code"] for choice in told["choices"]] == [
            patch.code for patch in position.choices() if position.turn
        ]
        assert {choice["code"] for choice in told["choices"] if choice["legal"]} == {
            move.patch for move in position.legal_moves() if isinstance(move, TakePatch)
        }
        for player, side in zip(Player, told["players"], strict=True):
            state, score = position.player(player), position.score(player)
            assert (side["space"], side["buttons"], side["income"]) == (state.space, score.buttons, state.income)
            assert side["empty"] == score.empty_spaces
            assert side["quilt"] == [
                laid for laid in position.text.split()[1 + player].split("/")[2].split(",") if laid != "-"
            ]
            assert side["score"] == {
                "buttons": score.buttons,
                "empty_spaces": score.empty_points,
                "tile": score.tile,
                "total": score.total,
            }
            assert side["square"] == nearest_square(position, player)


def nearest_square(position: Position, player: Player) -> list[int] | None:
    """The first of the squares that fewest cells are missing from, if those are few."""
    edition, covered = position.edition, position.player(player).covered
    tile = edition.special_tile
    if tile is None or position.tile is not None:
        return None
    missing = {
        corner: sum(
            (corner[0] + row, corner[1] + column) not in covered
            for row, column in product(range(tile.square), repeat=2)
        )
        for corner in product(range(edition.rows - tile.square + 1), range(edition.columns - tile.square + 1))
    }
    best = min(missing, key=missing.__getitem__)
    return list(best) if missing[best] <= 12 else None


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_options_are_the_legal_moves(edition: str) -> None:
    columns = load_edition(edition).columns
    for position in positions(edition):
        assert moves_of(options(position), columns) == {str(move) for move in position.legal_moves()}


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_preview_is_what_then_happens(edition: str) -> None:
    chance = Random(edition)
    for before in positions(edition):
        told = options(before)
        for move in chance.sample(before.legal_moves(), min(6, len(before.legal_moves()))):
            said = _preview_told(told, before, str(move))
            after, story = before.play(move), list(before.explain(move))
            if after.phase is Phase.DEAL:
                after = after.play(after.deal(chance))
                lay = chance.choice(after.legal_moves())
                after, story = after.play(lay), story + list(after.explain(lay))
            mover = before.turn
            assert mover is not None
            income = sum(event.buttons for event in story if isinstance(event, ReceivedIncome))
            assert said["income"] == income
            assert said["specials"] == sum(isinstance(event, TookSpecialPatch) for event in story)
            assert said["buttons"] == after.player(mover).buttons
            assert said["space"] == after.player(mover).space
            assert said["score"] == after.score(mover).total
            assert said["next"] == (None if after.turn is None else int(after.turn))
            assert said["ends"] == (after.outcome() is not None)
            codes = [patch.code for patch in after.choices()] if after.turn else []
            assert [choice["code"] for choice in said["choices"]] == codes


def _preview_told(told: dict[str, Any], position: Position, text: str) -> dict[str, Any]:
    """The preview that the page shows for a move."""
    if text.startswith("+"):
        return told["advance"]["preview"]  # type: ignore[no-any-return]
    if text == "s@-":
        return told["special"]["remove"]  # type: ignore[no-any-return]
    code, _, place = text.partition("@")
    option = told["special"] if code == "s" else told["patches"][code]
    if not place:
        return option["preview"]  # type: ignore[no-any-return]
    name = place.lstrip("abcdefghijklmnop").lstrip("0123456789")
    column, row = ord(place[0]) - ord("a"), int(place[1 : len(place) - len(name)]) - 1
    index = row * position.edition.columns + column
    wins = index in option["tile"].get(name, [])
    return option["tile_preview"] if wins else option["preview"]  # type: ignore[no-any-return]


def test_the_places_that_win_the_special_tile_are_listed() -> None:
    # Of the square a1 to g7 only f7 and g7 are empty.
    quilt = "3a@c1,3b@a1,3c@f1,4a@b6,4b@a3,4c@b2,4d@c4,4e@f2r1,4f@a5,4g@d2r1,5a@a7,5c@f4r3"
    option = options(Position.parse(f"patchwork 1 40/9/{quilt} 41/5/- - 2a5b5d"))["patches"]["2a"]
    assert option["tile"] == {"": [6 * 9 + 5]}
    assert option["tile_preview"]["score"] - option["preview"]["score"] == 7
    assert (option["tile_preview"]["tile"], option["preview"]["tile"]) == (7, 0)


@pytest.mark.parametrize("edition", ["express", "stack-and-stuff"])
def test_the_order_of_the_reserve_is_nowhere_before_it_is_dealt(edition: str) -> None:
    for position in positions(edition):
        if not position.reserve:
            continue
        view = snapshot(position)
        assert view["reserve"] == sorted(view["reserve"])
        told = json.dumps([options(position), view["circle"], view["choices"]])
        assert not any(f'"{patch.code}"' in told for patch in position.reserve)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_form_of_every_patch_is_told_with_its_turns(edition: str) -> None:
    loaded = load_edition(edition)
    view = edition_view(loaded, edition)
    for code, patch in loaded.patches.items():
        told = view["patches"][code]
        assert list(told["forms"]) == [str(orientation) for orientation in patch.orientations]
        for name, form in told["forms"].items():
            assert form["cells"] == [list(cell) for cell in patch.oriented(ORIENTATION_OF_NAME[name])]
            assert told["forms"][form["rotate"]]["back"] == name
            assert told["forms"][form["flip"]]["flip"] == name
            turned = sorted([cell[1], form["rows"] - 1 - cell[0]] for cell in form["cells"])
            assert sorted(told["forms"][form["rotate"]]["cells"]) == turned
            mirrored = sorted([cell[0], form["columns"] - 1 - cell[1]] for cell in form["cells"])
            assert sorted(told["forms"][form["flip"]]["cells"]) == mirrored


def test_the_preview_of_a_landing_on_the_opponent_says_that_one_goes_again() -> None:
    position = Position.parse("patchwork 1 2/5/- 4/5/- - 3a3b3c2a")
    told = options(position)["patches"]["3a"]["preview"]
    assert (told["next"], told["next_why"], told["space"]) == (1, "top", 4)


def test_a_patch_that_is_too_dear_says_how_much_is_missing() -> None:
    position = Position.parse("patchwork 1 2/1/- 4/5/- - 3a3b3c2a")
    assert snapshot(position)["choices"] == [
        {"code": "3a", "missing": 1, "fits": True, "legal": False},
        {"code": "3b", "missing": 0, "fits": True, "legal": True},
        {"code": "3c", "missing": 2, "fits": True, "legal": False},
    ]


def test_dealing_shows_the_new_order() -> None:
    position = Position.parse("express 1=3a 5/5/- 9/5/- - 4a4b4c5a5b+2a2b2c3b3c3d4d4e")
    after = position.play(Replenish(("4e", "4d", "3d", "3c", "3b", "2c", "2b", "2a")))
    assert snapshot(after)["circle"][-8:] == ["4e", "4d", "3d", "3c", "3b", "2c", "2b", "2a"]
    assert after.player(Player.ONE).space == 5


def test_what_lies_ahead_is_counted_in_spaces() -> None:
    position = Position.parse("patchwork 1 3/5/- 10/5/- - 5c4a2a")
    first, second = snapshot(position)["players"]
    assert first["ahead"] == {"income": 2, "special": 23, "other": 8}
    assert second["ahead"] == {"income": 1, "special": 16, "other": None}


def test_places_of_any_patch_are_those_on_free_spaces() -> None:
    position = Position.parse("patchwork 1 3/5/5c@d4 10/5/- - 4a2a")
    assert sum(map(len, places_of(position, Player.TWO, "2a")["places"].values())) == 144
    found = places_of(position, Player.ONE, "2a")["places"]
    assert 3 * 9 + 3 not in found[""]
    assert 3 * 9 + 6 in found[""]
    with pytest.raises(Refusal, match="has no patch zz"):
        places_of(position, Player.ONE, "zz")
