"""The library's positions: reasons, events, scores, values."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quiltwork import (
    Advance,
    Cell,
    Game,
    IllegalMove,
    LayPatch,
    Move,
    NotationError,
    Orientation,
    Phase,
    Placement,
    PlaceSpecialPatch,
    Player,
    Position,
    QuiltworkError,
    Reason,
    Replenish,
    TakePatch,
    available_editions,
    available_themes,
    load_edition,
)
from quiltwork.editions import EDITIONS_FOLDER
from quiltwork.events import Gains, gains
from quiltwork.render.tally import tally

START = "patchwork 1 0/5/- 0/5/- - 5i4e5d6e6c6j5c6h6b4c5f6i5h5a3c5g6g3b3a8a5b4f6a4d6d6f7b4a4g4b5e7a2a"
SPECIAL = "patchwork 1s 27/0/2a@a1 20/0/- - 3a4a"
BEFORE_RESERVE = "express 1 4/9/5k@a1 9/2/- - 4b5e5c5b5i4a+2a2b2c3b3c3d4d4e"
TO_DEAL = "express 1=5e 4/7/5k@a1 9/2/- - 5c5b5i4a4b+2a2b2c3b3c3d4d4e"
TO_LAY = "express 1@5e 4/7/5k@a1 9/2/- - 5c5b5i4a4b4d4e3c2b2a2c3b3d"
OVER = "patchwork - 53!/9/- 53/3/- - 2a"


def reason(text: str, move: str) -> Reason:
    with pytest.raises(IllegalMove) as caught:
        Position.parse(text).move(move)
    return caught.value.reason


@pytest.mark.parametrize(
    ("text", "move", "expected"),
    [
        (START, "s@a1", Reason.PHASE),
        (START, "+2", Reason.CHOICE),
        (START, "6e@a1", Reason.CHOICE),
        (START.replace("0/5/-", "0/4/-", 1), "5i@i9", Reason.COST),
        (START, "5i@i9", Reason.BOARD),
        (START.replace("0/5/-", "0/5/s@a1", 1), "5i@a1", Reason.OVERLAP),
        (SPECIAL, "+", Reason.PHASE),
        (SPECIAL, "3a@c1", Reason.PHASE),
        (SPECIAL, "s@a1", Reason.OVERLAP),
        (SPECIAL, "s@-", Reason.CHOICE),
        (BEFORE_RESERVE, "5e@a3", Reason.PHASE),
        (BEFORE_RESERVE, "5b", Reason.CHOICE),
        (BEFORE_RESERVE, "=2a2b2c3b3c3d4d4e", Reason.PHASE),
        (TO_DEAL, "+", Reason.PHASE),
        (TO_DEAL, "=2a2b2c3b3c3d4d", Reason.CHOICE),
        (TO_DEAL, "=2a2a2b2c3b3c3d4d", Reason.CHOICE),
        (TO_LAY, "+", Reason.PHASE),
        (TO_LAY, "5c@a3", Reason.CHOICE),
        (TO_LAY, "5e@a1", Reason.OVERLAP),
        (TO_LAY, "5e@g7", Reason.BOARD),
        (OVER, "+", Reason.PHASE),
        (OVER, "2a@a1", Reason.PHASE),
    ],
)
def test_the_first_reason_in_the_order_of_the_rules(text: str, move: str, expected: Reason) -> None:
    assert reason(text, move) is expected


def test_an_error_says_what_where_and_which_rule() -> None:
    with pytest.raises(IllegalMove, match=r"^5c@g7r1: 5c costs 2 buttons, player 2 has 1$"):
        Position.parse("patchwork 2 9/0/- 4/1/- - 5c2a").move("5c@g7r1")


@pytest.mark.parametrize("name", available_editions())
def test_play_and_why_illegal_agree_on_every_kind_of_move(name: str) -> None:
    rng = random.Random(name)
    position = Position.initial(name, deal=5)
    while position.turn is not None:
        patches = [*position.choices(), *([position.held] if position.held else [])]
        where = Placement(Cell(rng.randrange(7), rng.randrange(7)), Orientation(rng.randrange(8)))
        tries: list[Move] = [
            Advance(rng.randrange(4)),
            PlaceSpecialPatch(where.cell),
            PlaceSpecialPatch(None),
            Replenish(("2a", "2b")),
            *(TakePatch(patch.code, where) for patch in patches),
            *(TakePatch(patch.code) for patch in patches),
            *(LayPatch(patch.code, where) for patch in patches),
        ]
        legal = set(position.legal_moves())
        for move in tries:
            illegality = position.why_illegal(move)
            if illegality is None:
                assert position.play(move).text
            else:
                assert move not in legal
                with pytest.raises(IllegalMove):
                    position.play(move)
        position = position.play(rng.choice(sorted(legal, key=str)) if legal else position.deal(rng))


@pytest.mark.parametrize("name", available_editions())
def test_codes_and_moves_are_the_same(name: str) -> None:
    rng = random.Random(3)
    position = Position.initial(name, deal=11)
    while position.turn is not None:
        moves = position.legal_moves()
        codes = [position.code(move) for move in moves]
        assert [position.move_of_code(code) for code in codes if code is not None] == list(moves)
        assert codes == sorted(set(codes), key=lambda code: code or 0)
        chosen = rng.choice(moves) if moves else position.deal(rng)
        after = position.play(chosen)
        code = position.code(chosen)
        assert code is None or position.after_code(code) == after
        position = after


def test_the_codes_are_those_of_the_notation() -> None:
    position = Position.parse(START)
    assert position.code(position.move("+")) == 0
    # slot 1, orientation r1, row 3, column 3 (d4)
    assert position.code(position.move("4e@d4r1")) == 1 + (1 * 8 + 1) * 81 + 3 * 9 + 3
    special = Position.parse(SPECIAL)
    assert special.code(special.move("s@i9")) == 1 + 3 * 8 * 81 + 80
    waiting = Position.parse(BEFORE_RESERVE)
    assert waiting.code(waiting.move("5e")) == 1 + 3 * 8 * 49 + 49 + 1 + 1
    with pytest.raises(IllegalMove):
        position.move_of_code(2027)
    with pytest.raises(IllegalMove):
        position.after_code(2027)


def events(text: str, move: str) -> list[str]:
    position = Position.parse(text)
    return [str(event) for event in position.explain(position.move(move))]


def test_a_take_is_told_step_by_step() -> None:
    assert events("patchwork 1 4/5/- 9/0/- - 4f2a", "4f@a1") == [
        "player 1 pays 4 for 4f",
        "player 1 lays 4f on a1 b1 c1 a2",
        "player 1 moves from space 4 to 6",
        "player 1 receives 1 income at space 5",
        "player 1 moves again",
    ]


def test_an_advance_over_two_marks_tells_each() -> None:
    assert events("patchwork 1 4/0/4f@a1 11/0/- - 2a", "+") == [
        "player 1 receives 8 for advancing",
        "player 1 moves from space 4 to 12",
        "player 1 receives 1 income at space 5",
        "player 1 receives 1 income at space 11",
        "player 2 moves next",
    ]


def test_a_special_patch_is_told_when_taken_and_when_placed() -> None:
    text = "patchwork 1 25/0/- 25/0/- - 2a"
    assert events(text, "+")[2:] == ["player 1 takes the special patch of space 26"]
    assert events("patchwork 1s 26/1/- 25/0/- - 2a", "s@e5") == ["player 1 lays s on e5", "player 2 moves next"]


def test_the_reserve_is_told() -> None:
    assert events(BEFORE_RESERVE, "5e") == [
        "player 1 pays 2 for 5e",
        "the 8 patches of the reserve enter the circle",
    ]
    assert events(TO_DEAL, "=4d4e3c2b2a2c3b3d") == ["the reserve is dealt: 4d 4e 3c 2b 2a 2c 3b 3d"]


def test_the_end_is_told_with_the_winner() -> None:
    assert events("patchwork 2 53!/9/- 52/8/- - 2a", "+") == [
        "player 2 receives 1 for advancing",
        "player 2 moves from space 52 to 53",
        "player 2 receives 0 income at space 53",
        "player 2 reaches the last space",
        "the game ends -153:-153, player 1 wins, the first on the last space",
    ]


def test_the_score_has_its_parts() -> None:
    rows = ",".join(f"s@{column}{row}" for row in range(1, 8) for column in "abcdefg")
    score = Position.parse(f"patchwork 2 9/12/{rows} 4/0/- 1 2a").score(Player.ONE)
    assert (score.buttons, score.empty_spaces, score.empty_points, score.tile, score.total) == (
        12,
        32,
        -64,
        7,
        -45,
    )


def test_a_position_is_a_value() -> None:
    position = Position.parse(TO_LAY)
    assert eval(repr(position)) == position
    assert pickle.loads(pickle.dumps(position)) == position
    assert hash(position) == hash(Position.parse(TO_LAY))
    assert position != Position.parse(START)
    assert (position.phase, position.turn) == (Phase.LAY, Player.ONE)
    assert position.held is not None
    assert position.held.code == "5e"
    before = position.text
    position.play(position.legal_moves()[0])
    assert position.text == before
    with pytest.raises(ValueError, match="read-only"):
        position.record["turn"] = 1


def test_positions_that_play_alike_have_one_key() -> None:
    # The same cells covered with the same income, by other patches.
    left = Position.parse("patchwork 1 0/5/2a@a1,3a@c1 0/5/- - 4a4b")
    right = Position.parse("patchwork 1 0/5/2a@d1,3a@a1 0/5/- - 4a4b")
    assert left.key == right.key
    assert left.key != Position.parse("patchwork 1 0/5/2a@a1,3a@c1 0/5/- - 4b4a").key
    assert left.key != Position.parse("patchwork 1 0/6/2a@a1,3a@c1 0/5/- - 4a4b").key


def test_the_key_does_not_depend_on_the_way() -> None:
    position = Position.initial("express", deal=2)
    rng = random.Random(4)
    while position.turn is not None:
        assert position.key == Position.parse(position.text).key
        moves = position.legal_moves()
        position = position.play(rng.choice(moves) if moves else position.deal(rng))


def test_dealing_when_there_is_nothing_to_deal() -> None:
    with pytest.raises(IllegalMove, match="no reserve is to be dealt now"):
        Position.parse(START).deal(random.Random(1))


@pytest.mark.parametrize("name", available_editions())
def test_the_score_in_pictures_is_the_score_of_the_rules(name: str) -> None:
    rng = random.Random(6)
    position = Position.initial(name, deal=6)
    while position.turn is not None:
        for player, state in zip(Player, position.players, strict=True):
            shown = tally(position.setup, player)
            assert (shown.score, shown.empty, shown.income) == (
                position.score(player).total,
                state.empty_spaces,
                state.income,
            )
        moves = position.legal_moves()
        position = position.play(rng.choice(moves) if moves else position.deal(rng))


@pytest.mark.parametrize("theme", available_themes())
def test_a_theme_cannot_change_play(theme: str, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    text = (EDITIONS_FOLDER / "express.toml").read_text()
    own.write_text(text.replace('theme = "express"', f'theme = "{theme}"'))
    games = []
    for edition in (load_edition("express"), load_edition(own)):
        rng = random.Random(7)
        position = Position.initial(edition, deal=7)
        while position.turn is not None:
            moves = position.legal_moves()
            position = position.play(rng.choice(moves) if moves else position.deal(rng))
        games.append(position.text.split(" ", 1)[1])
    assert games[0] == games[1]


@pytest.mark.parametrize("name", available_editions())
def test_a_position_draws_itself(name: str) -> None:
    position = Position.initial(name, deal=1)
    assert position.edition.title in str(position)
    assert position._repr_svg_().startswith("<svg")


def test_gains_are_what_a_move_brings_beyond_its_price() -> None:
    # 4g costs 4 and brings 2; player 2 passes the special patch of space 26 and the income mark of space 29.
    position = Position.parse("patchwork 2 25/5/- 24/9/- - 4g5c6j")
    assert gains(position.explain(position.move("4g@a1"))) == Gains(income=2, specials=1, tile=False)


@pytest.mark.parametrize("text", ["6a@b2", " 6A@b2 "])
def test_a_move_is_played_and_explained_by_its_text(text: str) -> None:
    position = Position.initial(deal=7)
    move = position.move("6a@b2")
    assert position.play(text) == position.play(move)
    assert position.explain(text) == position.explain(move)
    assert position.why_illegal(text) is None


@pytest.mark.parametrize("wrong", [None, 5, b"6a@b2", ("6a", "b2")])
def test_what_is_no_move_is_refused_by_its_type(wrong: Any) -> None:
    position = Position.initial(deal=7)
    for use in (position.play, position.explain, position.why_illegal, Game(position).play):
        with pytest.raises(TypeError, match=f"expected a move, or its text, found {type(wrong).__name__}"):
            use(wrong)


def test_deal_numbers_are_whole_and_not_negative() -> None:
    assert Position.initial(deal=np.int64(5)) == Position.initial(deal=5)
    with pytest.raises(QuiltworkError, match="deal: expected a whole number of at least 0, found -1"):
        Position.initial(deal=-1)
    with pytest.raises(TypeError, match=r"deal: expected a whole number, found 1\.5"):
        Position.initial(deal=1.5)  # type: ignore[arg-type]
    for number in (True, False, np.True_):
        for begin in (Position.initial, Game.new):
            with pytest.raises(TypeError, match=rf"deal: expected a whole number, found .*{bool(number)}"):
                begin(deal=number)  # type: ignore[arg-type]


@pytest.mark.parametrize("cell", [Cell(9, 0), Cell(0, 9), Cell(30, -4), Cell(-1, 8), Cell(8, -9)])
def test_a_place_beyond_the_board_is_not_that_of_another_cell(cell: Cell) -> None:
    turn, special = Position.parse("patchwork 1 0/5/- 0/5/- - 5c4a3a2a"), Position.parse(SPECIAL)
    for position, move in ((turn, TakePatch("5c", Placement(cell))), (special, PlaceSpecialPatch(cell))):
        illegality = position.why_illegal(move)
        assert illegality is not None
        assert illegality.reason is Reason.BOARD
        assert position.code(move) is None
        with pytest.raises(IllegalMove, match=r"off the board|not a space of the quilt board"):
            position.play(move)


def test_beyond_the_board_the_first_reason_is_still_the_first() -> None:
    turn = Position.parse("patchwork 1 0/0/- 0/5/- - 5c4a3a2a")
    beyond = Placement(Cell(0, 40))
    for patch, reason in (("2a", Reason.CHOICE), ("5c", Reason.COST)):
        illegality = turn.why_illegal(TakePatch(patch, beyond))
        assert illegality is not None
        assert illegality.reason is reason


@pytest.mark.parametrize("number", [0, 3, -1, "1", None])
def test_there_are_the_players_1_and_2(number: Any) -> None:
    position = Position.parse(START)
    for ask in (position.player, position.score):
        with pytest.raises(QuiltworkError, match=f"player must be 1 or 2, not {number!r}"):
            ask(number)
    assert position.player(2) == position.player(Player.TWO)


def test_a_position_is_read_from_a_text() -> None:
    with pytest.raises(TypeError, match="expected the text of a position, found NoneType"):
        Position.parse(None)  # type: ignore[arg-type]


def test_a_text_names_its_move_in_every_position_and_edition() -> None:
    held = Position.parse("express 1@4b 4/9/5k@a1 9/2/- - 5e5c5b5i4a2a2b2c3b3c3d4d4e")
    free = Position.parse("express 1 4/9/5k@a1 9/2/- - 4b5e5c5b5i4a5d+2a2b2c3b3c3d4d4e")
    for _ in range(2):
        assert isinstance(held.read("4b@a2"), LayPatch)
        assert isinstance(free.read("4b@a2"), TakePatch)
        assert free.read("+") == Advance(6)
        for position in (held, free):
            with pytest.raises(NotationError, match="the board ends at g7"):
                position.read("4b@i9")
    assert Position.parse(START).read("4b@i9") == TakePatch("4b", Placement(Cell(8, 8)))
