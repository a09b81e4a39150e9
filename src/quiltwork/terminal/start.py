"""How a game begins: from a kept or saved record, or anew, with its players and its words."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path

from quiltwork.editions import DEFAULT_EDITION, load_edition
from quiltwork.errors import QuiltworkError
from quiltwork.game import Game
from quiltwork.move import Player
from quiltwork.speech import Speech
from quiltwork.telling import Telling
from quiltwork.terminal import storage, study
from quiltwork.terminal.table import Table
from quiltwork.themes import Theme, load_theme, theme_of

LEAST_SIZE = 80, 24
"""columns and lines of the smallest screen that shows everything"""


@dataclass(frozen=True)
class Wishes:
    """What was asked for on the command line; None where nothing was."""

    edition: str | None = None
    deal: int | None = None
    load: str | None = None
    new: bool = False
    theme: str | None = None
    names: tuple[str | None, str | None] = (None, None)
    against: str | None = None
    seat: int = 1
    seconds: float = 1.0
    language: str = "en"

    @property
    def fresh(self) -> bool:
        """Whether a new game is wanted, even if an unfinished one waits."""
        return self.new or self.edition is not None or self.deal is not None

    def check(self) -> None:
        """Raises QuiltworkError for what does not exist, before anything is asked."""
        if self.load and (self.edition or self.deal is not None):
            raise QuiltworkError("--load takes the edition and the deal from the record")
        if self.edition:
            load_edition(self.edition)
        if self.theme:
            load_theme(self.theme)
        if self.against:
            from quiltwork.agents import agent_of

            agent_of(self.against).close()

    def game(self) -> Game:
        """The record to go on with, or a new game."""
        if self.load:
            return storage.read(Path(self.load))
        edition = load_edition(self.edition or DEFAULT_EDITION)
        deal = secrets.randbelow(10**6) if self.deal is None else self.deal
        game = Game.new(edition, deal=deal)
        game.tags["Deal"] = str(deal)
        return game

    def theme_for(self, game: Game) -> Theme:
        return load_theme(self.theme) if self.theme else theme_of(game.edition)

    def table(self, game: Game) -> tuple[Table, Telling]:
        """The table for a game: its opponent is the one asked for, or as the unfinished game remembers."""
        speech = Speech(game.edition, self.theme_for(game), self.language)
        if self.against:
            game.tags["Opponent"] = f"{self.against} {self.seat}"
        opponent, _, seat = game.tags.get("Opponent", "").rpartition(" ")
        computer = Player(int(seat)).opponent if opponent and seat in ("1", "2") else None
        thinkers = {} if computer is None else {computer: study.thinker_of(opponent, self.seconds)}
        for player in Player:
            asked = self.names[player - 1] or speech.say("new.player", n=int(player))
            name = study.opponent_name(opponent) if player is computer else asked
            game.tags.setdefault(f"Player{int(player)}", name)
        table = Table(game, secrets.SystemRandom(), thinkers)
        return table, Telling(speech, (game.tags["Player1"], game.tags["Player2"]), table.you)
