"""Games and their records."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from quiltwork import Game, NotationError, Player, Position, QuiltworkError, available_editions

DATA = Path(__file__).parent / "data"
HEAD = '[Edition "express"]\n[Circle "4b5k5j5e5c5b5i4a4c5a5f5g5h5d3a"]\n'


@pytest.mark.parametrize("name", available_editions())
def test_the_example_records_replay(name: str) -> None:
    text = (DATA / f"{name}.quilt").read_text()
    game = Game.parse(text)
    assert game.end.position.turn is None
    # The writer wraps at 100 columns, the examples do not: word for word they are the same.
    assert game.text.split() == text.split()
    assert max(map(len, game.text.splitlines())) <= 100


@pytest.mark.parametrize("name", available_editions())
def test_a_random_game_comes_back_from_its_record(name: str) -> None:
    rng = random.Random(8)
    game = Game.new(name, deal=8)
    while game.position.turn is not None:
        moves = game.position.legal_moves()
        game.play(rng.choice(moves) if moves else game.position.deal(rng))
        if rng.random() < 0.2:
            game.node.comment = "hm [%clk 4:59] [%eval 0.83 +7.5]"
        if rng.random() < 0.2:
            game.node.suffix = rng.choice(["!", "??", "!?"])
        if rng.random() < 0.1 and game.node.parent:
            other = rng.choice(game.node.parent.position.legal_moves() or (game.node.move,))
            assert other is not None
            branch = game.node.parent.add(other)
            following = branch.position.legal_moves()
            if following and branch is not game.node:
                branch.add(following[0])
    game.tags["Player1"] = 'Ada "the needle" \\ Lovelace'
    again = Game.parse(game.text)
    assert again.text == game.text
    assert again.position == game.position
    assert again.tags["Player1"] == game.tags["Player1"]


def test_many_games_in_a_file() -> None:
    text = "\n".join((DATA / f"{name}.quilt").read_text() for name in available_editions())
    assert [game.edition.id for game in Game.parse_many(text)] == list(available_editions())


def test_a_record_without_moves_and_one_after_it() -> None:
    games = list(Game.parse_many(f"{HEAD}\n\n{HEAD}\n1: 5k@b1\n"))
    assert [len(game.moves) for game in games] == [0, 1]


def test_comments_variations_and_marks() -> None:
    text = (
        f"{HEAD}\n{{before}} 1: 5k@b1! {{[%clk 4:59] good}} (1: +1 {{lazy}} 2: +2) ; to the end\n2: 5j@f4r3 ?!\n"
    )
    game = Game.parse(text)
    first = game.root.children[0]
    assert (game.root.comment, first.suffix, first.clock) == ("before", "!", "4:59")
    assert first.comment == "[%clk 4:59] good to the end"
    assert [str(child.move) for child in game.root.children] == ["5k@b1", "+1"]
    assert [str(node.move) for node in game.root.children[1].main_line()] == ["+2"]
    assert first.children[0].suffix == "?!"
    assert Game.parse(game.text).text == game.text


def test_an_evaluation_is_read() -> None:
    game = Game.parse(f"{HEAD}\n1: 5k@b1 {{[%eval 0.83 +7.5]}} 2: +2 {{[%eval 0.4]}}")
    assert [node.evaluation for node in game.root.main_line()] == [(0.83, 7.5), (0.4, None)]


def test_a_game_from_a_position() -> None:
    text = "patchwork 2 29/7/- 28/5/2a@a1 - 5i6j6h"
    game = Game.parse(f'[Edition "patchwork"]\n[Position "{text}"]\n\n2: +2')
    assert game.start.text == text
    assert f'[Position "{text}"]' in game.text


@pytest.mark.parametrize(
    ("circle", "written"),
    [
        ("5c3a2a", '[Position "patchwork 1 0/5/- 0/5/- - 5c3a2a"]'),
        ("2a5c3a", '[Position "patchwork 1 0/5/- 0/5/- - 2a5c3a"]'),
    ],
)
def test_a_circle_tells_what_lay_on_the_table_whatever_the_box_says(circle: str, written: str) -> None:
    game = Game.parse(f'[Edition "patchwork"]\n[Circle "{circle}"]\n\n1: 5c@d4')
    assert "".join(patch.code for patch in game.start.circle) == circle
    assert written in game.text
    assert Game.parse(game.text).text == game.text


def test_a_resigned_game_need_not_agree_with_its_moves() -> None:
    game = Game.parse(f'{HEAD}[Winner "2"]\n[Termination "resign"]\n\n1: 5k@b1')
    assert '[Winner "2"]' in game.text
    assert Game.parse(game.text).text == game.text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "record, line 1, column 1: there is no game: a record begins with its tags"),
        ("1: +1", 'record, line 1, column 1: the tag [Edition "..."] is missing'),
        ('[Edition "express"]', 'record, line 1, column 1: the tag [Circle "..."] (or [Position "..."]) is missing'),
        ('[Edition "chess"]\n[Circle "2a"]', "record, line 2, column 1: edition 'chess': unknown"),
        (f"{HEAD}\n1: 5k@b1\n1: 5j@f4", "record, line 5, column 1: 1: but it is player 2's turn"),
        (f"{HEAD}\n1: 5k@b1 2: 5k@a1", "record, line 4, column 13: illegal move 5k@a1: 5k is not among the choices"),
        (f"{HEAD}\n1: 5k@b1 2: 5q@a1", "record, line 4, column 13: express has no patch 5q"),
        (f"{HEAD}\n1: 5k@b1 2: 5j@z1", "record, line 4, column 16: expected a cell after '@', found 'z1'"),
        (f"{HEAD}\n1: 5k@b1 {{no end", "record, line 4, column 10: a comment that does not end"),
        (f"{HEAD}\n1: 5k@b1 (1: +1", "record, line 4, column 10: a variation that does not end"),
        (f"{HEAD}\n1: 5k@b1 )", "record, line 4, column 10: ')' without '('"),
        (f"{HEAD}\n(1: +1)", "record, line 4, column 1: a variation without a move"),
        (f"{HEAD}\n1: 5k@b1 2:", "record, line 4, column 10: 2: without a move"),
        (f"{HEAD}\n1: 5k@b1 !!!", "record, line 4, column 10: unexpected '!!!'"),
        (f'{HEAD}[Score "1:2"]\n\n1: 5k@b1', "record, line 3, column 1: Score says 1:2, the moves give -85:-93"),
        (f'{HEAD}[Winner "1"]\n\n1: 5k@b1', "record, line 3, column 1: Winner says player 1, the moves give an unfinished game"),
        (f'{HEAD}[Winner "x"]\n', "record, line 3, column 1: Winner should be 1, 2 or *, is 'x'"),
        (f"{HEAD}[Edition]\n", "record, line 3, column 1: expected a tag such as"),
        (f'{HEAD}[Circle "2a"]\n', "record, line 3, column 1: the tag Circle is there twice"),
        (f"{HEAD}\n1: +1\n{HEAD}", "record: expected one game, found more"),
    ],
)  # fmt: skip
def test_errors_have_line_column_and_reason(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        Game.parse(text)
    assert str(caught.value).startswith(message)


def test_wrong_results_of_finished_games_are_errors() -> None:
    text = (DATA / "patchwork.quilt").read_text()
    for right, wrong in (
        ('[Winner "1"]', '[Winner "2"]'),
        ('[Winner "1"]', '[Winner "*"]'),
        ("-14:-19", "-14:-18"),
    ):
        with pytest.raises(NotationError, match="the moves give"):
            Game.parse(text.replace(right, wrong))


def test_undo_redo_and_branches() -> None:
    game = Game.new("express", deal=1)
    start = game.position
    game.play("+")
    after = game.position
    assert str(game.undo()) == "+1"
    assert game.position == start
    assert game.undo() is None
    assert str(game.redo()) == "+1"
    assert game.position == after
    assert game.redo() is None
    game.undo()
    other = start.legal_moves()[1]
    game.play(other)
    assert [str(child.move) for child in game.root.children] == ["+1", str(other)]
    game.node.promote()
    assert game.end is game.node
    game.undo()
    game.truncate()
    assert game.root.children == []


def test_a_comment_cannot_break_the_record() -> None:
    game = Game.new("express", deal=1)
    game.play("+")
    with pytest.raises(QuiltworkError, match="cannot contain"):
        game.node.comment = "a } b"
    game.node.comment = "two\nlines ( [ ;"
    assert Game.parse(game.text).end.comment == "two lines ( [ ;"


def test_new_games_differ_by_deal_only() -> None:
    one, two = Game.new("patchwork", deal=1), Game.new("patchwork", deal=2)
    assert one.start != two.start
    assert one.start == Position.initial("patchwork", deal=1)
    assert one.start.turn is Player.ONE


def test_the_tags_of_a_finished_game_tell_who_won() -> None:
    game = Game(Position.parse("patchwork 1 52/1/- 53!/0/- - 2a"))
    assert "Winner" not in game.tags
    game.play("+1")
    assert (game.tags["Winner"], game.tags["Score"]) == ("1", "-160:-162")
    game.undo()
    assert game.tags["Winner"] == "1"  # the main line still ends
    game.truncate()
    assert "Winner" not in game.tags


def test_a_resigned_game_keeps_its_winner() -> None:
    game = Game.new(deal=1)
    game.tags.update(Termination="resign", Winner="2")
    assert Game.parse(game.text).tags["Winner"] == "2"


def test_a_record_that_could_not_be_read_again_is_not_written() -> None:
    game = Game.new("express", deal=3)
    game.play("+1")
    with pytest.raises(QuiltworkError, match=r"followed by one of ! . !! .. !. .!, not 'bad'"):
        game.node.suffix = "bad"
    game.node.suffix = "!?"
    game.tags["Player1"] = 'Ada "A"\n[x]'
    again = Game.parse(game.text)
    assert (again.tags["Player1"], again.end.suffix) == ('Ada "A" [x]', "!?")
    game.tags["Played at"] = "home"
    with pytest.raises(QuiltworkError, match="the tag 'Played at' cannot be written"):
        _ = game.text
