"""Whether what reviews tell can be believed.

    python bench/review.py consistency     the value of a position, less the value after its best move
    python bench/review.py levels          the mean loss a decision of each level against itself
    python bench/review.py strongest       the same of `strongest` with 20,000 simulations against itself
    python bench/review.py effort          how many labels change when everything is searched twice as long
    python bench/review.py endgames        losses that are told of random moves in solved endgames
    python bench/review.py puzzles         puzzles that keep their solution with ten times the effort

`--count N` says how many (games of each level, positions, puzzles). Each result is added to a file; a run that is
begun again goes on where it stopped. `--minutes N` ends a run and prints what is known by then.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from statistics import mean, stdev

import resumable
from quiltwork import Game, Phase, Player, Position
from quiltwork.agents import Limits, agent_of
from quiltwork.agents.endgame.solver import Endgame
from quiltwork.analysis.review import DEFAULT_SIMULATIONS, Analyst, Label, Turn, review, turn_of
from quiltwork.puzzles import load_puzzles
from quiltwork.puzzles.making.check import problem_of
from quiltwork.puzzles.making.decisions import VERIFICATION
from resumable import Result

LEVELS = range(1, 11)
MIDDLE = range(12, 42)
"""spaces of the foremost token in the middle of a game"""
STRONGEST = Limits(simulations=20_000)
NEAR_THE_END = 8
"""spaces that both tokens are at most from the end in an endgame"""
SOLVED_WITHIN = 2_000_000
"""nodes"""


def game_between(name: str, number: int, limits: Limits | None = None) -> Game:
    """A game of an agent against itself; the same number gives the same game."""
    game = Game.new("patchwork", deal=1000 + number)
    agents = [agent_of(name, seed=2 * number + seat) for seat in (0, 1)]
    while game.position.turn is not None:
        game.play(agents[game.position.turn - 1].think(game.position, limits).best.move)
    return game


def decisions(game: Game, simulations: int) -> list[Turn]:
    return [turn for turn in review(game, analyst=Analyst(simulations)).turns if not turn.forced]


# Consistency


def consistency(task: str, simulations: int) -> Result:
    """A position from the middle of a game: its value less the value after its best move, for who moves."""
    number = int(task)
    rng = Random(500_000 + number)
    target, position = rng.choice(MIDDLE), Position.initial("patchwork", deal=number)
    while max(state.space for state in position.players) < target:
        position = position.play(agent_of("net", seed=number).think(position, Limits(simulations=30)).best.move)
    mover = position.turn
    assert mover is not None
    analyst = Analyst(simulations)
    value = analyst.value(position, mover)
    best = analyst.analysis(position).best.move
    return {"position": position.text, "win": value.win, "after": analyst.value(position.play(best), mover).win}


def consistency_report(results: dict[str, Result]) -> Iterator[str]:
    found = [result["win"] - result["after"] for result in results.values()]
    yield (
        f"mean {100 * mean(found):+.2f} %, standard deviation {100 * stdev(found):.2f} %, "
        f"largest {100 * max(map(abs, found)):.1f} %"
    )


# Losses by level


def level_losses(task: str, simulations: int) -> Result:
    level, number = map(int, task.split(":"))
    return losses(game_between(f"level:{level}", number), simulations)


def strongest_losses(task: str, simulations: int) -> Result:
    return losses(game_between("strongest", int(task), STRONGEST), simulations)


def losses(game: Game, simulations: int) -> Result:
    found = decisions(game, simulations)
    return {
        "loss": mean(turn.loss for turn in found),
        "accuracy": mean(turn.accuracy for turn in found),
        "mistakes": sum(turn.loss >= 0.07 for turn in found),
        "with_reason": sum(turn.loss >= 0.07 and turn.reason is not None for turn in found),
    }


def levels_report(results: dict[str, Result]) -> Iterator[str]:
    yield "| level | games | mean loss a decision | 95 % | accuracy | mistakes with a reason |"
    yield "|---|---|---|---|---|---|"
    for level in LEVELS:
        found = [result for task, result in results.items() if task.startswith(f"{level}:")]
        if len(found) > 1:
            yield f"| {level} | {losses_row(found)} |"


def strongest_report(results: dict[str, Result]) -> Iterator[str]:
    yield f"games | mean loss | 95 % | accuracy | mistakes with a reason: {losses_row(list(results.values()))}"


def losses_row(found: list[Result]) -> str:
    lost = [result["loss"] for result in found]
    margin = 1.96 * stdev(lost) / len(lost) ** 0.5
    told, mistakes = (sum(result[name] for result in found) for name in ("with_reason", "mistakes"))
    accuracy = mean(result["accuracy"] for result in found)
    return f"{len(found)} | {100 * mean(lost):.2f} % | ±{100 * margin:.2f} | {accuracy:.1f} | {told} of {mistakes}"


# Labels


def effort(task: str, simulations: int) -> Result:
    """The labels of a game's decisions, and those with twice the effort."""
    level, number = map(int, task.split(":"))
    game = game_between(f"level:{level}", number)
    once, twice = decisions(game, simulations), decisions(game, 2 * simulations)
    pairs = [(one.label, two.label) for one, two in zip(once, twice, strict=True)]
    return {
        "decisions": len(pairs),
        "changed": sum(one is not two for one, two in pairs),
        "best_to_blunder": sum(one is Label.BEST and two is Label.BLUNDER for one, two in pairs),
    }


def effort_report(results: dict[str, Result]) -> Iterator[str]:
    names = ("decisions", "changed", "best_to_blunder")
    made, changed, reversed_ = (sum(result[name] for result in results.values()) for name in names)
    yield f"{changed} of {made} labels change ({changed / max(1, made):.1%}); {reversed_} from best to blunder"


# Solved endgames


def endgame(task: str, simulations: int) -> Result:
    """A random move of a solved endgame, its true loss and the one that is told; `solved` may be false."""
    number = int(task)
    for node in game_between("level:5", number).root.main_line():
        position = node.position
        near = position.edition.last_space - min(state.space for state in position.players) <= NEAR_THE_END
        if position.phase is Phase.TURN and near and len(position.legal_moves()) > 1:
            break
    else:
        return {"solved": False}
    move = Random(number).choice(position.legal_moves())
    before, after = winner(position), winner(position.play(move))
    if before is None or after is None:
        return {"solved": False}
    true = (before is position.turn) - (after is position.turn)
    told = turn_of(0, position, move, Analyst(simulations))
    return {"solved": True, "true": true, "told": told.loss, "label": told.label.value}


def winner(position: Position) -> Player | None:
    """Who wins with best play; None where it was not found out."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winner
    found = Endgame().solve(position, nodes=SOLVED_WITHIN)
    if found is None:
        return None
    return found.turn if found.win > 0.5 else found.turn.opponent


def endgames_report(results: dict[str, Result]) -> Iterator[str]:
    solved = [result for result in results.values() if result["solved"]]
    right = sum((result["true"] > 0) == (result["told"] >= 0.01) for result in solved)
    lost = sum(result["true"] > 0 for result in solved)
    wrong = Counter(result["label"] for result in solved if result["true"] <= 0)
    yield f"{right} of {len(solved)} solved endgames have the right sign ({lost} with a loss)"
    yield f"{wrong['mistake'] + wrong['blunder']} without a loss were called mistakes"


# Puzzles


def puzzle(task: str, simulations: int) -> Result:
    found = load_puzzles()[task]
    return {"kind": found.kind.value, "problem": problem_of(found, simulations)}


def puzzles_report(results: dict[str, Result]) -> Iterator[str]:
    kept = sum(result["problem"] is None for result in results.values())
    yield f"{kept} of {len(results)} puzzles keep their solution ({kept / len(results):.1%})"
    for task, result in results.items():
        if result["problem"]:
            yield f"{task} ({result['kind']}): {result['problem']}"


@dataclass(frozen=True)
class Measure:
    """Something that is measured, by tasks that do not depend on each other."""

    work: Callable[..., Result]
    report: Callable[[dict[str, Result]], Iterator[str]]
    count: int
    tasks: Callable[[int], list[str]]
    """in an order that is fair when a run is stopped"""
    simulations: int = DEFAULT_SIMULATIONS


def numbered(count: int) -> list[str]:
    return [str(number) for number in range(count)]


def of_levels(levels: range, count: int) -> list[str]:
    return [f"{level}:{number}" for number in range(count) for level in levels]


def drawn_puzzles(count: int) -> list[str]:
    known = sorted(load_puzzles())
    return Random(0).sample(known, min(count, len(known)))


MEASURES = {
    "consistency": Measure(consistency, consistency_report, 200, numbered),
    "levels": Measure(level_losses, levels_report, 100, partial(of_levels, LEVELS)),
    "strongest": Measure(strongest_losses, strongest_report, 20, numbered),
    "effort": Measure(effort, effort_report, 20, partial(of_levels, range(3, 8, 2))),
    "endgames": Measure(endgame, endgames_report, 300, numbered),
    "puzzles": Measure(puzzle, puzzles_report, 200, drawn_puzzles, 10 * VERIFICATION),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=MEASURES)
    parser.add_argument("--count", type=int, metavar="N")
    parser.add_argument("--simulations", type=int, metavar="N", help="for each position that is valued")
    resumable.add_arguments(parser)
    options = parser.parse_args()
    measure = MEASURES[options.what]
    simulations = options.simulations or measure.simulations
    results = resumable.results_of(
        measure.tasks(options.count or measure.count),
        partial(measure.work, simulations=simulations),
        options.results or Path(f"review-{options.what}-{simulations}.jsonl"),
        workers=options.workers,
        minutes=options.minutes,
    )
    if len(results) > 1:
        print("\n".join(measure.report(results)))
    print(resumable.spent(results))


if __name__ == "__main__":
    main()
