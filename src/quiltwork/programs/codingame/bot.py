"""A bot of the arena as one of our agents; we are its referee."""

from __future__ import annotations

import time

from quiltwork.agents.agent import Analysis, Limits, RankedMove, Watch, mover_of
from quiltwork.errors import QuiltworkError
from quiltwork.move import Advance, LayPatch, Move, PlaceSpecialPatch, Player, TakePatch
from quiltwork.position import Position
from quiltwork.programs.codingame.protocol import (
    TURN_SECONDS,
    ArenaError,
    check_edition,
    command_of,
    move_of,
    start_lines,
    turn_lines,
)
from quiltwork.programs.external import GRACE_SECONDS, START_SECONDS
from quiltwork.programs.program import AgentFault, Fault, Program, Stderr, words_of


class CodinGameBot:
    """`codingame:PROGRAM`: a program written for the arena; a new process for each game, as there."""

    def __init__(self, command: str) -> None:
        self.command = command.strip()
        self.name = f"codingame:{self.command}"
        self._words = words_of("codingame", self.command)
        self._program: Program | None = None
        self._stderr = Stderr()
        self._left: Position | None = None
        """the position that our last move led to"""

    @property
    def stderr(self) -> str:
        """The end of what the program wrote to its stderr, also after it was closed."""
        return self._stderr.text

    def start(self) -> None:
        """Starts the program to see whether it can be; raises CannotStart."""
        program = Program(self.command, self._words, self._stderr)
        program.settle()
        program.end()

    def think(self, position: Position, limits: Limits | None = None, watch: Watch | None = None) -> Analysis:
        turn = mover_of(position)
        if limits is not None and limits.only:
            raise QuiltworkError(f"agent {self.name}: it cannot be restricted to some moves")
        check_edition(position.edition)
        between = None if self._left is None else moves_between(self._left, position, turn.opponent)
        lines = turn_lines(position, between or ())
        patience = GRACE_SECONDS
        if between is None:
            # Another game: bots of the arena know no other end than that of their process.
            self.close()
            self._program = Program(self.command, self._words, self._stderr)
            lines = start_lines(position.edition) + lines
            patience = START_SECONDS
        patience += TURN_SECONDS if limits is None or limits.seconds is None else limits.seconds
        assert self._program is not None
        try:
            self._program.write("\n".join(lines))
            answer = self._program.read(time.monotonic() + patience)
            assert answer is not None
            move = move_of(position, answer.decode("utf-8", "replace"))
        except ArenaError as error:
            fault = self._program.fault(Fault.GARBAGE, str(error))
            self.close()
            raise fault from None
        except AgentFault:
            self.close()
            raise
        self._left = position.play(move)
        return Analysis(turn, (RankedMove(move, 0, 0.5, 0.0, (move,)),), 0)

    def close(self) -> None:
        if self._program is not None:
            self._program.end()
            self._program = None
        self._left = None


def moves_between(before: Position, after: Position, opponent: Player) -> tuple[str, ...] | None:
    """The commands by which the opponent came from one position to another; None if it cannot have."""
    laid = set(after.player(opponent).placements)

    def search(position: Position, commands: tuple[str, ...]) -> tuple[str, ...] | None:
        if position.text == after.text:
            return commands
        if position.turn is not opponent:
            return None
        for move in position.legal_moves():
            if isinstance(move, Advance) or _as_laid(move) in laid:
                found = search(position.play(move), (*commands, command_of(position, move)))
                if found is not None:
                    return found
        return None

    return search(before, ()) if before.edition is after.edition else None


def _as_laid(move: Move) -> LayPatch | PlaceSpecialPatch | None:
    match move:
        case TakePatch(patch, placement) if placement is not None:
            return LayPatch(patch, placement)
        case PlaceSpecialPatch():
            return move
        case _:
            return None
