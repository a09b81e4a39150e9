"""A review as a table in the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from quiltwork import Player
from quiltwork.analysis.review.decisions import INACCURACY, Label, Review, Turn
from quiltwork.messages import DEFAULT_LANGUAGE
from quiltwork.speech import Speech
from quiltwork.themes import theme_of

MARKS = {"best": "", "good": "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}
_BAR = 10


def review_summary(review: Review, language: str = DEFAULT_LANGUAGE) -> str:
    """The figures of both players, the costliest decisions, and the luck of the deal."""
    say, names = speech_of(review, language).say, names_of(review, language)
    rows = [say("review.effort", edition=review.game.edition.id, simulations=review.simulations), ""]
    for player in Player:
        found = review.player(player)
        if found is not None:
            figures = {
                "accuracy": f"{found.accuracy:.0f}",
                "lost": f"{100 * found.loss:.1f}",
                "what": f"{100 * found.loss_what:.1f}",
                "where": f"{100 * found.loss_where:.1f}",
            }
            rows.append(say("review.player", name=names[player - 1], **figures))
    rows += course(review, language)
    rows += [cost(turn, language) for turn in review.moments()]
    return "\n".join(rows)


def course(review: Review, language: str = DEFAULT_LANGUAGE) -> list[str]:
    """Whether the loser could have won, and what the deals of the reserve brought, in sentences."""
    say, names = speech_of(review, language).say, names_of(review, language)
    rows = []
    point, chance = review.turning_point, review.best_chance
    if point is not None:
        name, share = names[point.player - 1], f"{100 * point.before:.0f} %"
        rows.append(say("review.turned", n=point.ply + 1, move=str(point.move), name=name, percent=share))
    elif chance is not None:
        name, share = names[chance.player - 1], f"{100 * chance.before:.0f} %"
        rows.append(say("study.never_ahead", name=name, percent=share, n=chance.ply + 1))
    if review.swing is not None:
        lucky = names[review.swing < 0]
        rows.append(say("study.luck", percent=f"{100 * abs(review.swing):.1f} %", name=lucky))
    return rows


def cost(turn: Turn, language: str = DEFAULT_LANGUAGE) -> str:
    """A decision, what it lost, and the better move."""
    speech = Speech(turn.position.edition, theme_of(turn.position.edition), language)
    lost, played, better = f"{100 * turn.loss:.1f}", str(turn.move), str(turn.best)
    return speech.say("review.cost", n=turn.ply + 1, move=played, percent=lost, better=better)


def review_table(review: Review, language: str = DEFAULT_LANGUAGE) -> str:
    """The summary, then every move with the win share as a bar, and what it lost."""
    heads = _heads(review, language, "move", "who", "played", "win", "lost", "better")
    table = _aligned([heads, *(_row(turn, language) for turn in review.turns)], right=(0, 1, 4))
    return f"{review_summary(review, language)}\n\n{table}"


def _row(turn: Turn, language: str) -> list[str]:
    return [
        str(turn.ply + 1),
        str(int(turn.player)),
        f"{turn.move}{MARKS[turn.label.value]}",
        f"{_bar(turn.win)} {100 * turn.win:>3.0f} %",
        f"{100 * turn.loss:.1f} %" if turn.loss else "",
        f"{turn.best}: {turn.sentence(language)}" if turn.loss >= INACCURACY else "",
    ]


def summary_table(reviews: Sequence[Review], language: str = DEFAULT_LANGUAGE) -> str:
    """Each player of many games, by name: means over all decisions."""
    turns: dict[str, list[Turn]] = {}
    games: Counter[str] = Counter()
    for review in reviews:
        for player, name in zip(Player, names_of(review, language), strict=True):
            mine = [turn for turn in review.turns if turn.player is player and not turn.forced]
            if mine:
                games[name] += 1
                turns.setdefault(name, []).extend(mine)
    columns = ("player", "games", "decisions", "accuracy", "lost", "what", "where", "mistakes", "blunders")
    cells = [_heads(reviews[0], language, *columns)]
    for name, found in turns.items():
        means = (
            100 * fmean(getattr(turn, loss) for turn in found) for loss in ("loss", "loss_what", "loss_where")
        )
        labels = Counter(turn.label for turn in found)
        cells.append(
            [
                name,
                str(games[name]),
                str(len(found)),
                f"{fmean(turn.accuracy for turn in found):.0f}",
                *(f"{mean:.1f} %" for mean in means),
                str(labels[Label.MISTAKE]),
                str(labels[Label.BLUNDER]),
            ]
        )
    return _aligned(cells, right=range(1, len(columns)))


def speech_of(review: Review, language: str) -> Speech:
    """Who tells a review: in the words of the game's edition."""
    return Speech(review.game.edition, theme_of(review.game.edition), language)


def names_of(review: Review, language: str) -> list[str]:
    """What both players are called."""
    speech = speech_of(review, language)
    return [review.game.tags.get(f"Player{n}") or speech.say("new.player", n=n) for n in (1, 2)]


def _heads(review: Review, language: str, *columns: str) -> list[str]:
    speech = speech_of(review, language)
    return [speech.say(f"review.head.{column}") for column in columns]


def _aligned(rows: Sequence[Sequence[str]], right: Sequence[int]) -> str:
    """Rows of cells with columns as wide as their widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _bar(share: float) -> str:
    full = round(_BAR * share)
    return "#" * full + "." * (_BAR - full)
