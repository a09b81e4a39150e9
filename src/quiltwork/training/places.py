"""The evaluator of placements: what each kind of 3x3 window adds to the cost of a quilt, learned from searches.

Run with `python -m quiltwork.training.places FOLDER [--batches N]`. Games of `net` against itself are played;
wherever a patch is laid, a short search from each of its tightest placements says what that would be worth. Ten
games are a file of the folder, so a run that was interrupted goes on. Then the table is learned that gives away
the least, and written to FOLDER/placement_windows.npy; in src/quiltwork/agents/net it is used.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Annotated, Any

import numpy as np

from quiltwork.agents import Limits, agent_of
from quiltwork.agents.agent import mover_of
from quiltwork.agents.heuristics.quilt_cost import quilt_cost
from quiltwork.agents.heuristics.windows import KINDS, count_windows
from quiltwork.agents.net.weights import load_net
from quiltwork.agents.search.candidates import candidates_of
from quiltwork.agents.search.config import NET
from quiltwork.agents.search.tree import Tree
from quiltwork.move import Player, cells_of, piece_of
from quiltwork.position import Position
from quiltwork.position_setup import Phase
from quiltwork.rules.compiler import compiled
from quiltwork.rules.record import Float32s, Int64, UInt8s, record_type

EDITIONS = ("patchwork", "express", "patchwork")
"""of one batch after the other"""
GAMES = 10
PLACES = 24
PLAYING = Limits(simulations=200)
SIMULATIONS = 150
"""from each placement"""
DRAWN_MOVES, DRAWN_SHARE = 6, 0.4
"""the first moves of a game, and the share of them that is drawn from the best few"""
TEST_SHARE = 0.2
SMOOTH = 25.0
"""the difference of costs by which one placement is e times as likely as another while the table is learned"""
STEPS, BATCH, RATE, SMALL = 1500, 2048, 0.02, 3e-4


class ChoiceRecord:
    """What the placements of a patch gave away."""

    count: Int64
    given_away: Annotated[Float32s, PLACES]  # by each placement, in value
    cost: Annotated[Float32s, PLACES]  # by 2x2 windows
    windows: Annotated[UInt8s, PLACES, KINDS]


CHOICE = record_type(ChoiceRecord)
Array = np.ndarray[Any, Any]


@compiled
def _cost(after: Any, context: Any, player: int, counts: Any) -> int:
    low, high = after[0].free[player, 0], after[0].free[player, 1]
    count_windows(low, high, context[0].edition, counts)
    return quilt_cost(low, high, context[0].tables, context[0].heuristics.quilt)


def choice_at(position: Position, code: int) -> Array | None:
    """What the placements of the patch that a move lays are worth; None where there is nothing to choose."""
    move = position.move_of_code(code)
    if not cells_of(move, position.edition):
        return None
    config = replace(NET, max_nodes=64 * SIMULATIONS)
    context = config.context(position.edition)
    considered, _ = candidates_of(position.record, context, PLACES)
    codes = [each for each in considered if piece_of(position.move_of_code(each)) == piece_of(move)]
    if len(codes) < 2:
        return None
    choice = np.zeros(1, CHOICE)
    choice["count"] = len(codes)
    mover = mover_of(position)
    for i, each in enumerate(codes):
        after = position.play(position.move_of_code(each))
        if after.phase in (Phase.OVER, Phase.DEAL):
            return None
        tree = Tree(after, config, 0, load_net())
        tree.simulate(SIMULATIONS - 1)
        value = tree.nodes[0]["value"] / tree.visits
        player = 0 if mover is Player.ONE else 1
        choice["given_away"][0, i] = -value if player == 0 else value - 1.0
        counts = choice["windows"][0, i]
        choice["cost"][0, i] = _cost(after.record, context, player, counts)
    choice["given_away"][0, : len(codes)] -= choice["given_away"][0, : len(codes)].min()
    return choice


def choices_of(edition: str, deal: int) -> Iterator[Array]:
    """Plays a game and gives the choices in it."""
    rng = Random(deal)
    agents = {player: agent_of("net", deal) for player in Player}
    position = Position.initial(edition, deal=deal)
    played = 0
    while position.phase is not Phase.OVER:
        if position.phase is Phase.DEAL:
            position = position.play(position.deal(rng))
            continue
        found = agents[mover_of(position)].think(position, PLAYING)
        move = found.best.move
        if played < DRAWN_MOVES and rng.random() < DRAWN_SHARE:
            move = rng.choice(found.moves[:5]).move
        code = position.code(move)
        assert code is not None
        choice = choice_at(position, code)
        if choice is not None:
            yield choice
        position = position.play(move)
        played += 1


def play_batch(folder: Path, batch: int) -> None:
    """Plays the games of one file, which is written whole or not at all."""
    edition = EDITIONS[batch % len(EDITIONS)]
    choices = [choice for game in range(GAMES) for choice in choices_of(edition, batch * GAMES + game)]
    path = folder / f"choices-{batch:05}.npy"
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.save(file, np.concatenate(choices))
    os.replace(part, path)


def given_away(table: Array, choices: Array) -> float:
    """The loss of the placements that a table ranks first, on average."""
    costs = choices["cost"] + choices["windows"] @ table.astype(np.float32)
    costs[np.arange(PLACES) >= choices["count"][:, None]] = np.inf
    return float(choices["given_away"][np.arange(len(choices)), costs.argmin(1)].mean())


def learn(choices: Array) -> Array:
    """Learns the table: placements drawn by their cost shall lose little."""
    import torch

    torch.manual_seed(0)
    windows = torch.tensor(choices["windows"])
    quick, lost = (torch.tensor(choices[name]) for name in ("cost", "given_away"))
    absent = torch.arange(PLACES) >= torch.tensor(choices["count"])[:, None]
    unit = windows.float().flatten(0, 1).std(0) + 0.01
    weights = torch.zeros(KINDS, requires_grad=True)
    optimiser = torch.optim.Adam([weights], RATE)
    for step in range(STEPS):
        some = torch.randint(len(choices), (BATCH,))
        costs = quick[some] / SMOOTH + (windows[some] / unit) @ weights
        drawn = torch.softmax((-costs).masked_fill(absent[some], -torch.inf), 1)
        loss = (drawn * lost[some]).sum(1).mean() + SMALL * (weights**2).mean()
        for group in optimiser.param_groups:
            group["lr"] = RATE * (1 - step / STEPS)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    return np.asarray((SMOOTH * weights / unit).round().detach(), np.int16)


def main(arguments: list[str] | None = None) -> int:
    """Plays what is missing, learns the table and says what it is worth; returns the exit status."""
    from rich.progress import track

    parser = argparse.ArgumentParser(
        prog="python -m quiltwork.training.places", description="The evaluator of placements."
    )
    parser.add_argument("folder", type=Path, help="where games and the table go")
    parser.add_argument("--batches", type=int, default=100, help=f"of {GAMES} games each")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args(arguments)
    try:
        import torch  # noqa: F401
    except ImportError:
        print("Training needs torch: pip install 'quiltwork[train]'", file=sys.stderr)
        return 1
    given.folder.mkdir(parents=True, exist_ok=True)
    missing = [i for i in range(given.batches) if not (given.folder / f"choices-{i:05}.npy").exists()]
    with ProcessPoolExecutor(given.workers, get_context("spawn")) as pool:
        tasks = [pool.submit(play_batch, given.folder, batch) for batch in missing]
        try:
            for task in track(as_completed(tasks), "playing", total=len(tasks)):
                task.result()
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            print("interrupted; what was played is kept")
            return 130
    choices = np.concatenate([np.load(path) for path in sorted(given.folder.glob("choices-*.npy"))])
    cut = int(len(choices) * (1 - TEST_SHARE))
    before, after = (given_away(table, choices[cut:]) for table in (np.zeros(KINDS), learn(choices[:cut])))
    print(f"{len(choices):,} choices; of a win given away: {before:.4f} without windows, {after:.4f} with them")
    np.save(given.folder / "placement_windows.npy", learn(choices))
    return 0


if __name__ == "__main__":
    sys.exit(main())
