"""How strong a net is: matches with paired deals against the best so far and a rival without a net."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quiltwork.agents import Limits
from quiltwork.arena.match import Match, play_match
from quiltwork.arena.pair import Pairing
from quiltwork.training.config import Evaluation


@dataclass(frozen=True)
class Measured:
    """What was found."""

    net: Path
    minutes: float
    against_best: Match | None
    against_rival: Match
    promoted: bool
    """whether it is the best now: not weaker than the best so far"""

    def as_json(self) -> dict[str, Any]:
        return {
            "minutes": round(self.minutes, 2),
            "promoted": self.promoted,
            "best": None if self.against_best is None else _share(self.against_best),
            "rival": _share(self.against_rival),
        }


def measure(settings: Evaluation, net: Path, best: Path | None, seed: int, minutes: float) -> Measured:
    """Plays the matches of a checkpoint."""
    own = Limits(simulations=settings.simulations)
    rival = Limits(simulations=settings.rival_simulations)
    against_best = None
    spec = f"net:weights={net}"
    if best is not None:
        against_best = _play(settings, Pairing(spec, f"net:weights={best}", settings.edition, (own, own), seed))
    against_rival = _play(settings, Pairing(spec, settings.rival, settings.edition, (own, rival), seed))
    promoted = against_best is None or against_best.score.high >= 0.5
    return Measured(net, minutes, against_best, against_rival, promoted)


def _play(settings: Evaluation, pairing: Pairing) -> Match:
    return play_match(pairing, settings.games, workers=settings.workers)


def _share(match: Match) -> dict[str, float]:
    score = match.score
    return {
        "games": match.games,
        "share": round(score.value, 4),
        "low": round(score.low, 4),
        "high": round(score.high, 4),
        "points": round(match.mean("points", 0) - match.mean("points", 1), 2),
    }
