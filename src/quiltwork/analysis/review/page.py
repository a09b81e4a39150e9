"""Reviews as one self-contained HTML page: a curve, the costliest moments with pictures, and every move."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from quiltwork import Move, Player, load_theme
from quiltwork.analysis.review.decisions import Review, Turn
from quiltwork.analysis.review.report import course
from quiltwork.render.svg import quilt_svg

_WIDTH, _HEIGHT = 900, 220

_STYLE = """
:root {
  color-scheme: light dark;
  --ink: #2d2a26; --paper: #faf6ee; --line: #8a8170; --bad: #a8321f; --one: #4d6b3c;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #efe9dc; --paper: #23211e; --line: #9c937f; --bad: #f08a74; --one: #a9c98f; }
}
body {
  background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
  margin: 0 auto; max-width: 940px; padding: 16px;
}
svg { height: auto; max-width: 100%; }
.pair { display: grid; gap: 16px; grid-template-columns: repeat(auto-fit, minmax(260px, 1fr)); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; }
td, th { border-bottom: 1px solid var(--line); padding: 4px 8px; text-align: left; }
.bad { color: var(--bad); font-weight: 600; }
"""

# A notebook has colours and styles of its own, light or dark.
_NOTEBOOK = """
.quiltwork-review { --line: #8a8170; --bad: #c8553d; --one: #6b8f55; max-width: 640px; }
.quiltwork-review svg { height: auto; max-width: 100%; }
.quiltwork-review .pair { display: grid; gap: 16px; grid-template-columns: 1fr 1fr; }
"""


def review_page(reviews: Sequence[Review]) -> str:
    """The page, with nothing loaded from elsewhere."""
    body = "".join(_game(number, each) for number, each in enumerate(reviews, 1))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Review</title>'
        f"<style>{_STYLE}</style></head><body>{body}</body></html>\n"
    )


def review_html(review: Review) -> str:
    """A review for a notebook: the figures, the curve, and the costliest moments."""
    return f'<style>{_NOTEBOOK}</style><div class="quiltwork-review">{_overview(review)}</div>'


def _game(number: int, review: Review) -> str:
    names = _names(review)
    moves = "".join(_row(turn) for turn in review.turns)
    return (
        f"<h1>Game {number}: {names[0]} and {names[1]}</h1>{_overview(review)}"
        '<h2>Every move</h2><div class="scroll"><table><tr><th>move</th><th>player</th><th>played</th>'
        f"<th>win</th><th>lost</th><th>better</th></tr>{moves}</table></div>"
    )


def _overview(review: Review) -> str:
    names = _names(review)
    rows = "".join(
        f"<tr><th>{names[player - 1]}</th><td>{found.accuracy:.0f}</td><td>{100 * found.loss:.1f} %</td>"
        f"<td>{100 * found.loss_what:.1f} %</td><td>{100 * found.loss_where:.1f} %</td></tr>"
        for player in Player
        if (found := review.player(player)).decisions
    )
    head = "<tr><th></th><th>accuracy</th><th>lost a decision</th><th>what</th><th>where</th></tr>"
    moments = "".join(_moment(review, turn) for turn in review.moments())
    return (
        f"<p>{escape(review.game.edition.title)}, "
        f"{review.simulations:,} simulations a position.</p><table>{head}{rows}</table>"
        + "".join(f"<p>{escape(row)}.</p>" for row in course(review))
        + f"<h2>Win share of {names[0]}</h2>{_curve(review)}"
        + (f"<h2>The costliest moments</h2>{moments}" if moments else "")
    )


def _names(review: Review) -> list[str]:
    return [escape(review.game.tags.get(f"Player{number}") or f"Player {number}") for number in (1, 2)]


def _curve(review: Review) -> str:
    """Player 1's win share after each move, with a dot for each move that has a label."""
    total = max(1, review.turns[-1].ply) if review.turns else 1

    def place(turn: Turn) -> tuple[float, float]:
        share = turn.win if turn.player is Player.ONE else 1 - turn.win
        return 10 + (_WIDTH - 20) * turn.ply / total, 10 + (_HEIGHT - 20) * (1 - share)

    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, review.turns))
    dots = "".join(
        f'<circle cx="{place(turn)[0]:.1f}" cy="{place(turn)[1]:.1f}" r="5" fill="var(--bad)">'
        f"<title>Move {turn.ply + 1}: {turn.label.value}</title></circle>"
        for turn in review.moments(len(review.turns))
    )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="The win share over the game">'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="none" stroke="var(--line)"/>'
        f'<path d="M0 {_HEIGHT / 2}H{_WIDTH}" stroke="var(--line)" stroke-dasharray="6"/>'
        f'<polyline points="{line}" fill="none" stroke="var(--one)" stroke-width="3"/>{dots}</svg>'
    )


def _moment(review: Review, turn: Turn) -> str:
    edition = turn.position.edition
    theme = load_theme(edition.theme)

    def picture(move: Move, caption: str) -> str:
        after = turn.position.play(move)
        return quilt_svg(edition, after.setup.players[turn.player - 1].quilt, theme, caption=caption)

    return (
        f"<h3>Move {turn.ply + 1}, {_names(review)[turn.player - 1]}: {turn.label.value}, "
        f"{100 * turn.loss:.1f} % lost</h3><p>Played {turn.move}, better {turn.best}. {escape(turn.why)}</p>"
        f'<div class="pair">{picture(turn.move, f"played: {turn.move}")}'
        f"{picture(turn.best, f'better: {turn.best}')}</div>"
    )


def _row(turn: Turn) -> str:
    bad = turn.label.value in ("inaccuracy", "mistake", "blunder")
    lost = f"{100 * turn.loss:.1f} %" if turn.loss else ""
    why = escape(f"{turn.best}. {turn.why}") if bad else ""
    mark = ' class="bad"' if bad else ""
    return (
        f"<tr><td>{turn.ply + 1}</td><td>{int(turn.player)}</td><td{mark}>{turn.move}</td>"
        f"<td>{100 * turn.win:.0f} %</td><td{mark}>{lost}</td><td>{why}</td></tr>"
    )
