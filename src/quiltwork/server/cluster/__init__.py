"""What a server process shares with others on the same database, or does alone.

`Alone` is for one process on SQLite: everything is in its memory. `Shared` is for any number of processes on
PostgreSQL. Tables and sockets know neither, only `Cluster`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from quiltwork.server.cluster.jobs import Jobs
from quiltwork.server.events import Event


@dataclass(frozen=True)
class Company:
    """Who is at a table: connections that may move for player 1 and 2, and spectators."""

    one: int = 0
    two: int = 0
    watchers: int = 0


@dataclass(frozen=True)
class Elsewhere:
    """Who is at a table in other processes, and which players have ever sat down."""

    company: Company
    joined: frozenset[int]


class Audience(Protocol):
    """Who hears the news of other processes: the hall."""

    def awaits(self, game: str, version: float) -> int | None:
        """The version that a table has, where someone waits for news of it and it has not got this one yet."""

    async def take_news(self, game: str, first: int, events: Sequence[Event]) -> None:
        """Takes in events that others stored, from number `first` on."""

    def company_of(self, games: Sequence[str] | None) -> Mapping[str, Company]:
        """The seats with a connection in this process, at these tables or at all."""

    def take_company(self, game: str, elsewhere: Elsewhere) -> None:
        """Notes the seats of a table with a connection elsewhere."""

    def look_again(self) -> list[str]:
        """News may have been missed: the games that are awaited here; the others look when they are."""

    async def resume(self) -> None:
        """The service was away, which costs nobody time on a clock."""


class Cluster(Protocol):
    """One process among those that serve the same games."""

    @property
    def jobs(self) -> Jobs: ...

    @property
    def shared(self) -> bool:
        """Whether other processes may serve the same games."""

    @property
    def up_since(self) -> float:
        """Since when the games have been served without a gap; time before it costs nobody."""

    def now(self) -> float:
        """The time of events, the same for all processes."""

    @property
    def is_awake(self) -> bool:
        """Whether the database has been answering lately."""

    async def is_ready(self) -> bool:
        """Whether a move could be stored now."""

    def storage_failed(self) -> None:
        """Notes that something could not be stored."""

    async def start(self, audience: Audience) -> None: ...

    async def close(self) -> None: ...

    async def allows(self, what: str, visitor: str) -> bool:
        """Whether a visitor may have one more: of `games` or of `records`."""

    async def show(self, games: Sequence[str]) -> None:
        """Exchanges the connected seats of these tables with the other processes."""
