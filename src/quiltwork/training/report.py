"""The log of a run as a table and as plots: `python -m quiltwork.training.report LOG [FOLDER]`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

WIDTH, HEIGHT, MARGIN = 640, 240, 40
CURVES = ("points", "empty", "advances", "first_wins", "games_per_second")


def read_log(path: Path) -> list[dict[str, Any]]:
    """The lines of a log."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]


def table(log: list[dict[str, Any]]) -> str:
    """What was measured, a line each."""
    rows = ["minutes  games     promoted  against the best so far          against the rival"]
    for line in log:
        if line["event"] == "measured":
            best, rival = _share(line["best"]), _share(line["rival"])
            kept = "yes" if line["promoted"] else "no"
            rows.append(f"{line['minutes']:7.1f}  {line['games']:8d}  {kept:8s}  {best:31s}  {rival}")
    return "\n".join(rows)


def _share(tally: dict[str, float] | None) -> str:
    if tally is None:
        return "-"
    share, low, high = (100 * tally[name] for name in ("share", "low", "high"))
    return f"{share:.1f} % ({low:.1f} to {high:.1f}) of {tally['games']:.0f}"


def curve(log: list[dict[str, Any]], field: str) -> str:
    """A number of the progress lines (`score`, `empty` ...) over the seconds of the run, as SVG."""
    points = [
        (float(line["seconds"]), float(line[field]))
        for line in log
        if line["event"] == "progress" and line.get(field) is not None
    ]
    if not points:
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"/>'
    left, right = points[0][0], max(points[-1][0], points[0][0] + 1)
    low, high = min(y for _, y in points), max(y for _, y in points)
    high = max(high, low + 1e-9)

    def place(x: float, y: float) -> str:
        across = MARGIN + (WIDTH - 2 * MARGIN) * (x - left) / (right - left)
        down = HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (y - low) / (high - low)
        return f"{across:.1f},{down:.1f}"

    line = " ".join(place(x, y) for x, y in points)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<polyline points="{line}" fill="none" stroke="#8a4b2a" stroke-width="2"/>'
        f'<text x="{MARGIN}" y="20">{field}: {low:g} to {high:g}, seconds {left:g} to {right:g}</text></svg>'
    )


def main(arguments: list[str]) -> int:
    """Prints the table of a log; with a folder, draws its curves there."""
    if not 1 <= len(arguments) <= 2:
        print("usage: python -m quiltwork.training.report LOG [FOLDER]", file=sys.stderr)
        return 2
    try:
        log = read_log(Path(arguments[0]))
        print(table(log))
        for field in CURVES if len(arguments) == 2 else ():
            (Path(arguments[1]) / f"{field}.svg").write_text(curve(log, field), "utf-8")
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    except ValueError as error:
        print(f"{arguments[0]}: not the log of a run ({error})", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
