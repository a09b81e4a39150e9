"""How quickly the full-screen game starts, and how long a key press takes to be drawn.

    python bench/terminal.py [--starts N] [--keys N]

The program runs on a pseudo-terminal, with a warm cache and on one core. A start is measured from the command to
the first table, a key from the press to the last byte of the drawing.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

RIGHT, DOWN, UP, LEFT = b"\x1b[C", b"\x1b[B", b"\x1b[A", b"\x1b[D"
KEYS = [RIGHT, DOWN, b"r", b"f", b"n", b"2", LEFT, UP, b"3", b"1"]
WANTED_START, WANTED_KEY = 1.5, 0.050
QUIET = 0.15
"""seconds without a byte after which a drawing is complete"""


class Terminal:
    """A game of two people on a pseudo-terminal of its own."""

    def __init__(self, columns: int, lines: int) -> None:
        self.leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.began = time.perf_counter()
        command = [sys.executable, "-m", "quiltwork", "terminal", "--deal", "3", "--new"]
        self.process = subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower)
        os.close(follower)

    def drawn(self, wait: float = 30.0) -> tuple[float, bytes]:
        """When the last byte of the next drawing came, and the drawing."""
        seen, last, wait_now = b"", time.perf_counter(), wait
        while select.select([self.leader], [], [], wait_now)[0]:
            seen += os.read(self.leader, 65536)
            last, wait_now = time.perf_counter(), QUIET
        return last, seen

    def start(self) -> float:
        """Seconds until the table was there."""
        seen = b""
        while b"Advance" not in seen:
            last, more = self.drawn()
            if not more:
                raise SystemExit("the table did not appear within 30 s")
            seen += more
        return last - self.began

    def press(self, key: bytes) -> float | None:
        """Seconds until a key was drawn; None where it changes nothing, which draws nothing."""
        pressed = time.perf_counter()
        os.write(self.leader, key)
        last, drawing = self.drawn(wait=0.5)
        return last - pressed if drawing else None

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
        os.close(self.leader)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--keys", type=int, default=100)
    options = parser.parse_args()
    os.environ["TERM"] = "xterm-256color"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        os.environ["QUILTWORK_DATA_DIR"] = folder
        starts = []
        for _ in range(options.starts + 1):
            game = Terminal(80, 24)
            starts.append(game.start())
            game.close()
        print(f"start: {statistics.median(starts[1:]):.2f} s (wanted {WANTED_START})")
        for size in ((80, 24), (140, 45)):
            game = Terminal(*size)
            game.start()
            pressed = (game.press(KEYS[number % len(KEYS)]) for number in range(options.keys))
            found = sorted(seconds for seconds in pressed if seconds is not None)
            game.close()
            late = found[int(0.95 * len(found))]
            print(
                f"key press at {size[0]}x{size[1]}: {1000 * statistics.median(found):.1f} ms, 95 % within "
                f"{1000 * late:.1f} ms (wanted {1000 * WANTED_KEY:.0f})"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
