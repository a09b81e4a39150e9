"""A match as text: its progress in a line, its result in a table."""

from __future__ import annotations

from collections.abc import Sequence

from quiltwork.arena.match import Match
from quiltwork.arena.statistics import pentanomial
from quiltwork.arena.tournament import Rating


def progress_line(match: Match, games: int) -> str:
    """The state of a match in one line."""
    elo = match.elo
    text = (
        f"{match.games}/{games} games · {100 * match.score.value:.1f} % · "
        f"Elo {elo.value:+.0f} [{elo.low:+.0f}, {elo.high:+.0f}]"
    )
    if match.test:
        text += f" · SPRT {match.test.ratio(match.wins):+.2f} of ±{match.test.bound:.2f}"
    return text


def match_table(match: Match) -> str:
    """The result of a match for people."""
    pairing, score, elo = match.pairing, match.score, match.elo
    names = (pairing.first, pairing.second)
    width = max(len("won"), *(min(40, len(name)) for name in names))
    lines = [
        f"{pairing.edition}: {pairing.first} against {pairing.second}, {match.games} games in pairs",
        "",
        f"{'':{width}}    won  points   empty  s/move",
    ]
    won = sum(match.wins)
    for which, games in ((0, won), (1, match.games - won)):
        lines.append(
            f"{names[which][:40]:{width}}  {games:>5}  {match.mean('points', which):>6.1f}  "
            f"{match.mean('empty_spaces', which):>6.1f}  {match.seconds_a_move(which):>6.3f}"
        )
    none, _, split, _, both = pentanomial(match.wins)
    lines += [
        "",
        f"score  {100 * score.value:.1f} %  (95 %: {100 * score.low:.1f} to {100 * score.high:.1f})",
        f"Elo    {elo.value:+.0f}  (95 %: {elo.low:+.0f} to {elo.high:+.0f})",
        f"pairs  won {both}, split {split}, lost {none}",
    ]
    if match.test:
        verdict = {"accepted": "passed", "rejected": "failed", None: "still open"}[match.verdict]
        lines.append(
            f"SPRT   Elo {match.test.elo1:g} against {match.test.elo0:g}: {verdict} "
            f"({match.test.ratio(match.wins):+.2f} of ±{match.test.bound:.2f})"
        )
    for which in (0, 1):
        for fault, times in match.faults(which).items():
            lines.append(f"{names[which]}: {fault} in {times} game{'s' if times > 1 else ''}")
    return "\n".join(lines)


def rating_table(table: Sequence[Rating]) -> str:
    """The ratings of a tournament for people."""
    width = max(len("agent"), *(min(40, len(rating.agent)) for rating in table))
    lines = [f"     {'agent':{width}}    Elo   ±95 %  games   score  points   empty"]
    for place, rating in enumerate(table, 1):
        lines.append(
            f"{place:>3}  {rating.agent[:40]:{width}}  {rating.elo:>+5.0f}  {rating.interval:>6.0f}"
            f"  {rating.games:>5}"
            f"  {100 * rating.score:>4.1f} %  {rating.points:>6.1f}  {rating.empty_spaces:>6.1f}"
        )
    return "\n".join(lines)
