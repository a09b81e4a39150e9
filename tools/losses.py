"""Where agents lose their games: what each kind of move cost, by the net's judgement, in the games of a match.

    python tools/losses.py FOLDER [--games N] [--simulations N] [--workers N]

Where a player did not do what the net would do, both moves are made, and the net thinks about what follows, for
as long each: the difference is the loss. What to do (choice) and where (place) are told apart, and so are the
parts of a game, as `planner` thinks otherwise in the last one. Moves that a deal follows are not looked at, nor
the end of a game, which the agents search out.
"""

from __future__ import annotations

import argparse
import os
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from rich.progress import track

from quiltwork import Game, Move, Phase, Player, Position
from quiltwork.agents import Analysis, Limits, agent_of
from quiltwork.agents.search_tree import group_of
from quiltwork.agents.tree_search import ENDGAME_SPACES, LATE_SPACES, spaces_left
from quiltwork.arena.storage import RECORDS
from quiltwork.cli.arguments import read_text
from quiltwork.errors import QuiltworkError


@dataclass(frozen=True)
class Loss:
    """What a move cost whoever made it."""

    agent: str
    late: bool
    kind: str
    """`choice`, `place`, or nothing if the net would have made the same move"""
    win: float
    points: float


def losses_in(text: str, simulations: int) -> list[Loss]:
    """Those of a game in notation."""
    return list(_losses(Game.parse(text), simulations))


def _losses(game: Game, simulations: int) -> Iterator[Loss]:
    names = {Player.ONE: game.tags["Player1"], Player.TWO: game.tags["Player2"]}
    limits = Limits(simulations=simulations)
    position = game.start
    for move in game.end.line():
        before, position = position, position.play(move)
        mover = before.turn
        if mover is None or before.phase is Phase.DEAL or position.phase is Phase.DEAL:
            continue
        left = spaces_left(before)
        if left <= ENDGAME_SPACES:
            return
        late = left <= LATE_SPACES
        best = thought(before, limits).best.move
        if best == move:
            yield Loss(names[mover], late, "", 0.0, 0.0)
            continue
        instead = before.play(best)
        if instead.phase is Phase.DEAL:
            continue
        win, points = value(position, mover, limits)
        better_win, better_points = value(instead, mover, limits)
        same = what(before, best) == what(before, move)
        kind = "place" if same else "choice"
        yield Loss(names[mover], late, kind, better_win - win, better_points - points)


def what(position: Position, move: Move) -> int:
    """A number for what is done, whatever the place."""
    code = position.code(move)
    assert code is not None
    return group_of(position, code)


def thought(position: Position, limits: Limits) -> Analysis:
    """The net's answer, with a tree of its own, so that none knows more than another."""
    return agent_of("net", seed=1).think(position, limits)


def value(position: Position, player: Player, limits: Limits) -> tuple[float, float]:
    """The net's judgement for a player: win share and points."""
    outcome = position.outcome()
    if outcome is not None:
        one, two = (score.total for score in outcome.scores)
        return float(outcome.winner is player), float(one - two if player is Player.ONE else two - one)
    answer = thought(position, limits)
    best = answer.best
    return (best.win, best.points) if answer.turn is player else (1 - best.win, -best.points)


def number(text: str) -> int:
    """An option that must be above 0."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number above 0, not {text!r}")
    return int(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="of a match")
    parser.add_argument("--games", type=number, default=80)
    parser.add_argument("--simulations", type=number, default=3000)
    parser.add_argument("--workers", type=number, default=os.cpu_count() or 1)
    options = parser.parse_args()
    try:
        text = read_text(str(options.folder / RECORDS))
        games = [str(game) for game in islice(Game.parse_many(text), options.games)]
    except QuiltworkError as error:
        parser.error(f"{options.folder} is not the folder of a match: {error}")
    found: dict[tuple[str, bool], list[Loss]] = defaultdict(list)
    with ProcessPoolExecutor(options.workers) as pool:
        told = pool.map(partial(losses_in, simulations=options.simulations), games)
        for losses in track(told, "games", total=len(games)):
            for loss in losses:
                found[loss.agent, loss.late].append(loss)
    print("| agent | part | moves | other than the net's | win lost a game by choices | by places | points lost |")
    print("|---|---|---|---|---|---|---|")
    for (agent, late), losses in sorted(found.items()):
        others = [loss for loss in losses if loss.kind]
        wins = {kind: sum(loss.win for loss in others if loss.kind == kind) for kind in ("choice", "place")}
        points = sum(loss.points for loss in others)
        print(
            f"| `{agent}` | {'last' if late else 'first'} | {len(losses)} | {len(others)} "
            f"| {100 * wins['choice'] / len(games):.1f} % | {100 * wins['place'] / len(games):.1f} % "
            f"| {points / len(games):.2f} |"
        )


if __name__ == "__main__":
    main()
