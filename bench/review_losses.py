"""Whether what reviews tell can be believed: losses by level, labels at twice the effort, and solved endgames.

    python bench/review_losses.py levels [--games 100] [--simulations N]
    python bench/review_losses.py effort [--games 20]
    python bench/review_losses.py endgames [--games 300]

levels: the mean loss a decision of each level against itself. effort: how many labels change when every
position is searched twice as long. endgames: positions that were solved, with a random move each: is the loss
told where there is one, and nothing called a mistake where there is none?

Each result is added to a file of totals (`--totals`); a run that is begun again goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any

from rich.console import Console
from rich.progress import Progress

from quiltwork import Game, Phase, Position
from quiltwork.agents import agent_of
from quiltwork.agents.endgame.solver import Endgame
from quiltwork.analysis.review import DEFAULT_SIMULATIONS, Analyst, Label, Turn, review, turn_of

Result = dict[str, Any]
LEVELS = range(1, 11)
NEAR_THE_END = 8
"""spaces that both tokens are at most from the end in an endgame"""
SOLVED_WITHIN = 2_000_000
"""nodes"""


def game_of(level: int, number: int) -> Game:
    """A game of a level against itself; the same number gives the same game."""
    game = Game.new("patchwork", deal=1000 + number)
    agents = [agent_of(f"level:{level}", seed=2 * number + seat) for seat in (0, 1)]
    while game.position.turn is not None:
        game.play(agents[game.position.turn - 1].think(game.position).best.move)
    return game


def decisions(game: Game, simulations: int) -> list[Turn]:
    return [turn for turn in review(game, analyst=Analyst(simulations)).turns if not turn.forced]


def level_result(task: tuple[int, int], simulations: int) -> Result:
    level, number = task
    found = decisions(game_of(level, number), simulations)
    return {
        "loss": mean(turn.loss for turn in found),
        "accuracy": mean(turn.accuracy for turn in found),
        "mistakes": sum(turn.loss >= 0.07 for turn in found),
        "with_reason": sum(turn.loss >= 0.07 and turn.reason is not None for turn in found),
    }


def effort_result(task: tuple[int, int], simulations: int) -> Result:
    level, number = task
    game = game_of(level, number)
    once, twice = decisions(game, simulations), decisions(game, 2 * simulations)
    pairs = [(one.label, two.label) for one, two in zip(once, twice, strict=True)]
    return {
        "decisions": len(pairs),
        "changed": sum(one is not two for one, two in pairs),
        "best_to_blunder": sum(one is Label.BEST and two is Label.BLUNDER for one, two in pairs),
    }


def endgame_result(task: tuple[int, int], simulations: int) -> Result:
    """A random move of a solved endgame, its true loss and the one that is told; empty where it was not solved."""
    level, number = task
    rng = Random(number)
    for node in game_of(level, number).root.main_line():
        position = node.position
        near = position.edition.last_space - min(state.space for state in position.players) <= NEAR_THE_END
        if position.phase is Phase.TURN and near and len(position.legal_moves()) > 1:
            break
    else:
        return {}
    move = rng.choice(position.legal_moves())
    before, after = _solved(position), _solved(position.play(move))
    if before is None or after is None or position.turn is None:
        return {}
    mover = position.turn
    true = (before == mover) - (after == mover)
    told = turn_of(0, position, move, Analyst(simulations))
    return {"true": true, "told": told.loss, "label": told.label.value}


def _solved(position: Position) -> int | None:
    """The winner with best play; None where it was not found out."""
    outcome = position.outcome()
    if outcome is not None:
        return int(outcome.winner)
    found = Endgame().solve(position, nodes=SOLVED_WITHIN)
    if found is None:
        return None
    return int(found.turn if found.win > 0.5 else found.turn.opponent)


WORK = {"levels": level_result, "effort": effort_result, "endgames": endgame_result}
GAMES = {"levels": 100, "effort": 20, "endgames": 300}


def tasks_of(what: str, games: int) -> Iterator[tuple[int, int]]:
    """Level and number of each game, so that a run that is stopped has as many of each level."""
    levels = LEVELS if what == "levels" else (3, 5, 7) if what == "effort" else (5,)
    for number in range(games):
        for level in levels:
            yield level, number


def report(what: str, results: dict[str, Result]) -> Iterator[str]:
    if what == "levels":
        yield "| level | games | mean loss a decision | 95 % | accuracy | mistakes with a reason |"
        yield "|---|---|---|---|---|---|"
        for level in LEVELS:
            found = [result for key, result in results.items() if key.startswith(f"{level}:")]
            if len(found) < 2:
                continue
            lost = [result["loss"] for result in found]
            margin = 1.96 * stdev(lost) / len(lost) ** 0.5
            told, all_of = (sum(result[name] for result in found) for name in ("with_reason", "mistakes"))
            yield (
                f"| {level} | {len(found)} | {100 * mean(lost):.2f} % | ±{100 * margin:.2f} | "
                f"{mean(result['accuracy'] for result in found):.1f} | {told} of {all_of} |"
            )
    elif what == "effort":
        sums = Counter[str]()
        for result in results.values():
            sums.update(result)
        share = sums["changed"] / max(1, sums["decisions"])
        yield f"{sums['changed']} of {sums['decisions']} labels change ({share:.1%})"
        yield f"{sums['best_to_blunder']} turn from best to blunder"
    else:
        solved = [result for result in results.values() if result]
        right = sum((result["true"] > 0) == (result["told"] >= 0.01) for result in solved)
        wrong = sum(result["true"] <= 0 and result["label"] in ("mistake", "blunder") for result in solved)
        lost = sum(result["true"] > 0 for result in solved)
        yield (
            f"{right} of {len(solved)} solved endgames have the right sign ({lost} with a loss); "
            f"{wrong} without a loss were called mistakes"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=WORK)
    parser.add_argument("--games", type=int, help="for each level")
    parser.add_argument("--simulations", type=int, default=DEFAULT_SIMULATIONS)
    parser.add_argument("--totals", type=Path, help="where results are added (review-WHAT-SIMULATIONS.jsonl)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    totals: Path = options.totals or Path(f"review-{options.what}-{options.simulations}.jsonl")
    results: dict[str, Result] = {}
    if totals.exists():
        lines = totals.read_text(encoding="utf-8").splitlines()
        results = {entry.pop("game"): entry for entry in map(json.loads, lines)}
    tasks = [
        task
        for task in tasks_of(options.what, options.games or GAMES[options.what])
        if f"{task[0]}:{task[1]}" not in results
    ]
    work = partial(WORK[options.what], simulations=options.simulations)
    context = get_context("spawn")
    with (
        Progress(console=Console(stderr=True)) as progress,
        totals.open("a", encoding="utf-8") as file,
        ProcessPoolExecutor(options.workers, context, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool,
    ):
        bar = progress.add_task("games", total=len(tasks))
        try:
            for (level, number), result in zip(tasks, pool.map(work, tasks), strict=True):
                key = f"{level}:{number}"
                results[key] = result
                file.write(json.dumps({"game": key, **result}) + "\n")
                file.flush()
                progress.advance(bar)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
    for line in report(options.what, results):
        print(line)


if __name__ == "__main__":
    main()
