"""What a server may be told: where it listens, where it keeps games, and its limits."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path


def default_database_url() -> str:
    """SQLite in the user's data directory."""
    folder = user_data_path("quiltwork", appauthor=False, ensure_exists=True)
    return f"sqlite:///{(folder / 'games.sqlite3').as_posix()}"


@dataclass(frozen=True)
class Settings:
    """The settings of one server; times are seconds, sizes bytes."""

    host: str = "127.0.0.1"
    port: int = 8765
    database_url: str = ""
    """any SQLAlchemy URL; empty for SQLite in the user's data directory"""
    public_url: str = ""
    """the address in links that are given to friends; empty to let the page use its own"""
    editions: tuple[Path, ...] = ()
    """edition files that are offered beside the built-in ones"""
    engine_workers: int = 1
    engine_queue: int = 64
    """thoughts that may wait; further hints are refused"""
    engine_timeout: float = 120.0
    """after so long a thought is given up and its process replaced; compiling on a new machine takes a while"""
    engine_warm_up: bool = True
    """whether the engine loads its agents at the start, before anyone waits for them"""
    computer_pace: float = 0.45
    """the least time from a move to the computer's answer, so that people can follow"""
    messages_per_second: float = 20.0
    """websocket messages of one connection"""
    requests_per_second: float = 20.0
    """REST requests of one address"""
    games_per_minute: float = 60.0
    """new games of one address"""
    message_bytes: int = 4096
    body_bytes: int = 262_144
    connections_per_game: int = 50
    table_idle: float = 300.0
    """a table that nobody sits at is put away after this time; the game stays in the database"""
    trust_proxy: bool = False
    """whether X-Forwarded-For and -Proto are believed (behind a reverse proxy only)"""

    @property
    def resolved_database_url(self) -> str:
        return self.database_url or default_database_url()
