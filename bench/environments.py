"""Environments side by side in one run: ours batched and through the adapters, and others of their kind.

Run with `python bench/environments.py [--edition E] [--seconds S] [--json FILE]`. Every line plays random legal
actions for some seconds; a library that is not installed is left out and named. The first column is by the
wall clock, which a busy machine falsifies; the second is by the processor time of all threads, so for a line on
several cores it is the rate of one of them.

    pip install 'quiltwork[rl,openspiel]' chess pygame pgx      for all lines
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from quiltwork.envs import BatchedGames, Observation

GAMES = 4096
PLIES = 16
"""that the compiled code plays at random in one call"""
ROUNDS = 3


@dataclass(frozen=True)
class Line:
    """One measured way to play."""

    what: str
    cores: int
    """0: as many as the library takes"""
    plies_per_second: float
    plies_per_processor_second: float


Play = Callable[[], int]
"""plays for a moment and returns the number of plies"""


def measured(what: str, cores: int, play: Play, seconds: float) -> Line:
    """The median of some rounds, after one that warms up."""
    play()
    by_clock, by_processor = [], []
    for _ in range(ROUNDS):
        plies, begin, used = 0, time.perf_counter(), time.process_time()
        while (passed := time.perf_counter() - begin) < seconds / ROUNDS:
            plies += play()
        by_clock.append(plies / passed)
        by_processor.append(plies / (time.process_time() - used))
    return Line(what, cores, statistics.median(by_clock), statistics.median(by_processor))


# Ours


def batched(edition: str, threads: int) -> Iterator[tuple[str, int, Play]]:
    """The batch with nothing, with masks, and with masks and observations handed out at every ply."""
    games = BatchedGames(edition, GAMES, threads=threads)
    mask, seen = games.legal_mask(), games.observe()

    def random() -> int:
        games.play_at_random(PLIES)
        return GAMES * PLIES

    def masks() -> int:
        games.play_at_random()
        games.legal_mask(mask)
        return GAMES

    def observations() -> int:
        games.play_at_random()
        games.legal_mask(mask)
        games.observe(Observation(*seen))
        return GAMES

    def stepped() -> int:
        games.step(games.sample_actions())
        games.legal_mask(mask)
        games.observe(Observation(*seen))
        return GAMES

    yield f"batched: random actions in compiled code, {PLIES} plies a call", threads, random
    yield "batched: one ply a call, dense masks handed out", threads, masks
    yield "batched: one ply a call, masks and observations handed out", threads, observations
    yield "batched: actions sampled, then step, masks, observations", threads, stepped


def ours(edition: str) -> Iterator[tuple[str, int, Play]]:
    from quiltwork.envs import quiltwork_v0
    from quiltwork.envs.gym import QuiltworkEnv

    yield f"PettingZoo: quiltwork_v0 ({edition})", 1, pettingzoo_play(quiltwork_v0.env(edition=edition))
    env = QuiltworkEnv(edition)
    rng = np.random.default_rng(0)

    def gymnasium_play() -> int:
        _, info = env.reset()
        plies, over = 0, False
        while not over:
            _, _, over, _, info = env.step(chosen(rng, info["action_mask"]))
            plies += 1
        return plies

    yield f"Gymnasium: {edition} against random, learner's moves", 1, gymnasium_play


def ours_openspiel(edition: str) -> Iterator[tuple[str, int, Play]]:
    import quiltwork.envs.openspiel  # noqa: F401  registers the game

    yield (
        f"OpenSpiel through Python: quiltwork ({edition})",
        1,
        openspiel_play(f"quiltwork(edition={edition},deal=1)"),
    )


# Others


def pettingzoo_chess() -> Iterator[tuple[str, int, Play]]:
    from pettingzoo.classic import chess_v6

    yield "PettingZoo: chess_v6", 1, pettingzoo_play(chess_v6.env())


def pettingzoo_connect_four() -> Iterator[tuple[str, int, Play]]:
    from pettingzoo.classic import connect_four_v3

    yield "PettingZoo: connect_four_v3", 1, pettingzoo_play(connect_four_v3.env())


def openspiel_chess() -> Iterator[tuple[str, int, Play]]:
    yield "OpenSpiel through Python: chess (C++)", 1, openspiel_play("chess")


def pgx_games() -> Iterator[tuple[str, int, Play]]:
    import jax
    import pgx

    for name in ("chess", "go_9x9"):
        yield f"pgx on the CPU: {name}, masks and observations, all cores", 0, pgx_play(jax, pgx.make(name))


# How each kind is played


def chosen(rng: np.random.Generator, mask: Any) -> Any:
    """A random legal action; the same way for all, and quicker than the libraries' own."""
    legal = np.flatnonzero(mask)
    return legal[rng.integers(len(legal))]


def pettingzoo_play(env: Any) -> Play:
    rng = np.random.default_rng(0)

    def play() -> int:
        env.reset()
        plies = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(chosen(rng, observation["action_mask"]))
                plies += 1
        return plies

    return play


def openspiel_play(name: str) -> Play:
    """Random play with the mask and the observation tensor asked for at every ply, as a learner does."""
    import pyspiel

    game = pyspiel.load_game(name)
    rng = np.random.default_rng(0)

    def play() -> int:
        state = game.new_initial_state()
        plies = 0
        while not state.is_terminal() and plies < 200:
            if state.is_chance_node():
                outcomes = [outcome for outcome, _ in state.chance_outcomes()]
                state.apply_action(outcomes[rng.integers(len(outcomes))])
                continue
            state.observation_tensor(state.current_player())
            state.apply_action(int(chosen(rng, state.legal_actions_mask())))
            plies += 1
        return plies

    return play


def pgx_play(jax: Any, env: Any, games: int = 256, plies: int = 8) -> Play:
    """A batch in one compiled loop; finished games start anew."""
    from pgx.experimental import auto_reset

    step = auto_reset(env.step, env.init)

    def ply(carry: Any, _: Any) -> Any:
        state, key = carry
        key, draw, reset = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        action = jax.random.categorical(draw, logits, axis=-1)
        state = jax.vmap(step)(state, action, jax.random.split(reset, games))
        return (state, key), state.observation.sum()

    run = jax.jit(lambda carry: jax.lax.scan(ply, carry, None, length=plies))
    key = jax.random.PRNGKey(0)
    carry = [(jax.vmap(env.init)(jax.random.split(key, games)), key)]

    def play() -> int:
        carry[0], seen = run(carry[0])
        jax.block_until_ready(seen)
        return games * plies

    return play


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", default="patchwork")
    parser.add_argument("--seconds", type=float, default=6, help="for each line")
    parser.add_argument("--json", type=Path, help="a file for the results")
    options = parser.parse_args()
    kinds: list[Callable[[], Iterator[tuple[str, int, Play]]]] = [
        lambda: batched(options.edition, 1),
        lambda: batched(options.edition, 2),
        lambda: ours(options.edition),
        lambda: ours_openspiel(options.edition),
        pettingzoo_chess,
        pettingzoo_connect_four,
        openspiel_chess,
        pgx_games,
    ]
    lines = []
    print(f"{'plies a second':>15}  {'a core-second':>14}  {'cores':>5}  {options.edition}")
    for kind in kinds:
        try:
            for what, cores, play in kind():
                line = measured(what, cores, play, options.seconds)
                lines.append(line)
                rates = f"{line.plies_per_second:15,.0f}  {line.plies_per_processor_second:14,.0f}"
                print(f"{rates}  {line.cores or 'all':>5}  {line.what}", flush=True)
        except ImportError as error:
            print(f"{'not installed':>15}  {'':>14}  {'':>5}  {kind.__name__}: {error}", flush=True)
    by_name = {(line.what, line.cores): line.plies_per_second for line in lines}
    for what in dict.fromkeys(line.what for line in lines if line.what.startswith("batched")):
        print(f"{by_name[what, 2] / by_name[what, 1]:15.2f}  {'':>14}  2 : 1  {what}")
    if options.json:
        options.json.write_text(json.dumps([vars(line) for line in lines], indent=1) + "\n")


if __name__ == "__main__":
    main()
