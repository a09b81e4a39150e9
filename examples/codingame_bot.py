"""A bot for the public CodinGame arena in 40 lines: the first patch that fits, else SKIP.

quiltwork match "codingame:python examples/codingame_bot.py" greedy --edition patchwork-2014 --games 10
"""

from __future__ import annotations

import sys


def orientations(shape: list[str]) -> list[tuple[int, int, list[str]]]:
    """Flip, turns and rows of all eight ways to lay a shape."""
    ways = []
    for flip in (0, 1):
        rows = [row[::-1] for row in shape] if flip else shape
        for turns in range(4):
            ways.append((flip, turns, rows))
            rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
    return ways


def fits(quilt: list[str], rows: list[str], x: int, y: int) -> bool:
    if x + len(rows[0]) > 9 or y + len(rows) > 9:
        return False
    return not any(
        mark == "O" and quilt[y + r][x + c] == "O" for r, row in enumerate(rows) for c, mark in enumerate(row)
    )


def command(quilt: list[str], choices: list[tuple[str, list[str]]]) -> str:
    for number, shape in choices:
        for y in range(9):
            for x in range(9):
                for flip, turns, rows in orientations(shape):
                    if fits(quilt, rows, x, y):
                        return f"PLAY {number} {x} {y} {flip} {turns} hello"
    return "SKIP"


for _ in range(4):
    input()
for line in sys.stdin:
    buttons = int(line.split()[0])
    quilt = [input() for _ in range(9)]
    for _ in range(10):
        input()
    patches = [input().split() for _ in range(int(input()))]
    special = input()
    for _ in range(int(input())):
        input()
    if special != "0":
        print(command(quilt, [(special, ["O"])]), flush=True)
    else:
        choices = [(p[0], p[4].split("|")) for p in patches[:3] if int(p[2]) <= buttons]
        print(command(quilt, choices), flush=True)
