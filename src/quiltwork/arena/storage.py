"""A match on disk: its settings, its results and its records, so that it can go on after an interrupt."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from quiltwork.arena.pair import GameResult, Pairing, PairResult
from quiltwork.errors import QuiltworkError

SETTINGS = "match.json"
RESULTS = "pairs.jsonl"
RECORDS = "games.quilt"
STDERR = "stderr.txt"
"""the stderr of programs, game by game; made only if there is some"""


class MatchFolder:
    """The folder of one pairing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._end = 0
        """the end of the last complete record"""

    def open(self, pairing: Pairing) -> list[PairResult]:
        """Makes the folder, or reads the pairs that were played; raises QuiltworkError for another match."""
        wanted = json.loads(json.dumps(pairing.as_json()))
        settings = self.path / SETTINGS
        if not settings.exists():
            if self.path.exists() and any(self.path.iterdir()):
                raise QuiltworkError(f"{self.path}: is not empty and holds no match")
            self.path.mkdir(parents=True, exist_ok=True)
            settings.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")
            (self.path / RESULTS).touch()
            (self.path / RECORDS).touch()
            return []
        try:
            found = json.loads(settings.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise QuiltworkError(f"{settings}: cannot be read as the settings of a match") from None
        if found != wanted:
            different = ", ".join(
                key for key in wanted if not isinstance(found, dict) or found.get(key) != wanted[key]
            )
            raise QuiltworkError(f"{self.path}: holds a match with other settings ({different})")
        return self._repair()

    def pairs(self) -> list[PairResult]:
        """The pairs that were played; it changes nothing on disk, so it may be called while a match runs."""
        return self._read()[0]

    def _read(self) -> tuple[list[PairResult], str, int]:
        """The pairs, their complete lines, and the end of their records."""
        pairs: dict[int, PairResult] = {}
        whole, end = "", 0
        for line in (self.path / RESULTS).read_text(encoding="utf-8").splitlines(keepends=True):
            try:
                data = json.loads(line)
                games = tuple(_game(each) for each in data["games"])
                pair = PairResult(int(data["number"]), (games[0], games[1]), ("", ""))
            except (ValueError, KeyError, TypeError, IndexError):
                # The line that an interrupt cut short; its pair is played again.
                break
            pairs[pair.number] = pair
            whole += line
            end = int(data["records_end"])
        return list(pairs.values()), whole, end

    def _repair(self) -> list[PairResult]:
        """The pairs that were played; what an interrupt cut short is removed from the files."""
        pairs, whole, self._end = self._read()
        (self.path / RESULTS).write_text(whole, encoding="utf-8")
        with (self.path / RECORDS).open("r+b") as records:
            records.truncate(self._end)
        return pairs

    def add(self, pair: PairResult) -> None:
        """Saves a pair: first its records, then its result, which says where the records end."""
        with (self.path / RECORDS).open("ab") as records:
            for text in pair.records:
                records.write(text.strip().encode() + b"\n\n")
            records.flush()
            self._end = records.tell()
        self._add_stderr(pair)
        data = {"number": pair.number, "games": [asdict(game) for game in pair.games], "records_end": self._end}
        with (self.path / RESULTS).open("a", encoding="utf-8") as results:
            results.write(json.dumps(data) + "\n")

    def _add_stderr(self, pair: PairResult) -> None:
        texts = [
            f"== pair {pair.number}, game {game}, agent {agent}\n{text.rstrip()}\n"
            for game, both in enumerate(pair.stderr, 1)
            for agent, text in enumerate(both, 1)
            if text.strip()
        ]
        if texts:
            with (self.path / STDERR).open("a", encoding="utf-8") as stderr:
                stderr.writelines(texts)


def _game(data: dict[str, Any]) -> GameResult:
    return GameResult(
        won=bool(data["won"]),
        began=int(data["began"]),
        points=(data["points"][0], data["points"][1]),
        empty_spaces=(data["empty_spaces"][0], data["empty_spaces"][1]),
        moves=(data["moves"][0], data["moves"][1]),
        seconds=(data["seconds"][0], data["seconds"][1]),
        faults=(data["faults"][0], data["faults"][1]),
    )
