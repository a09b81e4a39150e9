"""The whole loop: play, learn, measure, keep the best."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from quiltwork.agents.net.weights import load_net, save_net
from quiltwork.errors import QuiltworkError
from quiltwork.training.checkpoint import BEST, load_checkpoint, save_checkpoint
from quiltwork.training.config import Config, config_dict
from quiltwork.training.learner import Learner, cosine
from quiltwork.training.measure import Measured, measure
from quiltwork.training.network import Net
from quiltwork.training.players import Cluster, Players, Threads, play_some
from quiltwork.training.progress import Lines, shown
from quiltwork.training.replay import Replay

REPORT_SECONDS = 15
SAVE_SECONDS = 60
CARRY_SECONDS = 5
"""seconds between two updates of the players' net"""


class Run:
    """One run of training: from nothing, from a checkpoint, or from weights (.npz) with a fresh optimiser."""

    def __init__(self, config: Config, folder: Path, resume: Path | None = None, ray: str | None = None) -> None:
        self.config, self.folder, self.ray = config, folder, ray
        folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(config.seed)
        net = Net()
        if resume is not None and resume.suffix == ".npz":
            net.load_compiled(load_net(str(resume)))
        self.learner = Learner(net, config.device, config.learning)
        self.past: dict[str, Any] = {"minutes": 0.0, "games": 0, "lessons": 0}
        self.best: Path | None = None
        if resume is not None and resume.suffix == ".npz":
            self.best = folder / BEST
            save_net(load_net(str(resume)), self.best)
        elif resume is not None:
            saved = load_checkpoint(resume)
            self.learner.restore(saved.state)
            self.past = saved.past
            if (resume / BEST).exists():
                self.best = folder / BEST
                if resume.resolve() != folder.resolve():
                    save_net(load_net(str(resume / BEST)), self.best)
        self.resumed = resume is not None
        self.replay = Replay(config.learning.capacity, config.device, config.learning.search_share)
        self.games = 0
        self.steps = 0
        self.parts = torch.zeros(3)
        # What has to be compiled is not counted as time of the run.
        play_some(replace(config.selfplay, simulations=4), None, config.seed, games=1)
        self.began = time.monotonic()
        self._newest: list[np.ndarray[Any, Any]] = []
        self._screen = Lines()
        self._measuring: Future[Measured] | None = None
        self._referees = ThreadPoolExecutor(1)

    def note(self, event: str, **data: Any) -> None:
        """Writes a line to the log."""
        line = {"event": event, "seconds": round(time.monotonic() - self.began, 1), **data}
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")
        self._screen.note(line)

    def play(self) -> None:
        """Plays and learns until the time is over or the user interrupts; nothing is lost then."""
        with shown() as self._screen:
            self._play()

    def _play(self) -> None:
        self.note("begin", **config_dict(self.config), resumed=self.past)
        with self._players() as players:
            try:
                self._loop(players)
            except KeyboardInterrupt:
                self.note("interrupted")
        self._save()
        self._take_measure(wait=True)
        self._begin_measuring()
        self._take_measure(wait=True)
        self._save()
        self.note("end", minutes=round(self._minutes(), 2), games=self.past["games"] + self.games)

    @contextmanager
    def _players(self) -> Iterator[Players]:
        c = self.config
        # A resumed run plays other games.
        seed = c.seed + 1000 * int(60 * self.past["minutes"])
        net = self.learner.average.compiled() if self.resumed else None
        players: Players
        if self.ray is None:
            players = Threads(c.selfplay, c.workers, seed, net)
        else:
            players = Cluster(c.selfplay, self.ray, seed, net)
        try:
            yield players
        finally:
            players.close()

    def _loop(self, players: Players) -> None:
        learning = self.config.learning
        reported = saved = carried = measured = time.monotonic()
        last = (0, 0, 0)
        while self._progress() < 1:
            due = self._due()
            for played in players.take(0.0 if due else 0.2):
                self.replay.add(played.lessons)
                self.games += len(played.summaries)
                if played.edition == self.config.evaluation.edition:
                    self._newest = [*self._newest[-499:], played.summaries]
            if due:
                self.parts = self.learner.step(self.replay.draw(learning.batch), self._rate())
                self.steps += 1
            self._screen.show(self._progress(), self.past["games"] + self.games)
            now = time.monotonic()
            if now - carried > CARRY_SECONDS and (self.steps > learning.warm_up_steps or self.resumed):
                players.learn(self.learner.average.compiled())
                carried = now
            if now - reported > REPORT_SECONDS:
                last = self._report(now - reported, last)
                reported = now
            if now - saved > SAVE_SECONDS:
                self._save()
                saved = now
            self._take_measure(wait=False)
            if now - measured > 60 * self.config.evaluation.every_minutes and self._measuring is None:
                self._begin_measuring()
                measured = now

    def _due(self) -> bool:
        c = self.config.learning
        written = self.replay.written
        return written >= c.least and self.steps * c.batch < c.reuse * written

    def _progress(self) -> float:
        return (time.monotonic() - self.began) / (60 * self.config.minutes)

    def _rate(self) -> float:
        c = self.config.learning
        warm = min(1.0, (self.steps + 1) / max(1, c.warm_up_steps))
        return warm * cosine(c.rate, c.final_rate, self._progress())

    def _minutes(self) -> float:
        return self.past["minutes"] + (time.monotonic() - self.began) / 60

    def _save(self) -> None:
        past = {
            "minutes": self._minutes(),
            "games": self.past["games"] + self.games,
            "lessons": self.past["lessons"] + self.replay.written,
        }
        save_checkpoint(self.folder, self.learner, past, config_dict(self.config))

    # Measuring

    def _begin_measuring(self) -> None:
        """Starts to measure the averaged net against the best so far and the rival, beside the run."""
        if self.steps == 0 and not self.resumed:
            return
        candidate = self.folder / f"net-{self._minutes():.1f}.npz"
        save_net(self.learner.average.compiled(), candidate)
        seed = 7_000 + int(60 * self._minutes())
        self._measuring = self._referees.submit(
            measure, self.config.evaluation, candidate, self.best, seed, self._minutes()
        )

    def _take_measure(self, wait: bool) -> None:
        """Keeps the measured net if it is the best now; without `wait` only if it is measured already."""
        if self._measuring is None or not (wait or self._measuring.done()):
            return
        found = self._measuring.result()
        self._measuring = None
        if found.promoted:
            self.best = self.folder / BEST
            save_net(load_net(str(found.net)), self.best)
        found.net.unlink()
        self.note("measured", games=self.past["games"] + self.games, **found.as_json())

    def _report(self, seconds: float, last: tuple[int, int, int]) -> tuple[int, int, int]:
        now = (self.games, self.replay.written, self.steps)
        games, lessons, steps = ((a - b) / seconds for a, b in zip(now, last, strict=True))
        newest = np.concatenate(self._newest) if self._newest else None
        shown: dict[str, Any] = {}
        if newest is not None:
            shown = {
                "points": round(float(newest["points"].mean()), 2),
                "empty": round(float(newest["empty"].mean()), 2),
                "first_wins": round(float(newest["first_won"].mean()), 3),
                "moves": round(float(newest["moves"].mean()), 1),
                "advances": round(float(newest["advances"].mean()), 1),
            }
        self.note(
            "progress",
            games_per_second=round(games, 1),
            lessons_per_second=round(lessons),
            steps_per_second=round(steps, 1),
            games=now[0],
            lessons=now[1],
            steps=now[2],
            loss=[round(float(part), 4) for part in self.parts.cpu()],
            **shown,
        )
        return now


def export(folder: Path, path: Path) -> None:
    """Writes the best net of a run for the agent."""
    if not (folder / BEST).exists():
        raise QuiltworkError(f"{folder}: no net was measured there yet ({BEST} is missing)")
    save_net(load_net(str(folder / BEST)), path)
