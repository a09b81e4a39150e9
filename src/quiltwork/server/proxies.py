"""Proxies in front of the server: whose word about the visitor's address is believed.

Each proxy adds the address that it saw at the right end of `X-Forwarded-For`. What stands further left came from
the visitor, who may write anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from starlette.types import ASGIApp, Receive, Scope, Send

from quiltwork.errors import QuiltworkError


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
        """The first address from the right that no trusted proxy vouches for."""
        hops = [*forwarded, peer]
        if self.number:
            return hops[max(0, len(hops) - 1 - self.number)]
        for hop in reversed(hops):
            if not self.trusts(hop):
                return hop
        return hops[0]

    def trusts(self, address: str) -> bool:
        try:
            return any(ip_address(address) in network for network in self.networks)
        except ValueError:
            return False


class ProxyHeaders:
    """ASGI middleware that puts the visitor's address and scheme in place of the proxy's."""

    def __init__(self, app: ASGIApp, trusted: TrustedProxies) -> None:
        self._app = app
        self._trusted = trusted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and scope.get("client"):
            peer, port = scope["client"]
            if self._trusted.number or self._trusted.trusts(peer):
                scope = {
                    **scope,
                    "client": (self._trusted.visitor(peer, _listed(scope, b"x-forwarded-for")), port),
                }
                scheme = _listed(scope, b"x-forwarded-proto")[-1:]
                if scheme == ["https"]:
                    scope["scheme"] = "https" if scope["type"] == "http" else "wss"
        await self._app(scope, receive, send)


def _listed(scope: Scope, name: bytes) -> list[str]:
    values = b",".join(value for key, value in scope["headers"] if key == name).decode("latin-1")
    return [part.strip() for part in values.split(",") if part.strip()]
