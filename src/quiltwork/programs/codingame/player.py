"""Our agents as a bot of the arena: reads turns, writes commands."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from typing import TextIO

from quiltwork.agents.agent import Agent, Limits
from quiltwork.editions import Edition, load_edition
from quiltwork.errors import QuiltworkError
from quiltwork.geometry import Cell
from quiltwork.move import Move, Player, cells_of
from quiltwork.position import Position
from quiltwork.programs.codingame.protocol import (
    EDITION,
    SIDE,
    Turn,
    command_of,
    read_marks,
    read_turn,
    reader_of,
    turn_lines,
)
from quiltwork.rules import entry, layout

ME, OPPONENT = 0, 1
NEAR_THE_END = f"{EDITION} 1 46/9/2a@a1 48/9/3a@a1 - 4a4c5a6a"
"""near enough for the exact search"""


def play(agent: Agent, limits: Limits, lines: TextIO, answers: TextIO, notes: TextIO = sys.stderr) -> int:
    """Plays one game until the input ends; returns the number of turns. Raises ArenaError for a wrong input."""
    rehearse(agent, limits)
    read = reader_of(lines)
    turns = 0
    try:
        edition = edition_of(*read_marks(read))
        seen = Seen()
        while True:
            turn = read_turn(read, edition)
            answers.write(_command(agent, limits, seen.position_of(turn, edition, notes), seen, notes) + "\n")
            answers.flush()
            turns += 1
    except EOFError:
        return turns


def rehearse(agent: Agent, limits: Limits) -> None:
    """Answers two turns of its own, so that all is loaded and compiled before the first clock runs."""
    for position in (Position.initial(EDITION, deal=0), Position.parse(NEAR_THE_END)):
        turn = read_turn(reader_of(io.StringIO("\n".join(turn_lines(position, ())))), position.edition)
        seen = Seen()
        _command(agent, limits, seen.position_of(turn, position.edition, io.StringIO()), seen, io.StringIO())


def _command(agent: Agent, limits: Limits, position: Position, seen: Seen, notes: TextIO) -> str:
    try:
        move = agent.think(position, limits).best.move
    except QuiltworkError as error:
        print(f"quiltwork: {agent.name} gave no move ({error}); SKIP", file=notes)
        return "SKIP"
    seen.expect(position, move)
    return command_of(position, move)


def edition_of(income: tuple[int, ...], special: tuple[int, ...]) -> Edition:
    """The edition of the arena, with the marks that it announces: its first leagues have none."""
    edition = load_edition(EDITION)
    if (income, special) == (edition.income_spaces, edition.special_patch_spaces):
        return edition
    return replace(edition, income_spaces=income, special_patch_spaces=special)


class Seen:
    """What a turn of the arena leaves out: who has the special tile, and how our last move was understood."""

    def __init__(self) -> None:
        self._tile = layout.NOBODY
        self._expected: tuple[str, ...] | None = None

    def position_of(self, turn: Turn, edition: Edition, notes: TextIO) -> Position:
        """The position of a turn, with us as player 1; which patch lies where is unknown, and not needed."""
        if self._expected is not None and self._expected != turn.mine.rows:
            print("quiltwork: the arena understood our last move in another way than we meant it", file=notes)
        record = Position.initial(edition, circle=turn.circle).record.copy()
        for seat, side in enumerate((turn.mine, turn.theirs)):
            free = sum(
                1 << r * SIDE + c for r, row in enumerate(side.rows) for c, mark in enumerate(row) if mark == "."
            )
            record["free"][0, seat] = free & 0xFFFF_FFFF_FFFF_FFFF, free >> 64
            record["space"][0, seat], record["buttons"][0, seat] = side.time, side.buttons
            record["income"][0, seat] = side.income
        record["turn"] = ME
        record["first"] = _first(turn, edition)
        if turn.special != 0:
            foremost = max(turn.mine.time, turn.theirs.time)
            pending = sum(-turn.special <= space <= foremost for space in edition.special_patch_spaces)
            record["phase"], record["pending"] = layout.SPECIAL, max(1, pending)
        if self._tile == layout.NOBODY:
            # Our quilt has changed only by our own moves, which came before the opponent's.
            for seat in (ME, OPPONENT):
                if self._tile == layout.NOBODY and entry.has_full_square(record, edition.compiled, seat):
                    self._tile = seat
        record["tile"] = self._tile
        record.flags.writeable = False
        return Position(edition, record)

    def expect(self, position: Position, move: Move) -> None:
        """Remembers what our quilt should look like in our next turn."""
        covered = position.player(Player.ONE).covered.union(cells_of(move, position.edition))
        self._expected = tuple(
            "".join("O" if Cell(r, c) in covered else "." for c in range(SIDE)) for r in range(SIDE)
        )


def _first(turn: Turn, edition: Edition) -> int:
    """Who reached the last space first, as far as it has happened."""
    last = edition.last_space
    if turn.theirs.time == last:
        return OPPONENT
    return ME if turn.mine.time == last else layout.NOBODY
