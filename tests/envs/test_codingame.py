"""The protocol of the public bot arena: turns and commands both ways, our agents there, its bots here."""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path

import pytest

from envs.walk import positions_of_random_games
from quiltwork import Phase, Player, Position, QuiltworkError, load_edition
from quiltwork.agents import Analysis, Limits, RankedMove, agent_of
from quiltwork.cli import codingame
from quiltwork.programs.codingame.bot import CodinGameBot, moves_between
from quiltwork.programs.codingame.player import Seen, edition_of, play
from quiltwork.programs.codingame.protocol import (
    ArenaError,
    check_edition,
    command_of,
    move_of,
    patch_line,
    read_marks,
    read_turn,
    reader_of,
    start_lines,
    turn_lines,
)
from quiltwork.programs.program import AgentFault

EXAMPLE = Path(__file__).parents[2] / "examples" / "codingame_bot.py"
EDITION = load_edition("patchwork-2014")
START = "patchwork-2014 1 0/5/- 0/5/- - 5c3c4a2a"
SPECIAL = "patchwork-2014 2s 0/5/- 26/7/5c@a1,s@d1 - 4a2a"


def stream(lines: list[str]) -> io.StringIO:
    return io.StringIO("".join(f"{line}\n" for line in lines))


# What the arena says


def test_the_start_tells_the_marks_of_the_2014_time_board() -> None:
    assert start_lines(EDITION) == ["9", "5 11 17 23 29 35 41 47 53", "5", "20 26 32 44 50"]


def test_a_turn_is_told_from_the_movers_view() -> None:
    position = Position.parse("patchwork-2014 2 7/5/5c@h7r1 3/9/4a@a1,2a@b3 - 3c4b")
    assert turn_lines(position, ["SKIP", "PLAY 11 7 6 0 1"]) == [
        *("9 3 1", "OOOO.....", ".........", ".OO......", *["........."] * 6),
        *("5 7 0", *["........."] * 6, ".......OO", ".......OO", "........O"),
        *("2", "31 0 3 1 O.|OO", "26 2 6 5 OO|OO"),
        *("0", "2", "SKIP", "PLAY 11 7 6 0 1"),
    ]


def test_every_patch_has_its_id_and_its_drawing_there() -> None:
    """Some patches are drawn in another orientation there than here."""
    assert [patch_line(EDITION, code) for code in ("4d", "6j", "7b", "6b", "4g", "3b", "3c", "2a")] == [
        "0 3 7 6 OO.|.OO",
        "5 3 8 6 OO.|.OO|.OO",
        "20 0 2 3 O.O|OOO|O.O",
        "28 2 7 4 .OO.|OOOO",
        "29 2 4 6 ..O|OOO",
        "30 0 1 3 OO|.O",
        "31 0 3 1 O.|OO",
        "32 0 2 1 OO",
    ]


# Commands


@pytest.mark.parametrize(
    ("text", "move", "command"),
    [
        (START, "+1", "SKIP"),
        (START, "5c@d4", "PLAY 11 3 3 0 0"),
        (START, "5c@b3r1", "PLAY 11 1 2 0 1"),
        (START, "5c@b3fr2", "PLAY 11 1 2 1 2"),
        (START, "3c@a2r3", "PLAY 31 0 1 0 0"),
        (START, "4a@i1r1", "PLAY 9 8 0 0 1"),
        (SPECIAL, "s@e9", "PLAY -26 4 8 0 0"),
    ],
)
def test_a_move_and_its_command(text: str, move: str, command: str) -> None:
    position = Position.parse(text)
    assert command_of(position, position.move(move)) == command
    assert str(move_of(position, command)) == move
    assert str(move_of(position, f"{command} good luck 7")) == move


@pytest.mark.parametrize(
    ("text", "command", "move"),
    [
        (START, "PLAY 9 8 0 0 0", "+1"),
        (START, "PLAY 32 0 0 0 0", "+1"),
        (START, "PLAY 77 0 0 0 0", "+1"),
        (START, "PLAY 11 -1 0 0 0", "+1"),
        (START, "PLAY 11 3 3", "5c@d4"),
        (START, "PLAY 11 3 3 0 5", "5c@d4r1"),
        (SPECIAL, "SKIP", "s@e1"),
        (SPECIAL, "PLAY -26 0 0 0 0", "s@e1"),
        (SPECIAL, "PLAY -20 8 8 0 0", "s@e1"),
    ],
)
def test_a_wrong_play_counts_as_skip(text: str, command: str, move: str) -> None:
    position = Position.parse(text)
    assert str(move_of(position, command)) == move


@pytest.mark.parametrize("command", ["", "play 1 2 3 0 0", "PLAY", "PLAY one 2 3", "RESIGN"])
def test_an_unknown_command_is_an_error(command: str) -> None:
    with pytest.raises(ArenaError, match="expected"):
        move_of(Position.parse(START), command)


def test_every_legal_move_survives_the_way_to_the_arena_and_back() -> None:
    for position in positions_of_random_games("patchwork-2014", games=3):
        for move in position.legal_moves():
            assert move_of(position, command_of(position, move)) == move


# Reading turns


def test_what_the_arena_says_gives_the_position_back() -> None:
    """Up to what it leaves out: who sits where, and which patch lies where."""
    tiles = 0
    seen = {Player.ONE: Seen(), Player.TWO: Seen()}
    for position in positions_of_random_games("patchwork-2014", games=6):
        if max(state.space for state in position.players) == 0:
            seen = {Player.ONE: Seen(), Player.TWO: Seen()}
        mover = position.turn
        assert mover is not None
        turn = read_turn(reader_of(stream(turn_lines(position, ["SKIP"]))), EDITION)
        read = seen[mover].position_of(turn, EDITION, io.StringIO())
        assert turn.opponent_moves == ("SKIP",)
        assert (read.phase, read.turn, read.circle) == (position.phase, Player.ONE, position.circle)
        assert read.setup.pending == position.setup.pending
        assert [str(move) for move in read.legal_moves()] == [str(move) for move in position.legal_moves()]
        assert read.score(Player.ONE) == position.score(mover)
        assert read.score(Player.TWO) == position.score(mover.opponent)
        tiles += position.tile is not None
        if mover is Player.ONE:
            assert read.key == position.key
    assert tiles == 0


def test_who_filled_the_square_first_has_the_tile() -> None:
    full = ["OOOOOOO.."] * 7 + ["........."] * 2
    empty = ["........."] * 9

    def turn(mine: list[str], theirs: list[str]) -> list[str]:
        return ["5 30 0", *mine, "5 40 0", *theirs, "1", "32 0 2 1 OO", "0", "0"]

    seen = Seen()
    owners = []
    for mine, theirs in ((empty, empty), (empty, full), (full, full)):
        position = seen.position_of(
            read_turn(reader_of(stream(turn(mine, theirs))), EDITION), EDITION, io.StringIO()
        )
        owners.append(position.tile)
    assert owners == [None, Player.TWO, Player.TWO]
    both = Seen().position_of(read_turn(reader_of(stream(turn(full, full))), EDITION), EDITION, io.StringIO())
    assert both.tile is Player.ONE


def test_the_first_leagues_have_no_marks() -> None:
    income, special = read_marks(reader_of(stream(["0", "", "0", ""])))
    edition = edition_of(income, special)
    assert (edition.income_spaces, edition.special_patch_spaces) == ((), ())
    assert edition_of(EDITION.income_spaces, EDITION.special_patch_spaces) is EDITION


@pytest.mark.parametrize(
    ("line", "wrong", "sentence"),
    [
        (0, "5 0", "expected my buttons, time and income as 3 whole numbers, found '5 0'"),
        (3, "....x....", r"expected a row of nine O and \. for my quilt, found '....x....'"),
        (20, "many", "expected the number of patches as 1 whole number, found 'many'"),
        (21, "99 0 2 2 OOO|OO.", "patch 99: expected an id from 0 to 32"),
        (21, "11 0 9 2 OOO|OO.", r"patch 11: expected '11 0 2 2 OOO\|OO\.', found '11 0 9 2 OOO\|OO\.'"),
    ],
)
def test_a_turn_that_cannot_be_read_says_what_was_expected(line: int, wrong: str, sentence: str) -> None:
    lines = turn_lines(Position.parse(START), [])
    lines[line] = wrong
    with pytest.raises(ArenaError, match=sentence):
        read_turn(reader_of(stream(lines)), EDITION)


# Our agents as bots of the arena


class LastMove:
    """An agent that plays the last legal move."""

    name = "last"

    def think(self, position: Position, limits: Limits | None = None, watch: object = None) -> Analysis:
        assert position.turn is not None
        move = position.legal_moves()[-1]
        return Analysis(position.turn, (RankedMove(move, 0, 0.5, 0.0, (move,)),), 0)

    def close(self) -> None: ...


def test_an_agent_answers_each_turn_with_a_command() -> None:
    first, second = Position.parse(START), Position.parse(SPECIAL)
    lines = [*start_lines(EDITION), *turn_lines(first, []), *turn_lines(second, ["SKIP"])]
    answers, notes = io.StringIO(), io.StringIO()
    assert play(LastMove(), Limits(), stream(lines), answers, notes) == 2
    assert answers.getvalue().splitlines() == [
        command_of(first, first.legal_moves()[-1]),
        "PLAY -26 8 8 0 0",
    ]
    assert notes.getvalue() == "quiltwork: the arena understood our last move in another way than we meant it\n"


@pytest.mark.parametrize(
    ("options", "seconds"),
    [([], 0.06), (["--turn-ms", "50"], 0.01), (["--turn-ms", "1000", "--simulations", "5"], 0.96)],
)
def test_the_agent_is_given_40_ms_less_than_the_arena_gives(
    monkeypatch: pytest.MonkeyPatch, options: list[str], seconds: float
) -> None:
    given: list[Limits | None] = []

    class Watched(LastMove):
        def think(self, position: Position, limits: Limits | None = None, watch: object = None) -> Analysis:
            given.append(limits)
            return super().think(position, limits, watch)

    turns = [*turn_lines(Position.parse(START), []), *turn_lines(Position.parse(SPECIAL), [])]
    monkeypatch.setattr(codingame, "agent_of", lambda spec: Watched())
    monkeypatch.setattr(sys, "stdin", stream([*start_lines(EDITION), *turns]))
    parser = argparse.ArgumentParser()
    codingame.add_arguments(parser)
    assert codingame.run(parser.parse_args(options)) == 0
    assert [limits and limits.seconds for limits in given] == [pytest.approx(seconds)] * 4


def test_turns_that_nobody_asked_are_answered_before_the_first_line_is_read() -> None:
    """At the start and near the end, since an agent may do something else there for the first time."""

    class Unread(io.StringIO):
        def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
            order.append("read")
            return ""

    class Watched(LastMove):
        def think(self, position: Position, limits: Limits | None = None, watch: object = None) -> Analysis:
            order.append(str(max(state.space for state in position.players)))
            return super().think(position, limits, watch)

    order: list[str] = []
    assert play(Watched(), Limits(), Unread(), io.StringIO()) == 0
    assert order == ["0", "48", "read"]


# Bots of the arena as agents


def test_moves_between_two_positions_are_found() -> None:
    before = Position.parse("patchwork-2014 2 19/5/- 0/9/- - 3c4a2a4b5b")
    mover = before.play(before.move("4a@a1r1"))
    after = mover.play(mover.move("2a@b1"))
    after = after.play(after.move("+"))
    assert after.phase is Phase.SPECIAL
    after = after.play(after.move("s@i9"))
    assert moves_between(before, after, Player.TWO) == (
        "PLAY 9 0 0 0 1",
        "PLAY 32 1 0 0 0",
        "SKIP",
        "PLAY -20 8 8 0 0",
    )
    assert moves_between(after, after, Player.TWO) == ()
    assert moves_between(after, before, Player.TWO) is None


def game(agents: dict[Player, CodinGameBot], deal: int) -> Position:
    position = Position.initial("patchwork-2014", deal=deal)
    while position.turn is not None:
        position = position.play(agents[position.turn].think(position, Limits()).best.move)
    return position


def test_the_example_bot_plays_whole_games_against_itself() -> None:
    bots = {player: agent_of(f"codingame:{sys.executable} {EXAMPLE}") for player in Player}
    try:
        for deal in (0, 1):
            over = game(bots, deal)  # type: ignore[arg-type]
            assert over.outcome() is not None
            assert all(state.space == 53 for state in over.players)
            assert all(state.placements for state in over.players)
    finally:
        for bot in bots.values():
            bot.close()


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("print('HELLO')", "garbage: expected SKIP or PLAY, found 'HELLO'"),
        ("raise SystemExit(3)", "crash: it ended with exit code 3"),
    ],
)
def test_a_bot_that_fails_is_named_with_its_fault(tmp_path: Path, program: str, sentence: str) -> None:
    path = tmp_path / "bot.py"
    path.write_text(program)
    bot = CodinGameBot(f"{sys.executable} {path}")
    with pytest.raises(AgentFault, match=sentence):
        bot.think(Position.parse(START))
    bot.close()


@pytest.mark.parametrize("edition", ["patchwork", "patchwork-2014", "halloween"])
def test_editions_with_the_same_patches_are_played(edition: str) -> None:
    check_edition(load_edition(edition))


def test_editions_that_the_protocol_cannot_express_are_refused() -> None:
    bot = CodinGameBot("true")
    with pytest.raises(QuiltworkError, match="edition express: the CodinGame protocol has a 9x9 board"):
        bot.think(Position.initial("express", deal=1))
    with pytest.raises(QuiltworkError, match="expected a program after the colon"):
        CodinGameBot(" ")
