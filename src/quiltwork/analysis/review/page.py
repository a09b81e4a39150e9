"""Reviews as one self-contained HTML page: a curve, the costliest moments with pictures, and every move."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from quiltwork import Move, Player
from quiltwork.analysis.review.decisions import INACCURACY, Review, Turn
from quiltwork.analysis.review.report import MARKS, cost, course, names_of, speech_of
from quiltwork.messages import DEFAULT_LANGUAGE
from quiltwork.render.svg import quilt_svg
from quiltwork.themes import theme_of

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


def review_page(reviews: Sequence[Review], language: str = DEFAULT_LANGUAGE) -> str:
    """The page, with nothing loaded from elsewhere."""
    told = [_Told(each, language) for each in reviews]
    body = "".join(each.game(number) for number, each in enumerate(told, 1))
    title = told[0].say("study.title") if told else ""
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>'
        f"<style>{_STYLE}</style></head><body>{body}</body></html>\n"
    )


def review_html(review: Review, language: str = DEFAULT_LANGUAGE) -> str:
    """A review for a notebook: the figures, the curve, and the costliest moments."""
    overview = _Told(review, language).overview()
    return f'<style>{_NOTEBOOK}</style><div class="quiltwork-review">{overview}</div>'


class _Told:
    """A review, told as HTML in a language."""

    def __init__(self, review: Review, language: str) -> None:
        self.review = review
        self.language = language
        self._speech = speech_of(review, language)
        self._names = names_of(review, language)

    def say(self, key: str, **figures: int | str) -> str:
        """A message, ready for HTML."""
        return escape(self._speech.say(key, **figures))

    def game(self, number: int) -> str:
        """Everything about one game."""
        columns = ("move", "who", "played", "win", "lost", "better")
        heads = "".join(f"<th>{self.say(f'review.head.{column}')}</th>" for column in columns)
        moves = "".join(map(self._row, self.review.turns))
        one, two = self._names
        return (
            f"<h1>{self.say('review.page.game', n=number, one=one, two=two)}</h1>{self.overview()}"
            f"<h2>{self.say('review.page.moves')}</h2>"
            f'<div class="scroll"><table><tr>{heads}</tr>{moves}</table></div>'
        )

    def overview(self) -> str:
        """The figures, the curve, and the costliest moments."""
        review = self.review
        rows = "".join(
            f"<tr><th>{escape(self._names[player - 1])}</th><td>{found.accuracy:.0f}</td>"
            f"<td>{100 * found.loss:.1f} %</td><td>{100 * found.loss_what:.1f} %</td>"
            f"<td>{100 * found.loss_where:.1f} %</td></tr>"
            for player in Player
            if (found := review.player(player))
        )
        columns = ("accuracy", "mean_loss", "mean_what", "mean_where")
        heads = "".join(f"<th>{self.say(f'study.{column}')}</th>" for column in columns)
        effort = self.say("review.effort", edition=review.game.edition.title, simulations=review.simulations)
        moments = "".join(map(self._moment, review.moments()))
        return (
            f"<p>{effort}.</p><table><tr><th></th>{heads}</tr>{rows}</table>"
            + "".join(f"<p>{escape(row)}</p>" for row in course(review, self.language))
            + f"<h2>{self.say('study.curve', name=self._names[0])}</h2>{self._curve()}"
            + (f"<h2>{self.say('review.page.moments')}</h2>{moments}" if moments else "")
        )

    def _curve(self) -> str:
        """Player 1's win share after each move, with a dot for each move that has a label."""
        turns = self.review.turns
        total = max(1, turns[-1].ply) if turns else 1

        def place(turn: Turn) -> tuple[float, float]:
            share = turn.win if turn.player is Player.ONE else 1 - turn.win
            return 10 + (_WIDTH - 20) * turn.ply / total, 10 + (_HEIGHT - 20) * (1 - share)

        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, turns))
        dots = "".join(
            f'<circle cx="{place(turn)[0]:.1f}" cy="{place(turn)[1]:.1f}" r="5" fill="var(--bad)">'
            f"<title>{escape(cost(turn, self.language))}</title></circle>"
            for turn in self.review.moments(len(turns))
        )
        label = self.say("study.curve", name=self._names[0])
        return (
            f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">'
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="none" stroke="var(--line)"/>'
            f'<path d="M0 {_HEIGHT / 2}H{_WIDTH}" stroke="var(--line)" stroke-dasharray="6"/>'
            f'<polyline points="{line}" fill="none" stroke="var(--one)" stroke-width="3"/>{dots}</svg>'
        )

    def _moment(self, turn: Turn) -> str:
        edition = turn.position.edition
        theme = theme_of(edition)

        def picture(move: Move, column: str) -> str:
            after = turn.position.play(move)
            caption = f"{self._speech.say(f'review.head.{column}')}: {move}"
            return quilt_svg(edition, after.setup.players[turn.player - 1].quilt, theme, caption=caption)

        name, lost = self._names[turn.player - 1], f"{100 * turn.loss:.1f}"
        head = self.say("review.page.moment", n=turn.ply + 1, name=name, percent=lost)
        instead = self.say("review.page.instead", move=str(turn.move), better=str(turn.best))
        return (
            f"<h3>{head} {MARKS[turn.label.value]}</h3><p>{instead} {escape(turn.sentence(self.language))}</p>"
            f'<div class="pair">{picture(turn.move, "played")}{picture(turn.best, "better")}</div>'
        )

    def _row(self, turn: Turn) -> str:
        bad = turn.loss >= INACCURACY
        lost = f"{100 * turn.loss:.1f} %" if turn.loss else ""
        why = escape(f"{turn.best}. {turn.sentence(self.language)}") if bad else ""
        mark = ' class="bad"' if bad else ""
        return (
            f"<tr><td>{turn.ply + 1}</td><td>{int(turn.player)}</td><td{mark}>{turn.move}</td>"
            f"<td>{100 * turn.win:.0f} %</td><td{mark}>{lost}</td><td>{why}</td></tr>"
        )
