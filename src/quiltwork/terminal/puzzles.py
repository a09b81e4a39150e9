"""Puzzles in the terminal: the position, the question, and what is said of answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from quiltwork.analysis.review.reasons import Reason
from quiltwork.errors import QuiltworkError
from quiltwork.puzzles import Kind, Progress, Puzzle, Verdict, judge
from quiltwork.puzzles.puzzle import IMPOSSIBLE
from quiltwork.render.text import position_text
from quiltwork.terminal.storage import kept_file
from quiltwork.themes import Theme

__all__ = ["Desk", "Puzzle", "keep_progress", "kept_progress"]

HELP = "Answer with a move such as 5c@d4r1 or +; or: hint, show, give up, quit."
_HINTS = {
    "tile": "Look at the special tile.",
    "special": "A special patch lies ahead.",
    "gives_special": "Who takes the next special patch?",
    "income": "Count the income until the end.",
    "holes": "Which empty spaces can still be covered?",
    "again": "Who moves next?",
    "taken": "What would the other player like to take?",
    "short": "Which patch comes next, and what does it cost?",
    "covers": "Count the spaces covered.",
    "time": "Count the time.",
    "in_a_row": "How often will the other player move in a row?",
    "opens": "What does your move let the other player reach?",
    "buttons": "What will you have left to pay with?",
    "split": "Keep the empty spaces together.",
    "square": "Look at the square of the special tile.",
    "room": "What will still fit on your quilt?",
}


class Desk:
    """One puzzle, asked until it is solved or given up."""

    def __init__(
        self,
        puzzle: Puzzle,
        theme: Theme,
        *,
        ask: Callable[[str], str],
        tell: Callable[[str], None],
        width: int = 96,
        colour: bool = False,
    ) -> None:
        self.puzzle = puzzle
        self.position = puzzle.position
        self.theme = theme
        self.ask = ask
        self.tell = tell
        self.width = width
        self.colour = colour
        self.moves: list[str] = []

    def run(self) -> bool | None:
        """Asks for the answer; whether the first one was right, None if the player leaves."""
        self.show()
        self.tell(HELP)
        while True:
            try:
                given = self.ask("answer> ").strip().lower()
            except (EOFError, KeyboardInterrupt):
                self.tell("")
                return None
            match given:
                case "":
                    continue
                case "quit" | "exit" | "q":
                    return None
                case "show":
                    self.show()
                case "help" | "?":
                    self.tell(HELP)
                case "hint":
                    self.tell(_HINTS.get(next(iter(self.puzzle.themes), ""), "Count what each move brings."))
                case "give up":
                    self.solution()
                    return False
                case _:
                    try:
                        verdict = self.answer(given)
                    except QuiltworkError as error:
                        self.tell(str(error))
                        continue
                    if verdict in (Verdict.SOLVED, Verdict.WRONG):
                        return verdict is Verdict.SOLVED

    def goes_on(self) -> bool:
        """Whether the player wants another puzzle."""
        try:
            return self.ask("Another? [Enter = yes, n = no] ").strip().lower() not in ("n", "no", "q", "quit")
        except (EOFError, KeyboardInterrupt):
            return False

    def answer(self, given: str) -> Verdict:
        finishing = self.puzzle.kind is Kind.FINISH and given != IMPOSSIBLE
        moves = [*self.moves, given] if finishing else [given]
        found = judge(self.puzzle, moves)
        reason = f": {self._said(found.reason)}" if found.reason else "."
        match found.verdict:
            case Verdict.SOLVED:
                self.tell("Right!")
            case Verdict.GO_ON:
                self.moves = moves
                self.position = self.position.play(self.position.move(given))
                self.show()
                self.tell("Right so far.")
            case Verdict.GOOD:
                self.tell(f"Good, but there is better; try again{reason}")
            case Verdict.WRONG:
                self.tell(f"No{reason}")
        if found.verdict in (Verdict.SOLVED, Verdict.WRONG):
            self.solution()
        return found.verdict

    def solution(self) -> None:
        """Shows the solution, and what the tempting answer would have cost."""
        puzzle = self.puzzle
        if IMPOSSIBLE in puzzle.best:
            self.tell("It cannot be finished with these patches.")
            return
        self.tell(f"Solution: {' '.join(map(str, puzzle.line))}")
        if puzzle.tempting:
            cost = "loses the game" if puzzle.kind is Kind.ENDGAME else f"loses {100 * puzzle.loss:.0f} %"
            why = puzzle.reason_against(puzzle.tempting[0])
            self.tell(f"{puzzle.tempting[0]} {cost}{f': {self._said(why)}' if why else ''}")

    def _said(self, reason: Reason) -> str:
        return reason.sentence(self.position.edition)

    def show(self) -> None:
        """Draws the position and asks the question."""
        self.tell(position_text(self.position.setup, self.theme, self.colour, self.width))
        self.tell(f"\nPuzzle {self.puzzle.id} ({self.puzzle.rating}). {question(self.puzzle)}")


def question(puzzle: Puzzle) -> str:
    """What is asked, in a sentence."""
    who = f"Player {int(puzzle.player)}"
    match puzzle.kind:
        case Kind.CHOOSE:
            return f"{who} to move: which patch do you take, or do you advance? Where you lay it does not matter."
        case Kind.PLACE:
            return f"{who} takes {puzzle.take}: where do you lay it?"
        case Kind.ENDGAME:
            return f"{who} to move and win."
        case Kind.FINISH:
            return f"Fill your quilt with patches of the circle, one move after another, or say `{IMPOSSIBLE}`."


def progress_file() -> Path:
    """Where rating and streak are kept."""
    return kept_file().with_name("puzzles.json")


def kept_progress() -> Progress:
    """The progress kept; a new one where there is none, or none that can be read."""
    try:
        data = json.loads(progress_file().read_text(encoding="utf-8"))
        return Progress(**{**data, "seen": tuple(data["seen"])})
    except (OSError, ValueError, TypeError, KeyError):
        return Progress()


def keep_progress(progress: Progress) -> None:
    """Keeps the progress; raises QuiltworkError if it cannot be written."""
    path = progress_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(progress)), encoding="utf-8")
    except OSError as error:
        raise QuiltworkError(f"{path}: {error.strerror or 'cannot be written'}") from None
