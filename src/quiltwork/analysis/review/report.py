"""A review as a table in the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from quiltwork import Player
from quiltwork.analysis.review.decisions import INACCURACY, Label, Review, Turn

_BAR = 10
_MARKS = {"best": "", "good": "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}


def review_summary(review: Review) -> str:
    """The figures of both players, the costliest decisions, and the luck of the deal."""
    names = _names(review)
    rows = [f"{review.game.edition.id}, {review.simulations:,} simulations a position", ""]
    for player in Player:
        found = review.player(player)
        if found.decisions:
            rows.append(
                f"{names[player - 1]}: accuracy {found.accuracy:.0f}, a decision lost {100 * found.loss:.1f} % "
                f"(what {100 * found.loss_what:.1f}, where {100 * found.loss_where:.1f})"
            )
    rows += course(review)
    rows += [
        f"Move {turn.ply + 1}, {turn.move}: {100 * turn.loss:.1f} % lost, better {turn.best}"
        for turn in review.moments()
    ]
    return "\n".join(rows)


def course(review: Review) -> list[str]:
    """Whether the loser could have won, and what the deals of the reserve brought."""
    names = _names(review)
    rows = []
    point, chance = review.turning_point, review.best_chance
    if point is not None:
        rows.append(
            f"Turning point: move {point.ply + 1}, {point.move}; "
            f"until then {names[point.player - 1]} could still win ({100 * point.before:.0f} %)"
        )
    elif chance is not None:
        most = f"{100 * chance.before:.0f} % at best, at move {chance.ply + 1}"
        rows.append(f"{names[chance.player - 1]} was never ahead: {most}")
    if review.swing is not None:
        rows.append(f"Luck of the deal: {100 * review.swing:+.1f} % for {names[0]}")
    return rows


def review_table(review: Review) -> str:
    """The summary, then every move with the win share as a bar, and what it lost."""
    rows = [review_summary(review)]
    width = max((len(str(move)) for turn in review.turns for move in (turn.move, turn.best)), default=4)
    rows += ["", f"move  who  {'played':<{width + 2}}  {'win':<{_BAR + 6}}  {'lost':>6}  better"]
    for turn in review.turns:
        played = f"{turn.move}{_MARKS[turn.label.value]}"
        lost = f"{100 * turn.loss:.1f} %" if turn.loss else ""
        better = ""
        if turn.loss >= INACCURACY:
            better = f"{turn.best}: {turn.why}"
        share = f"{_bar(turn.win)} {100 * turn.win:>3.0f} %"
        row = f"{turn.ply + 1:>4}  {int(turn.player):>3}  {played:<{width + 2}}  {share}  {lost:>6}  {better}"
        rows.append(row.rstrip())
    return "\n".join(rows)


def summary_table(reviews: Sequence[Review]) -> str:
    """Each player of many games, by name: means over all decisions."""
    turns: dict[str, list[Turn]] = {}
    games: Counter[str] = Counter()
    for review in reviews:
        for player in Player:
            name = review.game.tags.get(f"Player{int(player)}") or f"Player {int(player)}"
            mine = [turn for turn in review.turns if turn.player is player and not turn.forced]
            if mine:
                games[name] += 1
                turns.setdefault(name, []).extend(mine)
    width = max(map(len, turns), default=6)
    rows = [f"{'player':<{width}}  games  decisions  accuracy    lost    what   where  mistakes  blunders"]
    for name, found in turns.items():
        means = (
            100 * fmean(getattr(turn, loss) for turn in found) for loss in ("loss", "loss_what", "loss_where")
        )
        lost = "  ".join(f"{mean:>4.1f} %" for mean in means)
        labels = Counter(turn.label for turn in found)
        rows.append(
            f"{name:<{width}}  {games[name]:>5}  {len(found):>9}  {fmean(turn.accuracy for turn in found):>8.0f}  "
            f"{lost}  {labels[Label.MISTAKE]:>8}  {labels[Label.BLUNDER]:>8}"
        )
    return "\n".join(rows)


def _names(review: Review) -> list[str]:
    return [review.game.tags.get(f"Player{number}") or f"Player {number}" for number in (1, 2)]


def _bar(share: float) -> str:
    full = round(_BAR * share)
    return "#" * full + "." * (_BAR - full)
