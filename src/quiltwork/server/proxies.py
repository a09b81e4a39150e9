"""Proxies in front of the server: whose word about the visitor's address is believed.

Each proxy adds the address that it saw at the right end of `X-Forwarded-For`. What stands further left came from
the visitor, who may write anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_address, ip_network

from starlette.types import ASGIApp, Receive, Scope, Send

from quiltwork.errors import QuiltworkError

_HOUSEHOLD = 64
"""the bits of an IPv6 address that tell visitors apart"""


@dataclass(frozen=True)
class TrustedProxies:
    """How many proxies stand in front, or their networks."""

    number: int = 0
    networks: tuple[IPv4Network | IPv6Network, ...] = ()

    @classmethod
    def parse(cls, text: str) -> TrustedProxies:
        """`2` for two proxies, or `10.0.0.0/8,192.0.2.7` for those at these addresses; raises QuiltworkError."""
        if text.strip().isdecimal() and int(text) > 0:
            return cls(number=int(text))
        try:
            return cls(networks=tuple(ip_network(part.strip(), strict=False) for part in text.split(",")))
        except ValueError as error:
            raise QuiltworkError(
                f"trusted proxies should be a number or a list of addresses, are {text!r}: {error}"
            ) from None

    def visitor(self, peer: str, forwarded: list[str]) -> str:
        """The first address from the right that no trusted proxy vouches for; what is none ends the search."""
        found = peer
        for vouched, hop in enumerate([peer, *reversed([_without_port(hop) for hop in forwarded])]):
            if not _is_address(hop):
                break
            found = hop
            if vouched >= self.number if self.number else not self.trusts(hop):
                break
        return found

    def trusts(self, address: str) -> bool:
        try:
            return any(ip_address(address) in network for network in self.networks)
        except ValueError:
            return False


def household(address: str) -> str:
    """The address that limits count by: of IPv6 the network, in which a visitor has as many as they like."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv4Address) or found.is_loopback:
        return str(found)
    return str(found.ipv4_mapped or ip_network((found, _HOUSEHOLD), strict=False).network_address)


class Visitors:
    """ASGI middleware that notes whom limits count by, and the scheme that a trusted proxy tells."""

    def __init__(self, app: ASGIApp, trusted: TrustedProxies) -> None:
        self._app = app
        self._trusted = trusted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and scope.get("client"):
            peer, port = scope["client"]
            proxied = self._trusted.number > 0 or self._trusted.trusts(peer)
            visitor = self._trusted.visitor(peer, _listed(scope, b"x-forwarded-for")) if proxied else peer
            scope = {**scope, "client": (household(visitor), port)}
            if proxied:
                scheme = _listed(scope, b"x-forwarded-proto")[-1:]
                if scheme == ["https"]:
                    scope["scheme"] = "https" if scope["type"] == "http" else "wss"
        await self._app(scope, receive, send)


def _without_port(hop: str) -> str:
    """Some proxies add the port: `192.0.2.9:4711`, `[2001:db8::1]:4711`."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _listed(scope: Scope, name: bytes) -> list[str]:
    values = b",".join(value for key, value in scope["headers"] if key == name).decode("latin-1")
    return [part.strip() for part in values.split(",") if part.strip()]
