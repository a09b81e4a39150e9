"""The whole loop: play, learn, measure, keep the best."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import torch

from quiltwork.agents.net.lessons import write_batch
from quiltwork.edition import load_edition
from quiltwork.errors import QuiltworkError
from quiltwork.rules.chance import source_of
from quiltwork.training.checkpoint import load_checkpoint, save_checkpoint
from quiltwork.training.config import Config, config_dict
from quiltwork.training.engine import Engine
from quiltwork.training.group import Group, Shelves, Table, self_play_settings
from quiltwork.training.learner import Learner, Weights, cosine
from quiltwork.training.matches import Rival, Tally, play_match
from quiltwork.training.network import Architecture, Net
from quiltwork.training.replay import Batch, choose

CHUNKS = 8
"""parts in which a batch is written"""
CHECKED = 16
"""steps between looks at the loss"""
ASTRAY = 1.0
"""a loss of win or quilts above this is no learning any more"""


def warm_up(config: Config) -> subprocess.Popen[bytes]:
    """Compiles the games in another process, while this one compiles the net."""
    code = f"from quiltwork.training.warm import warm; warm({int(config.evaluation.rival_games > 0)})"
    return subprocess.Popen([sys.executable, "-c", code])


class Run:
    """One run of training, from nothing or from a checkpoint."""

    def __init__(self, config: Config, folder: Path, resume: Path | None, rivals: dict[str, Rival]) -> None:
        self.config, self.folder, self.rivals = config, folder, rivals
        folder.mkdir(parents=True, exist_ok=True)
        self.began = time.monotonic()
        self.log: TextIO = (folder / "log.jsonl").open("a", encoding="utf-8")
        torch.manual_seed(config.seed)
        torch.backends.cuda.matmul.allow_tf32 = True
        torch.backends.cudnn.allow_tf32 = True
        self.rng = np.random.default_rng(config.seed)
        self.cuda = config.device.startswith("cuda")
        self.past: dict[str, float] = {"minutes": 0.0, "games": 0.0, "steps": 0.0, "simulations": 0.0}
        net = Net(Architecture(**asdict(config.net)))
        self.best = Net(net.architecture)
        saved = load_checkpoint(resume) if resume else None
        if saved:
            net.load_state_dict(saved.net)
        lessons = config.learning
        self.learner = Learner(
            net,
            config.device,
            lessons.rate,
            Weights(points=lessons.points, quilts=lessons.quilts, search=lessons.search),
            lessons.decay,
            lessons.average,
            config.compiled,
        )
        if saved:
            self.learner.average.load_state_dict(saved.average)
            self.learner.load_optimiser(saved.optimiser)
            self.past = saved.past
            self.learner.steps = int(saved.past["steps"])
        self.best.load_state_dict(self.learner.average.state_dict())
        self.pool = ThreadPoolExecutor(config.workers)
        warming = warm_up(config) if config.compiled else None
        self._set_the_table()
        if config.compiled:
            self.learner.rehearse(self.batches[0].tensors(self.learner.device))
            self.note("learner")
        if warming is not None and warming.wait() != 0:
            raise QuiltworkError("the games could not be compiled; see above")
        self.groups = [self._group(i) for i in range(2)]
        self.note("games")

    def _set_the_table(self) -> None:
        c = self.config
        names = list(c.selfplay.editions)
        self.table = Table([load_edition(n) for n in names], [c.selfplay.editions[n] for n in names])
        self.shelves = Shelves(c.workers, c.learning.room)
        self.note("engine")
        # Both engines are made before anything is learned: a graph captured later once spoiled the learning.
        sizes = (c.selfplay.rows, c.selfplay.candidates, c.device, c.compiled)
        self.engine = Engine(self.learner.average, *sizes)
        self.best_engine = Engine(self.best, *sizes)
        self.batches = [Batch(c.learning.batch, self.cuda) for _ in range(2)]
        self.sources = source_of(*(c.seed * 1000 + i for i in range(CHUNKS)))
        self.turn = 0
        self.writing: list[Future[None]] = []
        self.steps = 0
        self.calm = 1.0
        self.good = [self.learner.remember()]
        self.parts = torch.zeros(4)

    def _group(self, number: int) -> Group:
        c = self.config.selfplay
        settings = self_play_settings(c.simulations, c.considered, c.quick_simulations, c.full_share, c.playouts)
        seed = self.config.seed * 100 + number + int(60 * self.past["minutes"]) * 10_000
        return Group(self.table, c.rows, settings, c.candidates, self.shelves, seed, self.cuda)

    def note(self, event: str, **data: Any) -> None:
        """Writes a line to the log."""
        line = {"event": event, "seconds": round(time.monotonic() - self.began, 1), **data}
        self.log.write(json.dumps(line) + "\n")
        self.log.flush()
        print(json.dumps(line), flush=True)

    # Learning

    def _write_batch(self) -> None:
        """Begins to write the next batch."""
        c = self.config.learning
        chosen = choose(
            self.rng,
            self.shelves.marks["written"],
            self.shelves.room,
            c.window,
            c.least // len(self.shelves.marks),
            c.batch,
        )
        samples = self.shelves.samples.reshape(-1)
        arrays = self.batches[self.turn].arrays()
        bounds = np.linspace(0, c.batch, CHUNKS + 1).astype(int)
        self.writing = [
            self.pool.submit(
                write_batch,
                samples,
                chosen[a:b],
                self.table.editions,
                self.table.sights,
                self.sources[i : i + 1],
                *(array[a:b] for array in arrays),
            )
            for i, (a, b) in enumerate(pairwise(bounds))
        ]

    def _learn(self) -> None:
        """Learns from the batch that was written, and has the next one written."""
        if not self.writing:
            self._write_batch()
        for job in self.writing:
            job.result()
        tensors = self.batches[self.turn].tensors(self.learner.device)
        self.turn = 1 - self.turn
        self.batches[self.turn].wait()
        self._write_batch()
        self.parts = self.learner.step(tensors, self._rate())
        self.steps += 1
        if self.steps % CHECKED == 0:
            self._check()

    def _check(self) -> None:
        """Goes back to the last good state, with half the rate, when learning has gone astray."""
        parts = self.parts.float().cpu()
        bad = not bool(torch.isfinite(parts).all()) or float(parts[1]) > ASTRAY or float(parts[3]) > ASTRAY
        if bad:
            self.calm *= 0.5
            self.learner.return_to(self.good[0])
            self.engine.learn_from(self.learner.average)
            self.note("astray", loss=[float(x) for x in parts], calm=self.calm)
        elif self.steps % (8 * CHECKED) == 0:
            # The last but one is kept: trouble begins before it shows.
            self.good = [self.good[-1], self.learner.remember()]

    def _progress(self) -> float:
        return (time.monotonic() - self.play_began) / (60 * self.config.minutes)

    def _rate(self) -> float:
        c = self.config.learning
        warm = min(1.0, (self.steps + 1) / max(1, c.warm_up_steps))
        return self.calm * warm * cosine(c.rate, c.final_rate, self._progress())

    def _due(self) -> bool:
        c = self.config.learning
        written = self.shelves.total("written")
        return written >= c.least and self.steps * c.batch < c.reuse * (written - c.least)

    # Measuring

    def _measure(self) -> None:
        """Plays the averaged net against the best so far and the rivals; keeps it if it is not weaker."""
        c = self.config.evaluation
        began = time.monotonic()
        rows = self.config.selfplay.rows
        edition = load_edition(c.edition)
        self.engine.learn_from(self.learner.average)
        sims = (c.simulations, c.simulations)
        # Other deals at each measurement.
        seed = 7_000 + int(self.past["minutes"] * 60 + time.monotonic() - self.began)
        engines = (self.engine, self.best_engine)
        workers = self.config.workers
        against_best = play_match(edition, min(rows, 1024), engines, sims, self.pool, workers, seed)
        results: dict[str, Tally] = {"best": against_best}
        for name, rival in self.rivals.items():
            results[name] = play_match(
                edition, c.rival_games, (self.engine,), sims, self.pool, workers, seed + 1, rival
            )
        promoted = against_best.share + against_best.interval >= 0.5
        if promoted:
            self.best.load_state_dict(self.learner.average.state_dict())
            self.best_engine.learn_from(self.best)
        self.note(
            "measured",
            minutes=round(self._minutes(), 2),
            games=self.shelves.total("results") + int(self.past["games"]),
            promoted=promoted,
            took=round(time.monotonic() - began, 1),
            **{name: tally.data() for name, tally in results.items()},
        )

    def _minutes(self) -> float:
        return self.past["minutes"] + (time.monotonic() - self.play_began) / 60

    def _save(self) -> None:
        past = {
            "minutes": self._minutes(),
            "games": self.past["games"] + self.shelves.total("results"),
            "simulations": self.past["simulations"] + self.shelves.total("simulations"),
            "steps": float(self.learner.steps),
        }
        save_checkpoint(self.folder, self.learner, self.best, past, config_dict(self.config))

    # The loop

    def play(self) -> None:
        """Plays and learns until the time is over; a failure of any worker ends the run."""
        with self.log, self.pool:
            self._play()

    def _play(self) -> None:
        c = self.config
        self.play_began = time.monotonic()
        reported = measured = saved = self.play_began
        self.note("begin", **config_dict(c), resumed=self.past)
        rounds = 0
        early = c.selfplay.early_minutes > 0
        if early:
            for group in self.groups:
                group.search_with(c.selfplay.early_simulations, c.selfplay.early_simulations)
        for group in self.groups:
            group.step(self.pool)
            group.ask((self.engine,))
        last = (0, 0, 0)
        while self._progress() < 1:
            for group in self.groups:
                group.wait()
                group.step(self.pool)
                group.ask((self.engine,))
            if self._due():
                self._learn()
            if early and self._progress() * c.minutes > c.selfplay.early_minutes:
                early = False
                for group in self.groups:
                    group.search_with(c.selfplay.simulations, c.selfplay.quick_simulations)
            rounds += 1
            if rounds % 64 == 0:
                self.engine.learn_from(self.learner.average)
            now = time.monotonic()
            if now - reported > 15:
                last = self._report(now - reported, last)
                reported = now
            if now - measured > 60 * c.evaluation.every_minutes:
                self._measure()
                measured = time.monotonic()
            if now - saved > 60:
                self._save()
                saved = time.monotonic()
        self._save()
        self._measure()
        self._save()
        self.note("end", minutes=round(self._minutes(), 2), games=self.shelves.total("results"))

    def _report(self, seconds: float, last: tuple[int, int, int]) -> tuple[int, int, int]:
        now = (self.shelves.total("asked"), self.shelves.total("results"), self.steps)
        asked, played, learned = ((a - b) / seconds for a, b in zip(now, last, strict=True))
        newest = self.shelves.newest_results()
        newest = newest[newest["edition"] == 0]
        self.note(
            "progress",
            asked_per_second=round(asked),
            games_per_second=round(played, 1),
            steps_per_second=round(learned, 2),
            games=now[1],
            steps=now[2],
            loss=[round(float(x), 4) for x in self.parts.float().cpu()],
            score=round(float(newest["score"].mean()), 2) if len(newest) else None,
            empty=round(float(newest["empty"].mean()), 2) if len(newest) else None,
            first_wins=round(float((newest["winner"] == 0).mean()), 3) if len(newest) else None,
            moves=round(float(newest["moves"].mean()), 1) if len(newest) else None,
        )
        return now
