"""Puzzles: positions with one clearly best decision, and a tempting one that is worse.

puzzle     what a puzzle is, and its line in a file
collection the puzzles shipped, by id, by rating and by date
answer     whether an answer is right, and why not
rating     how well somebody solves them
making/    how they are found and verified
"""

from quiltwork.puzzles.answer import Answer, Verdict, judge
from quiltwork.puzzles.collection import daily, load_puzzles, next_puzzle, puzzle_by_id
from quiltwork.puzzles.puzzle import Kind, Puzzle
from quiltwork.puzzles.rating import Progress

__all__ = [
    "Answer",
    "Kind",
    "Progress",
    "Puzzle",
    "Verdict",
    "daily",
    "judge",
    "load_puzzles",
    "next_puzzle",
    "puzzle_by_id",
]
