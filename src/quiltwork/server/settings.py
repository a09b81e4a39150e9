"""What a server may be told: where it listens, where it keeps games, and its limits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from enum import Enum
from math import inf
from pathlib import Path

from platformdirs import user_data_path

from quiltwork.errors import QuiltworkError


def default_database_url() -> str:
    """SQLite in the user's data directory."""
    folder = user_data_path("quiltwork", appauthor=False, ensure_exists=True)
    return f"sqlite:///{(folder / 'games.sqlite3').as_posix()}"


class Role(Enum):
    """What a process does for the games of its database."""

    ALL = "all"
    WEB = "web"
    """pages and games, but no thinking"""
    ENGINE = "engine"
    """only thinking"""


@dataclass(frozen=True)
class Settings:
    """The settings of one server; times are seconds, sizes bytes."""

    host: str = "127.0.0.1"
    port: int = 8765
    database_url: str = ""
    """any SQLAlchemy URL; empty for SQLite in the user's data directory"""
    storage_timeout: float = 5.0
    """seconds for an answer of the database; after that the client shall try again"""
    public_url: str = ""
    """the address in links that are given to friends; empty to let the page use its own"""
    editions: tuple[Path, ...] = ()
    """edition files that are offered beside the built-in ones"""
    role: Role = Role.ALL
    """what this process does; one that does not do all needs PostgreSQL and others beside it"""
    engine_workers: int = 1
    engine_queue: int = 256
    """jobs that may wait; further hints are refused, and the computers' moves are asked for again later"""
    engine_share: int = 64
    """those of them that may be one visitor's"""
    engine_timeout: float = 120.0
    """seconds for a job; after that its process is replaced. Compiling on a new machine takes a while."""
    engine_warm_up: bool = True
    """whether the engine loads its agents at the start, before anyone waits for them"""
    study_workers: int = 2
    """processes for reviews and analyses, at a low priority of the system"""
    review_simulations: int = 8000
    """for each position that a review values"""
    computer_pace: float = 0.45
    """the least time from a move to the computer's answer, so that people can follow"""
    messages_per_second: float = 20.0
    """websocket messages of one connection"""
    requests_per_second: float = 20.0
    """REST requests of one address"""
    files_per_second: float = 100.0
    """requests of any kind of one address, the page's files among them"""
    games_per_minute: float = 60.0
    """new games of one address"""
    records_per_minute: float = 60.0
    """records that one address may have read"""
    message_bytes: int = 4096
    body_bytes: int = 262_144
    connections: int = 12_000
    """connections in all, as far as the limit of open files allows"""
    connections_per_address: int = 300
    """connections of one address; a school behind one router needs some"""
    request_timeout: float = 20.0
    """seconds for a request to arrive, from its first byte to the end of its body"""
    drain: float = 3.0
    """with PostgreSQL: seconds for which a process that shall end still serves, while `/ready` says 503"""
    connections_per_game: int = 50
    table_idle: float = 300.0
    """a table that nobody sits at is put away after this time; the game stays in the database"""
    keep_finished: float | None = None
    """finished games are deleted so long after the last thing that happened in them; None for never"""
    keep_unfinished: float | None = None
    """the same for games that nobody goes on with"""
    trust_proxy: str = ""
    """how many proxies in front are believed (X-Forwarded-For and -Proto), or a list of their addresses"""
    metrics_public: bool = False
    """whether anyone may read the metrics, or only this machine"""

    @property
    def minute_limits(self) -> dict[str, float]:
        """What a visitor may have a minute, at all processes together."""
        return {"games": self.games_per_minute, "records": self.records_per_minute}

    @property
    def resolved_database_url(self) -> str:
        return self.database_url or default_database_url()


def with_limits(settings: Settings, chosen: Iterable[str]) -> Settings:
    """Settings with other numbers, each given as `games-per-minute=120`; raises QuiltworkError."""
    kinds = {each.name: {"int": int, "float": float}.get(str(each.type)) for each in fields(Settings)}
    for text in chosen:
        name, _, number = text.partition("=")
        kind = kinds.get(name.strip().replace("-", "_"))
        try:
            if kind is None or not 0 < (value := kind(number)) < inf:
                raise ValueError
        except ValueError:
            numbers = ", ".join(name.replace("_", "-") for name, kind in kinds.items() if kind)
            raise QuiltworkError(
                f"expected a limit such as games-per-minute=120, found {text[:40]!r}; there are {numbers}"
            ) from None
        settings = replace(settings, **{name.strip().replace("-", "_"): value})
    return settings
