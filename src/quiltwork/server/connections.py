"""Connections: how many there may be, and which are dropped when there are too many.

A connection is silent while no whole request of it has arrived. Where there is no room for a new one, silent ones
go first, the oldest before the others; where none is silent, the new one is turned away.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from quiltwork.server.metrics import Metrics
from quiltwork.server.proxies import TrustedProxies, household
from quiltwork.server.settings import Settings

_LOOK = 1.0
_CLOSE_WITHIN = 10.0
"""seconds for the last bytes to leave when a connection ends"""
_ANSWER_WITHIN = 60.0
_BUFFER = 1_000_000
"""bytes that a visitor may leave unread"""
_FULL = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


@dataclass(frozen=True)
class ConnectionLimits:
    """How many connections there may be, and how long a request may take; times are seconds."""

    total: int
    of_address: int
    request_within: float
    """how long a request may take to arrive, from its first byte to the end of its body"""
    answer_within: float
    """how long a visitor may leave some of an answer unread"""
    is_proxy: Callable[[str], bool] = lambda address: False
    """whether the connections of an address are those of many visitors"""


@dataclass(eq=False, slots=True)
class Connection:
    """One connection from outside, as the server sees it."""

    transport: asyncio.Transport
    address: str
    silent_since: float | None
    """when we began to wait for a request; None once one is there"""
    unread_since: float | None = None
    """since when some of what was said has not been taken"""
    closing_since: float | None = None

    def wait(self) -> None:
        """A request is waited for."""
        self.silent_since = self.silent_since or monotonic()

    def work(self) -> None:
        """A request has arrived, or the websocket has begun."""
        self.silent_since = None


class Connections:
    """All connections of one server."""

    def __init__(self, limits: ConnectionLimits, metrics: Metrics) -> None:
        self._limits = limits
        self._metrics = metrics
        self._open: dict[asyncio.Transport, Connection] = {}
        """in the order in which they came"""
        self._of_address: Counter[str] = Counter()
        self._watch: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._open)

    def open(self, transport: asyncio.Transport) -> Connection | None:
        """Notes a new connection; None where it was turned away."""
        peer = str((transport.get_extra_info("peername") or ("",))[0])
        address = household(peer)
        crowded = self._of_address[address] >= self._limits.of_address and not self._limits.is_proxy(peer)
        full = len(self._open) >= self._limits.total
        if (crowded and not self._drop_silent(address)) or (full and not crowded and not self._drop_silent()):
            self._metrics.count("refused_total", "too-many-connections")
            transport.write(_FULL)
            transport.close()
            return None
        connection = self._open[transport] = Connection(transport, address, monotonic())
        self._of_address[address] += 1
        if self._watch is None:
            self._watch = asyncio.get_running_loop().call_later(_LOOK, self._look)
        return connection

    def close(self, transport: asyncio.Transport) -> None:
        """Forgets a connection that has ended."""
        if connection := self._open.pop(transport, None):
            self._of_address[connection.address] -= 1
            if not self._of_address[connection.address]:
                del self._of_address[connection.address]

    def drop(self, transport: asyncio.Transport, reason: str) -> None:
        """Ends a connection at once."""
        if connection := self._open.get(transport):
            self._drop(connection, reason)

    def find(self, transport: asyncio.Transport) -> Connection | None:
        return self._open.get(transport)

    def _drop_silent(self, address: str | None = None) -> bool:
        """Drops the longest silent connection, of one address or of all; False where there is none."""
        for connection in self._open.values():
            if connection.silent_since is not None and address in (None, connection.address):
                self._drop(connection, "silent")
                return True
        return False

    def _drop(self, connection: Connection, reason: str) -> None:
        self._metrics.count("dropped_total", reason)
        self.close(connection.transport)
        connection.transport.abort()

    def _look(self) -> None:
        """Drops those that take too long or leave too much unread; looks again as long as there are any."""
        moment = monotonic()
        for connection in list(self._open.values()):
            if reason := self._overdue(connection, moment):
                self._drop(connection, reason)
        self._watch = asyncio.get_running_loop().call_later(_LOOK, self._look) if self._open else None

    def _overdue(self, connection: Connection, moment: float) -> str:
        if connection.transport.is_closing():
            connection.closing_since = connection.closing_since or moment
            return "lagging" if moment - connection.closing_since > _CLOSE_WITHIN else ""
        unread = connection.transport.get_write_buffer_size()
        connection.unread_since = (connection.unread_since or moment) if unread else None
        if unread > _BUFFER:
            return "lagging"
        if connection.silent_since and moment - connection.silent_since > self._limits.request_within:
            return "silent"
        # An answer may take long to compute, as a review does; slow is a client that does not read it.
        if connection.unread_since and moment - connection.unread_since > self._limits.answer_within:
            return "slow"
        return ""


def limits_of(settings: Settings) -> ConnectionLimits:
    """The limits that a server's settings mean on this machine."""
    trusted = TrustedProxies.parse(settings.trust_proxy) if settings.trust_proxy else TrustedProxies()
    return ConnectionLimits(
        total=_file_room(settings.connections),
        of_address=settings.connections_per_address,
        request_within=settings.request_timeout,
        answer_within=max(settings.request_timeout, _ANSWER_WITHIN),
        is_proxy=lambda address: trusted.number > 0 or trusted.trusts(address),
    )


def _file_room(wanted: int) -> int:
    """Raises the limit of open files as far as allowed; how many of the wanted connections fit below it."""
    try:
        import resource
    except ImportError:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted + _OWN_FILES and soft != hard:
        soft = wanted + _OWN_FILES if hard == resource.RLIM_INFINITY else min(hard, wanted + _OWN_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == resource.RLIM_INFINITY else max(_FEWEST, min(wanted, soft - _OWN_FILES))


ACCEPTED_AT_ONCE = 64
"""connections that are taken in before the next look at their number"""
_OWN_FILES = 64 + 3 * ACCEPTED_AT_ONCE
"""files for the database, the engine and connections that are just beginning or ending"""
_FEWEST = 16
