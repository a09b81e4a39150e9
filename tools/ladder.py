"""Measures the ladder of opponents: each level against the one below, and how long each takes for an answer.

The lowest level plays against a beginner, too, who takes any patch that can be paid and lays it anywhere.

Opponents with a limit of simulations think without a clock here, so that a busy machine measures the same. Every
match is kept, and the same command goes on where it was stopped.

    python tools/ladder.py [--edition E] [--games N] [--levels 1,2,3] [--workers N] [--folder DIR]
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from random import Random

from quiltwork.agents.agent import Limits
from quiltwork.agents.levels import Level, load_levels
from quiltwork.agents.registry import agent_of
from quiltwork.arena.match import Match, play_match
from quiltwork.arena.pair import Pairing
from quiltwork.arena.storage import MatchFolder
from quiltwork.cli.match import folder_of
from quiltwork.editions import available_editions
from quiltwork.game import Game
from quiltwork.move import Move, Player, TakePatch
from quiltwork.position import Position
from quiltwork.position_setup import Phase


@dataclass(frozen=True)
class Step:
    """An opponent beside the one below it."""

    opponent: Level
    match: Match | None
    """None for the lowest"""
    elo: float
    """above the lowest"""
    interval: float
    """half of the 95 % interval of that"""
    slowest: float
    """seconds of processor time for one answer"""


def limits_of(opponent: Level) -> Limits:
    return Limits(None if opponent.simulations else opponent.seconds, opponent.simulations)


def slowest_answer(opponent: Level, edition: str) -> float:
    """The most processor time for one move, over a game of the opponent against itself."""
    agent, rng, slowest = agent_of(opponent.agent, 1), Random(1), 0.0
    game = Game(Position.initial(edition, deal=1))
    # The first answer loads what is compiled.
    agent.think(game.position, limits_of(opponent))
    while game.position.phase is not Phase.OVER:
        if game.position.phase is Phase.DEAL:
            game.play(game.position.deal(rng))
            continue
        before = time.process_time()
        answer = agent.think(game.position, limits_of(opponent))
        slowest = max(slowest, time.process_time() - before)
        game.play(answer.best.move)
    agent.close()
    return slowest


def beginners_move(position: Position, rng: Random) -> Move:
    """A beginner: takes any patch that can be paid and lays it anywhere; advances if there is none."""
    moves = position.legal_moves()
    patches = sorted({move.patch for move in moves if isinstance(move, TakePatch)})
    patch = rng.choice(patches) if patches else None
    return rng.choice([move for move in moves if patch is None or getattr(move, "patch", None) == patch])


def first_games(lowest: Level, edition: str, games: int, against_itself: bool) -> tuple[float, float]:
    """The lowest level's share of games won against a beginner, or against itself, and its points on average."""
    won, points = 0, 0
    for number in range(games):
        rng, seat = Random(number), Player.ONE if number % 2 == 0 else Player.TWO
        agents = {player: agent_of(lowest.agent, 2 * number + int(player)) for player in Player}
        game = Game(Position.initial(edition, deal=number // 2))
        while game.position.phase is not Phase.OVER:
            turn = game.position.turn
            if game.position.phase is Phase.DEAL or turn is None:
                game.play(game.position.deal(rng))
            elif turn is seat or against_itself:
                game.play(agents[turn].think(game.position, limits_of(lowest)).best.move)
            else:
                game.play(beginners_move(game.position, rng))
        outcome = game.position.outcome()
        assert outcome is not None
        won += outcome.winner is seat
        points += game.position.score(seat).total
    return won / games, points / games


def ladder(opponents: list[Level], options: argparse.Namespace) -> list[Step]:
    steps = [Step(opponents[0], None, 0.0, 0.0, slowest_answer(opponents[0], options.edition))]
    print(row(steps[0]), flush=True)
    for below, above in pairwise(opponents):
        pairing = Pairing(
            above.agent, below.agent, options.edition, (limits_of(above), limits_of(below)), options.seed
        )
        folder = MatchFolder(options.folder / folder_of(None, pairing).name)
        match = play_match(pairing, options.games, workers=options.workers, folder=folder)
        half = (match.elo.high - match.elo.low) / 2
        steps.append(
            Step(
                above,
                match,
                steps[-1].elo + match.elo.value,
                math.hypot(steps[-1].interval, half),
                slowest_answer(above, options.edition),
            )
        )
        print(row(steps[-1]), flush=True)
    return steps


def row(step: Step) -> str:
    opponent, match = step.opponent, step.match
    cells = [
        str(opponent.level),
        opponent.name,
        f"`{opponent.agent}`",
        f"{opponent.simulations:,}" if opponent.simulations else "",
    ]
    if match is None:
        cells += ["", "", ""]
    else:
        score = match.score
        cells += [
            str(match.games),
            f"{100 * score.value:.1f} % ({100 * score.low:.1f} to {100 * score.high:.1f})",
            f"{match.mean('points', 0):.1f} : {match.mean('points', 1):.1f}",
        ]
    return "| " + " | ".join([*cells, f"{step.elo:.0f} ± {step.interval:.0f}", f"{step.slowest:.2f} s"]) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--edition", default="patchwork", choices=available_editions())
    parser.add_argument("--games", type=int, default=200, help="for each step")
    parser.add_argument("--levels", default="", help="only these, with commas between; all if empty")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("matches"), help="for results and records")
    options = parser.parse_args()
    wanted = [int(word) for word in options.levels.split(",") if word]
    opponents = [
        replace(o, simulations=o.simulations_for(options.edition))
        for o in load_levels().all.values()
        if not wanted or o.level in wanted
    ]
    if opponents[0].simulations is None:
        share, points = first_games(opponents[0], options.edition, options.games, against_itself=False)
        _, own = first_games(opponents[0], options.edition, options.games, against_itself=True)
        print(
            f"{opponents[0].name} wins {100 * share:.1f} % of {options.games} games against a beginner, with ",
            end="",
        )
        print(f"{points:.1f} points on average; against itself it has {own:.1f}")
    print("| level | who | agent | simulations | games | won against the level below | points | Elo | slowest |")
    print("|---|---|---|---|---|---|---|---|---|")
    steps = ladder(opponents, options)
    print(f"span {steps[-1].elo:.0f} ± {steps[-1].interval:.0f} Elo")


if __name__ == "__main__":
    main()
