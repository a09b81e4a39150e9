"""The arena: matches and tournaments between agents, with the statistics that tell luck from strength."""

from __future__ import annotations

from quiltwork.arena.match import Match as Match
from quiltwork.arena.match import play_match as play_match
from quiltwork.arena.pair import GameResult as GameResult
from quiltwork.arena.pair import Pairing as Pairing
from quiltwork.arena.pair import PairResult as PairResult

__all__ = ["GameResult", "Match", "PairResult", "Pairing", "play_match"]
